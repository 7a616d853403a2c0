import { sql } from 'kysely'
import type { NewUser, User, UserChange, UserWithPassword } from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import { knownId, newId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { endLinks } from './links.ts'
import { namedClients } from './named-clients.ts'
import { hashPassword, newPassword } from './passwords.ts'

export async function createUser(
  db: Db,
  maker: Caller,
  input: NewUser,
  idempotencyKey?: IdempotencyKey,
): Promise<UserWithPassword> {
  const generated = input.password === undefined ? newPassword() : undefined
  const passwordHash = await hashPassword(input.password ?? generated!)
  return changePlatform(
    db,
    maker,
    async ({ trx, note }) => {
      const userId = newId('user')
      const inserted = await trx
        .insertInto('users')
        .values({
          id: userId,
          email: input.email.trim(),
          name: input.name.trim(),
          role: input.role,
          password_hash: passwordHash,
          must_change_password: true,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!inserted) throw emailTaken()
      await assignClients(trx, userId, input.role, input.clientIds ?? (input.role === 'client' ? [] : null))
      const user = await userById(trx, userId)
      note({ ...about(user), action: 'user.created' })
      return generated ? { ...user, password: generated } : user
    },
    idempotencyKey,
  )
}

export async function changeUser(db: Db, changer: Caller, userId: string, input: UserChange): Promise<User> {
  const passwordHash = input.password === undefined ? undefined : await hashPassword(input.password)
  return changePlatform(db, changer, async ({ trx, note }) => {
    const admins = await holdAdmins(trx)
    const before = await userById(trx, knownId('user', userId))
    const role = input.role ?? before.role
    // Whoever holds an old session after a change of password or a switch-off has to log in again.
    const endSessions = passwordHash !== undefined || input.isActive === false
    await trx
      .updateTable('users')
      .set({
        updated_at: new Date(),
        role,
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.isActive !== undefined && { is_active: input.isActive }),
        ...(passwordHash && { password_hash: passwordHash, must_change_password: changer.id !== userId }),
        ...(endSessions && { sessions_ended_at: new Date() }),
      })
      .where('id', '=', userId)
      .execute()
    if (input.clientIds !== undefined || input.role !== undefined)
      await assignClients(
        trx,
        userId,
        role,
        input.clientIds === undefined ? before.clientIds : input.clientIds,
      )
    if (endSessions) await trx.deleteFrom('login_sessions').where('user_id', '=', userId).execute()
    if (endSessions || input.role !== undefined || input.clientIds !== undefined) await endLinks(trx, userId)
    if (admins.length > 0) await keepOneAdmin(trx)
    await rightsChanged(trx)
    const user = await userById(trx, userId)
    const { thing, name, details } = about(user)
    note({ thing, name, details: { changed: Object.keys(input), ...details }, action: 'user.updated' })
    return user
  })
}

export const emailTaken = () =>
  new Problem('email-taken', 'There is a user with this e-mail already. Change that one instead.')

/** What the trail keeps of a user: whom they may see, and as what. */
export const about = ({ userId, name, email, role, isActive, clientIds }: User) => ({
  thing: userId,
  name,
  details: { email, role, isActive, clientIds },
})

export const listUsers = async (db: Db): Promise<User[]> =>
  (await userRows(db).orderBy('users.email').execute()).map(toUser)

export async function userById(db: Reader, userId: string): Promise<User> {
  const row = await userRows(db).where('users.id', '=', userId).executeTakeFirst()
  if (!row) throw notFound('No user')
  return toUser(row)
}

/** What somebody chose to be spoken to in. */
export const languageOf = async (db: Reader, userId: string): Promise<Language | null> =>
  (await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst())?.language ??
  null

const userRows = (db: Reader) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'name',
      'role',
      'is_active',
      'has_second_factor',
      'all_clients',
      'created_at',
      'updated_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('user_clients')
        .select(({ fn }) => fn<string[]>('array_agg', ['client_id']).as('ids'))
        .whereRef('user_clients.user_id', '=', 'users.id')
        .as('client_ids'),
    )

type UserRow = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>

const toUser = (row: UserRow): User => ({
  userId: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  isActive: row.is_active,
  hasSecondFactor: row.has_second_factor,
  clientIds: row.all_clients ? null : (row.client_ids ?? []),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Null means all clients, now and later; a portal user belongs to exactly one. */
export async function assignClients(trx: Trx, userId: string, role: string, clientIds: string[] | null) {
  if (role === 'client' && clientIds?.length !== 1)
    throw new Problem(
      'invalid-request',
      'A client user belongs to exactly one client: send its id as the only one of clientIds.',
      {
        extra: { errors: [{ path: '/clientIds', message: 'must name exactly one client' }] },
      },
    )
  const all = role === 'admin' || clientIds === null
  await trx.updateTable('users').set({ all_clients: all }).where('id', '=', userId).execute()
  await trx.deleteFrom('user_clients').where('user_id', '=', userId).execute()
  const named = all ? [] : await namedClients(trx, clientIds ?? [])
  if (named.length > 0)
    await trx
      .insertInto('user_clients')
      .values(named.map((client_id) => ({ client_id, user_id: userId })))
      .execute()
  if (!all) await narrowAgents(trx, userId, named)
}

/** The agents that somebody signed in see no more than they do. */
const narrowAgents = (trx: Trx, userId: string, clientIds: string[]) =>
  trx
    .deleteFrom('api_key_clients')
    .using('api_keys')
    .whereRef('api_keys.id', '=', 'api_key_clients.key_id')
    .where('api_keys.user_id', '=', userId)
    .where(sql<boolean>`client_id <> all(${clientIds}::text[])`)
    .execute()

const activeAdmins = (trx: Trx) =>
  trx.selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', true)

/** Held in one order: of two admins who switch each other off, one has to wait and is refused. */
export const holdAdmins = (trx: Trx) => activeAdmins(trx).orderBy('id').forUpdate().execute()

export async function keepOneAdmin(trx: Trx) {
  const admin = await activeAdmins(trx).limit(1).executeTakeFirst()
  if (!admin) throw new Problem('in-use', 'This is the last active admin. Make another one first.')
}
