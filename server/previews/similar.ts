import { sql } from 'kysely'
import type { SimilarAssets } from '../../contract/assets.ts'
import { assetColumns, assetRow, toAsset } from '../assets/asset.ts'
import type { Library } from '../library.ts'

/** Of 64 bits: recompressing changes two at most, another picture about 32. */
const farthest = 10
const most = 20

/**
 * Assets of the same client that hold the very same bytes, then those that look alike. The hash sees shapes and no
 * colours: two colours of one logo are at distance 0 and still two pictures.
 */
export async function similarAssets(library: Library, assetId: string): Promise<SimilarAssets> {
  const { id, sha256 } = await assetRow(library.db, library, assetId)
  const distance = sql<number | null>`case when sha256 = ${sha256} then 0
    else bit_count(perceptual_hash # (select perceptual_hash from assets where client_id = ${library.clientId} and id = ${id})) end`
  const identical = sql<boolean>`coalesce(sha256 = ${sha256}, false)`
  const rows = await library.db
    .selectFrom('assets')
    .select(assetColumns)
    .select(identical.as('identical'))
    .select(distance.as('distance'))
    .where('client_id', '=', library.clientId)
    .where('trashed_at', 'is', null)
    .where('id', '!=', id)
    .where(sql<boolean>`${distance} <= ${farthest}`)
    .orderBy('identical', 'desc')
    .orderBy('distance')
    .orderBy('id')
    .limit(most)
    .execute()
  return {
    similar: rows.map(({ identical, distance, ...row }) => ({
      asset: toAsset(row),
      identical,
      distance: Number(distance),
    })),
  }
}
