import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import type { JobName } from './queues.ts'

/**
 * SQL: no such job is still to come to its end for the row, whose columns (named with their table, for a job
 * has some of the same names) hold what the job carries.
 */
export const jobIsGone = (names: JobName[], columns: Record<string, string>): RawBuilder<boolean> => sql`
  not exists (select 1 from jobs.job as job where job.name = any(${names}::text[]) and job.state < 'completed'
    and ${sql.join(
      Object.entries(columns).map(
        ([field, column]) => sql`job.data ->> ${sql.lit(field)} = ${sql.ref(column)}::text`,
      ),
      sql` and `,
    )})`

/** Of a client: below these keys a job is still to remove everything. */
export async function prefixesToRemove(db: Reader, clientId: string): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`
    select data ->> 'prefix' as prefix from jobs.job
    where name = 'remove-objects' and state < 'completed' and data ->> 'clientId' = ${clientId}`.execute(db)
  return rows.map(({ prefix }) => prefix)
}
