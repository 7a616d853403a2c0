import { sql } from 'kysely'
import { clientsOf as namedFor } from '../access/visible.ts'
import { makeBell } from '../events/stream.ts'
import { isId } from '../ids.ts'
import { type Agent, clientsOf } from './agent.ts'
import type { Exchange } from './exchange.ts'
import { addressOf, uriOf } from './resources.ts'

const beat = 10_000

/** Tells of what has changed, now and whenever something does at one of the agent's clients, until nobody listens or may. */
export async function whileChanging(
  { agent, log, signal, mayGoOn }: Exchange,
  changes: () => Promise<string[]>,
  tell: (uri: string) => unknown,
): Promise<void> {
  const bell = makeBell(signal)
  const clients = await clientsOf(agent)
  const unfollow = clients.map(({ clientId }) => agent.parts.newEvents.follow(clientId, bell.ring))
  try {
    while (!signal.aborted) {
      const uris = await changes()
      // Only now: what changed after the key was taken away is not told.
      if (signal.aborted || !(await mayGoOn())) return
      for (const uri of uris) await tell(uri)
      await bell.rung(beat)
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'mcp stream')
  } finally {
    for (const stop of unfollow) stop()
  }
}

interface Followed {
  clientId: string
  assetId: string
}

/** Those of the uris that are assets of the agent's clients: nothing is told of others. */
export async function mayFollow(agent: Agent, uris: string[]): Promise<string[]> {
  const named = uris
    .map(addressOf)
    .filter(({ clientId, assetId }) => isId('client', clientId) && isId('asset', assetId))
  const clients = await clientsOf(agent)
  const { rows } = await sql<Followed>`
    select a.client_id as "clientId", a.id as "assetId" from ${pairs(named)} named
    join assets a on a.client_id = named.client_id and a.id = named.asset_id
    where a.client_id = any(${clients.map(({ clientId }) => clientId)}::text[])`.execute(agent.parts.db)
  return rows.map(({ clientId, assetId }) => uriOf(clientId, assetId))
}

/** Tells, each time it is asked, which of the uris have changed since the time before. */
export async function changesOf(agent: Agent, uris: string[]): Promise<() => Promise<string[]>> {
  const followed = uris.map(addressOf)
  let told = await lastEvents(agent, followed)
  return async () => {
    const now = await lastEvents(agent, followed)
    const { rows } = await sql<Followed>`
      select distinct s.client_id as "clientId", s.asset_id as "assetId" from ${pairs(followed)} s
      join assets a on a.client_id = s.client_id and a.id = s.asset_id
      join jsonb_each_text(${JSON.stringify(told)}::jsonb) before on before.key = s.client_id
      join jsonb_each_text(${JSON.stringify(now)}::jsonb) until on until.key = s.client_id
      join events e on e.client_id = s.client_id and e.id > before.value::bigint and e.id <= until.value::bigint
        and ${concerns}`.execute(agent.parts.db)
    told = now
    return rows.map(({ clientId, assetId }) => uriOf(clientId, assetId))
  }
}

/** Of clients that are still the agent's: of one taken away nothing more is told. */
async function lastEvents({ parts, caller }: Agent, followed: Followed[]): Promise<Record<string, number>> {
  const rows = await parts.db
    .selectFrom('client_counters')
    .select(['client_id', 'last_event'])
    .where('client_id', 'in', [...new Set(followed.map(({ clientId }) => clientId)), ''])
    .where('client_id', 'in', namedFor(parts.db, caller))
    .execute()
  return Object.fromEntries(rows.map(({ client_id, last_event }) => [client_id, last_event]))
}

const pairs = (followed: Followed[]) => sql`(select * from unnest(
  ${followed.map(({ clientId }) => clientId)}::text[], ${followed.map(({ assetId }) => assetId)}::text[])
  as pair (client_id, asset_id))`

/** Whether event e is news of asset a, which s follows: a folder goes to the trash and comes back as one, and so does what is below it. */
export const concerns = sql`(e.subject = s.asset_id
  or (e.type = 'folder.trashed' and e.subject = a.trashed_with)
  or (e.type = 'folder.restored' and a.trashed_at is null and exists (
    with recursive above as (
      select f.id, f.parent_id from folders f where f.client_id = a.client_id and f.id = a.folder_id
      union all
      select f.id, f.parent_id from folders f join above on f.client_id = a.client_id and f.id = above.parent_id
    ) select from above where above.id = e.subject)))`
