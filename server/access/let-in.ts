import type { Origin } from '../changes/audit-trail.ts'
import { changePlatform, type PlatformChange } from '../changes/platform.ts'
import type { Db, Reader } from '../db/database.ts'
import { type NewSession, openSession, type Way } from './sessions.ts'

/** What is known of somebody who wants to come in. */
export const people = (db: Reader) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash', 'is_active', 'has_second_factor', 'totp_since'])
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
    await first(its)
    its.note({ ...about(person), action: 'login.succeeded', details: { method: way.method } })
    return openSession(its.trx, person.id, origin, way)
  })

export const about = (person: Newcomer | undefined) => ({
  thing: person?.id ?? null,
  name: person?.name ?? null,
  clientId: person?.client_id ?? null,
})
