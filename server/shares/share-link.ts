import { type Selectable, sql } from 'kysely'
import type { ShareLink, ShareLinkState } from '../../contract/shares.ts'
import { linkState, makersOf } from '../access/guest-links.ts'
import type { Reader } from '../db/database.ts'
import type { ShareLinksTable } from '../db/schema.ts'
import type { Library } from '../library.ts'

export type ShareLinkRow = Selectable<ShareLinksTable>

/** What one link opens, and nothing else: whatever a guest asks for is looked for in here. */
export interface OpenedShare {
  link: ShareLinkRow
  library: Library
}

export const state = linkState('share_links')

/** Of copies: each has to be made before the length of the archive is known. */
export const mostInArchive = 500

export type FoundLink = ShareLinkRow & { state: ShareLinkState; selected: number | null }

/** Not of a collection that was deleted: it comes back with it. */
export const isOfSomething = sql<boolean>`(collection_id is null or exists (select from collections c
  where c.client_id = share_links.client_id and c.id = share_links.collection_id and c.deleted_at is null))`

/** What a record is made of: the row, its state, and how many assets were selected. */
export const linksOf = (db: Reader, { clientId }: Pick<Library, 'clientId'>) =>
  db
    .selectFrom('share_links')
    .selectAll()
    .select([
      state.as('state'),
      sql<number | null>`case when folder_id is null and collection_id is null then (
        select count(*) from share_link_assets a
        where a.client_id = share_links.client_id and a.share_link_id = share_links.id) end`.as('selected'),
    ])
    .where('client_id', '=', clientId)
    .where(isOfSomething)

/** The records of these links, with who made each and who opened it lately. */
export async function toShareLinks(db: Reader, library: Library, rows: FoundLink[]): Promise<ShareLink[]> {
  const visits = await db
    .selectFrom('share_link_visits')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`share_link_id = any(${rows.map(({ id }) => id)}::text[])`)
    .orderBy('id', 'desc')
    .execute()
  const makers = await makersOf(db, library, rows)
  return rows.map((row) => {
    const maker = makers.get(row.created_by)
    return {
      shareLinkId: row.id,
      clientId: row.client_id,
      state: row.state === 'open' && !maker?.mayStill ? 'suspended' : row.state,
      title: row.title,
      note: row.note,
      folderId: row.folder_id,
      collectionId: row.collection_id,
      assetCount: row.selected,
      hasPassword: row.password_hash !== null,
      allows: row.allows,
      files: row.files,
      review: row.allows_review,
      watermark: row.watermark,
      expiresAt: row.expires_at.toISOString(),
      revokedAt: row.revoked_at?.toISOString() ?? null,
      openCount: row.open_count,
      lastOpenedAt: row.last_opened_at?.toISOString() ?? null,
      visits: visits
        .filter(({ share_link_id }) => share_link_id === row.id)
        .map(({ visited_at, network, browser }) => ({ at: visited_at.toISOString(), network, browser })),
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
      createdByName: maker?.name ?? null,
    }
  })
}
