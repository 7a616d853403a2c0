import { sql } from 'kysely'
import { rolePermissions } from '../../contract/access.ts'
import type { ConnectedAgent } from '../../contract/agent-sign-in.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform, type PlatformChange } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import { isId, knownId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound } from '../problems.ts'

const mostShown = 1000

/** Those that somebody signed in themselves; whoever looks after keys sees everybody's. */
export async function listAgents(db: Db, asker: Caller): Promise<ConnectedAgent[]> {
  const rows = await agentsFor(db, asker)
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.name', 'app_id', 'app_host', 'permissions'])
    .select(['users.id as userId', 'users.name as person', 'users.role as personRole'])
    .select(['api_keys.created_at', 'api_keys.last_used_at'])
    .select((eb) =>
      eb
        .selectFrom('api_key_clients')
        .select(({ fn }) => fn<string[]>('array_agg', ['client_id']).as('ids'))
        .whereRef('api_key_clients.key_id', '=', 'api_keys.id')
        .as('client_ids'),
    )
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id')
    .limit(mostShown)
    .execute()
  return rows.map((row) => ({
    agentId: row.id,
    name: row.name,
    host: row.app_host!,
    isVerified: !isId('app', row.app_id),
    person: { userId: row.userId, name: row.person },
    clientIds: row.client_ids ?? [],
    permissions: row.permissions!.filter((one) => rolePermissions[row.personRole].some((may) => may === one)),
    connectedAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}

/** From the next request on, and on streams that are open. */
export const disconnectAgent = (db: Db, asker: Caller, agentId: string): Promise<void> =>
  changePlatform(db, asker, async (its) => {
    const row = await agentsFor(its.trx, asker)
      .select(['id', 'name'])
      .where('id', '=', knownId('key', agentId))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('No agent')
    await endAgent(its, row, 'revoked', asker.clientId)
  })

const agentsFor = (db: Pick<Db, 'selectFrom'>, { id, permissions }: Caller) =>
  db
    .selectFrom('api_keys')
    .where('user_id', 'is not', null)
    .$if(!permissions.has('keys:write'), (agents) => agents.where('user_id', '=', id))

type Reason = 'revoked' | 'given-back' | 'code-reused' | 'token-reused'

/** With its tokens, whoever holds them. */
export async function endAgent(
  { trx, note }: PlatformChange,
  { id, name }: { id: string; name: string },
  reason: Reason,
  clientId: string | null = null,
): Promise<void> {
  await trx.deleteFrom('api_keys').where('id', '=', id).execute()
  note({ action: 'agent.disconnected', thing: id, clientId, name, details: { reason } })
  await rightsChanged(trx)
}

/** Codes and tokens that have served their time, and agents that have none left: nobody came for what was allowed, or not for long. */
export async function forgetOldAgents(db: Db): Promise<void> {
  await db.deleteFrom('agent_tokens').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('agent_codes').where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute()
  await db
    .deleteFrom('api_keys')
    .where('user_id', 'is not', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agent_tokens')
            .select('agent_tokens.key_id')
            .whereRef('agent_tokens.key_id', '=', 'api_keys.id')
            .where('purpose', '=', 'refresh')
            .where('used_at', 'is', null),
        ),
      ),
    )
    .execute()
}
