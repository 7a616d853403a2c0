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
