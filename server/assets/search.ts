import { type RawBuilder, sql } from 'kysely'
import { isAgent } from '../../contract/access.ts'
import { searchedWords } from '../../contract/folding.ts'
import { type AssetSearch, rightsEndingDays } from '../../contract/search.ts'
import type { Surface } from '../../contract/words.ts'
import { idsBelow } from '../folders/tree.ts'
import { isId } from '../ids.ts'
import type { Caller, Library } from '../library.ts'
import { anyOf } from '../publishing/targets.ts'
import { tagKey } from './wording.ts'

export type Condition = RawBuilder<unknown>

/** Which assets a search means: all that must be true of a row of `assets`. */
export function conditionsOf(library: Library, query: AssetSearch): Condition[] {
  const { tag, surface, mimeType } = query
  const conditions = [sql`client_id = ${library.clientId}`]
  conditions.push(query.trashed ? sql`trashed_at is not null` : sql`trashed_at is null`)
  if (!ignoresFolders(query)) conditions.push(...(query.trashed ? inTrash(query) : inFolder(library, query)))
  if (query.collectionId !== undefined) conditions.push(inCollection(library, query.collectionId))
  const words = searchedWords(query.q)
  const ids = words.flatMap((word) => idInRef(word) ?? [])
  if (ids.length > 0) conditions.push(sql`id = any(${ids}::text[])`)
  for (const word of words) if (!idInRef(word)) conditions.push(sql`search_text like ${containing(word)}`)
  if (tag !== undefined) conditions.push(sql`tag_keys @> array[${tagKey(tag)}::text]`)
  if (surface) conditions.push(sql`(allowed_surfaces = '{}' or allowed_surfaces @> array[${surface}::text])`)
  if (surface && wantsUsable(library.caller)) conditions.push(...usableOn(surface, query))
  if (mimeType?.endsWith('/*'))
    conditions.push(sql`mime_type like ${`${escapeLike(mimeType.slice(0, -1))}%`}`)
  else if (mimeType) conditions.push(sql`mime_type = ${mimeType}`)
  if (query.missingAltText) conditions.push(sql`alt_text = ''`)
  if (query.approval) conditions.push(sql`approval = ${query.approval}`)
  if (query.rights) conditions.push(rights[query.rights])
  if (query.used !== undefined) conditions.push(query.used ? isUsed : sql`not ${isUsed}`)
  if (query.duplicates !== undefined) conditions.push(query.duplicates ? hasTwin : sql`not ${hasTwin}`)
  return conditions
}

const ignoresFolders = ({ everywhere, collectionId, folderId }: AssetSearch) =>
  !!everywhere || (collectionId !== undefined && folderId === undefined)

const inCollection = ({ clientId }: Library, collectionId: string) =>
  sql`id in (select i.asset_id from collection_assets i where i.client_id = ${clientId} and i.collection_id = ${collectionId})`

const inTrash = ({ folderId }: AssetSearch): Condition[] =>
  folderId === undefined
    ? [sql`trashed_with is null`]
    : [sql`trashed_with is not null`, sql`folder_id = ${folderId}`]

function inFolder(library: Library, { folderId, below }: AssetSearch): Condition[] {
  if (folderId === undefined) return below ? [] : [sql`folder_id is null`]
  return [below ? sql`folder_id = any(${idsBelow(library, folderId)})` : sql`folder_id = ${folderId}`]
}

/** People look for what they have yet to mend; agents, and whoever picks for another site, for what they can use. */
const wantsUsable = (caller: Caller) => isAgent(caller) || caller.isPicking === true

/** What `refusedOn` would not refuse. */
export function usableOn(surface: Surface, { approval }: AssetSearch = {}): Condition[] {
  const unwanted = anyOf[surface].refusesOrigins?.origins ?? []
  return [
    sql`(rights_expire_at is null or rights_expire_at > now())`,
    sql`media_problem is null`,
    ...(unwanted.length > 0 ? [sql`provenance <> all(${unwanted}::text[])`] : []),
    ...(approval
      ? []
      : [
          sql`(approval = 'approved' or not exists (select from clients c
            where c.id = assets.client_id and c.approved_only_surfaces @> array[${surface}::text]))`,
        ]),
  ]
}

const rights = {
  ending: sql`rights_expire_at > now()
    and rights_expire_at <= now() + make_interval(days => ${sql.lit(rightsEndingDays)})`,
  ended: sql`rights_expire_at <= now()`,
}

const isUsed = sql`exists (select from use_refs r join uses u
  on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
  where r.client_id = assets.client_id and r.asset_id = assets.id and u.status <> 'cancelled')`

const hasTwin = sql`exists (select from assets twin where twin.client_id = assets.client_id
  and twin.sha256 = assets.sha256 and twin.id <> assets.id and twin.trashed_at is null)`

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
export const containing = (word: string) => sql`folded(${`%${escapeLike(word)}%`})`

/** The asset that a pasted `assetRef` names, pinned or not. */
function idInRef(word: string): string | undefined {
  const id = word.replace(/@\d+$/, '')
  return isId('asset', id) ? id : undefined
}
