import { sql } from 'kysely'
import { networkOf } from '../access/network.ts'
import type { Origin } from '../changes/audit-trail.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import { isId, newId } from '../ids.ts'
import { Problem } from '../problems.ts'
import { type AgentApp, readMetadata } from './app-metadata.ts'

const perNetwork = 20
const mostUnused = 5000
const unusedDays = 1
const usedDays = 180

/** Lets a program introduce itself (RFC 7591). Anybody can, so what it says is believed by nobody, and forgotten unless somebody lets it in. */
export async function registerApp(db: Db, said: unknown, origin: Origin) {
  const { name, redirectUris } = readMetadata(said)
  const id = newId('app')
  const nobody = { kind: 'nobody', id: null, name: null, origin } as const
  await changePlatform(db, nobody, async ({ trx }) => {
    await makeRoom(trx, networkOf(origin.address))
    await trx
      .insertInto('agent_apps')
      .values({ id, name, redirect_uris: redirectUris, network: networkOf(origin.address) })
      .execute()
  })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

/** A network that registers too many is refused; from whichever they come, the oldest that nobody used make room. */
async function makeRoom(trx: Trx, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('agent apps', 0))`.execute(trx)
  const { recent } = await trx
    .selectFrom('agent_apps')
    .select(({ fn }) => fn.countAll<number>().as('recent'))
    .where('network', '=', network)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  if (recent >= perNetwork)
    throw new Problem('rate-limited', 'Too many agents have registered from where you are. Wait an hour.', {
      headers: { 'retry-after': '3600' },
    })
  await trx
    .deleteFrom('agent_apps')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('agent_apps')
        .select('id')
        .where('used_at', 'is', null)
        .orderBy('created_at', 'desc')
        .offset(mostUnused - 1),
    )
    .execute()
}

export async function registeredApp(db: Db, id: string): Promise<AgentApp | undefined> {
  if (!isId('app', id)) return undefined
  const row = await db
    .selectFrom('agent_apps')
    .select(['name', 'redirect_uris'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { id, name: row.name, redirectUris: row.redirect_uris, host: null }
}

/** Somebody has let it in: it is known for as long as it is used. */
export const keepApp = (trx: Trx, id: string) =>
  trx.updateTable('agent_apps').set({ used_at: sql<Date>`now()` }).where('id', '=', id).execute()

export const forgetUnusedApps = (db: Db) =>
  db
    .deleteFrom('agent_apps')
    .where(
      sql<boolean>`(used_at is null and created_at < now() - make_interval(days => ${unusedDays}))
        or used_at < now() - make_interval(days => ${usedDays})`,
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('api_keys').select('api_keys.id').whereRef('app_id', '=', 'agent_apps.id'))),
    )
    .execute()
