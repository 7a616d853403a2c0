import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { blame, refuseAway } from './failures.ts'
import type { Pipeline } from './pipeline.ts'
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
/** A connection in pipeline mode never forgets: what it is asked is always of the same few texts, each under one name. */
const keptForGood = new Map<string, string>()
/** Each plan takes a few hundred kB of the database's memory: a connection that has more begins anew. */
const mostKept = 100

/** A statement with a fixed text. */
export const prepared =
  <Row>(text: string) =>
  (db: Reader, ...values: unknown[]): Promise<Row[]> => {
    keep(text)
    return ask(db, CompiledQuery.raw(text, values))
  }

/** One that finds a few rows by their keys, and so may be asked behind others of its kind on the same connection. */
export const pipelined = <Row>(text: string, kind: keyof Pipelines = 'rows') => {
  if (!keptForGood.has(text)) keptForGood.set(text, `p${keptForGood.size}`)
  return async (db: Reader, ...values: unknown[]): Promise<Row[]> => {
    const rows = await pipelines.get(db)?.[kind].ask<Row>(text, values)
    return rows ?? ask(db, CompiledQuery.raw(text, values) as CompiledQuery<Row>)
  }
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
const pipelines = new WeakMap<Reader, Pipelines>()

/** Outside a transaction they go straight to the pool: the way through Kysely would take longer than their work. */
export function askDirectly(db: Reader, pool: pg.Pool, its?: Pipelines): void {
  pools.set(db, pool)
  if (its) pipelines.set(db, its)
  else pipelines.delete(db)
}

/** Who calls is asked apart: whatever else is locked, nobody waits there for it. */
export interface Pipelines {
  callers: Pipeline
  rows: Pipeline
}

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
    const name = typeof text === 'string' ? (keptForGood.get(text) ?? names.get(text)) : undefined
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
