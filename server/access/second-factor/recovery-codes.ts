import { randomInt } from 'node:crypto'
import type { Db, Trx } from '../../db/database.ts'
import { hashToken } from '../../secrets.ts'

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const howMany = 10

/** Four groups of four: 79 bits, so a plain hash is enough. */
const newCode = () =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')

const hashOf = (code: string) => hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

/** New ones, in place of all there were. They are told this once. */
export async function giveRecoveryCodes(trx: Trx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newCode)
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
    .execute()
  return codes
}

/** True for one that was there; it is not there any more. */
export const takeRecoveryCode = async (trx: Trx, userId: string, code: string): Promise<boolean> =>
  (await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .returning('code_hash')
    .executeTakeFirst()) !== undefined

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .execute()
  return rows.length
}
