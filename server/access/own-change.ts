import { changePlatform, type PlatformChange } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Caller } from '../library.ts'
import { Problem } from '../problems.ts'
import { unauthenticated } from './door.ts'

/** Who changes their own account: in which session, and under which password they have proved to be themselves. */
export interface Owner {
  caller: Caller
  sessionId: string
  passwordHash?: string
}

/**
 * Changes somebody's own account. To prove a password takes a moment, in which an administrator or a link may have given
 * the account a new one: what was proved is looked at again, with the person held, in the transaction that writes.
 */
export const changeOwnAccount = <T>(
  db: Db,
  { caller, sessionId, passwordHash }: Owner,
  work: (its: PlatformChange) => Promise<T>,
): Promise<T> =>
  changePlatform(db, caller, async (its) => {
    const person = await heldPerson(its.trx, caller.id)
    if (!person?.is_active || !(await isOpen(its.trx, caller.id, sessionId))) throw unauthenticated()
    if (passwordHash !== undefined && person.password_hash !== passwordHash) throw wrongPassword()
    return work(its)
  })

/** The person as they are now, for as long as the change takes. */
export const heldPerson = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['password_hash', 'is_active'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

// A statement of its own: one that had to wait for the person would see the sessions from before.
const isOpen = async (trx: Trx, userId: string, sessionId: string): Promise<boolean> =>
  (await trx
    .selectFrom('login_sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst()) !== undefined

export const wrongPassword = () => new Problem('wrong-password', 'Enter the password you logged in with.')
