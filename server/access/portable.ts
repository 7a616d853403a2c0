import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Nullable, Strict } from '../../contract/words.ts'
import type { Reader } from '../db/database.ts'
import type { MovedIds } from '../section.ts'

const longestName = 120

/** Somebody who said or made something in a library that moves. */
export const PortablePerson = Strict({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  name: Nullable(Type.String({ maxLength: longestName })),
  email: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type PortablePerson = Static<typeof PortablePerson>

/** Those of these ids that are users, to be written down. Anybody else is known by the name they gave. */
export async function peopleToMove(
  db: Reader,
  ids: (string | null)[],
): Promise<(id: string, guestName?: string | null) => PortablePerson> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where(sql<boolean>`id = any(${[...new Set(ids)].filter((id) => id !== null)}::text[])`)
    .execute()
  const known = new Map(users.map((user) => [user.id, user]))
  return (id, guestName = null) => known.get(id) ?? { id, name: guestName }
}

export interface MovedPerson {
  id: string
  /** What they are called where they have no account. */
  guestName: string | null
  hasAccount: boolean
}

/** Who they are here: the account of the same e-mail, or else nobody, who keeps the name. */
export async function movedPeople(
  db: Reader,
  people: (PortablePerson | null)[],
  ids: MovedIds,
): Promise<(person: PortablePerson) => MovedPerson> {
  const emails = people.flatMap((person) => person?.email?.toLowerCase() ?? [])
  const users = await db
    .selectFrom('users')
    .select(['id', sql<string>`lower(email)`.as('email')])
    .where(sql<boolean>`lower(email) = any(${[...new Set(emails)]}::text[])`)
    .execute()
  const accounts = new Map(users.map(({ id, email }) => [email, id]))
  return ({ id, name, email }) => {
    const account = accounts.get(email?.toLowerCase() ?? '')
    return account
      ? { id: account, guestName: null, hasAccount: true }
      : { id: ids.of(id), guestName: name, hasAccount: false }
  }
}
