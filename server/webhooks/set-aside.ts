import type { EventType, LibraryEvent } from '../../contract/events.ts'
import type { MessageOf } from '../../contract/webhooks.ts'
import type { Db } from '../db/database.ts'
import type { OutboundError } from '../outbound/errors.ts'
import type { LoggedMessage } from './attempts.ts'

/** The id stays the same however often it is sent: receivers tell repeats by it. */
export const eventMessage = (event: LibraryEvent) =>
  ({
    id: `${event.clientId}.${event.eventId}`,
    clientId: event.clientId,
    eventId: event.eventId,
    type: event.type,
    timestamp: event.at,
    data: event,
  }) as LoggedMessage & MessageOf<EventType>

/** What the receiver would not take is passed over, and kept until it is sent again. */
export async function setAside(
  db: Db,
  webhookId: string,
  { clientId, eventId }: LibraryEvent,
  { text, reason }: OutboundError,
): Promise<void> {
  await db
    .insertInto('webhook_set_aside')
    .values({
      webhook_id: webhookId,
      client_id: clientId,
      event_id: eventId,
      error: text.slice(0, 1000),
      reason: JSON.stringify(reason),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
