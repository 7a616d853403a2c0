import { sql } from 'kysely'
import type { SimilarAssets } from '../../contract/assets.ts'
import { assetColumns, assetRow, toAsset } from '../assets/asset.ts'
import type { Library } from '../library.ts'

/** Of 64 bits: recompressing changes two at most, another picture about 32. */
const farthest = 10
const most = 20

/** Assets of the same client that show the same picture, or hold the very same bytes. */
export async function similarAssets(library: Library, assetId: string): Promise<SimilarAssets> {
  const { id, sha256 } = await assetRow(library.db, library, assetId)
  const distance = sql<number | null>`case when sha256 = ${sha256} then 0
    else bit_count(perceptual_hash # (select perceptual_hash from assets where client_id = ${library.clientId} and id = ${id})) end`
  const rows = await library.db
    .selectFrom('assets')
    .select(assetColumns)
    .select(distance.as('distance'))
    .where('client_id', '=', library.clientId)
    .where('trashed_at', 'is', null)
    .where('id', '!=', id)
    .where(sql<boolean>`${distance} <= ${farthest}`)
    .orderBy('distance')
    .orderBy('id')
    .limit(most)
    .execute()
  return {
    similar: rows.map(({ distance, ...row }) => ({ asset: toAsset(row), distance: Number(distance) })),
  }
}
