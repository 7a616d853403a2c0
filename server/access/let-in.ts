import type { Origin } from '../changes/audit-trail.ts'
import { changePlatform, type PlatformChange } from '../changes/platform.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import { Problem } from '../problems.ts'
import { heldPerson } from './own-change.ts'
import { type NewSession, openSession, type Way } from './sessions.ts'

/** What is known of somebody who wants to come in. */
export const people = (db: Reader) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'email',
      'password_hash',
      'is_active',
      'has_second_factor',
      'totp_since',
      'language',
    ])
    .select((eb) =>
      eb
        .selectFrom('user_clients')
        .select('client_id')
        .whereRef('user_id', '=', 'users.id')
        .where('users.role', '=', 'client')
        .limit(1)
        .as('client_id'),
    )

export interface Newcomer {
  id: string
  name: string
  client_id: string | null
  password_hash: string
}

/** Opens a session, and keeps in the trail by which way it was opened. */
export const letIn = (
  db: Db,
  person: Newcomer,
  origin: Origin,
  way: Way,
  /** What has to be true, or is used up, in the same moment. */
  first: (its: PlatformChange) => Promise<unknown> = async () => {},
): Promise<NewSession> =>
  changePlatform(db, { kind: 'user', id: person.id, name: person.name, origin }, async (its) => {
    await holdUnchanged(its.trx, person)
    await first(its)
    its.note({ ...about(person), action: 'login.succeeded', details: { method: way.method } })
    return openSession(its.trx, person.id, origin, way)
  })

/** What somebody showed was looked at a moment ago: whoever has a new password since, or none, does not come in by it. */
export async function holdUnchanged(trx: Trx, { id, password_hash }: Newcomer): Promise<void> {
  const now = await heldPerson(trx, id)
  if (!now?.is_active || now.password_hash !== password_hash) throw wrongLogin()
}

export const wrongLogin = () =>
  new Problem(
    'wrong-login',
    'E-mail and password do not fit, or the user is not active. Check both, or ask your administrator.',
  )

export const about = (person: Newcomer | undefined) => ({
  thing: person?.id ?? null,
  name: person?.name ?? null,
  clientId: person?.client_id ?? null,
})
