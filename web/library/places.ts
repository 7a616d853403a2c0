import type { AssetQuery } from '../../contract/search.ts'
import { type AssetList, withPlaces } from './patch.ts'

interface Placed {
  collectionId: string
  assetIds: string[]
  /** Without it they stand at the end. */
  before: string | undefined
}

/** What the person has put elsewhere in a collection and the server has not answered yet, in turn. */
const unanswered = new Set<Placed>()

/** The list as the person has it: what arrives before the answer may be older than what they did, and does not undo it. */
export const asPlaced = (list: AssetList, query: AssetQuery): AssetList =>
  [...unanswered]
    .filter((placed) => isOrderOf(placed.collectionId, query))
    .reduce((shown, { assetIds, before }) => withPlaces(shown, assetIds, before), list)

/** Keeps a place until the server has answered. */
export function keepPlace(placed: Placed): () => void {
  unanswered.add(placed)
  return () => void unanswered.delete(placed)
}

/** Whether this lists the collection in its own order. */
export const isOrderOf = (collectionId: string, query: AssetQuery) =>
  query.collectionId === collectionId && !query.sort
