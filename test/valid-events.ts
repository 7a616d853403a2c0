import { Compile } from 'typebox/compile'
import { type EventType, events } from '../contract/events.ts'
import type { Server } from './world.ts'

/** Every event that was written since it was last asked tells what its type says, and nothing beside it. */
export async function eventsAreValid({ parts: { db } }: Pick<Server, 'parts'>): Promise<void> {
  const seen = seenIn.get(db) ?? new Set()
  seenIn.set(db, seen)
  const rows = await db
    .selectFrom('events')
    .select(['client_id', 'type', 'data'])
    .where(({ not, eb, val }) => not(eb('client_id', '=', eb.fn.any(val([...seen])))))
    .execute()
  for (const { client_id } of rows) seen.add(client_id)
  const wrong = rows.filter(({ type, data }) => !isValid(type, data))
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} of ${rows.length} events are not as contract/events.ts says: ${JSON.stringify(wrong[0])}`,
    )
}

/** The clients of earlier files: nobody writes in their libraries any more. */
const seenIn = new WeakMap<object, Set<string>>()

const isValid = (type: EventType, data: object) => {
  const { properties } = events[type].data
  return checkOf(type).Check(data) && Object.keys(data).every((name) => name in properties)
}

const compiled = new Map<EventType, ReturnType<typeof Compile>>()
function checkOf(type: EventType) {
  const check = compiled.get(type) ?? Compile(events[type].data)
  compiled.set(type, check)
  return check
}
