import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Reader } from './reader.ts'

/**
 * Statements asked on nearly every request: each connection has them planned once. Their texts must be few and must
 * name their columns, for a plan does not survive that `*` comes to mean more.
 */
const names = new Map<string, string>()
const mostNames = 100

/** A statement with a fixed text. */
export function prepared<Row>(text: string) {
  keep(text)
  return async (db: Reader, ...values: unknown[]): Promise<Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

/** A statement put together from pieces, of which there are a few shapes. */
export async function askPrepared<Row>(
  db: Reader,
  query: { compile(db: Reader): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = query.compile(db)
  keep(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

function keep(text: string): void {
  if (!names.has(text) && names.size < mostNames) names.set(text, `s${names.size}`)
}

/** Names them, which is what makes PostgreSQL keep their plans. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]) {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' && names.get(text)
    // The overloads of the parent cannot be told apart from here.
    const ask = super.query.bind(this) as (...args: unknown[]) => never
    return name ? ask({ name, text, values }, ...rest) : ask(...args)
  }
}
