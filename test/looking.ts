import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../server/db/database.ts'
import { newId } from '../server/ids.ts'
import { plainDetails } from './plain-details.ts'

export interface Look {
  sha256: string
  hash: bigint
}

export const hashOf = (hash: bigint): RawBuilder<string> =>
  sql`${BigInt.asIntN(64, hash).toString()}::bigint::bit(64)`

/** Assets without a file: with these bytes, and looking like this. */
export async function looking(db: Db, clientId: string, looks: Look[]): Promise<string[]> {
  const rows = looks.map((look) => ({ id: newId('asset'), ...look }))
  await db
    .insertInto('assets')
    .values(
      rows.map(({ id, sha256, hash }) => ({
        client_id: clientId,
        id,
        title: 'Again',
        original_filename: 'p.png',
        mime_type: 'image/png',
        size_bytes: 1,
        sha256,
        perceptual_hash: hashOf(hash),
        details: plainDetails,
        created_by: 'tests',
      })) as never,
    )
    .execute()
  return rows.map(({ id }) => id)
}
