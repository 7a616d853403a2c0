import { Compile } from 'typebox/compile'
import { type EventType, events } from '../contract/events.ts'
import type { Db } from '../server/db/database.ts'

/** Every event that was written tells what its type says, and nothing beside it. */
export async function everyEventIsValid(db: Db): Promise<void> {
  const rows = await db.selectFrom('events').select(['type', 'data']).execute()
  const wrong = rows.filter(({ type, data }) => !isValid(type, data))
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} of ${rows.length} events are not as contract/events.ts says: ${JSON.stringify(wrong[0])}`,
    )
}

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
