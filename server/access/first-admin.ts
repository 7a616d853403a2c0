import { changePlatform } from '../changes/platform.ts'
import { CannotStart } from '../config.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../ids.ts'
import { system } from '../library.ts'
import { Problem } from '../problems.ts'
import { hashPassword, newPassword } from './passwords.ts'

/** Makes an admin when there is none. The password is told only if it was generated, and only this once. */
export async function firstAdmin(
  db: Db,
  given: { email: string; password: string | undefined },
): Promise<{ email: string; password?: string } | undefined> {
  const there = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst()
  if (there) return undefined
  const password = given.password ?? newPassword()
  const passwordHash = await hashPassword(password).catch((error) => {
    if (error instanceof Problem) throw new CannotStart(`BOOTSTRAP_ADMIN_PASSWORD: ${error.message}`)
    throw error
  })
  const made = await changePlatform(db, system, async ({ trx, note }) => {
    const user = await trx
      .insertInto('users')
      .values({
        id: newId('user'),
        email: given.email,
        name: 'Administrator',
        role: 'admin',
        all_clients: true,
        password_hash: passwordHash,
        // One that was printed has been seen by others, and stays in some log.
        must_change_password: given.password === undefined,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name', 'email', 'role'])
      .executeTakeFirst()
    if (user)
      note({
        action: 'user.created',
        thing: user.id,
        name: user.name,
        details: { email: user.email, role: user.role },
      })
    return user
  })
  if (!made) return undefined
  return given.password ? { email: given.email } : { email: given.email, password }
}
