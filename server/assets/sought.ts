import { type RawBuilder, sql } from 'kysely'
import type { Library } from '../library.ts'

type Sql = RawBuilder<unknown>

/** Whether a list of an asset has all of these, in the words of an index (0131-sought-in-one-client.concurrently.sql). */
export const hasAll = (library: Library, list: Sql, items: string[]): Sql =>
  sql`in_client(client_id, ${list}) @> ${inClient(library, items)}::text[]`

/** The same of at least one of these. */
export const hasSome = (library: Library, list: Sql, items: string[]): Sql =>
  sql`in_client(client_id, ${list}) && ${inClient(library, items)}::text[]`

const inClient = ({ clientId }: Library, items: string[]) => items.map((item) => `${clientId} ${item}`)
