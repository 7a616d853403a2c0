import { type RawBuilder, sql } from 'kysely'
import { type Sort, sorts, trashSorts } from '../../contract/search.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { inIso } from '../db/times.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import type { AssetRow } from './asset.ts'
import { inSize, inTime, inTitle } from './bins.ts'
import { relevance } from './relevance.ts'
import type { Search } from './search.ts'

type Sql = RawBuilder<unknown>

/** What of a row any order looks at. */
export type SortKeys = Pick<AssetRow, 'id' | 'title' | 'size_bytes'> & {
  created_at: Date | string
  trashed_at?: Date | string | null
  relevance?: number
  place?: number
}

/** A row's place is its sort key and, among equals, its id: pages neither skip nor repeat while others write. */
export interface Order {
  from: Sql
  by: Sql
  key: Sql
  direction: Sql
  /** Whether an index has all assets of a place in this order. */
  isIndexed: boolean
  /** Whether filters have indexes of their own in this order. */
  ofEachFilter?: boolean
  ofSizes?: boolean
  /** Where it has them: its bins from one asset on (bins.ts). */
  bins?: Sql
  /** Where only few are put in it: from those. */
  fromFew?(few: Sql): Sql
  /** What the rows must have beside their own columns. */
  alongside: Sql
  /** What a cursor is made of: where an index has it, no row is read for one. */
  inCursor: Sql
  cursorOf(row: SortKeys): string
  behind(cursor: string): Sql
  /** Before it, or at it. */
  upTo(cursor: string): Sql
}

/** Those that can be asked for, and that of a collection. */
export type OrderName = Sort | 'place'

export function orderOf(name: OrderName, { clientId }: Library, query: Search): Order {
  switch (name) {
    case 'place':
      return byPlace(clientId, query.collectionId)
    case 'relevance':
      return byRelevance(query)
    case 'trashed':
      return byDeletion(name, 'desc', query)
    case 'trashed-asc':
      return byDeletion(name, 'asc', query)
    default:
      return ofAnySearch[name]
  }
}

/** Elsewhere nothing has a time of deletion. */
export function refuseElsewhere({ sort, trashed }: Pick<Search, 'sort' | 'trashed'>): void {
  if (trashed || !trashSorts.some((name) => name === sort)) return
  throw new Problem(
    'invalid-request',
    `Only the trash has an order by deletion. Ask with trashed=true, or for another sort (one of ${sorts.join(', ')}).`,
  )
}

export const nameInCursor = (cursor: string) => readCursor(cursor, ['text', 'any', 'text'])[0]

/** Behind the cursor, and not further than told. */
export const boundsOf = (order: Order, { cursor, until }: { cursor?: string; until?: string }): Sql[] => [
  ...(cursor ? [order.behind(cursor)] : []),
  ...(until ? [order.upTo(until)] : []),
]

type Direction = 'asc' | 'desc'

function byPlace(clientId: string, collectionId: string | undefined): Order {
  const order = byColumn(
    'place',
    sql`place`,
    'number',
    'asc',
    (row) => row.place!,
    (value) => sql`${value}::bigint`,
    sql`placed.asset_id`, // the index of places ends with it
  )
  const from = sql`assets join (select asset_id, place from collection_assets
    where client_id = ${clientId} and collection_id = ${collectionId}) as placed on placed.asset_id = id`
  return { ...order, from, alongside: sql`, place`, isIndexed: false }
}

/** Who asks only for a cursor needs no score. */
const byRelevance = (query: Search): Order => ({
  ...byScore,
  get from() {
    return sql`(select *, ${relevance(query)} as relevance from assets) as assets`
  },
  fromFew: (few) => sql`(select *, ${relevance(query)} as relevance from ${few} as assets) as assets`,
})

const byTime = (name: Sort, direction: Direction): Order => ({
  ...byColumn(
    name,
    sql`created_at`,
    'time',
    direction,
    (row) => inIso(row.created_at),
    (value) => sql`${value}::timestamptz`,
  ),
  ofEachFilter: true,
  bins: inTime(direction),
})

/** In the trash, of which no index but one knows the order (0154-trash-by-deletion.concurrently.sql). */
function byDeletion(name: Sort, direction: Direction, { trashed }: Search): Order {
  refuseElsewhere({ sort: name, trashed })
  return {
    ...byColumn(
      name,
      sql`trashed_at`,
      'time',
      direction,
      (row) => inIso(row.trashed_at!),
      (value) => sql`${value}::timestamptz`,
    ),
    isIndexed: false,
  }
}

const byTitle = (name: Sort, direction: Direction): Order => ({
  ...byColumn(
    name,
    sql`lower(title) collate "C"`,
    'text',
    direction,
    (row) => row.title,
    (value) => sql`lower(${value}::text)`,
  ),
  inCursor: sql`id, title`,
  bins: inTitle(direction),
})

const bySize = (name: Sort, direction: Direction): Order => ({
  ...byColumn(
    name,
    sql`size_bytes`,
    'number',
    direction,
    (row) => row.size_bytes,
    (value) => sql`${value}::bigint`,
  ),
  ofSizes: true,
  bins: inSize(direction),
})

function byColumn(
  name: OrderName,
  column: Sql,
  kind: 'time' | 'text' | 'number',
  direction: Direction,
  key: (row: SortKeys) => string | number,
  read: (value: string | number) => Sql,
  id = sql`id`,
): Order {
  const [beyond, before] = direction === 'asc' ? ['>', '<='] : ['<', '>=']
  // A comparison of rows, either way: no index knows how to read one that is only denied.
  const compared = (cursor: string, operator: string) => {
    if (nameInCursor(cursor) !== name) throw otherSort()
    const [, value, last] = readCursor(cursor, ['text', kind, 'text'])
    return sql`(${column}, ${id}) ${sql.raw(operator)} (${read(value)}, ${last}::text)`
  }
  return {
    from: sql`assets`,
    isIndexed: true,
    key: column,
    direction: sql.raw(direction),
    by: sql`${column} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`,
    alongside: sql``,
    inCursor: sql`id, ${column}`,
    cursorOf: (row) => writeCursor([name, key(row), row.id]),
    behind: (cursor) => compared(cursor, beyond!),
    upTo: (cursor) => compared(cursor, before!),
  }
}

const byScore: Order = {
  ...byColumn(
    'relevance',
    sql`relevance`,
    'number',
    'desc',
    (row) => row.relevance!,
    (value) => sql`${value}::bigint`,
  ),
  alongside: sql`, relevance`,
  isIndexed: false,
}

const ofAnySearch: Record<Exclude<OrderName, 'place' | 'relevance' | 'trashed' | 'trashed-asc'>, Order> = {
  newest: byTime('newest', 'desc'),
  oldest: byTime('oldest', 'asc'),
  title: byTitle('title', 'asc'),
  'title-desc': byTitle('title-desc', 'desc'),
  size: bySize('size', 'desc'),
  'size-asc': bySize('size-asc', 'asc'),
}

const otherSort = () =>
  new Problem(
    'invalid-request',
    `The cursor belongs to another sort (one of ${[...sorts, ...trashSorts].join(', ')}). Start again without it.`,
  )
