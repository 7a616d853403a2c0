import { type Selectable, sql } from 'kysely'
import { events as eventTable, type LibraryEvent } from '../../contract/events.ts'
import { forClients } from '../access/for-clients.ts'
import type { NewEvents } from '../changes/new-events.ts'
import type { Db } from '../db/database.ts'
import type { EventsTable } from '../db/schema.ts'
import type { Library } from '../library.ts'

const pageSize = 500
const beat = 10_000

interface StreamOptions {
  newEvents: NewEvents
  lastEventId: number | undefined
  /** Asked before anything is sent: rights taken away end the stream. */
  mayGoOn: () => Promise<boolean>
  signal: AbortSignal
}

/** Server-sent events from behind `lastEventId`, or from now on, until the caller leaves or may no longer listen. */
export async function* eventStream(library: Library, options: StreamOptions): AsyncGenerator<string> {
  const { newEvents, mayGoOn, signal } = options
  const bell = makeBell(signal)
  const unfollow = newEvents.follow(library.clientId, bell.ring)
  try {
    const { last, oldest } = await heldEvents(library)
    let position = options.lastEventId ?? last
    yield 'retry: 2000\n\n'
    if (position < oldest - 1 || position > last) {
      // What came between is no longer kept: the follower has to read the library anew.
      yield `id: ${last}\nevent: reset\ndata: {}\n\n`
      position = last
    }
    while (!signal.aborted && (await mayGoOn())) {
      const events = await eventsAfter(library, position)
      for (const event of events) if (mayRead(library, event)) yield asMessage(asTold(library, event))
      position = events.at(-1)?.eventId ?? position
      if (events.length < pageSize && !(await bell.rung(beat))) yield ': still here\n\n'
    }
  } finally {
    unfollow()
  }
}

export async function eventsAfter(
  library: Library,
  eventId: number,
  limit = pageSize,
): Promise<LibraryEvent[]> {
  const rows = await library.db
    .selectFrom('events')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('id', '>', eventId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toEvent)
}

/** A row is written by `tell` alone, which takes no data but its type's own. */
const toEvent = (row: Selectable<EventsTable>) =>
  ({
    eventId: row.id,
    type: row.type,
    clientId: row.client_id,
    subject: row.subject,
    actor: row.actor,
    data: row.data,
    at: row.created_at.toISOString(),
  }) as LibraryEvent

async function heldEvents(library: Library): Promise<{ last: number; oldest: number }> {
  const { last_event } = await library.db
    .selectFrom('client_counters')
    .select('last_event')
    .where('client_id', '=', library.clientId)
    .executeTakeFirstOrThrow()
  const first = await library.db
    .selectFrom('events')
    .select('id')
    .where('client_id', '=', library.clientId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { last: last_event, oldest: first?.id ?? last_event + 1 }
}

/** One that a later version has told, beside this one, has no reader here. */
const mayRead = ({ caller }: Library, { type }: LibraryEvent) =>
  type in eventTable && caller.permissions.has(eventTable[type].reader)

const asTold = ({ caller }: Library, event: LibraryEvent) =>
  caller.role === 'client' ? forClients(event) : event

const asMessage = (event: LibraryEvent) =>
  `id: ${event.eventId}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** A ring that came while nobody was waiting is not lost. */
export function makeBell(signal: AbortSignal) {
  let rang = false
  let wake = () => {}
  const ring = () => {
    rang = true
    wake()
  }
  signal.addEventListener('abort', ring)
  return {
    ring,
    async rung(milliseconds: number): Promise<boolean> {
      if (!rang)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      const answer = rang
      rang = false
      wake = () => {}
      return answer
    },
  }
}

export const forgetOldEvents = (db: Db) =>
  db.deleteFrom('events').where('created_at', '<', sql<Date>`now() - interval '30 days'`).execute()
