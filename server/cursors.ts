import { type SelectQueryBuilder, sql } from 'kysely'
import { Problem } from './problems.ts'

/** A cursor holds the sort keys of the last row of a page; the next page starts behind it. */
export const writeCursor = (keys: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(keys)).toString('base64url')

export function readCursor<Keys extends (string | number)[]>(cursor: string, length: Keys['length']): Keys {
  try {
    const keys = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const readable = (key: unknown) =>
      typeof key === 'number' || (typeof key === 'string' && !key.includes('\0'))
    if (Array.isArray(keys) && keys.length === length && keys.every(readable)) return keys as Keys
  } catch {}
  throw new Problem('invalid-request', 'The cursor is not one of ours. Start again without it.')
}

/** A page of what was made at a time, the newest first. */
export async function newestFirst<Db, From extends keyof Db, Row extends { id: string; created_at: Date }>(
  all: SelectQueryBuilder<Db, From, Row>,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<{ page: Row[]; nextCursor: string | null }> {
  let rows = all
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(limit + 1)
  if (cursor) {
    const [at, id] = readCursor<[string, string]>(cursor, 2)
    rows = rows.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id})`)
  }
  const found = (await rows.execute()) as Row[]
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    page,
    nextCursor: found.length > limit && last ? writeCursor([last.created_at.toISOString(), last.id]) : null,
  }
}
