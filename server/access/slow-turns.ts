import { FairQueue } from '../jobs/fair-queue.ts'

interface Turn {
  pause: number
  begin(): void
}

/**
 * Attempts on one account, one after another and each after its pause; networks take turns, so one that sends many
 * delays another's first by one. Counted in this process: a second node looks at as many again.
 */
export class SlowTurns {
  readonly #lines = new Map<string, FairQueue<Turn>>()
  readonly #mostWaiting: number

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  /** False when too many wait already. */
  async wait(account: string, network: string, pause: number): Promise<boolean> {
    const line = this.#lines.get(account)
    if (line && line.length >= this.#mostWaiting) return false
    const waiting = line ?? new FairQueue<Turn>()
    await new Promise<void>((begin) => {
      waiting.push(network, { pause, begin })
      if (line) return
      this.#lines.set(account, waiting)
      this.#next(account, waiting)
    })
    return true
  }

  #next(account: string, waiting: FairQueue<Turn>): void {
    const turn = waiting.shift()
    if (!turn) return void this.#lines.delete(account)
    setTimeout(() => {
      turn.begin()
      this.#next(account, waiting)
    }, turn.pause)
  }
}
