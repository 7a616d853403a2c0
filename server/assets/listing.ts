import { type RawBuilder, sql } from 'kysely'
import type { AssetPage } from '../../contract/assets.ts'
import type { AssetQuery } from '../../contract/search.ts'
import { searchedWords } from '../../contract/searched-words.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Written } from '../db/times.ts'
import { type FolderPlace, folderCursor, folderPlace } from '../folders/pages.ts'
import { type FolderRow, folderWithChildren, names, pathInto, toFolder, toSteps } from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { type AssetRow, assetColumns, toAsset } from './asset.ts'
import { type AtOnce, isOfOneIndex, rowsAtOnce } from './at-once.ts'
import { totalOf } from './counting.ts'
import {
  type FolderFound,
  type FolderPage,
  type FoundRow,
  foldersFound,
  looksFurther,
  toFound,
} from './found-folders.ts'
import { withKnown } from './known-words.ts'
import { mergedInto } from './merged.ts'
import { orderingFor } from './order-for.ts'
import { orderOf, type SortKeys } from './orders.ts'
import { effortFor, firstRows } from './pages.ts'
import { isByMeaning } from './relevance.ts'
import { respelled } from './respelled.ts'
import { hasFewWords, isNarrowed, type Search } from './search.ts'
import { asMeant } from './spelling.ts'

/** A page of what is there: folders first, and behind the last of them assets. */
export async function listAssets(
  library: Library,
  query: AssetQuery,
  options: Wanted = {},
): Promise<AssetPage> {
  const { page } = await asMeant(
    library,
    query,
    async (its, meant) => {
      const { page, finds } = await listExactly(library, its, options)
      const told = meant !== undefined && { meant: respelled(meant, page.assets, page.folders) }
      return { page: { ...page, ...told }, finds }
    },
    ({ finds }) => !finds,
    isOfOneIndex,
  )
  return page
}

interface Wanted {
  folders?: boolean
}

type Asked = AssetQuery & Search
type Found = Written<AssetRow> & Pick<SortKeys, 'relevance'>

async function listExactly(library: Library, query: Asked, { folders: wanted = true }: Wanted) {
  const from = folderPlace(query.cursor)
  const shows = wanted && showsFolders(query, from)
  const asked = from ? { ...query, cursor: undefined } : query
  const wantedFolders = { from, limit: shows ? pageLength(query) + 1 : 0 }
  // Where words are all that is asked for, both are found by one question.
  const together = shows && isOfOneIndex(asked)
  const [placed, page] = await Promise.all([
    place(library, query, together ? { from, limit: 0 } : wantedFolders),
    assetPage(library, asked, together ? foldersFound(library, query, wantedFolders) : undefined),
  ])
  const { path } = placed
  const found = together ? page.folders : placed.folders
  const total = await totalOf(library, asked, page)
  const folder = path.at(-1)
  const folders = found.slice(0, pageLength(query))
  const { assets, nextCursor } =
    found.length > folders.length ? { assets: [], nextCursor: folderCursor(folders.at(-1)!.row) } : page
  const merged = query.trashed ? await mergesOf(library, assets) : []
  return {
    page: {
      folder: folder ? toFolder(folder, names(path.slice(0, -1))) : null,
      path: toSteps(path),
      folders: folders.map(({ row, above }) => toFolder(row, above)),
      assets: assets.map(toAsset),
      total,
      ...(query.placed && { byFolder: true }),
      ...(query.near && { byMeaning: assets.filter(isByMeaning).map(({ id }) => id) }),
      ...(merged.length > 0 && { merged }),
      ...(page.isUnranked && { unranked: true }),
      nextCursor,
    },
    /** Whether assets have the words, though they may stand behind a page of folders. */
    finds: !page.assets.every(isByMeaning),
  }
}

async function mergesOf(library: Library, assets: Found[]): Promise<NonNullable<AssetPage['merged']>> {
  const merged = await mergedInto(
    library.db,
    library,
    assets.map(({ id }) => id),
  )
  return [...merged].map(([assetId, into]) => ({ assetId, into }))
}

/** Where the page is, and the folders it shows: in one question to the database where somebody just looks around. */
async function place(library: Library, query: AssetQuery, page: FolderPage): Promise<Placed> {
  const browses = !looksFurther(query) && searchedWords(query.q).length === 0
  if (query.folderId !== undefined && !query.trashed && (browses || page.limit === 0)) {
    const { path, children } = await folderWithChildren(library.db, library, query.folderId, page)
    return { path, folders: children.map((row) => ({ row, above: names(path) })) }
  }
  const path = await pathInto(library.db, library, query)
  return { path, folders: page.limit > 0 ? await findFolders(library, query, page) : [] }
}

interface Placed {
  path: FolderRow[]
  folders: FolderFound[]
}

// A folder has a name and nothing else: words may find it, other filters leave it out.
function showsFolders(query: AssetQuery, from: FolderPlace | undefined): boolean {
  if (query.cursor && !from) return false
  if (isNarrowed(query)) return false
  return !looksFurther(query) || searchedWords(query.q).length > 0
}

async function findFolders(library: Library, query: AssetQuery, page: FolderPage): Promise<FolderFound[]> {
  const question = foldersFound(library, query, page)
  const found = await (hasFewWords(query)
    ? askPrepared(library.db, question)
    : question.execute(library.db).then(({ rows }) => rows))
  return found.map(toFound)
}

interface Page {
  assets: Found[]
  /** Those that were asked for along with them. */
  folders: FolderFound[]
  isUnranked: boolean
  nextCursor: string | null
}

async function assetPage(library: Library, query: Asked, folders?: RawBuilder<FoundRow>): Promise<Page> {
  const limit = pageLength(query)
  const { found: atOnce, beside } = await rowsAtOnce<Found, FoundRow>(
    library,
    query,
    columns,
    limit + 1,
    folders,
  )
  const known = typeof atOnce === 'object' ? query : await withKnown(library, query)
  const { name, found } = await orderingOf(library, known, atOnce)
  const its = { ...known, found }
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
    folders: beside.map(toFound),
    isUnranked: name === 'newest' && wantsRank(query),
    nextCursor: rows.length > limit ? order.cursorOf(assets.at(-1)!) : null,
  }
}

async function orderingOf(
  library: Library,
  query: Asked,
  atOnce: AtOnce<Found>,
): ReturnType<typeof orderingFor> {
  if (atOnce === 'many' && wantsRank(query)) return { name: 'newest' }
  return typeof atOnce === 'object' ? { name: atOnce.order } : orderingFor(library, query)
}

const wantsRank = ({ q, sort = 'relevance' }: AssetQuery) =>
  sort === 'relevance' && searchedWords(q).length > 0

const pageLength = ({ limit = 50 }: AssetQuery) => limit

const columns = sql.raw(assetColumns.join(', '))
