import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Collection } from '../contract/collections.ts'
import { forgetDeletedCollections } from '../server/collections/collections.ts'
import { newId } from '../server/ids.ts'
import type { Person } from './person.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world()
const { db } = w.parts

const at = (person: Person, below = '') => person.door.assets.replace(/assets$/, `collections${below}`)

async function collects(person: Person, name: string, assetIds?: string[]): Promise<Collection> {
  const { status, body } = await person.post(at(person), { name, ...(assetIds && { assetIds }) })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const titled = async (person: Person, title: string) =>
  (await person.uploads(pixel, { words: { title } })).assetId

const uploaded = async (person: Person, count: number) => {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await titled(person, `Picture ${at}`))
  return ids
}

const inOrder = async (person: Person, collectionId: string, query: object = {}) => {
  const { status, body } = await person.lists({ collectionId, ...query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.assets.map(({ assetId }: { assetId: string }) => assetId)
}

const eventsOf = async (clientId: string, subject: string) =>
  (
    await db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('client_id', '=', clientId)
      .where('subject', '=', subject)
      .orderBy('id')
      .execute()
  ).map(({ type, data }) => [type, data])

test('a collection holds assets of any folder in an order of its own, for operators and in the portal', async () => {
  const { operator, portal, viewer, clientId } = await w.newClient()
  const [a, b, c, d] = (await uploaded(operator, 4)) as [string, string, string, string]
  const { folderId } = await operator.makesFolder('Raw')
  await operator.edits(b, { folderId })

  const made = await collects(operator, 'Summer', [c, a])
  expect(made).toMatchObject({ name: 'Summer', assetCount: 2, clientId })
  const { collectionId } = made
  const items = `/${collectionId}/assets`

  expect((await portal.post(at(portal, items), { assetIds: [b, a], before: a })).body.assetCount).toBe(3)
  expect(await inOrder(portal, collectionId)).toEqual([c, b, a])
  await operator.post(at(operator, items), { assetIds: [d] })
  expect(await inOrder(operator, collectionId)).toEqual([c, b, a, d])

  await operator.patch(at(operator, items), { assetIds: [d, a], before: c })
  expect(await inOrder(operator, collectionId)).toEqual([d, a, c, b])
  await operator.patch(at(operator, items), { assetIds: [d] })
  expect(await inOrder(operator, collectionId)).toEqual([a, c, b, d])
  expect(await operator.patch(at(operator, items), { assetIds: [a], before: a })).toEqual(
    refusal('invalid-request'),
  )
  expect(await operator.patch(at(operator, items), { assetIds: [a], before: newId('asset') })).toEqual(
    refusal('not-found'),
  )

  // Page by page, by another sort, filtered, from any page, and as ids alone.
  const first = (await operator.lists({ collectionId, limit: 3, count: true })).body
  expect([first.folders, first.total, first.assets.length]).toEqual([[], 4, 3])
  expect(await inOrder(operator, collectionId, { cursor: first.nextCursor })).toEqual([d])
  expect(await inOrder(operator, collectionId, { sort: 'title' })).toEqual([a, b, c, d])
  expect(await inOrder(operator, collectionId, { q: 'picture 2' })).toEqual([c])
  expect(await inOrder(operator, collectionId, { folderId })).toEqual([b])
  const list = `collectionId=${collectionId}&limit=2`
  const { body: positions } = await operator.get(`${operator.door.assets}/cursors?${list}`)
  expect(await inOrder(operator, collectionId, { cursor: positions.cursors[0] })).toEqual([b, d])
  expect(
    (await operator.get(`${operator.door.assets}/ids?collectionId=${collectionId}`)).body.assetIds,
  ).toEqual([a, c, b, d])

  await operator.delete(at(operator, items), { assetIds: [c, newId('asset')] })
  expect(await inOrder(operator, collectionId)).toEqual([a, b, d])
  expect((await viewer.get(`${viewer.door.assets}/${a}/collections`)).body.collections).toMatchObject([
    { collectionId, assetCount: 3 },
  ])
  expect((await viewer.get(`${viewer.door.assets}/${c}/collections`)).body.collections).toEqual([])

  const taken = await collects(operator, 'Winter 10')
  await collects(operator, 'winter 2')
  expect(await operator.post(at(operator), { name: ' WINTER 2 ' })).toEqual(refusal('collection-name-taken'))
  expect(await operator.patch(at(operator, `/${taken.collectionId}`), { name: 'summer' })).toEqual(
    refusal('collection-name-taken'),
  )
  const { body: page } = await operator.get(`${at(operator)}?limit=2`)
  const { body: rest } = await operator.get(`${at(operator)}?limit=2&cursor=${page.nextCursor}`)
  expect([...page.collections, ...rest.collections].map(({ name }: Collection) => name)).toEqual([
    'Summer',
    'winter 2',
    'Winter 10',
  ])
  expect((await operator.patch(at(operator, `/${collectionId}`), { name: 'Autumn' })).body.name).toBe(
    'Autumn',
  )
  expect((await operator.delete(at(operator, `/${collectionId}`))).status).toBe(200)
  expect(await operator.get(at(operator, `/${collectionId}`))).toEqual(refusal('not-found'))
  expect((await operator.reads(a)).status).toBe(200)

  expect((await eventsOf(clientId, collectionId)).map(([type]) => type)).toEqual([
    'collection.created',
    'collection.assets-added',
    'collection.assets-added',
    'collection.assets-moved',
    'collection.assets-moved',
    'collection.assets-removed',
    'collection.updated',
    'collection.deleted',
  ])
  const { body: trail } = await w.admin.get(`/admin/audit?clientId=${clientId}&thing=${collectionId}&limit=1`)
  expect(trail.entries).toMatchObject([{ action: 'collection.deleted', name: 'Autumn' }])
})

test('a deleted collection leads nowhere, and comes back as it was: its id, its order and its links', async () => {
  const { operator, clientId } = await w.newClient()
  const [a, b] = (await uploaded(operator, 2)) as [string, string]
  const { collectionId } = await collects(operator, 'Summer', [b, a])
  const shares = `/admin/clients/${clientId}/share-links`
  const { body: link } = await operator.post(shares, { title: 'For you', collectionId })
  const guest = () => w.nobody.get(`${new URL(link.url).pathname}/assets`)
  const links = async () => (await operator.get(shares)).body.shareLinks.length
  const restores = (id = collectionId) => operator.post(at(operator, `/${id}/restore`))
  expect([(await guest()).status, await links()]).toEqual([200, 1])

  await operator.delete(at(operator, `/${collectionId}`))
  expect([(await guest()).status, await links()]).toEqual([404, 0])
  expect(await inOrder(operator, collectionId)).toEqual([])
  expect((await operator.get(`${operator.door.assets}/${a}/collections`)).body.collections).toEqual([])
  const { collectionId: other } = await collects(operator, 'summer', [a])
  expect(await restores()).toEqual(refusal('collection-name-taken'))
  await operator.delete(at(operator, `/${other}`))

  expect((await restores()).body).toMatchObject({ collectionId, name: 'Summer', assetCount: 2 })
  expect((await restores()).status).toBe(200)
  expect(await inOrder(operator, collectionId)).toEqual([b, a])
  expect([(await guest()).status, await links()]).toEqual([200, 1])

  // A day later it is gone for good.
  await operator.delete(at(operator, `/${collectionId}`))
  await sql`update collections set deleted_at = now() - interval '25 hours' where id = ${collectionId}`.execute(
    w.parts.db,
  )
  await forgetDeletedCollections(w.parts.db)
  expect(await restores()).toEqual(refusal('not-found'))
  expect((await restores(other)).status).toBe(200)
})

test('what is in the trash is out of sight and comes back to its place; what is purged is gone', async () => {
  const { operator } = await w.newClient()
  const [a, b, c] = (await uploaded(operator, 3)) as [string, string, string]
  const { collectionId } = await collects(operator, 'Summer', [a, b, c])
  await operator.trashes(b)
  expect(await inOrder(operator, collectionId)).toEqual([a, c])
  expect((await operator.get(at(operator, `/${collectionId}`))).body.assetCount).toBe(2)
  expect(await operator.post(at(operator, `/${collectionId}/assets`), { assetIds: [b] })).toEqual(
    refusal('not-found'),
  )
  await operator.restores(b)
  expect(await inOrder(operator, collectionId)).toEqual([a, b, c])
  await operator.trashes(b)
  await operator.delete(`${operator.door.assets}/${b}?permanently=true`)
  expect(await inOrder(operator, collectionId)).toEqual([a, c])
  const { rows } = await sql`select from collection_assets where collection_id = ${collectionId}`.execute(db)
  expect(rows.length).toBe(2)
})

test('whoever reorders at the same moment waits for the other: nothing is lost, and all see one order', async () => {
  const { operator, portal } = await w.newClient()
  const ids = await uploaded(operator, 6)
  const { collectionId } = await collects(operator, 'Summer', ids)
  const [last] = ids.slice(-1)
  // Each goes before the same one, sixty times over: places between two others run out, and are given anew.
  for (let round = 0; round < 12; round++)
    await Promise.all(
      ids
        .slice(0, -1)
        .map((id, at) =>
          (at % 2 ? operator : portal).patch(
            at % 2 ? itemsOf(operator, collectionId) : itemsOf(portal, collectionId),
            { assetIds: [id], before: last },
          ),
        ),
    )
  const order = await inOrder(operator, collectionId)
  expect([...order].sort()).toEqual([...ids].sort())
  expect(order.at(-1)).toBe(last)
  for (const id of [ids[2]!, ids[0]!]) {
    await operator.patch(itemsOf(operator, collectionId), { assetIds: [id], before: last })
  }
  expect((await inOrder(operator, collectionId)).slice(-3)).toEqual([ids[2], ids[0], last])
  const { rows } =
    await sql`select distinct place from collection_assets where collection_id = ${collectionId}`.execute(db)
  expect(rows.length).toBe(6)
})

const itemsOf = (person: Person, collectionId: string) => at(person, `/${collectionId}/assets`)
