import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Sort, sorts } from '../contract/search.ts'
import { rowsAtOnce } from '../server/assets/at-once.ts'
import { orderOf, type SortKeys } from '../server/assets/orders.ts'
import { sortKeys } from '../server/assets/ways.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { dice } from './dice.ts'
import { plainDetails } from './plain-details.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { clientId, operator } = await w.newClient()
const library = makeLibrary(w.parts, clientId, system)
const chance = dice(7)

const beginnings = [
  'Beach ',
  'beacon',
  'BEAD',
  'Bé',
  'b',
  'be',
  '\u{1}',
  '\u{d7ff}',
  '\u{e000}',
  '\u{10ffff}',
  'İ',
  '#',
]
const times = [
  '1971-12-31T23:00Z',
  '2020-02-29',
  '2026-11-18T07:59:59.999Z',
  '2026-11-18T08:00Z',
  '2031-01-01',
]
await w.parts.db
  .insertInto('assets')
  .values(
    Array.from({ length: 1600 }, (_, n) => ({
      client_id: clientId,
      id: newId('asset'),
      title:
        `${chance.of(beginnings).repeat(1 + chance.below(2))}${chance.of(['', 'é', 'z', `${n}`])}` || 'x',
      description: n % 61 === 0 ? 'rowing' : '',
      original_filename: 'p.png',
      mime_type: 'image/png',
      size_bytes: n % 7 ? 1_000_000 + chance.below(1_000_000) : Math.floor(2 ** chance.below(50)) - 1,
      details: plainDetails,
      created_by: 'tests',
      created_at: new Date(Date.parse(chance.of(times)) + chance.below(1e9) * (n % 2)),
    })) as never,
  )
  .execute()

/** Too few to be found in any other way than by a range of bins that is full. */
const limits = { ranked: 2, sorted: 2, looked: 1, peeked: 3, known: 0, pages: 0 }

test.each(sorts.filter((sort) => sort !== 'relevance'))(
  'bin by bin, all come in their order and none is left out: %s',
  async (sort: Sort) => {
    const order = orderOf(sort, library, {})
    const { rows: wanted } = await sql<{ id: string }>`select id from assets
      where client_id = ${clientId} and description = 'rowing' order by ${order.by}`.execute(w.parts.db)
    expect(wanted.length).toBe(27)
    const search = { q: 'rowing', everywhere: true, sort }
    let pages = 0
    for (let at = 0, cursor: string | undefined; at + 3 < wanted.length; at += 2) {
      const { found } = await rowsAtOnce<SortKeys, never>(
        library,
        { ...search, cursor },
        sortKeys,
        3,
        undefined,
        undefined,
        limits,
      )
      // Where they end, or lie far from each other, the other ways are gone.
      if (typeof found === 'object') {
        pages++
        expect(found.rows.map(({ id }) => id)).toEqual(wanted.slice(at, at + 3).map(({ id }) => id))
      }
      const { rows } = await sql<SortKeys>`select ${sortKeys} from assets
        where client_id = ${clientId} and id = ${wanted[at + 1]!.id}`.execute(w.parts.db)
      cursor = order.cursorOf(rows[0]!)
    }
    expect(pages).toBeGreaterThan(2)
  },
)

test('few in a folder are ranked, however many there are elsewhere', async () => {
  const { folderId } = await operator.makesFolder('Boats')
  await sql`update assets set folder_id = ${folderId}, created_at = '2030-12-30' where client_id = ${clientId}
    and id in (select id from assets where description = 'rowing' order by id limit 5)`.execute(w.parts.db)
  const { found } = await rowsAtOnce<SortKeys, never>(
    library,
    { q: 'rowing', folderId, below: true, sort: 'relevance' },
    sortKeys,
    3,
    undefined,
    { part: 0, looked: 300, many: 6, index: 20_000 },
    { ...limits, ranked: 24, sorted: 24 },
  )
  expect(found).toMatchObject({ order: 'relevance' })
})

test('facets and bins are those that indexes were built with', async () => {
  await w.parts.db.connection().execute(async (line) => {
    const folder = new URL('../server/db/migrations/', import.meta.url)
    for (const file of ['0080-facets.sql', '0151-bins.sql']) {
      const all = await readFile(new URL(file, folder), 'utf8')
      const [made] = /create function (?:facets|bins)_of[^;]+;/.exec(all)!
      await sql.raw(made.replace('function ', 'function pg_temp.first_')).execute(line)
    }
    const { rows } = await sql<{ differ: number }>`
      select count(*)::int as differ from assets, (values (0, 0, array[]::text[]), (1600, 900, '{website,social}'), (1, 16384, '{ads}'))
        as other (width, height, surfaces), facets_of(mime_type, created_by, other.width, other.height, description, approval, surfaces) as facets,
        bins_of(created_at, title, size_bytes) as bins
      where facets <> pg_temp.first_facets_of(mime_type, created_by, other.width, other.height, description, approval, surfaces)
        or bins <> pg_temp.first_bins_of(created_at, title, size_bytes)`.execute(line)
    expect(rows[0]!.differ).toBe(0)
  })
})
