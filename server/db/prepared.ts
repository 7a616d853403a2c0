import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { blame, refuseAway } from './failures.ts'
import { type Answered, forgetBeyond, PreparedQuery } from './prepared-query.ts'
import type { Reader } from './reader.ts'
import { timesAsText, typesWithTimesAsText } from './times.ts'

/**
 * Statements asked on nearly every request: each connection has them planned once. Their texts must name their columns,
 * for a plan does not survive that `*` comes to mean more.
 */
const names = new Map<string, string>()
const mostNames = 500
let given = 0
/** Each plan takes a few hundred kB of the database's memory: a connection that has more begins anew. */
const mostKept = 100

/** A statement with a fixed text. */
export const prepared =
  <Row>(text: string) =>
  (db: Reader, ...values: unknown[]): Promise<Row[]> => {
    keep(text)
    return ask(db, CompiledQuery.raw(text, values))
  }

/** A statement put together from pieces. */
export function askPrepared<Row>(
  db: Reader,
  query: { compile(db: Reader): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = query.compile(db)
  keep(compiled.sql)
  return ask(db, compiled)
}

const pools = new WeakMap<Reader, pg.Pool>()

/** Outside a transaction they go straight to the pool: the way through Kysely would take longer than their work. */
export const askDirectly = (db: Reader, pool: pg.Pool) => void pools.set(db, pool)

async function ask<Row>(db: Reader, query: CompiledQuery<Row>): Promise<Row[]> {
  const pool = pools.get(db)
  if (!pool) return (await db.executeQuery(query)).rows
  const client = await pool.connect().catch(refuseAway)
  try {
    await forgetBeyond(client, mostKept)
    return (await client.query(query.sql, [...query.parameters])).rows
  } catch (error) {
    return blame(error)
  } finally {
    client.release()
  }
}

function keep(text: string): void {
  if (names.has(text)) return
  if (names.size === mostNames) names.clear()
  names.set(text, `s${given++}`)
}

/** Names them, which is what makes PostgreSQL keep their plans; and lets times be text where that is asked for. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]) {
    const [text, values, answered] = args
    const name = typeof text === 'string' ? names.get(text) : undefined
    const types = typeof text === 'string' && text.startsWith(timesAsText) ? typesWithTimesAsText : undefined
    // The overloads of the parent cannot be told apart from here.
    const ask = super.query.bind(this) as (...args: unknown[]) => never
    if (!name) return types ? ask({ text, values, types }, answered) : ask(...args)
    const statement = { name, text: text as string, values: values as unknown[], types }
    const asked = (tell: Answered) => ask(new PreparedQuery(statement, tell))
    if (typeof answered === 'function') return asked(answered as Answered)
    return new Promise((resolve, reject) => {
      asked((error, result) => (error ? reject(error) : resolve(result)))
    }) as never
  }
}
