import { Problem } from '../problems.ts'

/** Honours If-Match: a change made on an old state is refused instead of undoing somebody else's. */
export function refuseStale(etag: string, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const wanted = ifMatch.split(',').map((tag) => tag.trim())
  if (!wanted.includes(etag)) throw changedMeanwhile()
}

export const changedMeanwhile = () =>
  new Problem('changed-meanwhile', 'Somebody else has changed this. Read it again, then repeat your change.')
