import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mostCollections, mostInCollection } from '../contract/collections.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { db } = w.parts

test('there are so many collections and so many assets in one, and no more', async () => {
  const { operator, clientId } = await w.newClient()
  const collections = operator.door.assets.replace(/assets$/, 'collections')
  const [a, b] = [(await operator.uploads(pixel)).assetId, (await operator.uploads(pixel)).assetId]
  const { collectionId } = (await operator.post(collections, { name: 'Summer', assetIds: [a] })).body
  // In steps: on a slow machine ten thousand would take longer than a statement may.
  for (let first = 1; first < mostInCollection; first += 1000) {
    const some = sql`generate_series(${sql.lit(first)}, ${sql.lit(Math.min(first + 999, mostInCollection - 1))}) n`
    const id = sql`'asset_' || lpad(n::text, 26, '0')`
    await sql`insert into assets (client_id, id, title, original_filename, mime_type, size_bytes, version, created_by)
      select ${clientId}, ${id}, 'T', 'f', 'image/png', 1, 1, 'tests' from ${some}`.execute(db)
    await sql`insert into collection_assets (client_id, collection_id, asset_id, place)
      select ${clientId}, ${collectionId}, ${id}, n from ${some}`.execute(db)
  }
  const items = `${collections}/${collectionId}/assets`
  expect(await operator.post(items, { assetIds: [b] })).toEqual(refusal('collection-full'))
  expect((await operator.post(items, { assetIds: [a] })).status).toBe(200)
  await operator.delete(items, { assetIds: [a] })
  expect((await operator.post(items, { assetIds: [b] })).body.assetCount).toBe(mostInCollection)

  await sql`insert into collections (client_id, id, name, name_key, created_by)
    select ${clientId}, 'collection_' || n, 'Many ' || n, 'many ' || n, 'tests'
    from generate_series(1, ${sql.lit(mostCollections - 1)}) n`.execute(db)
  expect(await operator.post(collections, { name: 'One more' })).toEqual(refusal('too-many-collections'))
})
