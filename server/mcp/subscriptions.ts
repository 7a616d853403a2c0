import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Agent } from './agent.ts'
import { concerns } from './following.ts'
import { assetByUri, uriOf } from './resources.ts'

const mostPerKey = 1000
const mostSessions = 50
/** A subscription that has not been told of so many events, for none concerned it, moves up behind them. */
const longestGap = 500

/** Follows an asset from now on, whichever node holds the stream. Asked twice, followed once. */
export async function subscribe(agent: Agent, uri: string): Promise<void> {
  const { client_id, id } = await assetByUri(agent, uri)
  const { rows } = await sql`
    insert into mcp_subscriptions (client_id, key_id, session_id, asset_id, last_event)
    select client_id, ${agent.caller.id}, ${sessionOf(agent)}, ${id}, last_event from client_counters
    where client_id = ${client_id}
      and (select count(*) from mcp_subscriptions where key_id = ${agent.caller.id}) < ${mostPerKey}
      and (select count(distinct session_id) from mcp_subscriptions
        where key_id = ${agent.caller.id} and session_id <> ${sessionOf(agent)}) < ${mostSessions}
    on conflict (key_id, session_id, client_id, asset_id) do update set touched_at = now()
    returning 1`.execute(agent.parts.db)
  if (rows.length === 0)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      `A key can follow ${mostPerKey} assets at a time, in ${mostSessions} sessions. Unsubscribe from some, or end a session with DELETE.`,
    )
}

export async function unsubscribe(agent: Agent, uri: string): Promise<void> {
  const { client_id, id } = await assetByUri(agent, uri)
  await mine(agent).where('client_id', '=', client_id).where('asset_id', '=', id).execute()
}

export async function endSession(agent: Agent): Promise<void> {
  await mine(agent).execute()
}

/** The assets that changed since the agent was last told, which it now is. */
export async function changedUris({ parts, caller, sessionId }: Agent): Promise<string[]> {
  const { rows } = await sql<{ clientId: string; assetId: string; changed: boolean }>`
    with changed as (
      select distinct s.client_id, s.asset_id from mcp_subscriptions s
      join assets a on a.client_id = s.client_id and a.id = s.asset_id
      join events e on e.client_id = s.client_id and e.id > s.last_event and ${concerns}
      where s.key_id = ${caller.id} and s.session_id = ${sessionId}
    )
    update mcp_subscriptions s set last_event = counters.last_event
    from client_counters counters left join changed on changed.client_id = counters.client_id
    where counters.client_id = s.client_id and s.key_id = ${caller.id} and s.session_id = ${sessionId}
      and (changed.asset_id = s.asset_id or counters.last_event - s.last_event > ${longestGap})
    returning s.client_id as "clientId", s.asset_id as "assetId",
      (s.client_id, s.asset_id) in (select client_id, asset_id from changed) as "changed"`.execute(parts.db)
  return rows.filter(({ changed }) => changed).map(({ clientId, assetId }) => uriOf(clientId, assetId))
}

/** Keeps the subscriptions of a session that is still listened to. */
export const touchSession = ({ parts, caller, sessionId }: Agent) =>
  parts.db
    .updateTable('mcp_subscriptions')
    .set({ touched_at: new Date() })
    .where('key_id', '=', caller.id)
    .where('session_id', '=', sessionId ?? '')
    .execute()

const mine = (agent: Agent) =>
  agent.parts.db
    .deleteFrom('mcp_subscriptions')
    .where('key_id', '=', agent.caller.id)
    .where('session_id', '=', sessionOf(agent))

function sessionOf({ sessionId }: Agent): string {
  if (sessionId) return sessionId
  throw new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    'Subscriptions belong to a session. Send the Mcp-Session-Id that initialize answered with.',
  )
}

export const forgetIdleSubscriptions = (db: Db) =>
  db.deleteFrom('mcp_subscriptions').where('touched_at', '<', sql<Date>`now() - interval '1 day'`).execute()
