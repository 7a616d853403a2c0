import { sql } from 'kysely'
import type { AssetPage } from '../../contract/assets.ts'
import { searchedWords } from '../../contract/folding.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Written } from '../db/times.ts'
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
  columns as treeColumns,
  under,
  underInTrash,
} from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { type AssetRow, assetColumns, toAsset } from './asset.ts'
import { type AtOnce, isOfOneIndex, rowsAtOnce } from './at-once.ts'
import { totalOf } from './counting.ts'
import { withKnown } from './known-words.ts'
import { orderNameFor } from './order-for.ts'
import { orderOf, type SortKeys } from './orders.ts'
import { effortFor, firstRows } from './pages.ts'

import { isByMeaning } from './relevance.ts'
import { containing, hasFewWords, isNarrowed, type Search } from './search.ts'
import { asMeant } from './spelling.ts'

/** A page of what is there: folders first, and behind the last of them assets. */
export const listAssets = (library: Library, query: AssetQuery, options: Wanted = {}): Promise<AssetPage> =>
  asMeant(
    library,
    query,
    async (its, meant) => ({
      ...(await listExactly(library, its, options)),
      ...(meant !== undefined && { meant }),
    }),
    ({ folders, assets, byMeaning = [] }) => folders.length + assets.length - byMeaning.length === 0,
    isOfOneIndex,
  )

interface Wanted {
  folders?: boolean
}

type Asked = AssetQuery & Search
type Found = Written<AssetRow> & Pick<SortKeys, 'relevance'>

async function listExactly(library: Library, query: Asked, { folders: wanted = true }: Wanted) {
  const from = folderPlace(query.cursor)
  const shows = wanted && showsFolders(query, from)
  const asked = from ? { ...query, cursor: undefined } : query
  const [{ path, folders: found }, page] = await Promise.all([
    place(library, query, { from, limit: shows ? pageLength(query) + 1 : 0 }),
    assetPage(library, asked),
  ])
  const total = await totalOf(library, asked, page)
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
    ...(query.near && { byMeaning: assets.filter(isByMeaning).map(({ id }) => id) }),
    ...(page.isUnranked && { unranked: true }),
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
  if (query.cursor && !from) return false
  if (isNarrowed(query)) return false
  return !looksFurther(query) || searchedWords(query.q).length > 0
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
    .select(folderColumns)
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
  const page = rows.orderBy('folders.name_order').orderBy('folders.id').limit(limit)
  const found = await (hasFewWords(query) ? askPrepared(library.db, page) : page.execute())
  return found.map(({ parent_name, grandparent_id, ...row }) => ({
    row,
    above: parent_name === null ? [] : namesAbove({ name: parent_name, parent_id: grandparent_id }),
  }))
}

async function assetPage(
  library: Library,
  query: Asked,
): Promise<{ assets: Found[]; isUnranked: boolean; nextCursor: string | null }> {
  const limit = pageLength(query)
  const atOnce = await rowsAtOnce<Found>(library, query, columns, limit + 1)
  const its = typeof atOnce === 'object' ? query : await withKnown(library, query)
  const name = await nameOfOrder(library, its, atOnce)
  const order = orderOf(name, library, its)
  const rows =
    typeof atOnce === 'object'
      ? atOnce.rows
      : await firstRows<Found>(
          library,
          its,
          order,
          columns,
          limit + 1,
          effortFor(limit + 1, atOnce === 'many'),
        )
  const assets = rows.slice(0, limit)
  return {
    assets,
    isUnranked: name === 'newest' && wantsRank(query),
    nextCursor: rows.length > limit ? order.cursorOf(assets.at(-1)!) : null,
  }
}

async function nameOfOrder(library: Library, query: Asked, atOnce: AtOnce<Found> | undefined) {
  if (atOnce === 'many' && wantsRank(query)) return 'newest'
  return typeof atOnce === 'object' ? atOnce.order : orderNameFor(library, query)
}

const wantsRank = ({ q, sort = 'relevance' }: AssetQuery) =>
  sort === 'relevance' && searchedWords(q).length > 0

const pageLength = ({ limit = 50 }: AssetQuery) => limit

const columns = sql.raw(assetColumns.join(', '))
const folderColumns = treeColumns.map((column) => `folders.${column}` as const)
