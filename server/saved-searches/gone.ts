import { sql } from 'kysely'
import type { SavedSearch } from '../../contract/saved-searches.ts'
import type { AssetSearch } from '../../contract/search.ts'
import { tagKey } from '../assets/wording.ts'
import type { Reader } from '../db/database.ts'
import type { Library } from '../library.ts'

/** What each of these searches names and is no longer there. */
export async function goneFrom(
  db: Reader,
  { clientId }: Library,
  searches: AssetSearch[],
): Promise<SavedSearch['gone'][]> {
  const folders = named(searches.map(({ folderId }) => folderId ?? []))
  const collections = named(searches.map(({ collectionId }) => collectionId ?? []))
  const uploaders = named(searches.map(({ uploader }) => uploader ?? []))
  const tags = named(searches.map(tagsOf))
  const { rows } = await sql<{ thing: string }>`
    select id as thing from folders where client_id = ${clientId} and trashed_at is null and id = any(${folders}::text[])
    union all select id from collections where client_id = ${clientId} and deleted_at is null and id = any(${collections}::text[])
    union all select 'by ' || uploader from unnest(${uploaders}::text[]) as uploader where exists (
      select from assets where client_id = ${clientId} and trashed_at is null and created_by = uploader)
    union all select 'tag ' || tag from unnest(${tags}::text[]) as tag where exists (
      select from tagged_assets where client_id = ${clientId} and tag_key = tag)`.execute(db)
  const known = new Set(rows.map(({ thing }) => thing))
  return searches.map((search) => {
    const gone: SavedSearch['gone'] = []
    const { folderId, collectionId, uploader } = search
    if (folderId !== undefined && !known.has(folderId)) gone.push('folder')
    if (collectionId !== undefined && !known.has(collectionId)) gone.push('collection')
    if (tagsOf(search).some((tag) => !known.has(`tag ${tag}`))) gone.push('tag')
    if (uploader !== undefined && !known.has(`by ${uploader}`)) gone.push('uploader')
    return gone
  })
}

const tagsOf = ({ tag = [] }: AssetSearch) => [tag].flat().map(tagKey)
const named = (names: (string | string[])[]) => [...new Set(names.flat())]
