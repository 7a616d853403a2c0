import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { CannotStart, type Config } from '../../server/config.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { refuseOutdated } from '../../server/db/migrate.ts'
import { whatVectorsLack } from '../../server/db/vectors.ts'
import type { Finding } from './finding.ts'

const part = 'database'
const oldest = 150_000
const largestDrift = 60_000

export const database = async (config: Config): Promise<Finding[]> => [await findingOf(config)]

/** An embedded database is not made just to be looked at. */
async function findingOf(config: Config): Promise<Finding> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database', 'PG_VERSION')))
    return {
      part,
      ok: true,
      says: `embedded, not for production; made under ${config.dataDir} at the first start`,
    }
  let opened: Database
  try {
    opened = await openDatabase(config)
  } catch (error) {
    const { message } = error as Error
    const held = error instanceof CannotStart && /in use by another running server/.test(message)
    return held
      ? { part, ok: true, says: 'embedded, in use by the running server' }
      : { part, ok: false, says: withFix(message) }
  }
  try {
    return { part, ...(await look(opened.pool, config)) }
  } catch (error) {
    return { part, ok: false, says: (error as Error).message }
  } finally {
    await opened.close()
  }
}

async function look(pool: Pool, config: Config): Promise<Omit<Finding, 'part'>> {
  const {
    rows: [found],
  } = await pool.query<{ number: number; version: string; now: Date }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version, clock_timestamp() as now`,
  )
  const { number, version, now } = found!
  if (number < oldest)
    return { ok: false, says: `PostgreSQL ${version} is too old. Move DATABASE_URL to version 15 or later.` }
  const lacking = await lackingExtensions(pool)
  if (lacking.length > 0)
    return {
      ok: false,
      says: `It has no ${lacking.join(', ')}. Install PostgreSQL’s contrib package on its machine.`,
    }
  await refuseOutdated(pool)
  const noVectors = config.ai?.embeddingsModel ? await whatVectorsLack(pool) : undefined
  if (noVectors) return { ok: false, says: noVectors }
  const drift = now.getTime() - Date.now()
  if (Math.abs(drift) > largestDrift)
    return {
      ok: false,
      says: `Its clock is ${Math.round(drift / 1000)} s off this machine’s, so sessions end at the wrong time. Let both follow NTP (timedatectl set-ntp true).`,
    }
  return {
    ok: true,
    says: `${config.databaseUrl ? 'PostgreSQL' : 'embedded, not for production; PostgreSQL'} ${version}`,
  }
}

async function lackingExtensions(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest(array['pg_trgm', 'btree_gin']) as name where name not in (select name from pg_available_extensions)`,
  )
  return rows.map(({ name }) => name)
}

/** The driver says what happened; this says what to do about it. */
function withFix(message: string): string {
  const fixes: [RegExp, string][] = [
    [
      /password authentication failed|no password supplied|role .* does not exist/,
      'Correct the user and password in DATABASE_URL.',
    ],
    [
      /database "?(.*?)"? does not exist/,
      'Make the database (createdb) or correct its name in DATABASE_URL.',
    ],
    [/ENOTFOUND|EAI_AGAIN/, 'No machine has that name: correct the host in DATABASE_URL.'],
    [
      /no pg_hba.conf entry|SSL/i,
      'Let PostgreSQL take connections from this machine (pg_hba.conf), or add ?sslmode=require to DATABASE_URL.',
    ],
    [
      /too many clients|remaining connection slots/,
      'Lower DATABASE_POOL or raise max_connections of PostgreSQL.',
    ],
  ]
  const fix = fixes.find(([symptom]) => symptom.test(message))?.[1]
  return fix ? `${message} ${fix}` : message
}
