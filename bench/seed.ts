import pg from 'pg'
import { newId } from '../server/ids.ts'

/** Rows by the hundred thousand, written straight into the tables. */
export async function seedClient(
  databaseUrl: string,
  clientId: string,
  assets: number,
): Promise<{ folderId: string }> {
  const folderId = newId('folder')
  await run(databaseUrl, async (client) => {
    await client.query('insert into folders (client_id, id, name, name_key) values ($1, $2, $3, $3)', [
      clientId,
      folderId,
      'big',
    ])
    const insert = () => client.query(insertAssets, [clientId, folderId, assets])
    if (assets <= many) await insert()
    else
      await withoutIndexes(client, async () => {
        await insert()
        await writeTriggered(client, clientId)
      })
    await client.query('vacuum analyze assets, asset_words, tagged_assets')
  })
  return { folderId }
}

/** Above this the indexes are built once the rows are there. */
const many = 100_000

/** Row by row, what hangs on a million assets would take an hour. What triggers would write, whoever inserts writes. */
export async function withoutIndexes(
  client: pg.Client,
  insert: () => Promise<unknown>,
  tables = ['assets'],
): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = any($1::regclass[]) and not indisprimary`,
    [tables],
  )
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query('set local maintenance_work_mem = "512MB"')
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await insert()
  for (const { made } of rows) await client.query(made)
  await client.query('commit')
}

/** The first of them have all the words there are. */
async function writeTriggered(client: pg.Client, clientId: string): Promise<void> {
  await client.query(tagAssets, [clientId])
  await client.query(
    `insert into asset_words select distinct $1, word from (
       select search_text from assets where client_id = $1 limit 1000) as first, words_in(search_text) as word`,
    [clientId],
  )
}

/** What a trigger would write of tags. */
export const tagAssets = `
  insert into tagged_assets select client_id, tag_key, created_at, id, title, size_bytes
  from assets, unnest(tag_keys) as tag_key where client_id = $1 and trashed_at is null`

const firstWords = ['Summer', 'Harbour', 'Morning', 'Coffee', 'Garden', 'Window', 'Bread', 'Lantern']
const secondWords = ['menu', 'portrait', 'terrace', 'detail', 'team', 'kitchen']
const inSql = (words: string[]) => `array['${words.join("','")}']`

/** Their files, as far as the database knows of them. */
export const seedVersions = (databaseUrl: string, clientId: string): Promise<void> =>
  run(databaseUrl, async (client) => {
    await client.query(
      `insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type,
        size_bytes, width, height, details, created_by)
       select client_id, id, version, id, id, original_filename, mime_type, size_bytes, width, height, details, created_by
       from assets where client_id = $1`,
      [clientId],
    )
    await client.query('analyze asset_versions')
  })

/** A tree of folders, five wide and four deep below each of a few at the top. */
export async function seedTree(databaseUrl: string, clientId: string, count: number): Promise<void> {
  await run(databaseUrl, async (client) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const parent = n < 5 ? null : ids[Math.floor((n - 5) / 5)]!
      const id = newId('folder')
      ids.push(id)
      await client.query(
        'insert into folders (client_id, id, parent_id, name, name_key) values ($1, $2, $3, $4, $4)',
        [clientId, id, parent, `folder ${n}`],
      )
    }
    await client.query('analyze folders')
  })
}

export async function folderWith(
  databaseUrl: string,
  clientId: string,
  name: string,
  assets: number,
): Promise<string> {
  const id = newId('folder')
  await run(databaseUrl, async (client) => {
    await client.query('insert into folders (client_id, id, name, name_key) values ($1, $2, $3, $3)', [
      clientId,
      id,
      name,
    ])
    if (assets > 0) await client.query(insertAssets, [clientId, id, assets])
  })
  return id
}

/** The asset of this number in a folder, as it is inserted below. */
export const seededId = (folderId: string, n: number) =>
  `asset_${n.toString(16).padStart(10, '0')}${folderId.slice(-16)}`

const insertAssets = `
  insert into assets (client_id, id, folder_id, title, description, alt_text, tags, original_filename, mime_type, size_bytes, width, height, details, created_by, created_at, search_text)
  select made.*, lower(concat_ws(' ', title, description, alt_text, array_to_string(tags, ' '), filename)) from (
  select $1 as client_id, 'asset_' || lpad(to_hex(n), 10, '0') || right($2, 16) as id, $2 as folder_id,
    (${inSql(firstWords)})[1 + n % 8] || ' ' || (${inSql(secondWords)})[1 + n % 6] || ' ' || n as title,
    'Taken for the campaign of the season' as description, 'A picture of the place' as alt_text, array['campaign', 'year ' || (2020 + n % 6)] as tags,
    'IMG_' || n || '.jpg' as filename, 'image/jpeg', 100000 + n, 4000, 3000,
    '{"videoCodec":null,"audioCodec":null,"frameRate":null,"colourSpace":"srgb","hasAlpha":false,"isAnimated":false,"capturedAt":null,"hasGps":false}'::jsonb,
    'bench', now() - make_interval(secs => n)
  from generate_series(1, $3::int) n) as made`

/** On a line of its own. */
export async function run<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
