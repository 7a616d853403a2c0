import type { FastifyRequest } from 'fastify'
import type { MeChange, PasswordChange } from '../../contract/access.ts'
import type { PlatformChange } from '../changes/platform.ts'
import type { Caller, Parts } from '../library.ts'
import { queueMail } from '../mail/queue.ts'
import { Problem } from '../problems.ts'
import { callerOf, originOf } from './door.ts'
import { countNewEmail } from './guesses.ts'
import { deviceOf } from './known-device.ts'
import { emailLetter } from './letters.ts'
import { countLinks, endLinks, makeLink } from './links.ts'
import { changeOwnAccount, type Owner, wrongPassword } from './own-change.ts'
import { hashPassword, isHash, passwordFits } from './passwords.ts'
import { deleteOthers } from './sessions.ts'
import { setPassword } from './set-password.ts'
import { forgetAttempts, noteAttempt } from './throttle.ts'
import { emailTaken, languageOf } from './users.ts'

/**
 * Changes what a person may change of themselves. A new e-mail counts when its owner has followed a link that was sent
 * there; whether somebody has it already is told to nobody else. Without a mail server it counts at once.
 */
export async function changeOwn(parts: Parts, owner: Owner, input: MeChange): Promise<string | null> {
  const { caller } = owner
  const { name, email, language } = input
  const { mailer } = parts
  const isNew = email !== undefined && email.trim().toLowerCase() !== caller.email!.toLowerCase()
  if (isNew && !mailer.isSet && !caller.permissions.has('users:write'))
    await countNewEmail(parts.db, caller.id)
  return changeOwnAccount(parts.db, owner, async (its) => {
    const changes = {
      ...(name !== undefined && { name: name.trim() }),
      ...(language !== undefined && { language }),
      ...(isNew && !mailer.isSet && { email: email.trim() }),
    }
    if (Object.keys(changes).length > 0) await update(its, caller, changes)
    if (isNew && !mailer.isSet) await endLinks(its.trx, caller.id)
    if (!isNew || !mailer.isSet) return null
    await askToConfirm(parts, its, caller, email.trim())
    return email.trim()
  })
}

async function update({ trx, note }: PlatformChange, { id, name }: Caller, changes: object): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .execute()
    .catch((error) => {
      throw isTaken(error) ? emailTaken() : error
    })
  note({ action: 'user.updated', thing: id, name, details: { changed: Object.keys(changes) } })
}

const isTaken = (error: { constraint?: string; message: string }) =>
  /users_email/.test(error.constraint ?? error.message)

const mostLinks = 5

async function askToConfirm(parts: Parts, { trx, note }: PlatformChange, caller: Caller, email: string) {
  if ((await countLinks(trx, caller.id, 'email')) >= mostLinks)
    throw new Problem('too-many-attempts', 'Follow one of the links that were sent, or wait an hour.', {
      headers: { 'retry-after': '3600' },
    })
  const link = await makeLink(trx, parts.config.publicUrl, { userId: caller.id, purpose: 'email', email })
  const language = await languageOf(trx, caller.id)
  await queueMail(parts, trx, emailLetter(email, language ?? 'en', caller.name, link.url), {
    until: link.expiresAt,
  })
  note({ action: 'user.email-asked', thing: caller.id, name: caller.name })
}

/** A new password; whoever is logged in elsewhere is logged out. */
export async function changePassword(
  parts: Parts,
  owner: Owner,
  { current, next }: PasswordChange,
): Promise<void> {
  if (current === next) throw new Problem('weak-password', 'Choose a password other than the present one.')
  const passwordHash = await hashPassword(next)
  const { caller, sessionId } = owner
  await changeOwnAccount(parts.db, owner, async ({ trx, note }) => {
    await setPassword(trx, caller.id, passwordHash)
    await deleteOthers(trx, caller.id, sessionId)
    note({ action: 'user.updated', thing: caller.id, name: caller.name, details: { changed: ['password'] } })
  })
}

/** Whoever is logged in, with nothing more proved. */
export const ownerOf = (request: FastifyRequest): Owner => ({
  caller: callerOf(request),
  sessionId: request.recognised!.session!.id,
})

/** For what only the owner may do, whoever sits at the browser: the password, once more. */
export async function provePassword(request: FastifyRequest, password: string): Promise<Owner> {
  const { id, email } = callerOf(request)
  const stored = await storedPassword(request, id)
  await guessedAt(request, email!, async () => {
    if (!(await passwordFits(password, stored))) throw wrongPassword()
  })
  return { ...ownerOf(request), passwordHash: stored }
}

/** The same, also for those who have no password because their provider lets them in: they must have come in just now. */
export async function proveOwner(request: FastifyRequest, password = ''): Promise<Owner> {
  const { id } = callerOf(request)
  if (isHash(await storedPassword(request, id))) return provePassword(request, password)
  const session = await request.server.parts.db
    .selectFrom('login_sessions')
    .select('created_at')
    .where('user_id', '=', id)
    .where('id', '=', request.recognised!.session!.id)
    .executeTakeFirst()
  if (!session || session.created_at.getTime() < Date.now() - justNow)
    throw new Problem('wrong-password', 'Log out and in again, then go on within a quarter of an hour.')
  return ownerOf(request)
}

const justNow = 15 * 60_000

const storedPassword = async ({ server: { parts } }: FastifyRequest, userId: string): Promise<string> =>
  (
    await parts.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
  ).password_hash

/** Guesses at a secret of who is logged in count like those at the login. */
export async function guessedAt<T>(
  request: FastifyRequest,
  account: string,
  work: () => Promise<T>,
): Promise<T> {
  const { parts, loginTurns } = request.server
  const { address } = originOf(request)
  const attempt = { account, login: callerOf(request).email!, address, device: deviceOf(request) }
  await noteAttempt(parts.db, loginTurns, attempt)
  const done = await work()
  await forgetAttempts(parts.db, attempt)
  return done
}
