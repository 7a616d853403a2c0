import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { CannotStart } from '../config.ts'
import type { Database } from './database.ts'
import { withoutTimeout } from './timeouts.ts'

const ourMigrations = new URL('./migrations/', import.meta.url)

// Any number, the same on every node.
const migrationLock = 7_205_310_115

/** Applies the numbered files not applied yet. Nodes that start together wait for each other. */
export async function migrate(pool: Pool, folder = ourMigrations): Promise<string[]> {
  const files = await migrationFiles(folder)
  return underLock(pool, async (client) => {
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const applied = new Set(rows.map((row) => row.name))
    const fresh = files.filter((file) => !applied.has(file))
    for (const file of fresh) {
      const sql = await readFile(new URL(file, folder), 'utf8')
      try {
        await (file.endsWith('.concurrently.sql') ? applyConcurrently : applyAtOnce)(client, file, sql)
      } catch (error) {
        throw new Error(`Migration ${file} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return fresh
  })
}

const note = (client: PoolClient, file: string) =>
  client.query('insert into schema_migrations (name) values ($1)', [file])

async function applyAtOnce(client: PoolClient, file: string, sql: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await note(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Statement by statement and outside a transaction, so that a large table is read and written while its indexes are
 * built. One that was broken off is begun again, so each statement has to stand being run twice.
 */
async function applyConcurrently(client: PoolClient, file: string, sql: string): Promise<void> {
  for (const statement of statementsIn(sql)) {
    const index = /create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1]
    if (index) await dropUnfinished(client, index)
    await client.query(statement)
  }
  await note(client, file)
}

/** Each ends with its line; those of a block belong to it. */
const statementsIn = (sql: string) => sql.match(/\S(?:\$\$.*?\$\$|.)+?(?:;\s*?$|$(?!.))/gms) ?? []

/** An index whose making was broken off stays, is kept up to date, and serves nobody. */
async function dropUnfinished(client: PoolClient, index: string): Promise<void> {
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
}

const migrationFiles = async (folder: URL) =>
  (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()

/** What the database lacks of this program, and what it has that this program does not know. Changes nothing. */
export async function migrationsApart(pool: Pool): Promise<{ lacking: string[]; unknown: string[] }> {
  const files = await migrationFiles(ourMigrations)
  const {
    rows: [found],
  } = await pool.query<{ there: boolean }>(`select to_regclass('schema_migrations') is not null as there`)
  const { rows } = found!.there
    ? await pool.query<{ name: string }>('select name from schema_migrations')
    : { rows: [] }
  const applied = rows.map((row) => row.name)
  return {
    lacking: files.filter((file) => !applied.includes(file)),
    unknown: applied.filter((name) => !files.includes(name)),
  }
}

/** For whoever works on a database that only the server, or a person, may bring up to date. */
export async function refuseOutdated(pool: Pool): Promise<void> {
  const { lacking, unknown } = await migrationsApart(pool)
  if (unknown.length > 0)
    throw new CannotStart(
      `The database is newer than this program (${unknown.join(', ')}). Update the program.`,
    )
  if (lacking.length > 0)
    throw new CannotStart(
      `The database lacks ${lacking.join(', ')}. Run npx asset-library migrate, or start the server, which does it.`,
    )
}

/** For the rest of a start that nodes must not do at the same time. An embedded database has one node only. */
export const oneNodeAtATime = <T>({ pool, embedded }: Database, work: () => Promise<T>): Promise<T> =>
  embedded ? work() : underLock(pool, work)

// Whoever waits for the lock asks again and again: a statement that waits in the database would be waited for by an
// index that is built concurrently, and both for ever.
const underLock = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  withoutTimeout(pool, async (client) => {
    while (!(await takeLock(client))) await pause(200)
    try {
      return await work(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    }
  })

async function takeLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    migrationLock,
  ])
  return rows[0]!.taken
}
