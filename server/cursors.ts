import { type SelectQueryBuilder, sql } from 'kysely'
import { Problem } from './problems.ts'

/** A cursor holds the sort keys of the last row of a page; the next page starts behind it. */
export const writeCursor = (keys: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(keys)).toString('base64url')

interface Key {
  text: string
  number: number
  /** For a column of 32 bits. */
  integer: number
  time: string
  any: string | number
}
type Keys<Kinds extends readonly (keyof Key)[]> = { -readonly [At in keyof Kinds]: Key[Kinds[At]] }

/** The keys in a cursor, each of the kind that is asked for: callers make up cursors, and the database takes no rubbish. */
export function readCursor<const Kinds extends readonly (keyof Key)[]>(
  cursor: string,
  kinds: Kinds,
): Keys<Kinds> {
  try {
    const keys = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(keys) &&
      keys.length === kinds.length &&
      kinds.every((kind, at) => isOf[kind](keys[at]))
    )
      return keys as Keys<Kinds>
  } catch {}
  throw new Problem('invalid-request', 'The cursor is not one of ours. Start again without it.')
}

const isOf: Record<keyof Key, (key: unknown) => boolean> = {
  text: (key) => typeof key === 'string' && !key.includes('\0'),
  number: Number.isSafeInteger,
  integer: (key) => Number.isInteger(key) && Object.is(Number(key) | 0, key),
  // Written anew it is the same: 30 February, which the database would not take, is 2 March by then.
  time: (key) =>
    typeof key === 'string' &&
    /^\d{4}-/.test(key) &&
    Date.parse(key) > 0 &&
    new Date(key).toISOString() === key,
  any: (key) => isOf.text(key) || isOf.number(key),
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
    const [at, id] = readCursor(cursor, ['time', 'text'])
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
