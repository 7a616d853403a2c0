import { sql } from 'kysely'
import type { SharedAsset, SharedAssetPage, SharedAssetQuery } from '../../contract/shares.ts'
import type { AssetRow } from '../assets/asset.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { canPlay } from './files.ts'
import { isShared, placeIn } from './share.ts'
import type { OpenedShare } from './share-link.ts'

/** What is shared, page by page: a selection as it was chosen, a collection in its order, a folder as it was filled. */
export async function sharedAssets(
  share: OpenedShare,
  { limit = 50, cursor, unanswered }: SharedAssetQuery,
): Promise<SharedAssetPage> {
  const { link, library } = share
  const place = link.folder_id === null ? sql<number>`(${placeIn(link)})` : sql<number>`0`
  let rows = library.db
    .selectFrom('assets')
    .select([...columns, place.as('place')])
    .where(isShared(share))
    .orderBy('place')
    .orderBy('id')
    .limit(limit + 1)
  if (unanswered)
    rows = rows.where(
      link.allows_review ? sql<boolean>`approval in ('none', 'pending')` : sql<boolean>`false`,
    )
  if (cursor) {
    const [after, id] = readCursor(cursor, [link.collection_id === null ? 'integer' : 'number', 'text'])
    rows = rows.where(sql<boolean>`(${place}, assets.id) > (${after}, ${id})`)
  }
  const found = await rows.execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    assets: await Promise.all(page.map((row) => toSharedAsset(share, row))),
    nextCursor: found.length > limit && last ? writeCursor([last.place, last.id]) : null,
  }
}

const columns = [
  'id',
  'title',
  'alt_text',
  'mime_type',
  'width',
  'height',
  'duration_seconds',
  'placeholder',
  'version',
  'approval',
] as const

const toSharedAsset = async (
  share: OpenedShare,
  row: Pick<AssetRow, (typeof columns)[number]>,
): Promise<SharedAsset> => ({
  assetId: row.id,
  title: row.title,
  altText: row.alt_text,
  mimeType: row.mime_type,
  width: row.width,
  height: row.height,
  durationSeconds: row.duration_seconds,
  placeholder: row.placeholder,
  hasFilm: await canPlay(share, row),
  version: row.version,
  approval: share.link.allows_review ? row.approval : null,
})
