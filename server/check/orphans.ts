import { sql } from 'kysely'
import type { Library } from '../library.ts'
import type { StoredObject } from '../storage/storage.ts'
import type { Promises } from './promised.ts'

/**
 * Those of the objects that nothing stands on. An object is put only for a session that has a row already, so one
 * whose session is gone or swept, and that no version keeps, is nobody's. What is made of an original has its row
 * only afterwards: there, and for caution everywhere, the young are left alone.
 */
export async function orphansAmong(
  library: Library,
  objects: StoredObject[],
  promises: Promises,
  grace: number,
  soonSwept: ReadonlySet<string> = new Set(),
): Promise<StoredObject[]> {
  const young = Date.now() - grace
  const unknown = objects.filter(
    ({ key, lastModified }) => !promises.has(key) && (grace === 0 || lastModified.getTime() < young),
  )
  if (unknown.length === 0) return []
  const unswept = await unsweptSessions(library, unknown.map(sessionOf))
  return unknown.filter((object) => !unswept.has(sessionOf(object)) || soonSwept.has(sessionOf(object)))
}

/** `staging/<upload>/…` and `assets/<asset>/<upload>/…`. */
const sessionOf = ({ key }: StoredObject) => key.split('/')[key.startsWith('staging/') ? 1 : 2] ?? ''

async function unsweptSessions(library: Library, ids: string[]): Promise<Set<string>> {
  const rows = await library.db
    .selectFrom('upload_sessions')
    .select('id')
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::text[])`)
    .where('swept', '=', false)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
