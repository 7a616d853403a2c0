import { sql } from 'kysely'
import type { Reader, Trx } from '../db/database.ts'

export interface ClientTable {
  name: string
  refersTo: string[]
  /** Its rows are opened by a secret of their own, and by no login. */
  hasTokens: boolean
}

/** Tables that stay when a client goes, and why. */
export const kept: Record<string, string> = {
  audit_trail: 'Entries stay without names.',
  client_removals: 'It is what can be read afterwards.',
}

/** Every table with rows of clients, those that refer to others first: as the database knows them, none is forgotten. */
export async function clientTables(db: Reader): Promise<ClientTable[]> {
  const { rows } = await sql<ClientTable>`
    select t.relname::text as name,
      coalesce(array_agg(distinct p.relname::text) filter (where p.oid is not null), '{}') as "refersTo",
      exists (select from pg_attribute s where s.attrelid = t.oid and s.attname = 'token_hash' and not s.attisdropped) as "hasTokens"
    from pg_class t
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'client_id' and not a.attisdropped
      left join pg_constraint f on f.conrelid = t.oid and f.contype = 'f' and f.conparentid = 0
      left join pg_class p on p.oid = f.confrelid and p.oid <> t.oid
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    group by t.oid, t.relname order by t.relname`.execute(db)
  let left = rows.filter(({ name }) => !(name in kept))
  const ordered: ClientTable[] = []
  while (left.length > 0) {
    const referredTo = new Set(left.flatMap(({ refersTo }) => refersTo))
    const next = left.filter(({ name }) => !referredTo.has(name))
    if (next.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name)}`)
    left = left.filter((table) => !next.includes(table))
    ordered.push(...next)
  }
  return ordered
}

/** Those whose rows open something by themselves, with all that refers to them; in the same order. */
export function openedByTokens(tables: ClientTable[]): ClientTable[] {
  const opened = new Set<string>()
  for (const { name, hasTokens, refersTo } of tables.toReversed())
    if (hasTokens || refersTo.some((other) => opened.has(other))) opened.add(name)
  return tables.filter(({ name }) => opened.has(name))
}

export async function deleteRows(trx: Trx, table: string, clientId: string): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where client_id = ${clientId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
