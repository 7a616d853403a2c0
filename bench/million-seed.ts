import type pg from 'pg'
import { newId } from '../server/ids.ts'
import { seedAround } from './around-seed.ts'
import { run, seedTree, tagAssets, withoutIndexes } from './seed.ts'

/** What to ask for in a library that was made up. */
export interface Seeded {
  /** One asset in ten lies in it. */
  folderId: string
  /** With two thirds of the tree below it, a fifth, and a few hundred assets. */
  below: { wide: string; middle: string; narrow: string }
  collectionId: string
  uploader: { busy: string; rare: string }
  word: { common: string; middle: string; rare: string; typo: string }
}

/** Told apart by how many there are, and by when: a tenth of all years ago, a hundredth, twenty. */
export const tags = { common: 'tag 0', middle: 'tag 40', rare: 'needle', old: 'campaign of old' }

/** Libraries as agencies have them: few tags and uploaders are on most of it, years pass, some is there twice. */
export async function seedLibraries(
  databaseUrl: string,
  libraries: { clientId: string; count: number }[],
): Promise<void> {
  for (const { clientId } of libraries) await seedTree(databaseUrl, clientId, 1265)
  await run(databaseUrl, async (client) => {
    await withoutIndexes(client, async () => {
      for (const { clientId, count } of libraries) await seedLibrary(client, clientId, count)
    })
    await client.query('analyze')
    for (const { clientId } of libraries) {
      await listAssets(client, clientId)
      await seedAround(client, clientId)
    }
    await client.query('vacuum analyze')
  })
}

/** The client of this name, if a library was seeded in it. */
export async function seededClient(databaseUrl: string, name: string): Promise<string | undefined> {
  const [client] = await rowsOf<{ id: string }>(
    databaseUrl,
    'select id from clients where name = $1 and exists (select from assets where client_id = clients.id)',
    name,
  )
  return client?.id
}

export async function whatWasSeeded(databaseUrl: string, clientId: string): Promise<Seeded> {
  const folders = await rowsOf<{ id: string }>(databaseUrl, allFolders, clientId)
  const [collection] = await rowsOf<{ id: string }>(
    databaseUrl,
    'select id from collections where client_id = $1',
    clientId,
  )
  const [folderId, wide] = folders.map(({ id }) => id)
  return {
    folderId: folderId!,
    below: { wide: wide!, middle: folders[7]!.id, narrow: folders[400]!.id },
    collectionId: collection!.id,
    uploader: { busy: 'user 0', rare: 'user 29' },
    word: {
      common: vocabulary[0]!,
      middle: vocabulary[300]!,
      rare: vocabulary[1999]!,
      typo: misspelt(vocabulary[300]!),
    },
  }
}

const allFolders = 'select id from folders where client_id = $1 order by created_at, id'

async function rowsOf<Row>(databaseUrl: string, query: string, value: string): Promise<Row[]> {
  const { rows } = await run(databaseUrl, (client) => client.query(query, [value]))
  return rows
}

export async function seedLibrary(client: pg.Client, clientId: string, count: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>(allFolders, [clientId])
  const all = rows.map(({ id }) => id)
  const suffix = newId('asset').slice(-16)
  await insertAll(client, { clientId, all, count, suffix, collectionId: newId('collection') })
}

interface Made {
  clientId: string
  /** Its folders. */
  all: string[]
  count: number
  suffix: string
  collectionId: string
}

async function insertAll(client: pg.Client, { clientId, all, count, suffix, collectionId }: Made) {
  await seedAssets(client, clientId, all, count, suffix)
  await client.query(
    `insert into asset_words select $1, word from unnest($2::text[]) as word
     union select $1, unnest(array['tag', 'needle', 'campaign', 'of', 'old', 'img', 'jpg', '_', '.'])`,
    [clientId, vocabulary],
  )
  await client.query(
    `insert into asset_tags (client_id, tag_key, tag) select $1, tag, tag
     from (select 'tag ' || n from generate_series(0, 499) n union all select unnest($2::text[])) as known (tag)`,
    [clientId, [tags.rare, tags.old]],
  )
  await client.query(tagAssets, [clientId])
  await client.query(
    `insert into uses (client_id, kind, external_id, status, created_by)
     select $1, 'blog-post', 'post ' || n, case when n % 10 = 0 then 'cancelled' else 'done' end, 'bench'
     from generate_series(1, $2::int / 50) n`,
    [clientId, count],
  )
  await client.query(
    `insert into use_refs (client_id, kind, external_id, place, asset_ref, asset_id)
     select $1, 'blog-post', 'post ' || n, place, id, id
     from generate_series(1, $2::int / 50) n, generate_series(0, 2) place,
       lateral (select ${idOf('1 + (n::bigint * 7919 + place * 104729) % $2::int', '$3')} as id) its`,
    [clientId, count, suffix],
  )
  await client.query(
    'insert into collections (client_id, id, name, name_key, created_by) values ($1, $2, $3, $3, $3)',
    [clientId, collectionId, 'bench'],
  )
  await client.query(
    `insert into collection_assets (client_id, collection_id, asset_id, place)
     select $1, $2, ${idOf('1 + (n::bigint * 7919) % $3::int', '$4')}, n * 1000
     from generate_series(1, least(5000, $3::int / 2)) n`,
    [clientId, collectionId, count, suffix],
  )
}

/** What triggers would write of collections, uses, twins and looks. Of many it takes indexes. */
export async function listAssets(client: pg.Client, clientId: string): Promise<void> {
  await client.query(
    `insert into listed_assets select client_id, list, id, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height,
       approval, alt_text <> '', rights_expire_at, allowed_surfaces
     from assets, lists_of(client_id, id, sha256) as list where client_id = $1 and trashed_at is null`,
    [clientId],
  )
  await client.query(
    `insert into alike_assets select client_id, id from assets where client_id = $1 and trashed_at is null
       and perceptual_hash is not null and looks_like(client_id, id, perceptual_hash, 1) <> '{}'`,
    [clientId],
  )
}

/** Assets alone. */
export const seedAssets = (
  client: pg.Client,
  clientId: string,
  folders: string[],
  count: number,
  suffix: string,
) => client.query(insertAssets, [clientId, folders, vocabulary, count, suffix])

const syllables = [
  'ba',
  'den',
  'gor',
  'fel',
  'han',
  'ju',
  'kli',
  'lam',
  'mo',
  'nus',
  'per',
  'ral',
  'sti',
  'tov',
]
export const vocabulary = Array.from({ length: 2000 }, (_, n) =>
  [n % 14, Math.floor(n / 14) % 14, (n * 5 + 3) % 14, Math.floor(n / 196) % 14]
    .map((at) => syllables[at]!)
    .join(''),
)
export const misspelt = (word: string) => `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`

const idOf = (n: string, suffix: string) => `'asset_' || lpad(to_hex(${n}), 10, '0') || ${suffix}::text`

/** From 0 to 1, the same whenever it is made. */
const random = (salt: number) => `((hashint8(n::bigint * 31 + ${salt})::bigint + 2147483648) / 4294967296.0)`
const word = (salt: number) => `words[1 + floor(2000 * power(${random(salt)}, 3))::int]`
const tag = (salt: number) => `'tag ' || floor(500 * power(${random(salt)}, 4))::int`

const insertAssets = `
  insert into assets (client_id, id, folder_id, title, description, alt_text, tags, allowed_surfaces, original_filename,
    mime_type, size_bytes, sha256, width, height, details, perceptual_hash, media_state, approval, rights_expire_at,
    created_by, created_at, trashed_at, search_text)
  select made.*, lower(concat_ws(' ', title, description, alt_text, array_to_string(tags, ' '), filename)) from (
    select $1::text as client_id, ${idOf('n', '$5')} as id,
      case when ${random(1)} < 0.1 then folders[1] when ${random(1)} < 0.12 then null
        else folders[1 + floor(array_length(folders, 1) * ${random(2)})::int] end as folder_id,
      initcap(${word(3)}) || ' ' || ${word(4)} || ' ' || ${word(5)} || ' ' || n as title,
      case when ${random(6)} < 0.7 then concat_ws(' ', ${[7, 8, 9, 10, 11, 12].map(word).join(', ')}) else '' end as description,
      case when ${random(13)} < 0.7 then concat_ws(' ', ${[14, 15, 16].map(word).join(', ')}) else '' end as alt_text,
      array(select distinct t from unnest(array[${tag(17)}, case when ${random(18)} < 0.6 then ${tag(19)} end,
        case when ${random(18)} < 0.3 then ${tag(20)} end, case when n % 49999 = 7 or n = 100 then '${tags.rare}' end,
        case when age < 0.2 and ${random(21)} < 0.5 then '${tags.old}' end]) t where t is not null) as tags,
      case when ${random(22)} < 0.7 then '{}' when ${random(22)} < 0.9 then '{social,website}' else '{website}' end::text[] as surfaces,
      'IMG_' || n || '.jpg' as filename,
      case when age < 0.1 and ${random(23)} < 0.05 then 'image/gif' when ${random(23)} < 0.8 then 'image/jpeg'
        when ${random(23)} < 0.9 then 'image/png' when ${random(23)} < 0.95 then 'image/webp' else 'video/mp4' end as mime_type,
      floor(30000 * exp(7 * ${random(24)}))::bigint as size_bytes,
      md5('a' || case when near then n else twin end) || md5('b' || case when near then n else twin end) as sha256, size[1], size[2],
      '{"videoCodec":null,"audioCodec":null,"frameRate":null,"colourSpace":"srgb","hasAlpha":false,"isAnimated":false,"capturedAt":null,"hasGps":false}'::jsonb,
      (hashint8(twin)::bit(32) || hashint8(twin * 3 + 1)::bit(32))::bit(64) # (case when near then 1::bit(64) else 0::bit(64) end),
      'ready',
      case when ${random(25)} < 0.6 then 'none' when ${random(25)} < 0.95 then 'approved' when ${random(25)} < 0.99 then 'pending' else 'changes-requested' end,
      case when ${random(26)} < 0.05 then now() + (${random(27)} - 0.3) * interval '3 years' end as rights,
      'user ' || floor(30 * power(${random(28)}, 3))::int as created_by,
      date_trunc('milliseconds', now() - interval '6 years' * (1 - age)) as created_at,
      case when ${random(29)} < 0.01 then now() end as trashed_at
    from (select n, n::float8 / $4::int as age, $2::name[] as folders, $3::name[] as words,
        case when ${random(30)} < 0.02 then n / 2 else n end::bigint as twin, ${random(30)} < 0.01 as near,
        (array['{4000,3000}','{3000,4000}','{6000,4000}','{1920,1080}','{1080,1080}','{1080,1350}','{1200,628}','{800,600}'])[
          1 + floor(8 * power(${random(31)}, 2))::int]::int[] as size
      from generate_series(1, $4::int) n) as drawn
  ) as made`
