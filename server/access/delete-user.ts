import { forgetPrincipals } from '../changes/audit-trail.ts'
import { forgetAnswersTo } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import { knownId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { holdAdmins, keepOneAdmin } from './users.ts'

/** What they did stays under their id. Keys they made are the agency's, and go on. */
export const deleteUser = (db: Db, deleter: Caller, userId: string): Promise<void> =>
  changePlatform(db, deleter, async ({ trx, note }) => {
    if (knownId('user', userId) === deleter.id)
      throw new Problem('in-use', 'Nobody can delete themselves. Let another admin do it.')
    const admins = await holdAdmins(trx)
    const [role] = await removeUsers(trx, [userId])
    if (!role) throw notFound('No user')
    if (admins.length > 0) await keepOneAdmin(trx)
    await rightsChanged(trx)
    note({ action: 'user.deleted', thing: userId, details: { role } })
  })

/** With their sessions and whatever else refers to them; the trail forgets who they were. */
export async function removeUsers(trx: Trx, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const gone = await trx.deleteFrom('users').where('id', 'in', userIds).returning('role').execute()
  await forgetAnswersTo(trx, userIds)
  await forgetPrincipals(trx, userIds)
  return gone.map(({ role }) => role)
}
