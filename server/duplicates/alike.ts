import { type RawBuilder, sql } from 'kysely'
import { textOf, unseen } from '../assets/sought.ts'
import type { Trx } from '../db/database.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'

/** Of 64 bits: two that differ in no more have one band of four in common. */
export const nearBits = 3

/**
 * The ids of assets whose pictures look like the one with this hash, itself among them: by an index on each band, once for
 * each band they share. They are called `o`; at most so many of each band.
 */
export const looksLike = (
  clientId: string,
  hash: RawBuilder<unknown>,
  where: RawBuilder<unknown> = sql`true`,
  most?: number,
): RawBuilder<unknown> =>
  sql.join(
    [0, 1, 2, 3].map(
      (band) => sql`
    (select o.id from assets o where o.client_id = ${textOf(clientId, unseen)} and o.trashed_at is null and o.perceptual_hash is not null
      and hash_band(o.perceptual_hash, ${sql.lit(band)}) = hash_band(${hash}, ${sql.lit(band)})
      and bit_count(o.perceptual_hash # ${hash}) <= ${sql.lit(nearBits)} and (${where})
    ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`})`,
    ),
    sql` union all `,
  )

/** Each has to be a duplicate of the first: the same bytes, or what looks alike. */
export async function refuseStrangers(
  trx: Trx,
  { clientId }: Library,
  assetId: string,
  others: string[],
): Promise<void> {
  // Both may be as far as is near from the one they were found by.
  const { rows } = await sql`
    select from assets first join assets other on other.client_id = first.client_id
    where first.client_id = ${clientId} and first.id = ${assetId} and other.id = any(${others}::text[])
      and other.sha256 is distinct from first.sha256
      and coalesce(bit_count(other.perceptual_hash # first.perceptual_hash), 64) > ${sql.lit(2 * nearBits)}
    limit 1`.execute(trx)
  if (rows.length > 0)
    throw new Problem(
      'invalid-request',
      'Not all of them are duplicates of the one that is named first. Leave out those that are not.',
    )
}
