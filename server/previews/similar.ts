import { sql } from 'kysely'
import type { SimilarAssets } from '../../contract/assets.ts'
import { assetColumns, assetRow, toAsset } from '../assets/asset.ts'
import { textOf, unseen } from '../assets/sought.ts'
import { askPrepared, pipelined } from '../db/prepared.ts'
import type { Library } from '../library.ts'

/** Of 64 bits: recompressing changes two at most, another picture about 32. */
const farthest = 10
const most = 20
/** Of each band: there may be more where pictures are all alike, and twenty of them are shown. */
const mostCandidates = 5000
const bands = [0, 1, 2, 3]
const bandBits = 16

/**
 * Assets of the same client that hold the very same bytes, then those that look alike. The hash sees shapes and no
 * colours: two colours of one logo are at distance 0 and still two pictures.
 */
export async function similarAssets(library: Library, assetId: string): Promise<SimilarAssets> {
  const { id, sha256 } = await assetRow(library.db, library, assetId)
  const { clientId } = library
  const hashes = await hashOf(library.db, clientId, id)
  const hash = hashes[0]?.hash ?? null
  const candidates = [
    sql`(select id from assets where client_id = ${textOf(clientId, unseen)} and sha256 = ${unseen(sql`${sha256}::text`)} and trashed_at is null limit ${sql.lit(mostCandidates)})`,
    ...(hash === null ? [] : bands.map((band) => sharing(clientId, band, hash))),
  ]
  const distance = sql<number | null>`case when sha256 = ${unseen(sql`${sha256}::text`)} then 0
    else bit_count(perceptual_hash # ${unseen(sql`${hash}::bit(64)`)}) end`
  const identical = sql<boolean>`coalesce(sha256 = ${sha256}, false)`
  const rows = await askPrepared(
    library.db,
    library.db
      .selectFrom('assets')
      .select(assetColumns)
      .select(identical.as('identical'))
      .select(distance.as('distance'))
      .where(sql<boolean>`client_id = ${textOf(clientId, unseen)}`)
      .where('trashed_at', 'is', null)
      .where(sql<boolean>`id = any(array(${sql.join(candidates, sql` union `)}))`)
      .where(sql<boolean>`id <> ${textOf(id, unseen)}`)
      .where(sql<boolean>`${distance} <= ${sql.lit(farthest)}`)
      .orderBy('identical', 'desc')
      .orderBy('distance')
      .orderBy('id')
      .limit(sql.lit(most)),
  )
  return {
    similar: rows.map(({ identical, distance, ...row }) => ({
      asset: toAsset(row),
      identical,
      distance: Number(distance),
    })),
  }
}

const hashOf = pipelined<{ hash: string | null }>(
  'select perceptual_hash::text as hash from assets where client_id = $1 and id = $2',
)

/**
 * Of two that differ in ten bits at most, one band of four differs in two at most: all such are looked for, each by
 * itself, for the planner would rather read all assets than step into an index so often.
 */
const sharing = (clientId: string, band: number, hash: string) =>
  sql`(select near.id from unnest(${unseen(sql`${closeTo(bandOf(hash, band))}::integer[]`)}) as close (bits) cross join lateral (
      select id, perceptual_hash from assets where client_id = ${textOf(clientId, unseen)} and trashed_at is null
        and perceptual_hash is not null and hash_band(perceptual_hash, ${sql.lit(band)}) = close.bits offset 0) as near
    where bit_count(near.perceptual_hash # ${unseen(sql`${hash}::bit(64)`)}) <= ${sql.lit(farthest)} limit ${sql.lit(mostCandidates)})`

const bandOf = (hash: string, band: number) =>
  Number.parseInt(hash.slice(band * bandBits, (band + 1) * bandBits), 2)

/** All that differ in two bits at most. */
function closeTo(bits: number): number[] {
  const flips = Array.from({ length: bandBits }, (_, at) => 1 << at)
  const pairs = flips.flatMap((one, at) => flips.slice(at + 1).map((other) => one | other))
  return [0, ...flips, ...pairs].map((flip) => bits ^ flip)
}
