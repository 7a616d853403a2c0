import { type RawBuilder, sql } from 'kysely'
import type { AssetSearch, Sort } from '../../contract/search.ts'
import type { Library } from '../library.ts'

/** As asked for; or else a collection in its own order, and anything else the newest first. */
export type Order = Sort | 'place'

export const orderOf = ({ sort, collectionId }: AssetSearch): Order =>
  sort ?? (collectionId === undefined ? 'newest' : 'place')

/** What a list is read from: assets, with their places where it goes by these. */
export const assetsIn = ({ clientId }: Library, query: AssetSearch): RawBuilder<unknown> =>
  orderOf(query) === 'place'
    ? sql`assets join (select asset_id, place from collection_assets
        where client_id = ${clientId} and collection_id = ${query.collectionId}) as placed on placed.asset_id = id`
    : sql`assets`
