import { type RawBuilder, sql } from 'kysely'

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
    (select o.id from assets o where o.client_id = ${clientId} and o.trashed_at is null and o.perceptual_hash is not null
      and hash_band(o.perceptual_hash, ${sql.lit(band)}) = hash_band(${hash}, ${sql.lit(band)})
      and bit_count(o.perceptual_hash # ${hash}) <= ${sql.lit(nearBits)} and (${where})
    ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`})`,
    ),
    sql` union all `,
  )
