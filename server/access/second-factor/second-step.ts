import type {
  PasskeySignIn,
  PasskeySignInBegun,
  SecondStep,
  SecondStepAnswer,
} from '../../../contract/second-factor.ts'
import { type Origin, record } from '../../changes/audit-trail.ts'
import { changePlatform } from '../../changes/platform.ts'
import type { Parts } from '../../library.ts'
import { queueMail } from '../../mail/queue.ts'
import { Problem } from '../../problems.ts'
import { countCode } from '../guesses.ts'
import type { Device } from '../known-device.ts'
import { about, holdUnchanged, letIn, type Newcomer, people } from '../let-in.ts'
import { wrongCodesLetter } from '../letters.ts'
import type { NewSession } from '../sessions.ts'
import type { SlowTurns } from '../slow-turns.ts'
import { forgetAttempts, isKnownFor, noteAttempt } from '../throttle.ts'
import { isGuessable, takeCode, wrongCode } from './app-codes.ts'
import { notePasskeyUse, passkeyAnswers, passkeyQuestion } from './passkeys.ts'
import { beginStep, takeStep, tryStep } from './steps.ts'

/** Half way in: what is handed out opens nothing but the second step, for five minutes and a few attempts. */
export async function beginSecondStep(
  parts: Parts,
  person: Newcomer & { totp_since: Date | null },
  origin: Origin,
  /** How the first was made. */
  method = 'password',
): Promise<SecondStep> {
  const { id, totp_since } = person
  const passkey = await passkeyQuestion(parts, id)
  const challenge = passkey?.challenge ?? ''
  const { step, expiresAt } = await changePlatform(parts.db, nobody(origin), async ({ trx }) => {
    await holdUnchanged(trx, person)
    return beginStep(trx, 'second-factor', { userId: id, challenge, method })
  })
  return { step, expiresAt: expiresAt.toISOString(), hasTotp: totp_since !== null, passkey }
}

/** Guesses count for the person as those at a password do, and for the step, which is soon over. */
export async function finishSecondStep(
  parts: Parts,
  turns: SlowTurns,
  { step, code, passkey }: SecondStepAnswer,
  origin: Origin,
  device: Device | undefined,
): Promise<NewSession> {
  const { db } = parts
  if ((code === undefined) === (passkey === undefined))
    throw new Problem('invalid-request', 'Send a code, or what a passkey has answered.')
  const begun = await tryStep(db, step, 'second-factor')
  const user = await knownPerson(parts, begun.user_id!)
  const attempt = { account: `second-factor ${user.id}`, login: user.email, address: origin.address, device }
  await noteAttempt(db, turns, attempt)
  const isKnown = isKnownFor(attempt.login, device)
  const counted = code !== undefined && isGuessable(code) ? await countCode(db, user.id, isKnown) : undefined
  try {
    const session = passkey
      ? await withPasskey(parts, step, { ...begun, passkey }, user, origin)
      : await letIn(db, user, origin, { method: `${begun.method}+code`, isStrong: true }, async ({ trx }) => {
          if (!(await takeCode(parts, trx, user.id, code!))) throw wrongCode()
          await takeStep(trx, step, 'second-factor')
        })
    await forgetAttempts(db, attempt)
    await counted?.takeBack()
    return session
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong-code') {
      const failed = { ...about(user), action: 'login.failed', details: { step: 'second-factor' } } as const
      await record(db, nobody(origin), failed)
      if (counted?.isToBeTold) await tellOfWrongCodes(parts, user, origin)
    }
    throw error
  }
}

/** Whoever guesses at codes knows the password: its owner is the one to learn of it. */
const tellOfWrongCodes = (parts: Parts, { email, name, language }: Person, origin: Origin) =>
  changePlatform(parts.db, nobody(origin), ({ trx }) =>
    queueMail(parts, trx, wrongCodesLetter(email, language ?? 'en', name)),
  )

const nobody = (origin: Origin) => ({ kind: 'nobody', id: null, name: null, origin }) as const

async function withPasskey(
  parts: Parts,
  step: string,
  begun: { challenge: string; method: string; passkey: NonNullable<SecondStepAnswer['passkey']> },
  user: Person,
  origin: Origin,
): Promise<NewSession> {
  const answered = await passkeyAnswers(parts, begun.challenge, begun.passkey, { alone: false })
  if (answered.user_id !== user.id) throw wrongCode()
  const way = { method: `${begun.method}+passkey`, isStrong: true }
  return letIn(parts.db, user, origin, way, async ({ trx }) => {
    await takeStep(trx, step, 'second-factor')
    await notePasskeyUse(trx, answered)
  })
}

/** To come in with a passkey alone. Anybody may ask: what is asked is the same for all. */
export async function beginPasskeySignIn(parts: Parts): Promise<PasskeySignInBegun> {
  const options = (await passkeyQuestion(parts))!
  const { step } = await beginStep(parts.db, 'passkey-sign-in', { challenge: options.challenge })
  return { step, options }
}

export async function signInWithPasskey(
  parts: Parts,
  turns: SlowTurns,
  { step, passkey }: PasskeySignIn,
  origin: Origin,
): Promise<NewSession> {
  await noteAttempt(parts.db, turns, { account: `step ${step}`, address: origin.address, device: undefined })
  const { challenge } = await takeStep(parts.db, step, 'passkey-sign-in')
  const answered = await passkeyAnswers(parts, challenge, passkey, { alone: true })
  const user = await knownPerson(parts, answered.user_id)
  return letIn(parts.db, user, origin, { method: 'passkey', isStrong: true }, ({ trx }) =>
    notePasskeyUse(trx, answered),
  )
}

type Person = Awaited<ReturnType<typeof knownPerson>>

async function knownPerson({ db }: Parts, userId: string) {
  const user = await people(db).where('id', '=', userId).where('is_active', '=', true).executeTakeFirst()
  if (!user) throw wrongCode()
  return user
}
