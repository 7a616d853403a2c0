import { type Expression, sql } from 'kysely'
import type { Agent, AgentQuery, AgentRecord } from '../../contract/agents.ts'
import { readActivity } from '../audit/activity.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'
import type { Sealer } from '../secrets.ts'
import { toRuntime } from './agents.ts'

const mostShown = 50
/** How long an agent that was stopped stays listed. */
const keptDays = 90

/** The agents that may work for a client, and those that did: the trail of a client knows keys that are gone. */
export async function listAgents(library: Library): Promise<Agent[]> {
  const rows = await agentRows(library, sql`true`)
  return rows.map(toAgent)
}

/** What an agent did for this client, and nothing of what it does for others. */
export async function readAgent(
  library: Library,
  sealer: Sealer,
  keyId: string,
  query: AgentQuery,
): Promise<AgentRecord> {
  const [row] = await agentRows(library, sql`agent.id = ${knownId('key', keyId)}`)
  if (!row) throw notFound('No key')
  const [runtimes, looks, deliveries, { activity, nextCursor }] = await Promise.all([
    runtimesOf(library, row.id),
    looksOf(library, row.id),
    deliveriesOf(library, row.id),
    readActivity(library, sealer, query, row.id),
  ])
  return { ...toAgent(row), runtimes, looks, deliveries, activity, nextCursor }
}

interface AgentRow {
  id: string
  name: string | null
  role: string | null
  isSignedIn: boolean
  did: Date | null
}

async function agentRows({ db, clientId }: Library, which: Expression<unknown>): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select agent.id, coalesce(k.name, last.principal_name) as name, k.role, k.user_id is not null as "isSignedIn", last.at as did
    from (
      select key_id as id from api_key_clients where client_id = ${clientId}
      union
      select distinct principal_id from audit_trail where client_id = ${clientId}
        and principal_kind = 'key' and at > now() - make_interval(days => ${keptDays})
    ) agent
    left join api_keys k on k.id = agent.id
      and exists (select from api_key_clients c where c.key_id = k.id and c.client_id = ${clientId})
    left join lateral (
      select t.at, t.principal_name from audit_trail t
      where t.principal_id = agent.id and t.client_id = ${clientId} order by t.at desc limit 1
    ) last on true
    where ${which}
    order by k.id is null, last.at desc nulls last, agent.id`.execute(db)
  return rows
}

const toAgent = ({ id, name, role, isSignedIn, did }: AgentRow): Agent => ({
  keyId: id,
  name,
  role,
  isSignedIn,
  isStopped: role === null,
  lastDidAt: did?.toISOString() ?? null,
})

async function runtimesOf({ db, clientId }: Library, keyId: string): Promise<AgentRecord['runtimes']> {
  const rows = await db
    .selectFrom('agent_runtimes')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('key_id', '=', keyId)
    .orderBy('heartbeat_at', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(toRuntime)
}

async function looksOf({ db, clientId }: Library, keyId: string): Promise<AgentRecord['looks']> {
  const rows = await db
    .selectFrom('asset_looks')
    .innerJoin('assets', (join) =>
      join
        .onRef('assets.client_id', '=', 'asset_looks.client_id')
        .onRef('assets.id', '=', 'asset_looks.asset_id'),
    )
    .select(['assets.id', 'assets.title', 'asset_looks.hour'])
    .where('asset_looks.client_id', '=', clientId)
    .where('asset_looks.key_id', '=', keyId)
    .orderBy('asset_looks.hour', 'desc')
    .orderBy('assets.id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(({ id, title, hour }) => ({ assetId: id, title, hour: hour.toISOString() }))
}

async function deliveriesOf(
  { db, clientId, caller }: Library,
  keyId: string,
): Promise<AgentRecord['deliveries']> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'asset_id', 'status', 'remote_url', 'last_error', 'last_error_reason', 'created_at'])
    .where('client_id', '=', clientId)
    .where('created_by', '=', keyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map((row) => ({
    deliveryId: row.id,
    assetId: row.asset_id,
    status: row.status,
    remoteUrl: row.remote_url,
    // What another system said goes to those who deliver; why it failed, to everybody.
    lastError: caller.permissions.has('deliveries:read') ? row.last_error : null,
    lastErrorReason: row.last_error_reason,
    createdAt: row.created_at.toISOString(),
  }))
}
