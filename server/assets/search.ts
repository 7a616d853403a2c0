import { type RawBuilder, sql } from 'kysely'
import { isAgent } from '../../contract/access.ts'
import { folded } from '../../contract/folding.ts'
import { AssetSearch, rightsEndingDays } from '../../contract/search.ts'
import { apostrophe, apostrophes, searchedWords, unwantedWords } from '../../contract/searched-words.ts'
import type { Surface } from '../../contract/words.ts'
import { idsBelow } from '../folders/tree.ts'
import { isId } from '../ids.ts'
import type { Caller, Library } from '../library.ts'
import { anyOf } from '../publishing/targets.ts'
import { hasAll, seen, textOf } from './sought.ts'
import { tagKey } from './wording.ts'

export type Condition = RawBuilder<unknown>

const placing = [
  'folderId',
  'q',
  'byFolder',
  'everywhere',
  'below',
  'trashed',
  'sort',
  'meaning',
] satisfies (keyof AssetSearch)[]
const narrowing = (Object.keys(AssetSearch.properties) as (keyof AssetSearch)[]).filter(
  (name) => !(placing as string[]).includes(name),
)

/** Whether it asks for more than words and a place. */
export function isNarrowed(search: AssetSearch): boolean {
  return narrowing.some((name) => search[name] !== undefined)
}

/** What is near the words in its meaning, the nearest first, and how far it is in millionths. */
export interface Near {
  ids: string[]
  distances: number[]
}

/** Which words there are that have a part of what is searched for, of each part; the parts that none has; and the numbers in it. */
export interface Known {
  lists: string[][]
  absent: string[]
  numbers: string[]
  /** By part, undefined where many have it: who searches for some of them again need not look them up. */
  byPart: ReadonlyMap<string, string[] | undefined>
}

/** Folders that have some of the words in their path: what is in them needs only the rest. Anywhere else, all of them. */
export interface Placed {
  folderIds: string[] | undefined
  q: string
  known: Known
}

/**
 * With what its words mean (near.ts), those they are part of (known-words.ts), and the folders that have some of them in
 * their names (folder-words.ts), where that was found out.
 */
export type Search = AssetSearch & {
  near?: Near | undefined
  known?: Known | undefined
  placed?: Placed[] | undefined
  /** All that it finds, where that was looked up before. */
  found?: string[] | undefined
  /** The folder and those below it, where the question has them already. */
  within?: Condition | undefined
}

/**
 * Which assets a search means: all that must be true of a row of `assets`; in other words of one that no index is asked for,
 * and of one after the other, where other tables are asked for each by itself.
 */
export function conditionsOf(
  library: Library,
  query: Search,
  {
    isRead = false,
    singly = isRead,
    told = seen,
  }: { isRead?: boolean; singly?: boolean; told?: typeof seen } = {},
): Condition[] {
  const { surface } = query
  const conditions = placeOf(library, query, told)
  if (looksBelow(query)) conditions.push(isBelow(idsWithin(library, query), isRead))
  if (query.collectionId !== undefined)
    conditions.push(inCollection(library, query.collectionId, isRead, told))
  const words = havingWords(query, told, isRead)
  if (query.near?.ids.length)
    conditions.push(sql`(${sql.join(words, sql` and `)} or id = any(${query.near.ids}::text[]))`)
  else conditions.push(...words)
  if (query.tag !== undefined) conditions.push(tagged(library, query, query.tag, { isRead, told }))
  if (surface) conditions.push(sql`(allowed_surfaces = '{}' or allowed_surfaces @> array[${surface}::text])`)
  if (surface && wantsUsable(library.caller)) conditions.push(...usableOn(surface, query))
  conditions.push(...ofTheRow(query, told))
  if (query.used !== undefined)
    conditions.push(exists(query.used, query.trashed ? use : inList('used'), singly))
  if (query.duplicates !== undefined)
    conditions.push(exists(query.duplicates, query.trashed ? twin : inList('twins'), singly))
  return conditions
}

/** With the folders it looks into as a part of the question, `below`, that is asked for once. */
export function withFolders<Query extends Search>(
  library: Library,
  query: Query,
): { below: Condition; query: Query } {
  if (!looksBelow(query)) return { below: sql``, query }
  return {
    below: sql`below as materialized (select ${idsBelow(library, query.folderId!)} as ids), `,
    query: { ...query, within: sql`(select ids from below)::text[]` },
  }
}

export const idsWithin = (library: Library, { within, folderId }: Search): Condition =>
  within ?? idsBelow(library, folderId!)

/** Of a row that is read the folders are hashed: to compare it with each takes longer than to read it. */
const isBelow = (ids: Condition, isRead: boolean): Condition =>
  isRead ? sql`(folder_id in (select unnest(${ids}))) is true` : sql`folder_id = any(${ids})`

/** Said twice: the second is for an index, and takes longer to be asked of each asset. */
const tagged = (
  library: Library,
  query: AssetSearch,
  tag: string | string[],
  { isRead, told }: { isRead: boolean; told: typeof seen },
): Condition => {
  const has = sql`tag_keys @> ${told(sql`${keysOf(tag)}::text[]`)}`
  return sql`(${sql.join(isRead ? [has] : [has, ...havingTags(library, query, told)], sql` and `)})`
}

/** In the words of an index, which has nothing of the trash. */
export const havingTags = (library: Library, { tag, trashed }: AssetSearch, told = seen): Condition[] =>
  tag === undefined || trashed ? [] : [hasAll(library, sql`tag_keys`, keysOf(tag), told)]

const keysOf = (tag: string | string[]) => [tag].flat().map(tagKey)

/** In one of these folders, where it must be in some. */
export const inPlace = ({ folderIds }: Placed, isRead = false): Condition[] =>
  folderIds ? [isBelow(sql`${folderIds}::text[]`, isRead)] : []

/** What has all of the words and no unwanted one, itself or with its folders, or is what an assetRef among them names. */
export function havingWords({ q, placed }: Search, told = seen, isRead = false): Condition[] {
  if (placed)
    return [
      or(placed.map((one) => and([...inPlace(one, isRead), ...havingWords({ q: one.q }, told, isRead)]))),
    ]
  const words = searchedWords(q)
  const ids = words.flatMap((word) => idInRef(word) ?? [])
  const having = (text: Condition) => [
    ...words.filter((word) => !idInRef(word)).map((word) => has(text, word, told, isRead)),
    ...unwantedWords(q).map((word) => sql`not ${has(text, word, told, isRead)}`),
  ]
  return [
    ...(ids.length > 0 ? [sql`id = any(${ids}::text[])`] : []),
    // A long text is packed: it is unpacked once, and not for each of many words.
    ...(hasFewWords({ q })
      ? having(sql`search_text`)
      : [sql`(select ${and(having(sql`whole`))} from (select search_text || '' as whole offset 0) as text)`]),
  ]
}

/** Of a pattern the planner knows better how many have it; in a row that is read it takes more than twice as long to see. */
const has = (text: Condition, word: string, told: typeof seen, isRead: boolean): Condition => {
  if (apostrophe.test(word)) return hasPhrase(text, word, told)
  return isRead
    ? sql`(strpos(${text}, ${textOf(folded(word), told)}) > 0)`
    : sql`(${text} like ${textOf(containing(word), told)})`
}

/** With whichever apostrophe: outside of quotation marks they take words apart. */
const hasPhrase = (text: Condition, words: string, told: typeof seen): Condition => {
  const withSame = (its: Condition) =>
    sql`translate(${its}, ${sql.lit(apostrophes)}, ${sql.lit("'".repeat(apostrophes.length))})`
  return sql`(strpos(${withSame(text)}, ${withSame(textOf(folded(words), told))}) > 0)`
}

/** Of more words there would be too many statements to keep a plan for each. */
export const hasFewWords = ({ q }: AssetSearch) => searchedWords(q).length + unwantedWords(q).length <= 3

/** Where it looks, as far as there is an index that has all of that place in each order. */
export function placeOf(library: Library, query: AssetSearch, told = seen): Condition[] {
  const client = sql`client_id = ${textOf(library.clientId, told)}`
  const there = query.trashed ? sql`trashed_at is not null` : sql`trashed_at is null`
  if (ignoresFolders(query)) return [client, there]
  return [client, there, ...(query.trashed ? inTrash(query) : inFolder(query))]
}

/** Whether it looks into more than one folder. */
export const looksIntoFolders = (query: AssetSearch) =>
  !query.trashed && (!!query.below || ignoresFolders(query))

export const looksBelow = (query: AssetSearch) =>
  !!query.below && query.folderId !== undefined && !query.trashed && !ignoresFolders(query)

export const ignoresFolders = ({ everywhere, collectionId, folderId }: AssetSearch) =>
  !!everywhere || (collectionId !== undefined && folderId === undefined)

const inCollection = (
  { clientId }: Library,
  collectionId: string,
  isRead: boolean,
  told: typeof seen,
): Condition => {
  const its = sql`collection_assets i where i.client_id = ${textOf(clientId, told)} and i.collection_id = ${textOf(collectionId, told)}`
  return isRead
    ? sql`exists (select from ${its} and i.asset_id = id offset 0)`
    : sql`id in (select i.asset_id from ${its})`
}

/** One filter that has an index of its own, the newest first: the one that is likely to leave least. */
export function leadOf(query: AssetSearch, told = seen): Condition[] {
  const { uploader, mimeType, ratio, approval, orientation, missingAltText } = query
  const leads: AssetSearch[] = [
    { uploader },
    ...(mimeType?.endsWith('/*') ? [] : [{ mimeType }]),
    { ratio },
    { approval },
    { mimeType },
    { orientation },
    { missingAltText: missingAltText || undefined },
  ]
  const lead = leads.find((one) => Object.values(one).some((value) => value !== undefined))
  return lead ? ofTheRow(lead, told) : []
}

/** What follows from the asset's own columns, which stand in the indexes of other orders. */
export function ofTheRow(query: AssetSearch, told = seen): Condition[] {
  const conditions = aboutTheFile(query, told)
  if (query.missingAltText !== undefined)
    conditions.push(query.missingAltText ? sql`alt_text = ''` : sql`alt_text <> ''`)
  if (query.approval) conditions.push(sql`approval = ${textOf(query.approval, told)}`)
  if (query.rights) conditions.push(rights[query.rights])
  return conditions
}

/** Each in the words of an index: see 0068-finding.sql. */
function aboutTheFile(query: AssetSearch, told: typeof seen): Condition[] {
  const { mimeType, uploader, from, to, orientation, ratio } = query
  const text = (value: string) => textOf(value, told)
  const number = (value: number) => told(sql`${value}::bigint`)
  const conditions: Condition[] = []
  if (mimeType?.endsWith('/*'))
    conditions.push(sql`split_part(mime_type, '/', 1) = ${text(mimeType.slice(0, -2))}`)
  else if (mimeType) conditions.push(sql`mime_type = ${text(mimeType)}`)
  if (uploader !== undefined) conditions.push(sql`created_by = ${text(uploader)}`)
  if (from) conditions.push(sql`created_at >= ${told(sql`${`${from}T00:00:00Z`}::timestamptz`)}`)
  if (to)
    conditions.push(sql`created_at < ${told(sql`${`${to}T00:00:00Z`}::timestamptz`)} + interval '1 day'`)
  if (orientation) conditions.push(sql`orientation_of(width, height) = ${text(orientation)}`)
  if (ratio) conditions.push(sql`ratio_of(width, height) = ${text(ratio)}`)
  if (query.minBytes !== undefined) conditions.push(sql`size_bytes >= ${number(query.minBytes)}`)
  if (query.maxBytes !== undefined) conditions.push(sql`size_bytes <= ${number(query.maxBytes)}`)
  if (query.minWidth !== undefined) conditions.push(sql`width >= ${number(query.minWidth)}`)
  if (query.minHeight !== undefined) conditions.push(sql`height >= ${number(query.minHeight)}`)
  return conditions
}

const inTrash = ({ folderId }: AssetSearch): Condition[] =>
  folderId === undefined
    ? [sql`trashed_with is null`]
    : [sql`trashed_with is not null`, sql`folder_id = ${folderId}`]

function inFolder({ folderId, below }: AssetSearch): Condition[] {
  if (below) return []
  return [folderId === undefined ? sql`folder_id is null` : sql`folder_id = ${folderId}`]
}

/** People look for what they have yet to mend; agents, and whoever picks for another site, for what they can use. */
export const wantsUsable = (caller: Caller) => isAgent(caller) || caller.isPicking === true

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

/** Where it is not asked singly, the planner may join all there are. */
const exists = (is: boolean, its: Condition, singly: boolean): Condition =>
  sql`${is ? sql`` : sql`not `}exists (select from ${its}${singly ? sql` offset 0` : sql``})`

/** Of the trash they have nothing (0135-listed-assets.sql). */
const inList = (list: 'used' | 'twins') =>
  sql`listed_assets l where l.client_id = assets.client_id and l.asset_id = assets.id and l.list = ${sql.lit(list)}`

const use = sql`use_refs r join uses u
  on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
  where r.client_id = assets.client_id and r.asset_id = assets.id and u.status <> 'cancelled'`

const twin = sql`assets twin where twin.client_id = assets.client_id
  and twin.sha256 = assets.sha256 and twin.id <> assets.id and twin.trashed_at is null`

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
export const containing = (word: string) => `%${escapeLike(folded(word))}%`

/** The asset that a pasted `assetRef` names, pinned or not. */
export function idInRef(word: string): string | undefined {
  const id = word.replace(/@\d+$/, '')
  return isId('asset', id) ? id : undefined
}

export const and = (conditions: Condition[]): Condition => sql.join(conditions, sql` and `)
export const or = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`
