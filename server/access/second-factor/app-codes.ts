import { sql } from 'kysely'
import type { TotpBegun } from '../../../contract/second-factor.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { Parts } from '../../library.ts'
import { Problem } from '../../problems.ts'
import { changeOwnAccount, type Owner } from '../own-change.ts'
import { factorAdded, factorRemoved, factorRow, withoutTotp } from './factors.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { newSecret, otpauthUri, stepOf } from './totp.ts'

/** A secret for an app that makes codes. It counts when a code of it was shown. */
export const beginTotp = ({ db, sealer }: Parts, owner: Owner): Promise<TotpBegun> =>
  changeOwnAccount(db, owner, async ({ trx }) => {
    const { caller } = owner
    await refuseSecond(trx, caller.id)
    const secret = newSecret()
    await trx
      .updateTable('users')
      .set({ ...withoutTotp, totp_sealed: sealer.seal(secret) })
      .where('id', '=', caller.id)
      .execute()
    return { secret, uri: otpauthUri(secret, caller.email!, 'Asset Library') }
  })

/** The first code proves that the app has the secret. From now on codes are asked for. */
export const confirmTotp = (parts: Parts, owner: Owner, code: string): Promise<string[]> =>
  changeOwnAccount(parts.db, owner, async (its) => {
    const { caller } = owner
    await refuseSecond(its.trx, caller.id)
    if (!(await totpFits(parts, its.trx, caller.id, code))) throw wrongCode()
    await its.trx.updateTable('users').set({ totp_since: new Date() }).where('id', '=', caller.id).execute()
    return factorAdded(its, owner, 'totp')
  })

async function refuseSecond(trx: Trx, userId: string): Promise<void> {
  const { totp_since } = await factorRow(trx, userId)
  if (totp_since) throw new Problem('in-use', 'An app makes codes for you already. Remove it first.')
}

export const removeTotp = (db: Db, owner: Owner): Promise<void> =>
  changeOwnAccount(db, owner, async (its) => {
    await its.trx.updateTable('users').set(withoutTotp).where('id', '=', owner.caller.id).execute()
    await factorRemoved(its, owner.caller, 'totp')
  })

/** Which kind of code it is, if it fits. It never does again. */
export async function takeCode(
  parts: Parts,
  trx: Trx,
  userId: string,
  code: string,
): Promise<'totp' | 'recovery-code' | null> {
  const typed = typedCode(code)
  if (!isShort(typed)) return (await takeRecoveryCode(trx, userId, typed)) ? 'recovery-code' : null
  const { totp_since } = await factorRow(trx, userId)
  return totp_since && (await totpFits(parts, trx, userId, typed)) ? 'totp' : null
}

const typedCode = (code: string) => code.replace(/\s/g, '')
const isShort = (typed: string) => /^\d{6}$/.test(typed)

/** Whether it can be guessed, unlike a recovery code. */
export const isGuessable = (code: string) => isShort(typedCode(code))

async function totpFits({ sealer }: Parts, trx: Trx, userId: string, code: string): Promise<boolean> {
  const { totp_sealed } = await factorRow(trx, userId)
  const step = totp_sealed ? stepOf(sealer.open(totp_sealed), code) : undefined
  if (step === undefined) return false
  // A code that was seen over somebody's shoulder is worth nothing once it was used.
  const isNew = await trx
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where(sql<boolean>`(totp_last_step is null or totp_last_step < ${step})`)
    .returning('id')
    .executeTakeFirst()
  return isNew !== undefined
}

export const wrongCode = () =>
  new Problem('wrong-code', 'The code does not fit, or was used already. Enter the one that is shown now.')
