import { connect } from 'node:net'

/**
 * Asks as fast as answers come, over a few connections that stay open, as `wrk` does: in a process of its own, so that
 * neither server shares a thread with who asks it, and with as little work for each answer as can be.
 */
export interface Order {
  port: number
  /** Whole requests, as they go over the line: sent in turn. */
  requests: Buffer[]
  /** How many are sent; until then, over and over. */
  most: number
  callers: number
  milliseconds: number
  keepBodies: boolean
}

export interface Outcome {
  answers: number
  bytes: number
  milliseconds: number
  bodies: string[]
}

process.on('message', async (order: Order) => {
  try {
    process.send!(await carryOut(order))
  } catch (error) {
    process.send!({ failed: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))

async function carryOut(order: Order): Promise<Outcome> {
  const outcome: Outcome = { answers: 0, bytes: 0, milliseconds: 0, bodies: [] }
  const began = performance.now()
  let sent = 0
  const next = (): Buffer | undefined => {
    if (performance.now() - began >= order.milliseconds) return undefined
    if (sent === order.most) return undefined
    return order.requests[sent++ % order.requests.length]
  }
  await Promise.all(Array.from({ length: order.callers }, () => caller(order, next, outcome)))
  outcome.milliseconds = performance.now() - began
  return outcome
}

function caller(
  { port, keepBodies }: Order,
  next: () => Buffer | undefined,
  outcome: Outcome,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const ask = () => {
      const request = next()
      if (request) return void socket.write(request)
      socket.destroy()
      resolve()
    }
    let head: Buffer = Buffer.alloc(0)
    let missing: number | undefined
    let body: Buffer[] = []

    const begin = (chunk: Buffer): Buffer | undefined => {
      head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      const lines = head.toString('latin1', 0, end)
      const status = Number(lines.slice(9, 12))
      if (status >= 400) throw new Error(`An answer of ${status} under load`)
      const length = /\r\ncontent-length: (\d+)/i.exec(lines)?.[1]
      if (length === undefined && status !== 304 && status !== 204)
        throw new Error(`An answer of ${status} without its length`)
      missing = Number(length ?? 0)
      const rest = head.subarray(end + 4)
      head = Buffer.alloc(0)
      return rest
    }
    socket.on('data', (chunk: Buffer) => {
      try {
        const rest = missing === undefined ? begin(chunk) : chunk
        if (rest === undefined || missing === undefined) return
        missing -= rest.length
        if (keepBodies) body.push(rest)
        outcome.bytes += rest.length
        if (missing > 0) return
        missing = undefined
        outcome.answers++
        if (keepBodies) outcome.bodies.push(Buffer.concat(body).toString())
        body = []
        ask()
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('The server hung up under load')))
    socket.once('connect', ask)
  })
}
