import { type RawBuilder, sql } from 'kysely'
import type { People, PeopleQuery, Person } from '../../contract/review.ts'
import type { Reader } from '../db/database.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'

const most = 50

/** Whom a comment can mention, by name. */
export async function listPeople(library: Library, { q = '' }: PeopleQuery): Promise<People> {
  const contains = `%${q.trim().replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Person>`
    select u.id as "userId", u.name from users u where ${canBeMentioned(library)} and u.name ilike ${contains}
    order by lower(u.name), u.id limit ${sql.lit(most)}`.execute(library.db)
  return { people: rows }
}

/** The people a comment mentions: all of them can be, or it is refused as if they were not there. */
export async function mentionedPeople(db: Reader, library: Library, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${canBeMentioned(library)} and u.id = any(${userIds}::text[])`.execute(db)
  if (rows.length < userIds.length) throw notFound('No user')
  return rows.map(({ id }) => id)
}

/**
 * Who sees the client. The client's own people are told of each other, and of those of the agency who have spoken to
 * them here; not of who else works there.
 */
function canBeMentioned({ clientId, caller }: Library): RawBuilder<boolean> {
  const sees = sql`u.is_active and (u.all_clients or exists (
    select from user_clients c where c.user_id = u.id and c.client_id = ${clientId}))`
  if (caller.role !== 'client') return sql<boolean>`${sees}`
  const hasSpoken = sql`exists (select from comments s where s.client_id = ${clientId} and s.created_by = u.id)
    or exists (select from asset_versions v where v.client_id = ${clientId} and v.approval_by = u.id)`
  return sql<boolean>`${sees} and (u.role = 'client' or ${hasSpoken})`
}
