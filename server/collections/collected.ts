import { sql } from 'kysely'
import type { CollectedAssets, Collection, TakenOut } from '../../contract/collections.ts'
import { type Change, change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type CollectionRow, heldCollection, recordOf, touch } from './collections.ts'
import { keepAssets, moveAssets, putAssets, takeOut } from './places.ts'

/** Asked twice, done once: what stands in it already keeps its place. */
export const collectAssets = (
  library: Library,
  collectionId: string,
  { assetIds, before }: CollectedAssets,
): Promise<Collection> =>
  change(library, async (its) => {
    await keepAssets(its.trx, library, assetIds)
    const collection = await heldCollection(its.trx, library, collectionId)
    const added = await putAssets(its.trx, collection, assetIds, before)
    return told(its, collection, 'collection.assets-added', added)
  })

export async function reorderCollection(
  library: Library,
  collectionId: string,
  { assetIds, before }: CollectedAssets,
): Promise<Collection> {
  if (before !== undefined && assetIds.includes(before))
    throw new Problem('invalid-request', 'Nothing moves before itself. Name another asset in `before`.')
  return change(library, async (its) => {
    const collection = await heldCollection(its.trx, library, collectionId)
    await moveAssets(its.trx, collection, assetIds, before)
    return told(its, collection, 'collection.assets-moved', assetIds)
  })
}

/** What does not stand in it is out of it already. */
export const takeOutAssets = (
  library: Library,
  collectionId: string,
  { assetIds }: TakenOut,
): Promise<Collection> =>
  change(library, async (its) => {
    const collection = await heldCollection(its.trx, library, collectionId)
    const gone = await takeOut(its.trx, collection, assetIds)
    return told(its, collection, 'collection.assets-removed', gone)
  })

/** Wherever one of these stands, the other stands too, at the same place, until they come back to theirs. */
export async function standIn(
  its: Change,
  library: Library,
  assetId: string,
  forIds: string[],
): Promise<void> {
  const theirs = sql`select client_id, collection_id, min(place) as place, array_agg(asset_id) as ids from collection_assets
    where client_id = ${library.clientId} and asset_id = any(${forIds}::text[]) group by client_id, collection_id`
  await sql`update collection_assets i set stands_for = i.stands_for || theirs.ids from (${theirs}) as theirs
    where i.client_id = theirs.client_id and i.collection_id = theirs.collection_id and i.asset_id = ${assetId}
      and i.stands_for is not null`.execute(its.trx)
  const { rows } = await sql<{ id: string; name: string }>`
    with stands as (
      insert into collection_assets (client_id, collection_id, asset_id, place, stands_for)
      select client_id, collection_id, ${assetId}, place, ids from (${theirs}) as theirs
      on conflict do nothing returning collection_id
    )
    select id, name from collections
    where client_id = ${library.clientId} and id in (select collection_id from stands) order by id`.execute(
    its.trx,
  )
  for (const { id, name } of rows) its.tell('collection.assets-added', id, { name, assetIds: [assetId] })
}

async function told(
  its: Change,
  collection: CollectionRow,
  type: 'collection.assets-added' | 'collection.assets-moved' | 'collection.assets-removed',
  assetIds: string[],
): Promise<Collection> {
  if (assetIds.length === 0) return recordOf(its.trx, collection)
  its.tell(type, collection.id, { name: collection.name, assetIds })
  return recordOf(its.trx, await touch(its.trx, collection))
}
