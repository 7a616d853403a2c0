import { sql } from 'kysely'
import type { EventOf } from '../../contract/events.ts'
import type { Reader } from '../db/database.ts'
import { isId } from '../ids.ts'

/**
 * Whom a new comment concerns: who has spoken in its thread, who brought the file, who asked for its review or gave
 * one. A guest's concerns whoever made the link, too, and all who look after the client: nobody else would answer.
 */
export async function concernedBy(
  db: Reader,
  { clientId, subject: assetId, actor, data }: EventOf<'comment.created'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select created_by as id from comments
      where client_id = ${clientId} and asset_id = ${assetId}
        and coalesce(thread_id, id) = ${data.threadId ?? data.commentId}
    union select created_by from asset_versions
      where client_id = ${clientId} and asset_id = ${assetId} and version = ${data.version}
    union select principal_id from audit_trail
      where client_id = ${clientId} and thing = ${assetId} and principal_kind = 'user'
        and action in ('review.requested', 'review.approved', 'review.changes-requested')
    union select principal_id from audit_trail
      where client_id = ${clientId} and thing = ${actor} and action = 'share-link.created'
    union select id from users where ${isId('share', actor)} and role in ('admin', 'operator')`.execute(db)
  return rows.map(({ id }) => id)
}
