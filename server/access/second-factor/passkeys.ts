import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type {
  AddedPasskey,
  NewPasskey,
  NewPasskeyBegun,
  PasskeyAnswer,
} from '../../../contract/second-factor.ts'
import type { Db, Trx } from '../../db/database.ts'
import { knownId, newId } from '../../ids.ts'
import type { Caller, Parts } from '../../library.ts'
import { notFound, Problem } from '../../problems.ts'
import { changeOwnAccount, type Owner } from '../own-change.ts'
import { factorAdded, factorRemoved } from './factors.ts'
import { credentialOf, descriptorOf, type PasskeyRow, passkeyRows, toPasskey } from './passkey-rows.ts'
import { beginStep, takeStep } from './steps.ts'

const mostPasskeys = 20
/** ES256 and RS256: what every authenticator has. */
const supportedAlgorithmIDs = [-7, -257]

/** What passkeys of this library are bound to: the address that people open it at. */
const siteOf = ({ config: { publicUrl } }: Parts) => ({
  expectedOrigin: new URL(publicUrl).origin,
  expectedRPID: new URL(publicUrl).hostname,
})

export async function beginPasskey(parts: Parts, { id, name, email }: Caller): Promise<NewPasskeyBegun> {
  const own = await passkeyRows(parts.db, id)
  if (own.length >= mostPasskeys)
    throw new Problem('in-use', `You have ${mostPasskeys} passkeys already. Remove one first.`)
  const {
    hints: _,
    extensions: __,
    ...options
  } = await generateRegistrationOptions({
    rpName: 'Asset Library',
    rpID: siteOf(parts).expectedRPID,
    userID: new TextEncoder().encode(id),
    userName: email!,
    userDisplayName: name,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: own.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const { step } = await beginStep(parts.db, 'passkey-new', { userId: id, challenge: options.challenge })
  return { step, options }
}

export async function addPasskey(
  parts: Parts,
  owner: Owner,
  { step, name, id, transports, ...response }: NewPasskey,
): Promise<AddedPasskey> {
  const { caller } = owner
  const begun = await takeStep(parts.db, step, 'passkey-new', caller.id)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: begun.challenge,
    requireUserVerification: false,
    supportedAlgorithmIDs,
    ...siteOf(parts),
  }).catch((): VerifiedRegistrationResponse => ({ verified: false }))
  if (!registrationInfo) throw notThisPasskey()
  const { credential } = registrationInfo
  return changeOwnAccount(parts.db, owner, async (its) => {
    const row = await its.trx
      .insertInto('passkeys')
      .values({
        id: newId('passkey'),
        user_id: caller.id,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports,
        name: name.trim(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notThisPasskey()
    return { ...toPasskey(row), recoveryCodes: await factorAdded(its, owner, 'passkey') }
  })
}

/** Said before the password is asked for: there is nothing to prove about what is not there. */
export async function refuseForeign(db: Db, { id }: Caller, passkeyId: string): Promise<void> {
  const own = await passkeyRows(db, id)
  if (!own.some((row) => row.id === passkeyId)) throw notFound('No passkey')
}

export const removePasskey = (db: Db, owner: Owner, passkeyId: string): Promise<void> =>
  changeOwnAccount(db, owner, async (its) => {
    const { caller } = owner
    const gone = await its.trx
      .deleteFrom('passkeys')
      .where('user_id', '=', caller.id)
      .where('id', '=', knownId('passkey', passkeyId))
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw notFound('No passkey')
    await factorRemoved(its, caller, 'passkey')
  })

/** What a browser asks a passkey. Of a person who is known already, only theirs are asked; else, any that knows whose it is. */
export async function passkeyQuestion(parts: Parts, userId?: string) {
  const own = userId ? await passkeyRows(parts.db, userId) : []
  if (userId && own.length === 0) return null
  return generateAuthenticationOptions({
    rpID: siteOf(parts).expectedRPID,
    allowCredentials: own.map(descriptorOf),
    // Alone, it stands for the password too: its owner has to unlock it.
    userVerification: userId ? 'preferred' : 'required',
  })
}

/** Whose passkey has answered the challenge. */
export async function passkeyAnswers(
  parts: Parts,
  challenge: string,
  { id, userHandle, ...response }: PasskeyAnswer,
  { alone }: { alone: boolean },
): Promise<PasskeyRow & { newCounter: number }> {
  const row = await parts.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', id)
    .executeTakeFirst()
  if (!row) throw notThisPasskey()
  const answer = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    credential: credentialOf(row),
    requireUserVerification: alone,
    ...siteOf(parts),
  }).catch(() => undefined)
  if (!answer?.verified) throw notThisPasskey()
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== row.user_id)
    throw notThisPasskey()
  return { ...row, newCounter: answer.authenticationInfo.newCounter }
}

/** A counter that has gone back belongs to a copy; the answer that raised it is the one that counts. */
export async function notePasskeyUse(
  trx: Trx,
  { id, counter, newCounter }: PasskeyRow & { newCounter: number },
) {
  const used = await trx
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: new Date() })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw notThisPasskey()
}

const notThisPasskey = () =>
  new Problem('wrong-code', 'This passkey does not fit here, or its answer came twice. Begin again.')
