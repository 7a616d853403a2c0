import type { GuestComment } from '../../contract/shares.ts'

/** The comments that point to a place, each with the number that stands there. */
export const numbersOf = (comments: GuestComment[]) =>
  new Map(comments.filter(({ pin }) => pin !== null).map((comment, index) => [comment, index + 1]))
