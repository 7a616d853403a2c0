import type { Invitation } from '../../contract/access.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { changePlatform } from '../changes/platform.ts'
import { knownId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { queueMail } from '../mail/queue.ts'
import { Problem } from '../problems.ts'
import { invitationLetter } from './letters.ts'
import { makeLink } from './links.ts'
import { languageOf, userById } from './users.ts'

/** Mails somebody a link to choose a password with. Without a mail server, whoever invites hands it over. */
export const invite = (
  parts: Parts,
  inviter: Caller,
  userId: string,
  idempotencyKey?: IdempotencyKey,
): Promise<Invitation> =>
  changePlatform(
    parts.db,
    inviter,
    async ({ trx, note }) => {
      const { name, email, isActive } = await userById(trx, knownId('user', userId))
      if (!isActive) throw new Problem('in-use', 'This user may not log in. Switch the login on first.')
      // The last one is the one that counts.
      await trx
        .deleteFrom('login_links')
        .where('user_id', '=', userId)
        .where('purpose', '=', 'invitation')
        .execute()
      const { url, expiresAt } = await makeLink(trx, parts.config.publicUrl, {
        userId,
        purpose: 'invitation',
      })
      const language = (await languageOf(trx, userId)) ?? (await languageOf(trx, inviter.id)) ?? 'en'
      await queueMail(parts, trx, invitationLetter(email, language, name, url), { until: expiresAt })
      note({ action: 'user.invited', thing: userId, name, details: { email } })
      const { isSet } = parts.mailer
      return { sentTo: isSet ? email : null, link: isSet ? null : url, expiresAt: expiresAt.toISOString() }
    },
    idempotencyKey,
  )
