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
