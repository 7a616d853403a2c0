import type { LibraryEvent } from '../contract/events.ts'
import type { Person } from './person.ts'

export interface Message {
  id?: string
  event?: string
  data?: LibraryEvent
}

export interface EventStream {
  status: number
  headers: Headers
  /** The next message that is more than a sign of life. */
  next(): Promise<Message>
  take(count: number): Promise<Message[]>
  /** Fulfilled when the server has ended the stream. */
  ended: Promise<void>
  leaves(): void
}

/** Follows a library's events as a browser's EventSource would. Returns when the server has begun to answer. */
export async function nextEvents(
  person: Person,
  lastEventId?: number | string,
  query = '',
): Promise<EventStream> {
  const leave = new AbortController()
  const { status, headers, body } = await person.fetch(`${person.door.events}${query}`, {
    signal: leave.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
  })
  const waiting: Message[] = []
  let wake = () => {}
  let over = false
  let hello = () => {}
  const begun = new Promise<void>((resolve) => {
    hello = resolve
  })

  const ended = (async () => {
    let text = ''
    try {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        hello()
        waiting.push(...blocks.map(read).filter((message) => message.event))
        wake()
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error
    } finally {
      over = true
      hello()
      wake()
    }
  })()
  ended.catch(() => {})
  await begun

  async function next(): Promise<Message> {
    while (waiting.length === 0) {
      if (over) throw new Error('The stream has ended.')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return waiting.shift()!
  }
  return {
    status,
    headers,
    ended,
    next,
    async take(count) {
      const messages: Message[] = []
      while (messages.length < count) messages.push(await next())
      return messages
    },
    leaves: () => leave.abort(),
  }
}

function read(block: string): Message {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { ...fields, ...(fields.data && { data: JSON.parse(fields.data) }) }
}
