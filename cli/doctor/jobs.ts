import { sql } from 'kysely'
import type { Config } from '../../server/config.ts'
import { openDatabase } from '../../server/db/database.ts'
import { jobHealth } from '../../server/jobs/health.ts'
import type { Finding } from './finding.ts'

const part = 'jobs'

/** Background jobs. An embedded database is open in its server, whose status says the same. */
export async function jobs(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl) return []
  const database = await openDatabase(config).catch(() => undefined) // said of the database already
  if (!database) return []
  const { db } = database
  try {
    const { rows } = await sql<{ there: boolean }>`
      select to_regclass('scheduled_runs') is not null and to_regclass('jobs.job') is not null as there`.execute(
      db,
    )
    if (!rows[0]!.there) return []
    const { troubles, lastRuns } = await jobHealth(db)
    const why = lastRuns.flatMap(({ name, lastError }) => (lastError ? [`${name}: ${lastError}`] : []))
    return troubles.length === 0
      ? [{ part, ok: true, says: 'none has failed or is overdue' }]
      : [{ part, ok: false, says: [...troubles, ...why].join(' ') }]
  } catch (error) {
    return [{ part, ok: false, says: (error as Error).message }]
  } finally {
    await database.close()
  }
}
