import { sql } from 'kysely'
import type { SecondFactors } from '../../../contract/second-factor.ts'
import { rightsChanged } from '../../changes/new-events.ts'
import { changePlatform, type PlatformChange } from '../../changes/platform.ts'
import type { Db, Trx } from '../../db/database.ts'
import { knownId } from '../../ids.ts'
import type { Caller, Parts } from '../../library.ts'
import { Problem } from '../../problems.ts'
import { changeOwnAccount, type Owner } from '../own-change.ts'
import { deleteOthers } from '../sessions.ts'
import { userById } from '../users.ts'
import { listPasskeys } from './passkey-rows.ts'
import { countRecoveryCodes, giveRecoveryCodes } from './recovery-codes.ts'

export type Factor = 'totp' | 'passkey'

export async function secondFactorsOf({ db, config }: Parts, { id, role }: Caller): Promise<SecondFactors> {
  const { totp_since } = await db
    .selectFrom('users')
    .select('totp_since')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    totpSince: totp_since?.toISOString() ?? null,
    passkeys: await listPasskeys(db, id),
    recoveryCodesLeft: await countRecoveryCodes(db, id),
    isRequired: config.secondFactorRoles.some((one) => one === role),
  }
}

export const newRecoveryCodes = (db: Db, owner: Owner): Promise<string[]> =>
  changeOwnAccount(db, owner, async ({ trx, note }) => {
    const { caller } = owner
    const { has_second_factor } = await factorRow(trx, caller.id)
    if (!has_second_factor) throw new Problem('not-found', 'There is no second factor yet. Set one up first.')
    note({ action: 'user.recovery-codes-made', thing: caller.id, name: caller.name })
    return giveRecoveryCodes(trx, caller.id)
  })

/** For somebody who has lost all of it. Whoever is logged in as them is logged out. */
export const resetSecondFactor = (db: Db, admin: Caller, userId: string): Promise<void> =>
  changePlatform(db, admin, async ({ trx, note }) => {
    const { name } = await userById(trx, knownId('user', userId))
    await trx
      .updateTable('users')
      .set({ ...withoutTotp, sessions_ended_at: new Date() })
      .where('id', '=', userId)
      .execute()
    for (const table of ['passkeys', 'login_steps', 'login_sessions'] as const)
      await trx.deleteFrom(table).where('user_id', '=', userId).execute()
    await settleFactors(trx, userId)
    await rightsChanged(trx)
    note({ action: 'user.second-factor-reset', thing: userId, name })
  })

export const withoutTotp = { totp_sealed: null, totp_since: null, totp_last_step: null } as const

/** With the first factor come codes for the day it is lost, and whoever is logged in elsewhere is logged out. */
export async function factorAdded(
  { trx, note }: PlatformChange,
  { caller: { id, name }, sessionId }: Owner,
  factor: Factor,
): Promise<string[]> {
  const { has_second_factor } = await factorRow(trx, id)
  await settleFactors(trx, id)
  await deleteOthers(trx, id, sessionId)
  await rightsChanged(trx)
  note({ action: 'user.second-factor-added', thing: id, name, details: { factor } })
  return has_second_factor ? [] : giveRecoveryCodes(trx, id)
}

export async function factorRemoved(
  { trx, note }: PlatformChange,
  { id, name }: Caller,
  factor: Factor,
): Promise<void> {
  await settleFactors(trx, id)
  note({ action: 'user.second-factor-removed', thing: id, name, details: { factor } })
}

/** Held, so that two who change it at once come one after the other. */
export const factorRow = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['totp_sealed', 'totp_since', 'has_second_factor'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Says anew whether there is a factor. Without one, the recovery codes go. */
async function settleFactors(trx: Trx, userId: string): Promise<void> {
  const { has_second_factor } = await trx
    .updateTable('users')
    .set({
      has_second_factor: sql<boolean>`totp_since is not null or exists (select from passkeys where passkeys.user_id = users.id)`,
      updated_at: new Date(),
    })
    .where('id', '=', userId)
    .returning('has_second_factor')
    .executeTakeFirstOrThrow()
  if (!has_second_factor) await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
