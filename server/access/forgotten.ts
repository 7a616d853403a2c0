import type { ForgottenPassword, LinkFollowed, NewPassword } from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import type { Origin, Principal } from '../changes/audit-trail.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Trx } from '../db/database.ts'
import type { JobData } from '../jobs/jobs.ts'
import type { Parts } from '../library.ts'
import { queueMail } from '../mail/queue.ts'
import { emailChangedLetter, resetLetter } from './letters.ts'
import { countLinks, endLinks, type LinkPurpose, makeLink, personOf, takeLink } from './links.ts'
import { hashPassword, noPassword } from './passwords.ts'
import { setPassword } from './set-password.ts'
import type { SlowTurns } from './slow-turns.ts'
import { forgetAttempts, noteAttempt } from './throttle.ts'
import { emailTaken } from './users.ts'

interface Asked {
  email: string
  language: Language
  origin: Origin
}

/** Whether there is such a person is looked up by a job: the request does the same work and says the same for anybody. */
export async function askForReset(
  { db, jobs, sealer }: Parts,
  turns: SlowTurns,
  { email }: ForgottenPassword,
  language: Language,
  origin: Origin,
): Promise<void> {
  await noteAttempt(db, turns, { account: `forgotten ${email}`, address: origin.address, device: undefined })
  const asked: Asked = { email, language, origin }
  const sealed = sealer.seal(JSON.stringify(asked))
  const nobody = { kind: 'nobody', id: null, name: null, origin } as const
  await changePlatform(db, nobody, ({ trx }) => jobs.send(trx, 'forgotten', { sealed }))
}

/** So many links are enough: more would only fill the mailbox of somebody who did not ask. */
const mostLinks = 5

export async function sendResetLink(parts: Parts, { sealed }: JobData['forgotten']): Promise<void> {
  const { email, language, origin } = JSON.parse(parts.sealer.open(sealed)) as Asked
  if (!parts.mailer.isSet) return
  const nobody = { kind: 'nobody', id: null, name: null, origin } as const
  await changePlatform(parts.db, nobody, async ({ trx, note }) => {
    const user = await trx
      .selectFrom('users')
      .select(['id', 'name', 'email', 'language'])
      .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
      .where('is_active', '=', true)
      // Whoever comes in by a provider goes with it: a password would outlive that.
      .where('password_hash', '<>', noPassword)
      .forUpdate()
      .executeTakeFirst()
    if (!user || (await countLinks(trx, user.id, 'reset')) >= mostLinks) return
    const { url, expiresAt } = await makeLink(trx, parts.config.publicUrl, {
      userId: user.id,
      purpose: 'reset',
    })
    const message = resetLetter(user.email, user.language ?? language, user.name, url)
    await queueMail(parts, trx, message, { until: expiresAt })
    note({ action: 'user.reset-asked', thing: user.id, name: user.name })
  })
}

/** Follows a link to a new password. Whoever is logged in as this person is logged out. */
export const choosePassword = (
  parts: Parts,
  turns: SlowTurns,
  purpose: 'reset' | 'invitation',
  { token, password }: NewPassword,
  origin: Origin,
): Promise<LinkFollowed> =>
  follow(parts, turns, { token, purpose }, origin, async (person) => {
    const passwordHash = await hashPassword(password)
    return changePlatform(parts.db, person, async ({ trx, note }) => {
      const { id, name, email } = await takeLink(trx, token, purpose)
      await setPassword(trx, id, passwordHash)
      await trx.deleteFrom('login_sessions').where('user_id', '=', id).execute()
      note({ action: passwordChosen[purpose], thing: id, name })
      return { email }
    })
  })

const passwordChosen = { reset: 'user.password-reset', invitation: 'user.invitation-accepted' } as const

/** Follows a link that proves a new e-mail. */
export const confirmEmail = (
  parts: Parts,
  turns: SlowTurns,
  token: string,
  origin: Origin,
): Promise<LinkFollowed> =>
  follow(parts, turns, { token, purpose: 'email' }, origin, (person) =>
    changePlatform(parts.db, person, async ({ trx, note }) => {
      const { id, name, email: old, newEmail } = await takeLink(trx, token, 'email')
      const email = newEmail!
      if (await isTaken(trx, email)) throw emailTaken()
      const { language } = await trx
        .updateTable('users')
        .set({ email, updated_at: new Date() })
        .where('id', '=', id)
        .returning('language')
        .executeTakeFirstOrThrow()
      await endLinks(trx, id)
      // If it was not its owner, they learn of it there.
      await queueMail(parts, trx, emailChangedLetter(old, language ?? 'en', name))
      note({ action: 'user.email-confirmed', thing: id, name })
      return { email }
    }),
  )

const isTaken = async (trx: Trx, email: string): Promise<boolean> =>
  (await trx
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()) !== undefined

/** Guesses at links count for the network they come from. */
async function follow<T>(
  { db }: Parts,
  turns: SlowTurns,
  { token, purpose }: { token: string; purpose: LinkPurpose },
  origin: Origin,
  work: (person: Principal) => Promise<T>,
): Promise<T> {
  const attempt = { account: `link ${token}`, address: origin.address, device: undefined }
  await noteAttempt(db, turns, attempt)
  const person = await personOf(db, token, purpose)
  const done = await work({ kind: 'user', ...person, origin })
  await forgetAttempts(db, attempt)
  return done
}
