import { setTimeout as pause } from 'node:timers/promises'

const pauses = [250, 500, 1000, 2000, 3000, 5000, 8000, 10_000, 15_000, 15_000]

/** Asks until there is an answer, less and less often, for about a minute. */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (const milliseconds of pauses) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await pause(milliseconds, undefined, { signal })
  }
  return ask()
}
