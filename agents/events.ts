import { type Access, call, pause } from './call.ts'
import type { LibraryEvent } from './contract.ts'

/** More was missed than is kept: read anew what you hold. */
export interface Reset {
  type: 'reset'
}

export interface FollowOptions {
  /** The last event that was seen; without it, only what happens from now on is told. */
  after?: number | undefined
  signal?: AbortSignal | undefined
}

/** What happens in a library, in its order, until `signal` or the loop ends it. A broken line is taken up where it was. */
export async function* follow(
  access: Access,
  path: string,
  { after, signal }: FollowOptions = {},
): AsyncGenerator<LibraryEvent | Reset> {
  let last = after
  while (!signal?.aborted) {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
    const { body } = await call(access, 'GET', path, { accept: 'text/event-stream', headers, signal })
    try {
      for await (const { id, event, data } of messages(body!)) {
        last = Number(id)
        yield event === 'reset' ? { type: event } : JSON.parse(data!)
      }
    } catch (error) {
      if (!signal?.aborted && !(error instanceof TypeError)) throw error // which is how `fetch` tells of a broken line
    }
    if (!signal?.aborted) await pause(1000)
  }
}

async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, string>> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const message = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)))
      if (message.event) yield message
    }
  }
}
