import { sql } from 'kysely'
import type { Db } from '../server/db/database.ts'
import { askPrepared } from '../server/db/prepared.ts'

const alwaysMoving = ['login_attempts', 'schema_migrations']

/** A fingerprint of every table, to tell whether a request has changed anything. */
export async function snapshot(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${alwaysMoving}::text[]) order by 1`.execute(db)
  const fingerprints = sql.join(
    tables.map(
      ({ name }) => sql`select ${sql.lit(name)} as name, count(*) || ' rows ' ||
        md5(coalesce(string_agg(line, ';' order by line), '')) as rows
        from (select (to_jsonb(t) - 'last_used_at')::text as line from ${sql.table(name)} t) lines`,
    ),
    sql` union all `,
  )
  // To plan it takes far longer than to run it.
  const rows = await askPrepared(db, sql<{ name: string; rows: string }>`${fingerprints}`)
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}
