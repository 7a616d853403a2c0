import { sql } from 'kysely'
import type { AssetPage } from '../../contract/assets.ts'
import { searchedWords } from '../../contract/folding.ts'
import { type AssetQuery, sorts } from '../../contract/search.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { askPrepared } from '../db/prepared.ts'
import { type FolderPlace, folderCursor, folderPlace } from '../folders/pages.ts'
import {
  type FolderRow,
  folderPath,
  folderWithChildren,
  idsBelow,
  names,
  namesAbove,
  toFolder,
  toSteps,
  trashedPath,
  under,
  underInTrash,
} from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetRow, assetColumns, toAsset } from './asset.ts'
import { assetsIn, type Order as OrderName, orderOf } from './placed.ts'
import { type Condition, conditionsOf, containing } from './search.ts'

/** A page of what is there: folders first, and behind the last of them assets. */
export async function listAssets(
  library: Library,
  query: AssetQuery,
  { folders: wanted = true } = {},
): Promise<AssetPage> {
  const from = folderPlace(query.cursor)
  const shows = wanted && showsFolders(query, from)
  const [{ path, folders: found }, page, total] = await Promise.all([
    place(library, query, { from, limit: shows ? pageLength(query) + 1 : 0 }),
    assetPage(library, from ? { ...query, cursor: undefined } : query),
    query.count ? countAssets(library, query) : null,
  ])
  const folder = path.at(-1)
  const folders = found.slice(0, pageLength(query))
  const { assets, nextCursor } =
    found.length > folders.length ? { assets: [], nextCursor: folderCursor(folders.at(-1)!.row) } : page
  return {
    folder: folder ? toFolder(folder, names(path.slice(0, -1))) : null,
    path: toSteps(path),
    folders: folders.map(({ row, above }) => toFolder(row, above)),
    assets: assets.map(toAsset),
    total,
    nextCursor,
  }
}

/** Where the page is, and the folders it shows: in one question to the database where somebody just looks around. */
async function place(library: Library, query: AssetQuery, page: FolderPage): Promise<Placed> {
  const browses = !looksFurther(query) && searchedWords(query.q).length === 0
  if (query.folderId !== undefined && !query.trashed && (browses || page.limit === 0)) {
    const { path, children } = await folderWithChildren(library.db, library, query.folderId, page)
    return { path, folders: children.map((row) => ({ row, above: names(path) })) }
  }
  const pathTo = query.trashed ? trashedPath : folderPath
  const path = query.folderId === undefined ? [] : await pathTo(library.db, library, query.folderId)
  return { path, folders: page.limit > 0 ? await findFolders(library, query, page) : [] }
}

interface FolderPage {
  from: FolderPlace | undefined
  limit: number
}

interface Placed {
  path: FolderRow[]
  folders: { row: FolderRow; above: string[] }[]
}

// A folder has a name and nothing else: words may find it, other filters leave it out.
function showsFolders(query: AssetQuery, from: FolderPlace | undefined): boolean {
  const {
    cursor,
    q,
    tag,
    surface,
    mimeType,
    missingAltText,
    approval,
    rights,
    used,
    collectionId,
    duplicates,
  } = query
  if ((cursor && !from) || collectionId || tag || surface || mimeType || missingAltText) return false
  if (approval || rights || used !== undefined || duplicates !== undefined) return false
  return !looksFurther(query) || searchedWords(q).length > 0
}

const looksFurther = ({ everywhere, below }: AssetQuery) => !!everywhere || !!below

async function findFolders(
  library: Library,
  query: AssetQuery,
  { from, limit }: FolderPage,
): Promise<Placed['folders']> {
  let rows = library.db
    .selectFrom('folders')
    .leftJoin('folders as parent', (join) =>
      join.onRef('parent.client_id', '=', 'folders.client_id').onRef('parent.id', '=', 'folders.parent_id'),
    )
    .selectAll('folders')
    .select(['parent.name as parent_name', 'parent.parent_id as grandparent_id'])
    .where('folders.client_id', '=', library.clientId)
  if (query.trashed) rows = rows.where(underInTrash(query.folderId))
  else {
    rows = rows.where('folders.trashed_at', 'is', null)
    if (!looksFurther(query)) rows = rows.where(under(query.folderId ?? null))
    else if (!query.everywhere && query.folderId !== undefined)
      rows = rows.where(sql<boolean>`folders.parent_id = any(${idsBelow(library, query.folderId)})`)
  }
  for (const word of searchedWords(query.q))
    rows = rows.where(sql<boolean>`folders.search_text like ${containing(word)}`)
  if (from)
    rows = rows.where(
      sql<boolean>`(folders.name_order, folders.id) > (${from.nameOrder}::text, ${from.id}::text)`,
    )
  const found = await rows.orderBy('folders.name_order').orderBy('folders.id').limit(limit).execute()
  return found.map(({ parent_name, grandparent_id, ...row }) => ({
    row,
    above: parent_name === null ? [] : namesAbove({ name: parent_name, parent_id: grandparent_id }),
  }))
}

async function assetPage(
  library: Library,
  query: AssetQuery,
): Promise<{ assets: AssetRow[]; nextCursor: string | null }> {
  const { cursor } = query
  const limit = pageLength(query)
  const sort = orderOf(query)
  const order = orders[sort]
  const conditions = [
    ...conditionsOf(library, query),
    ...(cursor ? [order.behind(cursor)] : []),
    ...(query.until ? [sql`not ${order.behind(query.until)}`] : []),
  ]
  // Plain SQL: it is what people wait for most, and putting it together piece by piece takes longer than running it.
  const page = sql<AssetRow & SortKeys>`
    select ${columns}${order.column} from ${assetsIn(library, query)} where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${sql.lit(limit + 1)}`
  // Which index serves a search best depends on its words, so that one is planned anew.
  const rows = query.q ? (await page.execute(library.db)).rows : await askPrepared(library.db, page)
  const assets = rows.slice(0, limit)
  return {
    assets,
    nextCursor: rows.length > limit ? cursorOf(sort, assets.at(-1)!) : null,
  }
}

export const cursorOf = (sort: OrderName, row: SortKeys) => writeCursor([sort, ...orders[sort].keys(row)])

async function countAssets(library: Library, query: AssetQuery): Promise<number> {
  const conditions = sql.join(conditionsOf(library, query), sql` and `)
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from assets where ${conditions}`.execute(library.db)
  return rows[0]!.total
}

const pageLength = ({ limit = 50 }: AssetQuery) => limit

const columns = sql.raw(assetColumns.join(', '))

/** What of a row any order looks at. */
export type SortKeys = Pick<AssetRow, 'id' | 'created_at' | 'title' | 'size_bytes'> & { place?: number }

interface Order {
  by: Condition
  /** What it looks at beside the record. */
  column: Condition
  keys(row: SortKeys): (string | number)[]
  behind(cursor: string): Condition
}

/** A row's place is its sort key and, among equals, its id: pages neither skip nor repeat while others write. */
export const orders: Record<OrderName, Order> = {
  newest: byTime('desc'),
  oldest: byTime('asc'),
  title: byTitle('asc'),
  'title-desc': byTitle('desc'),
  size: bySize('desc'),
  'size-asc': bySize('asc'),
  place: byPlace(),
}

type Direction = 'asc' | 'desc'

function byTime(direction: Direction) {
  return byColumn(
    sql`created_at`,
    'time',
    direction,
    (row) => row.created_at.toISOString(),
    (value) => sql`${value}::timestamptz`,
  )
}

function byTitle(direction: Direction) {
  return byColumn(
    sql`lower(title) collate "C"`,
    'text',
    direction,
    (row) => row.title,
    (value) => sql`lower(${value}::text)`,
  )
}

function bySize(direction: Direction) {
  return byColumn(
    sql`size_bytes`,
    'number',
    direction,
    (row) => row.size_bytes,
    (value) => sql`${value}::bigint`,
  )
}

function byPlace() {
  const order = byColumn(
    sql`place`,
    'number',
    'asc',
    (row) => row.place!,
    (value) => sql`${value}::bigint`,
    sql`placed.asset_id`, // the index of places ends with it
  )
  return { ...order, column: sql`, place` }
}

function byColumn(
  column: Condition,
  kind: 'time' | 'text' | 'number',
  direction: Direction,
  key: (row: SortKeys) => string | number,
  read: (value: string | number) => Condition,
  id = sql`id`,
): Order {
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  return {
    by: sql`${column} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`,
    column: sql``,
    keys: (row) => [key(row), row.id],
    behind(cursor) {
      if (orders[readCursor(cursor, ['text', 'any', 'text'])[0] as OrderName] !== this) throw otherSort()
      const [, value, last] = readCursor(cursor, ['text', kind, 'text'])
      return sql`(${column}, ${id}) ${beyond} (${read(value)}, ${last}::text)`
    },
  }
}

const otherSort = () =>
  new Problem(
    'invalid-request',
    `The cursor belongs to another sort (one of ${sorts.join(', ')}). Start again without it.`,
  )
