/** Milliseconds that a usual job takes. */
const slot = 500
/** How far behind a client can fall by what it has queued itself. */
const mostBehind = 10 * 60_000

/**
 * Whose turn a job is. Of the jobs that wait, the one whose turn is earliest is done first: a client's first job
 * has its turn now, each one it adds a slot later. So five hundred files of one client spread over the minutes to
 * come, and the one file of another goes in between. With nobody else waiting they are done as fast as ever.
 */
export function openTurns(now: () => number = Date.now) {
  const last = new Map<string, number>()
  return (clientId: string): number => {
    const time = now()
    const turn = Math.min(Math.max(time, (last.get(clientId) ?? 0) + slot), time + mostBehind)
    last.delete(clientId)
    last.set(clientId, turn)
    forgetPassed(last, time)
    return priorityOf(turn)
  }
}

/** The turn of a job that failed: behind whatever others have queued or will have soon, and not behind all for ever. */
export const turnOfRetry = (now = Date.now()): number => priorityOf(now + mostBehind)

/** The turn of what a client has still queued when it has just been served. */
export const turnOfNext = (now = Date.now()): number => priorityOf(now + slot)

// A few at a time, from the front, where the clients are that have been quiet longest.
function forgetPassed(last: Map<string, number>, time: number): void {
  let looked = 0
  for (const [clientId, turn] of last) {
    if (++looked > 4) return
    if (turn < time - slot) last.delete(clientId)
  }
}

const start = Date.UTC(2026, 0, 1)

// The queue takes the highest first, in 32 bits: half seconds last until 2060.
const priorityOf = (turn: number) => -Math.max(0, Math.floor((turn - start) / slot))
