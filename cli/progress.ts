import { readableBytes } from './command.ts'

export interface Progress {
  advance(by: number): void
  /** A line of its own, above the bar. */
  say(line: string): void
  end(): void
}

const often = { terminal: 100, plain: 10_000 }
const width = 28

/** How far a long command is, on standard error: a bar on a terminal, else a line now and then. */
export function progress({
  label,
  total,
  bytes = false,
  quiet,
}: {
  label: string
  /** Where it is known. */
  total?: number
  bytes?: boolean
  quiet: boolean
}): Progress {
  const { stderr } = process
  const amount = (number: number) => (bytes ? readableBytes(number) : String(number))
  let done = 0
  let shownAt = 0

  const line = () => `${label} ${amount(done)}${total === undefined ? '' : ` of ${amount(total)}`}`
  const bar = () => {
    if (total === undefined) return `\r\x1b[K${line()}`
    const filled = Math.min(width, total > 0 ? Math.floor((done / total) * width) : width)
    return `\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${line()}`
  }
  const show = (now: number) => {
    shownAt = now
    stderr.write(stderr.isTTY ? bar() : `${line()}\n`)
  }

  return {
    advance(by) {
      done += by
      const now = Date.now()
      if (shownAt === 0) shownAt = now
      if (!quiet && now - shownAt >= (stderr.isTTY ? often.terminal : often.plain)) show(now)
    },
    say(text) {
      if (!quiet) stderr.write(stderr.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`)
    },
    end() {
      if (!quiet && stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}
