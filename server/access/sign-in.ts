import type { Login } from '../../contract/access.ts'
import { type Origin, type Principal, record } from '../changes/audit-trail.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import { Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'
import type { Device } from './known-device.ts'
import { passwordFits } from './passwords.ts'
import { type NewSession, openSession } from './sessions.ts'
import type { SlowTurns } from './slow-turns.ts'
import { forgetAttempts, noteAttempt } from './throttle.ts'

/**
 * A new session token for who knows the password. Unknown, wrong and inactive get the same answer, and the trail
 * keeps no e-mail of an account that is not there: people type their password into the wrong field.
 */
export async function signIn(
  db: Db,
  turns: SlowTurns,
  { email, password }: Login,
  origin: Origin,
  device: Device | undefined,
): Promise<NewSession> {
  const attempt = { account: email, address: origin.address, device }
  await noteAttempt(db, turns, attempt)
  const user = await userByEmail(db, email)
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
  return changePlatform(db, { kind: 'user', id: user.id, name: user.name, origin }, async ({ trx, note }) => {
    note({ ...about(user), action: 'login.succeeded' })
    return openSession(trx, user.id, origin, 'password')
  })
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

const userByEmail = (db: Db, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'password_hash', 'is_active'])
    .select((eb) =>
      eb
        .selectFrom('user_clients')
        .select('client_id')
        .whereRef('user_id', '=', 'users.id')
        .where('users.role', '=', 'client')
        .limit(1)
        .as('client_id'),
    )
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst()

const about = (user: { id: string; name: string; client_id: string | null } | undefined) => ({
  thing: user?.id ?? null,
  name: user?.name ?? null,
  clientId: user?.client_id ?? null,
})

const wrongLogin = () =>
  new Problem(
    'wrong-login',
    'E-mail and password do not fit, or the user is not active. Check both, or ask your administrator.',
  )
