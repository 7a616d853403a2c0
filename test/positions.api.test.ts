import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { sorts } from '../contract/search.ts'
import { orderOf } from '../server/assets/orders.ts'
import { newId } from '../server/ids.ts'
import type { Library } from '../server/library.ts'
import type { Person } from './person.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

// No jobs: an asset changes only when a test changes it.
const w = await world({ ROLE: 'api' })

describe('a long list', () => {
  test('can be read from any page on, in every order, each page up to where the next one begins', async () => {
    const { operator, clientId } = await w.newClient()
    await plants(clientId, 57)
    for (const sort of sorts) {
      const whole = idsOf((await operator.lists({ sort, limit: 200 })).body.assets)
      const first = (await operator.lists({ sort, limit: 10, count: true })).body
      expect(first.total).toBe(57)
      const behind = `${operator.door.assets}/cursors?sort=${sort}&limit=10&cursor=${encodeURIComponent(first.nextCursor)}`
      const { cursors } = (await operator.get(behind)).body
      const starts = [first.nextCursor, ...cursors]
      expect(starts).toHaveLength(5)
      for (const [at, position] of [
        [3, undefined],
        [10, 0],
        [19, 9],
        [40, 30],
        [56, 46],
      ] as const)
        expect((await operator.get(`${behind}&assetId=${whole[at]}`)).body).toEqual({
          cursors,
          ...(position !== undefined && { position }),
        })
      for (const [page, cursor] of [...starts.entries()].reverse()) {
        const until = starts[page + 1]
        const { body } = await operator.lists({ sort, cursor, limit: 200, ...(until && { until }) })
        expect(idsOf(body.assets)).toEqual(whole.slice(10 + 10 * page, 20 + 10 * page))
        expect(body.nextCursor).toBe(null)
      }
    }
  })

  test('has pages that an index knows both ends of, so that nothing behind them is read', async () => {
    const { operator, clientId } = await w.newClient()
    await plants(clientId, 2)
    for (const sort of sorts.filter((each) => each !== 'relevance')) {
      const { nextCursor } = (await operator.lists({ sort, limit: 1 })).body
      const order = orderOf(sort, { clientId } as Library, {})
      const plan = await w.parts.db.transaction().execute(async (trx) => {
        // As with a million of them.
        for (const way of ['seqscan', 'bitmapscan', 'sort'])
          await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(trx)
        const page = sql`explain select id from assets where client_id = ${clientId} and folder_id is null
          and trashed_at is null and ${order.behind(nextCursor)} and ${order.upTo(nextCursor)} order by ${order.by}`
        return (await page.execute(trx)).rows.map((line) => Object.values(line as object)[0]).join('\n')
      })
      expect(plan).toMatch(/Index Cond: .*ROW\(.*ROW\(.*ROW\(.*ROW\(/)
      expect(plan).not.toMatch(/Filter:.*ROW|Sort/)
    }
  })

  test('is the same the other way round', async () => {
    const { operator, clientId } = await w.newClient()
    await plants(clientId, 30)
    for (const [one, other] of [
      ['newest', 'oldest'],
      ['title', 'title-desc'],
      ['size', 'size-asc'],
    ])
      expect(idsOf((await operator.lists({ sort: one!, limit: 200 })).body.assets)).toEqual(
        idsOf((await operator.lists({ sort: other!, limit: 200 })).body.assets).reverse(),
      )
  })

  test('of the trash begins with what was deleted last, in pages, ids and cursors alike', async () => {
    const { operator, clientId } = await w.newClient()
    const ids = await plants(clientId, 24, { trashed_at: new Date('2026-03-04') })
    for (const [at, id] of ids.entries())
      await w.parts.db
        .updateTable('assets')
        .set({ trashed_at: new Date(Date.UTC(2026, 1, 1 + ((at * 7) % 12))) })
        .where('client_id', '=', clientId)
        .where('id', '=', id)
        .execute()
    const there = (await operator.lists({ trashed: true, limit: 200 })).body.assets as Asset[]
    const key = ({ trashedAt, assetId }: Asset) => `${trashedAt} ${assetId}`
    expect(there.map(key)).toEqual(there.map(key).sort().reverse())
    expect(there).toHaveLength(24)
    for (const [query, whole] of [
      [{ trashed: true }, there],
      [{ trashed: true, sort: 'trashed' }, there],
      [{ trashed: true, everywhere: true }, there],
      [{ trashed: true, sort: 'trashed-asc' }, there.toReversed()],
    ] as const) {
      const asked = new URLSearchParams(query as unknown as Record<string, string>)
      const ofPage = async (cursor?: string, until?: string) =>
        (await operator.lists({ ...query, limit: 10, ...(cursor && { cursor }), ...(until && { until }) }))
          .body
      const first = await ofPage()
      const { cursors } = (
        await operator.get(`${operator.door.assets}/cursors?${asked}&limit=10&cursor=${first.nextCursor}`)
      ).body
      const second = await ofPage(first.nextCursor, cursors[0])
      const third = await ofPage(cursors[0])
      expect([first, second, third].flatMap(({ assets }) => idsOf(assets))).toEqual(idsOf([...whole]))
      expect(idsOf(second.assets)).toHaveLength(10)
      const inAll = (await operator.get(`${operator.door.assets}/ids?${asked}`)).body
      expect(inAll.assetIds).toEqual(idsOf([...whole]))
    }
  })

  test('has an order by deletion in the trash alone', async () => {
    const { operator } = await w.newClient()
    for (const list of ['', '/ids', '/cursors', '/words'])
      for (const sort of ['trashed', 'trashed-asc'])
        expect(
          await operator.get(`${operator.door.assets}${list}?sort=${sort}&q=pier&everywhere=true`),
        ).toEqual(
          refusal('invalid-request', {
            detail: expect.stringMatching(/^Only the trash has an order by deletion/),
          }),
        )
    const saves = (search: object) =>
      operator.post(operator.door.assets.replace(/assets$/, 'saved-searches'), { name: 'Gone', search })
    expect(await saves({ sort: 'trashed' })).toEqual(refusal('invalid-request'))
    expect((await saves({ sort: 'trashed', trashed: true })).status).toBe(201)
  })

  test('of the trash has pages that an index knows both ends of', async () => {
    const { operator, clientId } = await w.newClient()
    await plants(clientId, 2, { trashed_at: new Date() })
    for (const sort of ['trashed', 'trashed-asc'] as const) {
      const query = { trashed: true, sort }
      const { nextCursor } = (await operator.lists({ ...query, limit: 1 })).body
      const order = orderOf(sort, { clientId } as Library, query)
      const plan = await w.parts.db.transaction().execute(async (trx) => {
        for (const way of ['seqscan', 'bitmapscan', 'sort'])
          await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(trx)
        const page = sql`explain select id from assets where client_id = ${clientId} and trashed_at is not null
          and trashed_with is null and ${order.behind(nextCursor)} and ${order.upTo(nextCursor)} order by ${order.by}`
        return (await page.execute(trx)).rows.map((line) => Object.values(line as object)[0]).join('\n')
      })
      expect(plan).toMatch(/Index Cond: .*ROW\(.*ROW\(.*ROW\(.*ROW\(.*trashed_with IS NULL/)
      expect(plan).not.toMatch(/Filter:|Sort/)
    }
  })

  test('keeps a page within its bounds while others come and go', async () => {
    const { operator, clientId } = await w.newClient()
    await plants(clientId, 30)
    const { nextCursor } = (await operator.lists({ limit: 10 })).body
    const { cursors } = (
      await operator.get(`${operator.door.assets}/cursors?limit=10&cursor=${encodeURIComponent(nextCursor)}`)
    ).body
    const page = { cursor: nextCursor, until: cursors[0], limit: 200 }
    const before = idsOf((await operator.lists(page)).body.assets)
    await operator.trashes(before[3]!)
    expect(idsOf((await operator.lists(page)).body.assets)).toEqual(before.toSpliced(3, 1))
    expect(await operator.lists({ ...page, sort: 'title' })).toEqual(refusal('invalid-request'))
  })

  test('has its ids for whoever means all of it, and only those that match', async () => {
    const { operator, clientId } = await w.newClient()
    const { folderId } = await operator.makesFolder('Summer')
    await plants(clientId, 23)
    await plants(clientId, 4, { folder_id: folderId })
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await operator.get(
        `${operator.door.assets}/ids?sort=title&limit=10${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      ids.push(...body.assetIds)
      cursor = body.nextCursor
    }
    expect(ids).toEqual(idsOf((await operator.lists({ sort: 'title', limit: 200 })).body.assets))
    const inside = (await operator.get(`${operator.door.assets}/ids?folderId=${folderId}`)).body
    expect(inside).toMatchObject({ nextCursor: null })
    expect(inside.assetIds).toHaveLength(4)

    // A folder that is not there is refused as in the list itself; one in the trash is there.
    await operator.deletesFolder(folderId)
    for (const list of ['', '/ids', '/cursors']) {
      const at = `${operator.door.assets}${list}?folderId=`
      for (const gone of [folderId, `${newId('folder')}&trashed=true`, `${newId('folder')}&everywhere=true`])
        expect(await operator.get(at + gone), list).toEqual(refusal('not-found'))
      expect((await operator.get(`${at}${folderId}&trashed=true`)).status).toBe(200)
    }
  })
})

describe('many assets at once', () => {
  test('say what they have in common', async () => {
    const { operator, clientId } = await w.newClient()
    const a = await plants(clientId, 2, { tags: ['Fest', 'boats'], allowed_surfaces: ['website'] })
    const b = await plants(clientId, 3, { tags: ['fest'] })
    const { body } = await operator.post(`${operator.door.assets}/summary`, {
      assetIds: [...a, ...b, newId('asset')],
    })
    expect(body).toEqual({
      assets: 5,
      tags: [
        { tag: expect.stringMatching(/^fest$/i), assets: 5 },
        { tag: 'boats', assets: 2 },
      ],
      surfaces: [
        { allowedSurfaces: [], assets: 3 },
        { allowedSurfaces: ['website'], assets: 2 },
      ],
      provenances: [{ provenance: 'unknown', assets: 5 }],
      rights: { ending: 0, first: null, last: null },
    })

    const first = '2031-01-01T00:00:00.000Z'
    const last = '2031-06-01T00:00:00.000Z'
    await operator.edits(a[0]!, { rightsExpireAt: last, provenance: 'stock' })
    await operator.edits(b[0]!, { rightsExpireAt: first, provenance: 'stock' })
    const after = await operator.post(`${operator.door.assets}/summary`, { search: { everywhere: true } })
    expect(after.body).toMatchObject({
      assets: 5,
      surfaces: [{ assets: 3 }, { assets: 2 }],
      provenances: [
        { provenance: 'unknown', assets: 3 },
        { provenance: 'stock', assets: 2 },
      ],
      rights: { ending: 2, first, last },
    })
  })

  test('keep the surfaces nobody touched, and say what they were', async () => {
    const { operator, clientId } = await w.newClient()
    const [limited] = await plants(clientId, 1, { allowed_surfaces: ['gbp', 'website'] })
    const [open] = await plants(clientId, 1)
    const { body } = await batch(operator, [limited!, open!], {
      action: 'surfaces',
      addSurfaces: ['social'],
      removeSurfaces: ['gbp'],
    })
    expect(body.results).toMatchObject([
      { asset: { allowedSurfaces: ['social', 'website'] }, before: { allowedSurfaces: ['gbp', 'website'] } },
      { asset: { allowedSurfaces: ['social'] }, before: { allowedSurfaces: [] } },
    ])
    expect(await batch(operator, [open!], { action: 'surfaces' })).toEqual(refusal('invalid-request'))
  })

  test('have one tag where two differ only by case', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(undefined, { words: { tags: ['Fest', 'FEST', ' fest '] } })
    const tags = async () => (await operator.reads(assetId)).body.tags
    expect(await tags()).toEqual(['Fest'])
    await batch(operator, [assetId], { action: 'tag', tags: ['fest', 'Boats'] })
    expect(await tags()).toEqual(['Fest', 'Boats'])
    await operator.edits(assetId, { tags: ['Fest', 'boats', 'Boats'] })
    expect(await tags()).toEqual(['Fest', 'boats'])
    expect(idsOf((await operator.lists({ tag: 'BOATS' })).body.assets)).toEqual([assetId])
    await batch(operator, [assetId], { action: 'untag', tags: ['BOATS'] })
    expect(await tags()).toEqual(['Fest'])
  })
})

test('folders say how many assets they hold, with all below them', async () => {
  const { operator, clientId, portal } = await w.newClient()
  const summer = await operator.makesFolder('Summer')
  const raw = await operator.makesFolder('Raw', summer.folderId)
  const empty = await operator.makesFolder('Empty')
  await plants(clientId, 2, { folder_id: summer.folderId })
  const [gone] = await plants(clientId, 3, { folder_id: raw.folderId })
  await operator.trashes(gone!)
  const counts = async (person: Person, query = '') =>
    Object.fromEntries(
      (await person.get(`${person.door.assets}/folders/counts${query}`)).body.counts.map(
        ({ folderId, assets }: { folderId: string; assets: number }) => [folderId, assets],
      ),
    )
  expect(await counts(operator)).toEqual({ [summer.folderId]: 4, [empty.folderId]: 0 })
  expect(await counts(portal, `?parentId=${summer.folderId}`)).toEqual({ [raw.folderId]: 2 })
})

const batch = (person: Person, assetIds: string[], change: object) =>
  person.post(`${person.door.assets}/batch`, { assetIds, ...change })

const idsOf = (assets: Asset[]) => assets.map(({ assetId }) => assetId)

/** Assets without files, with equal titles, sizes and times among them. */
async function plants(clientId: string, count: number, row: object = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => ({
    client_id: clientId,
    id: newId('asset'),
    title: `Planted ${i % 2 ? 'É' : 'e'}${i % 13}`,
    original_filename: 'planted.png',
    mime_type: 'image/png',
    size_bytes: i % 7,
    details: plainDetails,
    created_at: new Date(1_700_000_000_000 + (i % 11)),
    created_by: 'tests',
    ...row,
  }))
  await w.parts.db
    .insertInto('assets')
    .values(rows as never)
    .execute()
  return rows.map(({ id }) => id)
}
