import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * What a store does instead of its work. `error inside`: says 200 and means 500; `cut body`: begins the answer and
 * drops the line; `lost answer`: does the work and drops the line before saying so.
 */
export type StoreFault = 'busy' | 'silent' | 'reset' | 'error inside' | 'cut body' | 'lost answer'

/** What is asked of the store: the method and, of a POST, what it is for. */
export interface Wish {
  method: string
  path: string
  /** Copies name their source. */
  copies: boolean
  /** How much of an answer has been passed on. */
  answeredBytes: number
}

export interface FaultyStore {
  endpoint: string
  /** Whatever this answers happens to the wish; nothing: it is passed on. */
  suffers(fault: StoreFault | undefined | ((wish: Wish) => StoreFault | undefined)): void
  /** Wishes since the last `suffers`. */
  wishes: Wish[]
  /** Wishes that are being answered now. */
  open(): number
  stop(): Promise<void>
}

/** Stands before a real store and passes on what it does not spoil; signatures hold, for hosts stay as they were signed. */
export async function faultyStore(endpoint: string): Promise<FaultyStore> {
  const { origin, hostname, port, pathname } = new URL(endpoint)
  let fault: (wish: Wish) => StoreFault | undefined = () => undefined
  const wishes: Wish[] = []
  const open = new Set<ServerResponse>()

  const server = createServer(async (request, response) => {
    const wish = {
      method: request.method!,
      path: request.url!,
      copies: request.headers['x-amz-copy-source'] !== undefined,
      answeredBytes: 0,
    }
    wishes.push(wish)
    open.add(response)
    response.once('close', () => open.delete(response))
    const trouble = fault(wish)
    request.on('error', () => {})
    try {
      if (trouble === 'reset') request.socket.resetAndDestroy()
      else if (trouble === 'silent') request.resume()
      else if (trouble === 'busy') await refuse(request, response, 503, 'SlowDown')
      else if (trouble === 'error inside') await refuse(request, response, 200, 'InternalError')
      else await pass(request, response, wish, trouble)
    } catch {
      response.destroy()
    }
  })

  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    wish: Wish,
    trouble: StoreFault | undefined,
  ) {
    const { method, url: path, rawHeaders: headers } = request
    const onward = ask({ hostname, port, method, path, headers, setHost: false })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      onward.once('response', resolve).once('error', reject)
    })
    response.once('close', () => onward.destroy())
    pipeline(request, onward).catch(() => onward.destroy())
    const answer = await answered
    answer.on('data', (chunk: Buffer) => {
      wish.answeredBytes += chunk.length
    })
    answer.pause()
    if (trouble === 'lost answer') {
      await answer.resume().toArray()
      return request.socket.resetAndDestroy()
    }
    response.writeHead(answer.statusCode!, answer.rawHeaders)
    if (trouble === 'cut body') {
      for await (const chunk of answer) {
        await new Promise((resolve) =>
          response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), resolve),
        )
        break
      }
      return response.destroy()
    }
    await pipeline(answer, response)
  }

  // Only the faults that are asked for: a line closed for idleness, just as it is used again, would be one more.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint: `${own}${endpoint.startsWith(origin) ? pathname : ''}`,
    suffers(next) {
      fault = typeof next === 'function' ? next : () => next
      wishes.length = 0
    },
    wishes,
    open: () => open.size,
    async stop() {
      server.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.once('close', resolve))
    },
  }
}

async function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string) {
  await Readable.from(request).resume().toArray()
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`)
}
