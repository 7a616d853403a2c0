import { type RawBuilder, sql } from 'kysely'
import type { Library } from '../library.ts'

type Sql = RawBuilder<unknown>

/** How a value is told: the planner sees it, and plans for it; or it does not, and one plan does for all. */
export const seen = (value: Sql): Sql => value
export const unseen = (value: Sql): Sql => sql`(select ${value})`

export const textOf = (value: string, told: typeof seen): Sql => told(sql`${value}::text`)

/** Whether a list of an asset has all of these, in the words of an index (0152-sought-in-bins.concurrently.sql). */
export const hasAll = (library: Library, list: Sql, items: string[], told = seen): Sql =>
  sql`in_client(client_id, ${list}) @> ${told(inClient(library, items))}`

/** The same of at least one of these. */
export const hasSome = (library: Library, list: Sql, items: string[], told = seen): Sql =>
  sql`in_client(client_id, ${list}) && ${told(inClient(library, items))}`

const inClient = ({ clientId }: Library, items: string[]) =>
  sql`${items.map((item) => `${clientId} ${item}`)}::text[]`
