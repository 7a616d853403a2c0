import type { PGlite } from '@electric-sql/pglite'

/** How often one table is seen to. */
export const everyMs = 5_000

/**
 * Clears a table of what is dead and counts anew what it has, where PostgreSQL would: its own helper for that is a process, which
 * the embedded one does without. Uncounted, a table is asked as if it were still empty, and each search reads all of it.
 */
export async function tidyOne(lite: PGlite): Promise<boolean> {
  const { rows } = await lite.query<{ name: string; leftOut: string[] }>(due)
  const [table] = rows
  if (!table) return false
  for (const setting of table.leftOut) await lite.exec(setting)
  await lite.exec(`vacuum (analyze) ${table.name}`)
  return true
}

/**
 * By the limits that PostgreSQL has set itself; the busiest first. What indexes make of columns is left out: to make it of each
 * asset of a sample took a second for 1,000 of them, while nobody else was answered.
 */
const due = `
  select format('%I.%I', schemaname, stat.relname) as name, array(
    select format('alter index %s alter column %s set statistics 0', attrelid::regclass, attnum)
    from pg_index join pg_attribute on attrelid = indexrelid
    where indrelid = its.oid and indkey[attnum - 1] = 0 and attstattarget is null) as "leftOut"
  from pg_stat_user_tables stat join pg_class its on its.oid = stat.relid, greatest(its.reltuples, 0) as count
  where n_dead_tup > 50 + 0.2 * count or n_mod_since_analyze > 50 + 0.1 * count
  order by n_dead_tup + n_mod_since_analyze desc limit 1`
