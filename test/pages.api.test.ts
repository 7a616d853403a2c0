import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type AssetSearch, sorts, trashSorts } from '../contract/search.ts'
import { rowsAtOnce } from '../server/assets/at-once.ts'
import { countUpTo } from '../server/assets/counting.ts'
import { knownWords } from '../server/assets/known-words.ts'
import { orderFor } from '../server/assets/order-for.ts'
import { type Order, orderOf, type SortKeys } from '../server/assets/orders.ts'
import { firstRows } from '../server/assets/pages.ts'
import { conditionsOf } from '../server/assets/search.ts'
import { sortKeys } from '../server/assets/ways.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { dice } from './dice.ts'
import { plainDetails } from './plain-details.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { clientId, operator } = await w.newClient()
const library = makeLibrary(w.parts, clientId, system)

const seed = Number(process.env.MODEL_SEED ?? Date.now() % 1e9)
const { roll: random } = dice(seed)
const pick = <T>(...some: T[]): T => some[Math.floor(random() ** 2 * some.length)]!

const top = await operator.makesFolder('Top')
const inner = await operator.makesFolder('Inner', top.folderId)
const folders = [null, top.folderId, inner.folderId]
await w.parts.db
  .insertInto('assets')
  .values(
    Array.from({ length: 300 }, (_, n) => ({
      client_id: clientId,
      id: newId('asset'),
      title: pick(
        'Wide Ærø',
        'tall 2x',
        'Straße',
        '東京 1',
        'a-b',
        `Number ${n}`,
        `${'long'.repeat(11)}est`,
        'go 🎉🎉! x1234y',
      ),
      description: pick('', 'by the sea'),
      alt_text: pick('', 'A picture'),
      tags: [...new Set([pick('one', 'two', 'three', 'rare'), pick('One', 'Öl', 'five')])],
      allowed_surfaces: pick([], ['website'], ['gbp', 'social']),
      original_filename: 'p.png',
      mime_type: pick('image/png', 'image/jpeg', 'video/mp4'),
      size_bytes: pick(1, 1000, 1_000_000),
      width: pick(1000, 1023, 1024, 1080, 4000, null),
      height: pick(1000, 1350, 720, 1, null),
      details: plainDetails,
      approval: pick('none', 'approved', 'pending'),
      sha256: pick(`${n}`, 'same', null),
      rights_expire_at: pick(null, new Date('2020-01-01')),
      folder_id: pick(...folders),
      created_by: pick('tests', operator.id, 'other'),
      created_at: new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 90))),
      trashed_at: pick(null, null, null, null, new Date()),
    })) as never,
  )
  .execute()

const collections = ['Few', 'Many'].map((name) => ({ name, id: newId('collection') }))
for (const [few, { name, id }] of collections.entries()) {
  await sql`insert into collections (client_id, id, name, name_key, created_by)
    values (${clientId}, ${id}, ${name}, ${name}, 'tests')`.execute(w.parts.db)
  await sql`insert into collection_assets (client_id, collection_id, asset_id, place)
    select client_id, ${id}, id, hashtext(id) from assets where client_id = ${clientId} and hashtext(id) % 3 = ${sql.lit(few)}
  `.execute(w.parts.db)
}
await sql`insert into uses (client_id, kind, external_id, status, created_by)
  select ${clientId}, 'blog-post', n, case when n < 3 then 'cancelled' else 'done' end, 'tests' from generate_series(0, 9) n`.execute(
  w.parts.db,
)
await sql`insert into use_refs (client_id, kind, external_id, place, asset_ref, asset_id)
  select client_id, 'blog-post', abs(hashtext(id) % 10), row_number() over (), id, id from assets
  where client_id = ${clientId} and hashtext(id) % 4 = 0`.execute(w.parts.db)

// What hangs on an asset follows whatever becomes of it.
const some = (n: number) =>
  sql`client_id = ${clientId} and hashtext(id) % 9 = ${sql.lit(n)} and trashed_at is null`
await sql`update assets set title = title || ' II', size_bytes = 2000 where ${some(1)}`.execute(w.parts.db)
await sql`update assets set tags = '{late,One}' where ${some(2)}`.execute(w.parts.db)
await sql`update assets set trashed_at = now() where ${some(3)}`.execute(w.parts.db)
await sql`update assets set trashed_at = null where client_id = ${clientId} and hashtext(id) % 9 = 4`.execute(
  w.parts.db,
)
await sql`delete from assets where ${some(5)}`.execute(w.parts.db)
await sql`update assets set sha256 = 'same' where ${some(6)}`.execute(w.parts.db)
await sql`update assets set sha256 = 'other' || hashtext(id) / 90 % 9 where ${some(7)}`.execute(w.parts.db)
await sql`update assets set folder_id = ${inner.folderId}, alt_text = case alt_text when '' then 'Told' else '' end, approval = 'pending',
  allowed_surfaces = '{gbp}', mime_type = 'image/png', width = 1080, height = 1350, created_by = 'other', rights_expire_at = '2021-01-01'
  where client_id = ${clientId} and hashtext(id) % 5 = 0`.execute(w.parts.db)
await sql`update uses set status = 'done' where client_id = ${clientId} and external_id = '1'`.execute(
  w.parts.db,
)
await sql`update uses set status = 'cancelled' where client_id = ${clientId} and external_id = '4'`.execute(
  w.parts.db,
)
await sql`delete from uses where client_id = ${clientId} and external_id = '5'`.execute(w.parts.db)
await sql`delete from collection_assets where client_id = ${clientId} and hashtext(asset_id) % 7 = 0`.execute(
  w.parts.db,
)

const choices: { [Name in keyof AssetSearch]: () => AssetSearch[Name] } = {
  q: () =>
    pick(
      'tall',
      'x',
      'aerö',
      'ss',
      '東京',
      '-',
      'a-b',
      'ar',
      'zq',
      'number 2',
      '"number 2"',
      'number -wide',
      '-tall',
      'ø',
      '%',
      'longest',
      '🎉',
      '123',
      'r 1',
      'x1234',
      '1234y',
      '!',
      '\\',
      '_',
    ),
  tag: () => pick<string | string[]>('one', 'öl', ['two', 'five'], 'none', 'late'),
  surface: () => pick('gbp', 'website'),
  mimeType: () => pick('image/*', 'video/*', 'image/png', 'image/avif'),
  uploader: () => pick('tests', 'other', 'nobody', ''),
  from: () => '2024-02-01',
  to: () => pick('2024-03-01', '2024-01-03'),
  orientation: () => pick('portrait', 'square', 'landscape'),
  ratio: () => pick('4:5', '1:1', '9:16'),
  minBytes: () => pick(2, 1001),
  minWidth: () => pick(1000, 1024, 1025, 1_000_000),
  minHeight: () => pick(1, 1001),
  missingAltText: () => pick(true, false),
  approval: () => pick('approved', 'pending', 'none'),
  rights: () => pick('ended', 'ending'),
  used: () => pick(false, true),
  duplicates: () => pick(true, false),
  collectionId: () => pick(...collections.map(({ id }) => id)),
  below: () => true,
  everywhere: () => true,
  folderId: () => pick(top.folderId, inner.folderId),
  trashed: () => true,
}
const names = Object.keys(choices) as (keyof typeof choices)[]

/** How far each way goes decides which of them are gone: none of it may show. */
const efforts = [
  { looked: 1, promising: 1, lookedFurther: 2, sorted: 8, walked: 5 },
  {
    ...{ looked: 1, promising: 9, lookedFurther: 2, sorted: 1e6 },
    reach: { part: 3, looked: 10, many: 11, index: 1000 },
  },
  {
    ...{ looked: 1, promising: 9, lookedFurther: 2, sorted: 1e6 },
    reach: { part: 3, looked: 10, many: 3, index: 20 },
  },
  { looked: 20, promising: 1, lookedFurther: 60, sorted: 10 },
]

test('whichever way a page is found, it is the same', async () => {
  for (let turn = 0; turn < 60; turn++) {
    const chosen = names.filter(() => random() < 2.5 / names.length)
    const search: AssetSearch = { ...Object.fromEntries(chosen.map((name) => [name, choices[name]!()])) }
    const its = search.trashed ? [...trashSorts, ...sorts] : sorts
    search.sort = its[Math.floor(random() * its.length)]
    const wanted = await naive(search)
    const known = await knownWords(library, search.q)
    for (const effort of efforts) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const order = await orderFor(library, { ...search, known, cursor })
        const rows = await firstRows<SortKeys>(
          library,
          { ...search, known, cursor },
          order,
          sql`${sortKeys}, trashed_at`,
          8,
          effort,
        )
        const page = rows.slice(0, 7)
        found.push(...page.map(({ id }) => id))
        cursor = rows.length > 7 ? order.cursorOf(page.at(-1)!) : undefined
      } while (cursor && found.length < 21)
      expect({ seed, search, found }).toEqual({ seed, search, found: wanted.slice(0, found.length) })
      expect(found.length).toBeGreaterThanOrEqual(Math.min(wanted.length, 21))
    }
  }
})

test('a list is the same with anything that is asked for beside it', async () => {
  const searches = [{ used: true }, { duplicates: true }, { collectionId: collections[0]!.id }].flatMap(
    (list) => names.map((name): AssetSearch => ({ everywhere: true, [name]: choices[name]!(), ...list })),
  )
  for (const q of ['-tall', '"tall 2x"', '-"by the sea"', '-', ' '])
    for (const sort of sorts) searches.push({ everywhere: true, used: true, q, sort })
  for (const search of searches) {
    const order = await orderFor(library, search)
    const rows = await firstRows<SortKeys>(library, search, order, sortKeys, 400)
    expect({ seed, search, found: rows.map(({ id }) => id) }).toEqual({
      seed,
      search,
      found: await naive(search, order),
    })
    expect(await countUpTo(library, search, 1000)).toBe(rows.length)
  }
})

test('a page of words that one question finds is the same, in any order and behind any cursor', async () => {
  const facets = [
    'mimeType',
    'uploader',
    'orientation',
    'ratio',
    'minWidth',
    'approval',
    'missingAltText',
  ] as const
  let pages = 0
  let inPart = 0
  let unranked = 0
  // Chance may leave it out for so long.
  for (let turn = 0; turn < 120 || (unranked === 0 && turn < 600); turn++) {
    const chosen = facets.filter(() => random() < 0.2)
    const search: AssetSearch = {
      ...Object.fromEntries(chosen.map((name) => [name, choices[name]!()])),
      q: pick(
        'wide',
        'straße',
        'picture',
        'sea tall',
        'number 12',
        '"number 12"',
        'number -wide',
        'a-b',
        'none such',
        '東京',
        '100%',
        'long',
      ),
      ...pick<AssetSearch>(
        { everywhere: true },
        { folderId: top.folderId, below: true },
        { everywhere: true, collectionId: collections[0]!.id },
        { everywhere: true, used: true },
        { everywhere: true, duplicates: true, used: true },
      ),
      sort: random() < 0.3 ? 'relevance' : sorts[Math.floor(random() * sorts.length)],
    }
    const reach = { looked: 10, many: 3, ...pick({ part: 3, index: 1000 }, { part: 1000, index: 3 }) }
    const limits = {
      ...pick({ ranked: 15, sorted: 1000 }, { ranked: 500, sorted: 1000 }, { ranked: 9, sorted: 20 }),
      ...pick({ peeked: 2, known: 0, pages: 0 }, { peeked: 64, known: 1000, pages: 8 }),
      looked: 1000,
    }
    for (let at = 0, cursor: string | undefined; at < 21; at += 7) {
      const asked = { ...search, cursor }
      const { found } = await rowsAtOnce<SortKeys, never>(
        library,
        asked,
        sortKeys,
        8,
        undefined,
        reach,
        limits,
      )
      if (typeof found !== 'object') break
      const order = orderOf(found.order, library, search)
      const wanted = await naive(search, order)
      if (found.order === 'relevance') expect(wanted.length).toBeLessThanOrEqual(limits.ranked)
      else if (search.sort === 'relevance') {
        unranked++
        expect(wanted.length).toBeGreaterThan(limits.ranked)
      }
      pages++
      if (!search.everywhere || search.collectionId || search.used) inPart++
      const ids = found.rows.map(({ id }) => id)
      expect({ seed, search, at, ids }).toEqual({ seed, search, at, ids: wanted.slice(at, at + 8) })
      if (ids.length < 8) break
      cursor = order.cursorOf(found.rows[6]!)
    }
  }
  expect(pages - inPart).toBeGreaterThan(10)
  expect(inPart).toBeGreaterThan(10)
  expect(unranked).toBeGreaterThan(0)
})

test('what stands in a list is all that belongs there, as it is now', async () => {
  expect(await amiss()).toEqual([])
  const { rows: lists } = await sql<{ list: string }>`
    select distinct list from listed_assets where client_id = ${clientId}`.execute(w.parts.db)
  expect(lists.map(({ list }) => list).sort()).toEqual(
    [...collections.map(({ id }) => id), 'twins', 'used'].sort(),
  )
})

test('what was listed before lists told of assets is told by a migration', async () => {
  await sql`update listed_assets set folder_id = null, mime_type = null, approval = null, has_alt_text = null, width = null
    where client_id = ${clientId}`.execute(w.parts.db)
  expect(await amiss()).not.toEqual([])
  const migration = new URL(
    '../server/db/migrations/0149-facts-of-listed-assets.concurrently.sql',
    import.meta.url,
  )
  const [block] = /^do \$\$.*^end \$\$;/ms.exec(await readFile(migration, 'utf8'))!
  await sql.raw(block).execute(w.parts.db)
  expect(await amiss()).toEqual([])
})

/** What lists lack or have that is not so. */
async function amiss(): Promise<unknown[]> {
  const { rows } = await sql`
    with listed as (select asset_id, list, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height, approval,
        has_alt_text, rights_expire_at, allowed_surfaces from listed_assets where client_id = ${clientId}),
      wanted as (select id, list, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height, approval,
          alt_text <> '', rights_expire_at, allowed_surfaces from assets, lists_of(client_id, id, sha256) as list
        where client_id = ${clientId} and trashed_at is null)
    (select 'lacks', * from (table wanted except table listed) as lacking)
    union all (select 'has', * from (table listed except table wanted) as needless)`.execute(w.parts.db)
  return rows
}

async function naive(search: AssetSearch, asked?: Order): Promise<string[]> {
  const order = asked ?? (await orderFor(library, search))
  const { rows } = await sql<{ id: string }>`select id from ${order.from}
    where ${sql.join(conditionsOf(library, search), sql` and `)} order by ${order.by}`.execute(w.parts.db)
  return rows.map(({ id }) => id)
}
