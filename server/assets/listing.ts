import { type SelectQueryBuilder, sql } from 'kysely'
import { type AssetPage, type AssetQuery, type Sort, sorts } from '../../contract/assets.ts'
import type { Folder } from '../../contract/folders.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Schema } from '../db/schema.ts'
import { folderPath, names, namesAbove, toFolder, toSteps } from '../folders/tree.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetRow, assetColumns, toAsset } from './asset.ts'

export async function listAssets(library: Library, query: AssetQuery): Promise<AssetPage> {
  const path = query.folderId === undefined ? [] : await folderPath(library.db, library, query.folderId)
  const [folders, { assets, nextCursor }] = await Promise.all([
    showsFolders(query) ? foldersHere(library, query) : [],
    assetPage(library, query),
  ])
  const folder = path.at(-1)
  return {
    folder: folder ? toFolder(folder, names(path.slice(0, -1))) : null,
    path: toSteps(path),
    folders,
    assets: assets.map(toAsset),
    nextCursor,
  }
}

const mostFolders = 1000

// A folder has a name and nothing else: words may find it, other filters leave it out.
function showsFolders({
  cursor,
  everywhere,
  q,
  tag,
  surface,
  mimeType,
  missingAltText,
}: AssetQuery): boolean {
  if (cursor || tag || surface || mimeType || missingAltText) return false
  return !everywhere || words(q).length > 0
}

async function foldersHere(library: Library, query: AssetQuery): Promise<Folder[]> {
  let rows = library.db
    .selectFrom('folders')
    .leftJoin('folders as parent', (join) =>
      join.onRef('parent.client_id', '=', 'folders.client_id').onRef('parent.id', '=', 'folders.parent_id'),
    )
    .selectAll('folders')
    .select(['parent.name as parent_name', 'parent.parent_id as grandparent_id'])
    .where('folders.client_id', '=', library.clientId)
  if (query.trashed) rows = rows.where(sql<boolean>`folders.trashed_with = folders.id`)
  else {
    rows = rows.where('folders.trashed_at', 'is', null)
    if (!query.everywhere)
      rows = rows.where('folders.parent_id', 'is not distinct from', query.folderId ?? null)
  }
  for (const word of words(query.q)) rows = rows.where('folders.name_key', 'like', containing(word))
  const found = await rows.orderBy('folders.name_key').orderBy('folders.id').limit(mostFolders).execute()
  return found.map(({ parent_name, grandparent_id, ...row }) =>
    toFolder(row, parent_name === null ? [] : namesAbove({ name: parent_name, parent_id: grandparent_id })),
  )
}

type AssetSelection = SelectQueryBuilder<Schema, 'assets', AssetRow>

async function assetPage(
  library: Library,
  query: AssetQuery,
): Promise<{ assets: AssetRow[]; nextCursor: string | null }> {
  const limit = query.limit ?? 50
  const order = orders[query.sort ?? 'newest']
  let rows = filtered(library, query)
  if (query.cursor) rows = order.after(rows, query.cursor)
  const found = await order
    .sorted(rows)
    .limit(limit + 1)
    .execute()
  const assets = found.slice(0, limit)
  return {
    assets,
    nextCursor:
      found.length > limit ? writeCursor([query.sort ?? 'newest', ...order.keys(assets.at(-1)!)]) : null,
  }
}

function filtered(library: Library, query: AssetQuery): AssetSelection {
  let rows: AssetSelection = library.db
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', library.clientId)
  if (query.trashed) rows = rows.where('trashed_at', 'is not', null).where('trashed_with', 'is', null)
  else {
    rows = rows.where('trashed_at', 'is', null)
    if (!query.everywhere)
      rows =
        query.folderId === undefined
          ? rows.where('folder_id', 'is', null)
          : rows.where('folder_id', '=', query.folderId)
  }
  for (const word of words(query.q)) rows = rows.where('search_text', 'like', containing(word))
  if (query.tag !== undefined) rows = rows.where(sql<boolean>`tags @> array[${query.tag}::text]`)
  if (query.surface)
    rows = rows.where(
      sql<boolean>`(allowed_surfaces = '{}' or allowed_surfaces @> array[${query.surface}::text])`,
    )
  if (query.mimeType?.endsWith('/*'))
    rows = rows.where('mime_type', 'like', `${escapeLike(query.mimeType.slice(0, -1))}%`)
  else if (query.mimeType) rows = rows.where('mime_type', '=', query.mimeType)
  if (query.missingAltText) rows = rows.where('alt_text', '=', '')
  return rows
}

interface Order {
  keys(row: AssetRow): (string | number)[]
  after(rows: AssetSelection, cursor: string): AssetSelection
  sorted(rows: AssetSelection): AssetSelection
}

/** A row's place is its sort key and, among equals, its id: pages neither skip nor repeat while others write. */
const orders: Record<Sort, Order> = {
  newest: byColumn(
    sql`created_at`,
    'desc',
    (row) => row.created_at.toISOString(),
    (value) => sql`${value}::timestamptz`,
  ),
  oldest: byColumn(
    sql`created_at`,
    'asc',
    (row) => row.created_at.toISOString(),
    (value) => sql`${value}::timestamptz`,
  ),
  title: byColumn(
    sql`lower(title) collate "C"`,
    'asc',
    (row) => row.title,
    (value) => sql`lower(${value}::text)`,
  ),
  size: byColumn(
    sql`size_bytes`,
    'desc',
    (row) => row.size_bytes,
    (value) => sql`${value}::bigint`,
  ),
}

function byColumn(
  column: ReturnType<typeof sql>,
  direction: 'asc' | 'desc',
  key: (row: AssetRow) => string | number,
  read: (value: string | number) => ReturnType<typeof sql>,
): Order {
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  return {
    keys: (row) => [key(row), row.id],
    after(rows, cursor) {
      const [sort, value, id] = readCursor<[string, string | number, string]>(cursor, 3)
      if (orders[sort as Sort] !== this) throw otherSort()
      return rows.where(sql<boolean>`(${column}, id) ${beyond} (${read(value)}, ${id}::text)`)
    },
    sorted: (rows) => rows.orderBy(sql`${column} ${sql.raw(direction)}, id ${sql.raw(direction)}`),
  }
}

const words = (q = '') => q.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const containing = (word: string) => `%${escapeLike(word)}%`

const otherSort = () =>
  new Problem(
    'invalid-request',
    `The cursor belongs to another sort (one of ${sorts.join(', ')}). Start again without it.`,
  )
