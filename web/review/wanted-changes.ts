import type { Comment } from '../../contract/review.ts'

/** Nobody is left to guess: a note says what should be changed, or a comment on this version that is still open. */
export const areChangesSaid = (
  note: string,
  version: number,
  comments: Pick<Comment, 'version' | 'resolvedAt'>[] = [],
) => note.trim() !== '' || comments.some((comment) => comment.version === version && !comment.resolvedAt)
