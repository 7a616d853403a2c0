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
    await client.query(insertAssets, [clientId, folderId, assets])
    await client.query('analyze assets')
  })
  return { folderId }
}

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

const insertAssets = `
  insert into assets (client_id, id, folder_id, title, description, alt_text, tags, original_filename, mime_type, size_bytes, width, height, details, created_by, created_at)
  select $1, 'asset_' || lpad(to_hex(n), 10, '0') || right($2, 16), $2,
    (array['Summer','Harbour','Morning','Coffee','Garden','Window','Bread','Lantern'])[1 + n % 8] || ' '
      || (array['menu','portrait','terrace','detail','team','kitchen'])[1 + n % 6] || ' ' || n,
    'Taken for the campaign of the season', 'A picture of the place', array['campaign', 'year ' || (2020 + n % 6)],
    'IMG_' || n || '.jpg', 'image/jpeg', 100000 + n, 4000, 3000,
    '{"videoCodec":null,"audioCodec":null,"frameRate":null,"colourSpace":"srgb","hasAlpha":false,"isAnimated":false,"capturedAt":null,"hasGps":false}',
    'bench', now() - make_interval(secs => n)
  from generate_series(1, $3::int) n`

async function run(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await work(client)
  await client.end()
}
