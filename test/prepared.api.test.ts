import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { knownWords } from '../server/assets/known-words.ts'
import { listAssets } from '../server/assets/listing.ts'
import { askPrepared, pipelined, prepared } from '../server/db/prepared.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { plainDetails } from './plain-details.ts'
import { ownWorld } from './world.ts'

// What others ask for is not looked at here.
const w = await ownWorld({ ROLE: 'api' })
const { clientId, operator } = await w.newClient()
await w.parts.db
  .insertInto('assets')
  .values(
    Array.from({ length: 1000 }, (_, n) => ({
      client_id: clientId,
      id: newId('asset'),
      title: `${n % 4 ? 'Harbour' : 'Lighthouse'} ${n}`,
      tags: n % 3 ? ['Boats'] : [],
      original_filename: 'p.png',
      mime_type: 'image/png',
      size_bytes: n,
      width: 100,
      height: 100,
      details: plainDetails,
      created_by: 'tests',
    })) as never,
  )
  .execute()
await sql`analyze assets`.execute(w.parts.db)

test('a connection keeps the plans of so many statements, begins anew, and answers as before', async () => {
  const asks = (shape: number) =>
    askPrepared(
      w.parts.db,
      sql<{
        asked: number
        shape: number
        kept: number
      }>`select ${shape * 2}::int as asked, ${sql.lit(shape)} as shape,
        (select count(*)::int from pg_prepared_statements) as kept`,
    )
  const fixed = prepared<{ asked: number; kept: number }>(`select $1::int as asked,
    (select count(*)::int from pg_prepared_statements where statement like '%fixed%') as kept`)
  const inLine = pipelined<{ asked: number; kept: number }>(`select $1::int as asked,
    (select count(*)::int from pg_prepared_statements where statement like '%in line%') as kept, 'in line' as name`)
  expect(await inLine(w.parts.db, 1)).toMatchObject([{ asked: 1 }])
  const most: number[] = []
  for (const shape of [...Array(600).keys(), 0, 249, 120]) {
    const [row] = await asks(shape)
    expect(row).toMatchObject({ asked: shape * 2, shape })
    most.push(row!.kept)
  }
  expect(Math.max(...most)).toBeGreaterThan(50)
  expect(Math.max(...most)).toBeLessThan(150)
  expect(await inLine(w.parts.db, 1)).toMatchObject([{ asked: 1, kept: 1 }])
  // One with a fixed text is planned once however many others there were.
  expect(await fixed(w.parts.db, 1)).toEqual([{ asked: 1, kept: 1 }])
})

// What the planner sees the values of it may plan each time, which takes longer than to find a page.
test.each<Record<string, string | number | boolean>>([
  { q: 'harbour' },
  { q: 'harbour lighthouse 2024', sort: 'title' },
  { q: 'harbour', mimeType: 'image/*', minWidth: 10 },
  { q: 'harbour', used: true },
  { q: 'harbour', tag: 'boats', mimeType: 'image/png', minBytes: 900 },
  { mimeType: 'image/png' },
  { tag: 'boats', sort: 'size' },
  { used: false, orientation: 'square' },
  { duplicates: false, uploader: 'tests', from: '2020-01-01' },
])('pages of %o are planned five times and no more, for whatever is asked', async (search) => {
  const kept = await plannedOnce(() => operator.lists({ everywhere: true, ...search }), 'sampled')
  const seen = /(?<!\(select )\$\d+(?!\d|::text as )/g
  expect(kept.flatMap(({ statement }) => statement.match(seen) ?? [])).toEqual([])
})

test.each([
  ['duplicates?kind=exact', 'twins as materialized'],
  ['duplicates?kind=near', 'from alike_assets'],
  ['assets/:assetId/similar', 'bit_count(near.'],
])('%s is planned five times and no more', async (path, within) => {
  const { assetId } = (await operator.lists({ everywhere: true, limit: 1 })).body.assets[0]
  await sql`update assets set perceptual_hash = 77::bit(64) where client_id = ${clientId} and id = ${assetId}`.execute(
    w.parts.db,
  )
  const url = operator.door.assets.replace(/assets$/, path.replace(':assetId', assetId))
  await plannedOnce(() => operator.get(url), within)
})

/** Asks often, and gives the statements with these words that are kept. */
async function plannedOnce(ask: () => Promise<{ status: number }>, within: string) {
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(200)
  const kept = (await Promise.all(Array.from({ length: 10 }, () => plansKept(within)))).flat()
  expect(kept.filter(({ custom }) => custom === 5)).not.toEqual([])
  expect(kept.filter(({ custom }) => custom > 5)).toEqual([])
  return kept
}

/** Those of one connection; asked for at once they are those of each. */
const plansKept = async (within: string) =>
  (
    await sql<{ statement: string; custom: number }>`
      select statement, custom_plans::int as custom from pg_prepared_statements, pg_sleep(0.05)
      where position(${within} in statement) > 0 and position('pg_prepared_statements' in statement) = 0`.execute(
      w.parts.db,
    )
  ).rows

test('signs are sought in the words of the client, not in the index of letters, which would be read for all clients', async () => {
  const other = await w.newClient()
  await sql`insert into asset_words select ${other.clientId}, 'zz' || n from generate_series(1, 30000) as n`.execute(
    w.parts.db,
  )
  await sql`analyze asset_words`.execute(w.parts.db)
  const read = () =>
    w.parts.db.transaction().execute(async (trx) => {
      const before = await blocksOfLetters(trx)
      for (const q of ['___', '☀☀☀☀', '\u{200b}\u{200b}\u{200b}', '-!!!'])
        await knownWords(makeLibrary({ ...w.parts, db: trx }, clientId, system), q)
      return (await blocksOfLetters(trx)) - before
    })
  expect(await read()).toBeLessThan(100)
})

test('a later page of what is misspelt reads no more than a page, whatever else is asked for', async () => {
  const search = {
    q: 'lighthuose',
    orientation: 'square',
    everywhere: true,
    sort: 'title',
    limit: 5,
  } as const
  const { nextCursor, meant } = await listAssets(makeLibrary(w.parts, clientId, system), search)
  expect(meant).toBe('lighthouse')
  const read = await w.parts.db.transaction().execute(async (trx) => {
    const library = makeLibrary({ ...w.parts, db: trx }, clientId, system)
    expect((await listAssets(library, { ...search, cursor: nextCursor! })).assets).toHaveLength(5)
    const { rows } = await sql<{ read: number }>`
      select (pg_stat_get_xact_tuples_fetched('assets'::regclass) + pg_stat_get_xact_tuples_returned('assets'::regclass))::int as read`.execute(
      trx,
    )
    return rows[0]!.read
  })
  expect(read).toBeLessThan(900)
})

const blocksOfLetters = async (trx: typeof w.parts.db) => {
  const { rows } = await sql<{ blocks: number }>`
    select pg_stat_get_xact_blocks_fetched('asset_words_alike'::regclass)::int as blocks`.execute(trx)
  return rows[0]!.blocks
}

test('what is written along with many assets at once reads no list from its beginning to its end', async () => {
  const read = await w.parts.db.transaction().execute(async (trx) => {
    await sql`insert into uses (client_id, kind, external_id, status, created_by)
      values (${clientId}, 'blog-post', 'many', 'done', 'tests')`.execute(trx)
    await sql`insert into use_refs (client_id, kind, external_id, place, asset_ref, asset_id)
      select client_id, 'blog-post', 'many', size_bytes, id, id from assets where client_id = ${clientId}`.execute(
      trx,
    )
    await sql`set constraints all immediate`.execute(trx)
    const { rows } = await sql<{ name: string; read: number }>`
      select relname as name, seq_tup_read::int as read from pg_stat_xact_user_tables
      where relname in ('listed_assets', 'use_refs', 'uses', 'asset_words') and seq_tup_read > 10000`.execute(
      trx,
    )
    return rows
  })
  expect(read).toEqual([])
  expect((await operator.lists({ everywhere: true, used: true, limit: 200 })).body.assets).toHaveLength(200)
})
