import { sql } from 'kysely'
import type { Permission } from '../../contract/access.ts'
import type { Activity, ActivityPage, ActivityQuery } from '../../contract/activity.ts'
import { type AuditAction, type AuditEntry, auditActions } from '../../contract/audit.ts'
import { events } from '../../contract/events.ts'
import type { Caller, Library } from '../library.ts'
import type { Sealer } from '../secrets.ts'
import { type ReadTold, readTogether } from './together.ts'
import { cursorTo, readTrail } from './trail.ts'

/** What was done in a library, the newest first, as far as the caller may know: without addresses and programs. */
export async function readActivity(
  library: Library,
  sealer: Sealer,
  query: ActivityQuery,
  principalId?: string,
): Promise<ActivityPage> {
  const { clientId, caller, db } = library
  const actions = auditActions.filter((action) => !steps.has(action) && mayKnow(caller, action))
  const { thing, action, together, limit = 50 } = query
  const read: ReadTold = async (cursor, most) => {
    const { entries, nextCursor } = await readTrail(
      db,
      {
        thing,
        action,
        limit: most,
        cursor: opened(sealer, cursor),
        clientId,
        ...(principalId && { principalId }),
      },
      actions,
    )
    const named = caller.clientId ? await peopleOf(library, entries) : undefined
    const names = await lastNames(library, entries.flatMap(intoOf))
    return {
      told: entries.map((entry) => ({
        activity: asActivity(entry, sealer, named, names),
        cursor: () => sealed(sealer, cursorTo(entry)),
      })),
      nextCursor: nextCursor && sealed(sealer, nextCursor),
    }
  }
  if (together) return readTogether(read, { limit, cursor: query.cursor })
  const { told, nextCursor } = await read(query.cursor, limit)
  return { activity: told.map(({ activity }) => activity), nextCursor }
}

/** Entries are numbered across all clients: from the numbers one could count what is done for others. */
const sealed = (sealer: Sealer, cursor: string) =>
  Buffer.from(sealer.seal(cursor), 'base64').toString('base64url')

function opened(sealer: Sealer, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  try {
    return sealer.open(Buffer.from(cursor, 'base64url').toString('base64'))
  } catch {
    return '' // which is none of ours
  }
}

/** Steps on the way to what is told by another entry. */
const steps: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'asset.media',
  'upload.created',
  'upload.finalized',
  'upload.expired',
  'upload.aborted',
  'connection.checked',
  'delivery.updated',
])

/** Who may know what is no event. All else is for those who read the whole trail. */
const readers: Partial<Record<AuditAction, Permission>> = {
  'asset.downloaded': 'assets:read',
  'folder.downloaded': 'assets:read',
  'delivery.retry-asked': 'deliveries:read',
  'delivery.cancel-asked': 'deliveries:read',
  'delivery.settled': 'deliveries:read',
  'agent.stopped': 'agents:read',
  'client.created': 'clients:read',
  'client.updated': 'clients:read',
  'client.suggestions-set': 'clients:read',
  'suggestion.asked': 'reviews:write',
  'suggestion.accepted': 'reviews:write',
  'suggestion.declined': 'reviews:write',
  'suggestion.reopened': 'reviews:write',
}

const ofEvents: Partial<Record<AuditAction, { reader: Permission }>> = events

const mayKnow = ({ permissions }: Caller, action: AuditAction) =>
  permissions.has(ofEvents[action]?.reader ?? readers[action] ?? 'audit:read')

/** The client's own people among those who did something. */
async function peopleOf({ db, clientId }: Library, entries: AuditEntry[]): Promise<ReadonlySet<string>> {
  const ids = entries.flatMap(({ principal: { kind, id } }) => (kind === 'user' && id ? [id] : []))
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .select('users.id')
    .where('users.id', 'in', [...new Set(ids)])
    .where('users.role', '=', 'client')
    .where('user_clients.client_id', '=', clientId)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The other asset, of a merge. */
const intoOf = ({ action, details: { into } }: AuditEntry): string[] =>
  action === 'asset.merged' && typeof into === 'string' ? [into] : []

/** What each of these was called when something was last done to it. */
async function lastNames(
  { db, clientId }: Library,
  things: string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (things.length === 0) return new Map()
  const { rows } = await sql<{ thing: string; name: string | null }>`
    select thing, (select name from audit_trail
      where client_id = ${clientId} and thing = wanted.thing and name is not null
      order by at desc, id desc limit 1) as name
    from unnest(${[...new Set(things)]}::text[]) as wanted (thing)`.execute(db)
  return new Map(rows.map(({ thing, name }) => [thing, name]))
}

/** The library itself, and guests: neither is of the agency. */
const ofNobody: ReadonlySet<string> = new Set(['system', 'nobody'])

function asActivity(
  entry: AuditEntry,
  sealer: Sealer,
  named: ReadonlySet<string> | undefined,
  names: ReadonlyMap<string, string | null>,
): Activity {
  const { entryId, at, principal, action, thing, name, details } = entry
  const isKnown = !named || ofNobody.has(principal.kind) || (principal.id !== null && named.has(principal.id))
  const { changed, version, note } = details
  const [into] = intoOf(entry)
  return {
    activityId: sealer.nameFor(`activity ${entryId}`),
    at,
    by: isKnown ? principal : { kind: 'agency', id: null, name: null },
    action,
    thing,
    name,
    ...(into && { into: { thing: into, name: names.get(into) ?? null } }),
    changed: Array.isArray(changed) ? changed.map(String) : [],
    ...(action.startsWith('review.') && { decision: { version: Number(version), note: String(note) } }),
  }
}
