import type pg from 'pg'

/** What grows with what a client keeps. Every one of them has the client in its key. */
const growing = [
  'alike_assets',
  'assets',
  'asset_versions',
  'collection_assets',
  'collections',
  'comments',
  'deliveries',
  'derived_files',
  'events',
  'folders',
  'listed_assets',
  'picture_texts',
  'suggestions',
  'tagged_assets',
  'use_refs',
  'uses',
]

/** A migrated, empty database with these tables in parts, by the hash of the client. */
export async function partition(pool: pg.Pool, parts: number): Promise<void> {
  for (const table of growing) await inParts(pool, table, parts)
}

async function inParts(pool: pg.Pool, table: string, parts: number): Promise<void> {
  const { rows } = await pool.query<{ remove: string; make: string; rank: number }>(definitions, [table])
  const before = rows.toSorted((a, b) => b.rank - a.rank).map(({ remove }) => remove)
  const after = rows.toSorted((a, b) => a.rank - b.rank).map(({ make }) => make)
  await pool.query(
    [
      ...before,
      `alter table ${table} rename to ${table}_whole`,
      `create table ${table} (like ${table}_whole including all excluding indexes) partition by hash (client_id)`,
      ...Array.from(
        { length: parts },
        (_, part) =>
          `create table ${table}_${part} partition of ${table} for values with (modulus ${parts}, remainder ${part})`,
      ),
      `drop table ${table}_whole`,
      ...after,
    ].join(';\n'),
  )
}

/** What hangs on a table: how each is taken away, and made again, those that others lean on first. */
const definitions = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
    case contype when 'f' then 3 else 1 end as rank
  from pg_constraint
  where conparentid = 0 and contype in ('p', 'u', 'f') and $1::regclass in (conrelid, confrelid)
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 2
  from pg_index
  where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  union all
  select format('drop trigger %I on %s', tgname, tgrelid::regclass), pg_get_triggerdef(oid), 4
  from pg_trigger where tgrelid = $1::regclass and not tgisinternal`
