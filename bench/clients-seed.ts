import type pg from 'pg'
import { listAssets, seedLibrary } from './million-seed.ts'
import { run, seedTree, withoutIndexes } from './seed.ts'

/** How many folders each has. */
const folders = 60

/** What a client has in these tables all others get too, in this order. */
const tables = [
  'client_counters',
  'folders',
  'assets',
  'tagged_assets',
  'asset_tags',
  'asset_words',
  'uses',
  'use_refs',
  'collections',
  'collection_assets',
  'listed_assets',
  'alike_assets',
]

/** A library of so many assets in one client, and the same in as many others. */
export async function seedClients(
  databaseUrl: string,
  clientId: string,
  assets: number,
  others: number,
): Promise<void> {
  await seedTree(databaseUrl, clientId, folders)
  await run(databaseUrl, async (client) => {
    await withoutIndexes(client, async () => {
      await seedLibrary(client, clientId, assets)
      await listAssets(client, clientId)
      await forgetUnused(client, clientId)
      await client.query(
        `insert into clients (id, name, quota_bytes) select ${otherId}, 'Client ' || n, 1e12 from ${allOthers}`,
        [clientId, others],
      )
      for (const table of tables) await multiply(client, table, clientId, others)
    }, ['assets', 'asset_tags', 'asset_words', 'folders', 'uses', 'use_refs', 'collection_assets'])
    await client.query('vacuum analyze')
  })
}

/** The id of the n-th of them ends with its number. */
const otherId = `left($1, -5) || 'z' || lpad(to_hex(n), 4, '0')`
const allOthers = 'generate_series(1, $2::int) n'

/** Of the words and tags that a large library has, those that this one uses. */
async function forgetUnused(client: pg.Client, clientId: string): Promise<void> {
  await client.query(
    `delete from asset_words where client_id = $1 and word not in (
       select word from assets, words_in(search_text) as word where client_id = $1)`,
    [clientId],
  )
  await client.query(
    `delete from asset_tags where client_id = $1 and tag_key not in (
       select tag_key from assets, unnest(tag_keys) as tag_key where client_id = $1)`,
    [clientId],
  )
}

/** Row by row for all clients, so that they lie mingled as years of work leave them. */
async function multiply(client: pg.Client, table: string, clientId: string, others: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'client_id'`,
    [table],
  )
  const columns = rows.map(({ name }) => name).join(', ')
  await client.query(
    `insert into ${table} (client_id, ${columns})
     select ${otherId}, ${columns} from (select * from ${table} where client_id = $1 offset 0) as first
     cross join lateral ${allOthers}`,
    [clientId, others],
  )
}

/** The one that the others were made of, and they, if it was done before. */
export async function seededClients(databaseUrl: string, name: string): Promise<string[]> {
  const { rows } = await run(databaseUrl, (client) =>
    client.query<{ id: string }>(
      `select others.id from clients first, clients others
     where first.name = $1 and left(others.id, -5) = left(first.id, -5)
     order by others.id <> first.id, others.id`,
      [name],
    ),
  )
  return rows.map(({ id }) => id)
}
