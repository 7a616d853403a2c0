const failuresUntilItHolds = 3
const firstSeconds = 5
const longestSeconds = 300

/**
 * Whether the endpoint is left alone for now: after failures in a row, longer each time, or for as long as it asked for.
 * Nobody then waits for an answer that does not come.
 */
export class Brake {
  #failures = 0
  #until = 0

  /** How long yet, in seconds. 0: it may be asked. */
  holds(now = Date.now()): number {
    return Math.max(0, this.#until - now) / 1000
  }

  worked(): void {
    this.#failures = 0
    this.#until = 0
  }

  failed(now = Date.now()): void {
    const over = ++this.#failures - failuresUntilItHolds
    if (over >= 0) this.pause(Math.min(longestSeconds, firstSeconds * 2 ** over), now)
  }

  pause(seconds: number, now = Date.now()): void {
    this.#until = Math.max(this.#until, now + seconds * 1000)
  }
}
