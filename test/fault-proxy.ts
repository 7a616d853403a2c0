import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** What the line is like just now. Nothing said: as good as none between. */
export interface Weather {
  /** How much later each piece arrives, in both directions. */
  delayMs?: number
  /** How fast bytes come through, in each direction of each connection. */
  bytesPerSecond?: number
  /** `reset`: whoever connects is thrown out. `swallow`: whatever is sent goes nowhere, and nobody is told. */
  trouble?: 'reset' | 'swallow' | undefined
}

export interface FaultProxy {
  port: number
  /** The same address, but by way of here. */
  before(url: string): string
  /** From now on, for new connections and those that are open. */
  weather(now: Weather): void
  /** Ends what is open: politely, or by a reset. */
  cut(): void
  reset(): void
  /** Cuts all of it, once, when so many more bytes have gone to the target. */
  cutAfter(bytes: number): Promise<void>
  /** How many bytes have gone to the target. */
  carried(): number
  open(): number
  stop(): Promise<void>
}

/**
 * A line with faults that are switched while it is in use. A connection whose bytes were once swallowed stays dead
 * when the weather clears, as behind a firewall that has forgotten it.
 */
export async function faultProxy(target: { port: number; host?: string }): Promise<FaultProxy> {
  let now: Weather = {}
  let carried = 0
  let planned: { at: number; done(): void } | undefined
  const lines = new Set<Line>()

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (now.trouble === 'reset') return near.on('error', () => {}).resetAndDestroy()
    const far = connect({ port: target.port, host: target.host ?? '127.0.0.1', allowHalfOpen: true })
    const line: Line = { ends: [near, far], dead: false }
    lines.add(line)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        lines.delete(line)
        to.destroySoon()
      })
      const passing = weathered(line, () => now)
      from.pipe(passing).pipe(to)
      if (to === far) passing.on('data', count)
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  const each = (work: (socket: Socket) => unknown) => {
    for (const { ends } of lines) ends.forEach(work)
  }
  const cut = () => each((socket) => socket.destroy())
  function count(chunk: Buffer) {
    carried += chunk.length
    if (!planned || carried < planned.at) return
    cut()
    planned.done()
    planned = undefined
  }
  return {
    port,
    before(url) {
      const changed = new URL(url)
      changed.hostname = '127.0.0.1'
      changed.port = String(port)
      return changed.href.replace(/\/$/, '')
    },
    weather(next) {
      now = next
      if (now.trouble === 'swallow') for (const line of lines) line.dead = true
      if (now.trouble === 'reset') each((socket) => socket.resetAndDestroy())
    },
    cut,
    cutAfter: (bytes) =>
      new Promise((done) => {
        planned = { at: carried + bytes, done }
      }),
    carried: () => carried,
    reset: () => each((socket) => socket.resetAndDestroy()),
    open: () => lines.size,
    async stop() {
      server.close()
      cut()
      if (server.listening) await new Promise((resolve) => server.once('close', resolve))
    },
  }
}

interface Line {
  ends: [Socket, Socket]
  dead: boolean
}

function weathered(line: Line, weather: () => Weather): Transform {
  return new Transform({
    highWaterMark: 16 * 1024,
    async transform(chunk: Buffer, _, done) {
      const { delayMs = 0, bytesPerSecond, trouble } = weather()
      if (trouble === 'swallow') line.dead = true
      if (line.dead) return done()
      const pause = delayMs + (bytesPerSecond ? (chunk.length / bytesPerSecond) * 1000 : 0)
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      done(null, line.dead ? undefined : chunk)
    },
  })
}
