import { type Selectable, sql } from 'kysely'
import type { AuditAction, AuditEntry, AuditPage, AuditQuery } from '../../contract/audit.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Db, Reader } from '../db/database.ts'
import type { AuditTrailTable } from '../db/schema.ts'

/**
 * What was done, the newest first; of these actions only, where some are named. A filter that fits nothing, or names
 * nothing that there is, finds nothing.
 */
export async function readTrail(db: Db, query: AuditQuery, actions?: AuditAction[]): Promise<AuditPage> {
  const { limit = 50 } = query
  const rows = await trailQuery(db, query, limit + 1)
    .$if(actions !== undefined, (trail) => trail.where('action', 'in', actions!))
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(toEntry),
    nextCursor: rows.length > limit && last ? writeCursor([last.at.toISOString(), last.id]) : null,
  }
}

/** Each filter has an index that gives its rows in their order. */
export const trailQuery = (db: Reader, query: AuditQuery, rows: number) => {
  const { clientId, principalId, action, thing, from, to, cursor } = query
  return db
    .selectFrom('audit_trail')
    .selectAll()
    .$if(clientId !== undefined, (trail) => trail.where('client_id', '=', clientId!))
    .$if(principalId !== undefined, (trail) => trail.where('principal_id', '=', principalId!))
    .$if(thing !== undefined, (trail) => trail.where('thing', '=', thing!))
    .$if(action !== undefined, (trail) => trail.where(isAction(action!)))
    .$if(from !== undefined, (trail) => trail.where('at', '>=', sql<Date>`${from}::timestamptz`))
    .$if(to !== undefined, (trail) => trail.where('at', '<', sql<Date>`${to}::timestamptz`))
    .$if(cursor !== undefined, (trail) => trail.where(before(cursor!)))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(rows)
}

/** One action, or all of a kind: `asset` is every `asset.…`. */
const isAction = (action: string) =>
  action.includes('.')
    ? sql<boolean>`action = ${action}`
    : sql<boolean>`split_part(action, '.', 1) = ${action}`

/** From the entry on, itself among them. */
export const cursorTo = ({ at, entryId }: AuditEntry) => writeCursor([at, entryId + 1])

function before(cursor: string) {
  const [at, id] = readCursor(cursor, ['time', 'number'])
  return sql<boolean>`(at, id) < (${at}::timestamptz, ${id}::bigint)`
}

const toEntry = (row: Selectable<AuditTrailTable>): AuditEntry => ({
  entryId: row.id,
  at: row.at.toISOString(),
  clientId: row.client_id,
  principal: { kind: row.principal_kind, id: row.principal_id, name: row.principal_name },
  action: row.action,
  thing: row.thing,
  name: row.name,
  details: row.details,
  address: row.address,
  userAgent: row.user_agent,
  requestId: row.request_id,
})
