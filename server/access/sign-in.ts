import type { Login } from '../../contract/access.ts'
import type { Db } from '../db/database.ts'
import { rightsChanged } from '../news.ts'
import { Problem } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'
import { passwordFits } from './passwords.ts'
import { forgetAttempts, noteAttempt } from './throttle.ts'

export const sessionDays = 14

/** A new session token for who knows the password. Unknown, wrong and inactive get the same answer. */
export async function signIn(
  db: Db,
  { email, password }: Login,
  address: string,
): Promise<{ token: string; expiresAt: Date }> {
  await noteAttempt(db, email, address)
  const user = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'is_active'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst()
  const fits = await passwordFits(password, user?.password_hash)
  if (!user || !fits || !user.is_active) throw wrongLogin()

  await forgetAttempts(db, email, address)
  const token = newToken()
  const expiresAt = new Date(Date.now() + sessionDays * 86_400_000)
  await db
    .insertInto('login_sessions')
    .values({ token_hash: hashToken(token), user_id: user.id, expires_at: expiresAt })
    .execute()
  return { token, expiresAt }
}

export async function signOut(db: Db, token: string): Promise<void> {
  await db.deleteFrom('login_sessions').where('token_hash', '=', hashToken(token)).execute()
  await rightsChanged(db)
}

const wrongLogin = () =>
  new Problem(
    'wrong-login',
    'E-mail and password do not fit, or the user is not active. Check both, or ask your administrator.',
  )
