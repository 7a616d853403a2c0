import type { Login } from '../../contract/access.ts'
import type { SecondStep } from '../../contract/second-factor.ts'
import { type Origin, type Principal, record } from '../changes/audit-trail.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import type { Parts } from '../library.ts'
import { hashToken } from '../secrets.ts'
import type { Device } from './known-device.ts'
import { about, letIn, people, wrongLogin } from './let-in.ts'
import { passwordFits } from './passwords.ts'
import { beginSecondStep } from './second-factor/second-step.ts'
import type { NewSession } from './sessions.ts'
import type { SlowTurns } from './slow-turns.ts'
import { forgetAttempts, noteAttempt } from './throttle.ts'

/**
 * A new session for who knows the password, or the question for the second factor. Unknown, wrong and inactive get the
 * same answer, and the trail keeps no e-mail of an account that is not there: people type their password into the wrong field.
 */
export async function signIn(
  parts: Parts,
  turns: SlowTurns,
  { email, password }: Login,
  origin: Origin,
  device: Device | undefined,
): Promise<NewSession | SecondStep> {
  const { db } = parts
  const attempt = { account: email, address: origin.address, device }
  await noteAttempt(db, turns, attempt)
  const user = await people(db)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst()
  const fits = await passwordFits(password, user?.password_hash)
  if (!user || !fits || !user.is_active) {
    await record(
      db,
      { kind: 'nobody', id: null, name: null, origin },
      { ...about(user), action: 'login.failed' },
    )
    throw wrongLogin()
  }

  await forgetAttempts(db, attempt)
  if (user.has_second_factor) return beginSecondStep(parts, user, origin)
  return letIn(db, user, origin, { method: 'password', isStrong: false })
}

export const signOut = (db: Db, principal: Principal, token: string): Promise<void> =>
  changePlatform(db, principal, async (its) => {
    const ended = await its.trx
      .deleteFrom('login_sessions')
      .where('token_hash', '=', hashToken(token))
      .returning('user_id')
      .executeTakeFirst()
    if (ended) its.note({ action: 'login.ended', thing: ended.user_id, name: principal.name })
    await rightsChanged(its.trx)
  })
