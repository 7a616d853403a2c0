import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { oneNodeAtATime } from './migrate.ts'

const tables = new URL('./vectors.sql', import.meta.url)
/** The first that looks further where filters leave nothing of what it has found. */
const oldest = '0.8.0'

/**
 * Makes what a search by meaning is kept in. No migration, for not every database has pgvector, and all else does
 * without. Where it cannot be made, it says what to do.
 */
export const openVectors = (database: Database): Promise<string | undefined> =>
  oneNodeAtATime(database, async () => {
    const { pool } = database
    const lacking = (await whatVectorsLack(pool)) ?? (await addPgvector(pool))
    if (!lacking) await pool.query(await readFile(tables, 'utf8'))
    return lacking
  })

/** Changes nothing. */
export async function whatVectorsLack(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ offered: string; installed: string | null }>(
    `select default_version as offered, installed_version as installed from pg_available_extensions where name = 'vector'`,
  )
  const [vector] = rows
  if (!vector)
    return noSearch('the database has no pgvector. Install it there (Debian: postgresql-18-pgvector)')
  if (isOlder(vector.offered))
    return noSearch(`the database has pgvector ${vector.offered}. Install ${oldest} or later there`)
  if (vector.installed && isOlder(vector.installed))
    return noSearch(
      `pgvector is still ${vector.installed}. Run ALTER EXTENSION vector UPDATE in the database`,
    )
}

async function addPgvector(pool: pg.Pool): Promise<string | undefined> {
  try {
    await pool.query('create extension if not exists vector')
  } catch (error) {
    if ((error as pg.DatabaseError).code !== notPermitted) throw error
    return noSearch(
      'our user may not add pgvector. Run CREATE EXTENSION vector in the database as one who may',
    )
  }
}

const notPermitted = '42501'

const isOlder = (version: string) => version.localeCompare(oldest, 'en', { numeric: true }) < 0

const noSearch = (why: string) => `There is no search by meaning, for ${why}, then restart.`
