import { rightsChanged } from '../changes/new-events.ts'
import type { Trx } from '../db/database.ts'
import { endLinks } from './links.ts'

/**
 * A password that its owner has chosen. What was given out under the old one ends: links, and addresses to put files at.
 * Which sessions end is for the caller to say.
 */
export async function setPassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      must_change_password: false,
      sessions_ended_at: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', userId)
    .execute()
  await endLinks(trx, userId)
  await rightsChanged(trx)
}
