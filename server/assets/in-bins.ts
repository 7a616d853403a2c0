import { type RawBuilder, sql } from 'kysely'
import type { Library } from '../library.ts'
import type { Order } from './orders.ts'
import { textOf, unseen } from './sought.ts'

type Sql = RawBuilder<unknown>

/** Of more than these that an index knows in a range of bins, those that match are too far from each other. */
const mostInBins = 1_000

interface Sought {
  /** Where the order begins. */
  place: Sql
  /** What the index knows of what is sought, and all of it. */
  inIndex: Sql
  matches: Sql
  most: number
}

/** The first range of bins with enough that match, as parts of a question: `in_bins` has the place, id and sort key of each. */
export const inFirstBins = (
  { clientId }: Library,
  order: Order,
  { place, inIndex, matches, most }: Sought,
  { isWanted, isWidestWanted }: { isWanted: Sql; isWidestWanted: Sql },
): Sql => sql`start as materialized (select created_at, title, size_bytes from assets where ${place} order by ${order.by} limit 1),
  in_bins as materialized (select its.* from (
      select ats, ids, keys, looked from (
        select is_widest, in_client(${textOf(clientId, unseen)}, items) as items from (${order.bins!}) as ranges where ${isWanted} order by nth offset 0) as bins
      cross join lateral (
        select array_agg(at) filter (where does_match) as ats, array_agg(id) filter (where does_match) as ids,
          array_agg(sort_key) filter (where does_match) as keys, count(*) as looked
        from (select ctid as at, id, ${order.key} as sort_key, ${matches} as does_match from assets where trashed_at is null and ${inIndex}
            and in_client(client_id, bins_of(created_at, title, size_bytes)) && bins.items limit ${sql.lit(mostInBins + 1)}) as assets
        having count(*) filter (where does_match) >= ${sql.lit(most)} or count(*) > ${sql.lit(mostInBins)}) as enough
      where not is_widest or ${isWidestWanted} limit 1) as enough, unnest(ats, ids, keys) as its (at, id, sort_key)
    where looked <= ${sql.lit(mostInBins)})`
