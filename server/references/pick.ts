import { type RawBuilder, sql } from 'kysely'
import type { Pick, PickQuery, PickReason } from '../../contract/picks.ts'
import { inOtherWords, weighedWords } from '../../contract/searched-words.ts'
import { toAsset } from '../assets/asset.ts'
import { havingKnown, knownWords } from '../assets/known-words.ts'
import { noteLooks } from '../assets/looks.ts'
import { conditionsOf, containing, usableOn } from '../assets/search.ts'
import type { Library } from '../library.ts'
import { type Candidate, type Ranked, rank } from './ranking.ts'
import { type Resolved, resolveRefs, targetFor } from './resolve.ts'

/** Of more that have all the words, or some of them, the newest: a library may have any number, and each is ranked. */
const mostCandidates = 1000
/** So many are looked through first; all that there are only if too few of those may be used. */
const lookedThrough = 5000
const enoughPerWanted = 3
/** So many of the best are tried on the target, which may take none of them. */
const mostTried = 200
const triedAtOnce = 50

export type Wish = Omit<PickQuery, 'limit'> & { limit: number }

/** The best assets for a purpose that may be used for it now, each with why; the best first. */
export async function pickAssets(library: Library, wish: Wish): Promise<Pick[]> {
  targetFor(wish.surface, wish.target)
  const words = weighedWords(wish.q)
  const now = new Date()
  const newest = await candidates(library, wish, words, lookedThrough)
  const isEnough = newest.length >= wish.limit * enoughPerWanted
  const ranked = (isEnough ? newest : await candidates(library, wish, words))
    .map((row) => ({ id: row.id, ...rank(row, { ratio: wish.ratio, words: words.length }, now) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostTried)

  const picks: Pick[] = []
  for (let at = 0; at < ranked.length && picks.length < wish.limit; at += triedAtOnce)
    picks.push(...(await taken(library, wish, ranked.slice(at, at + triedAtOnce))))
  const best = picks.slice(0, wish.limit)
  await noteLooks(
    library,
    best.map(({ asset }) => asset.assetId),
  )
  return best
}

type RankedAsset = Ranked & { id: string }

/** Those of them that the target takes. */
async function taken(library: Library, { surface, target, ratio }: Wish, ranked: RankedAsset[]) {
  const resolved = await resolveRefs(
    library,
    ranked.map(({ id }) => id),
    { surface, target, ratio },
  )
  return resolved.flatMap((result, place) => (result.ok ? [asPick(result, ranked[place]!)] : []))
}

const asPick = ({ asset, assetRef, sending }: Resolved, { score, why }: Ranked): Pick => ({
  asset: toAsset(asset),
  pinnedRef: assetRef,
  score,
  why: [...why, sending.fits === 'as-is' ? sentAsIs : converted],
})

const sentAsIs: PickReason = { code: 'sent-as-is', detail: 'it is sent as it is', points: 0, of: 0 }
const converted: PickReason = {
  code: 'converted',
  detail: 'it is converted for the target',
  points: 0,
  of: 0,
}

type Row = Candidate & { id: string }

/** What may be used there, as far as the database can tell; with words, what has all of them, and some of them. */
async function candidates(library: Library, wish: Wish, words: string[], among?: number): Promise<Row[]> {
  const usable = [
    ...conditionsOf(library, {
      surface: wish.surface,
      mimeType: wish.kind === 'video' ? 'video/*' : 'image/*',
      everywhere: true,
      q: inOtherWords(wish.q, []),
      ...(wish.unused && { used: false }),
    }),
    ...usableOn(wish.surface),
  ]
  const [every, some] = await fewHaving(library, words)
  const newest = (...having: Sql[]) => sql`(
    select client_id, id, title, tags, search_text, width, height, approval, rights_expire_at, created_at
    from (
      select * from assets where ${and([...conditionsOf(library, { everywhere: true }), ...having])}
      order by created_at desc, id desc limit ${sql.lit(among ?? null)}
    ) assets where ${and(usable)} order by created_at desc, id desc limit ${sql.lit(mostCandidates)})`
  const having = words.map((word) => sql`search_text like ${containing(word)}`)
  const matched =
    words.length > 1
      ? sql`${newest(...having, ...every)} union ${newest(sql`(${sql.join(having, sql` or `)})`, ...some)}`
      : newest(...having, ...every)
  const { rows } = await sql<Row>`
    select id, width, height, approval, rights_expire_at as "rightsExpireAt",
      ${shareOf(words, sql`search_text`)} as "wordShare",
      ${shareOf(words, sql`folded(title || ' ' || array_to_string(tags, ' '))`)} as "namedShare",
      (select max(u.updated_at) from use_refs r join uses u
        on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
        where r.client_id = matched.client_id and r.asset_id = matched.id and u.status <> 'cancelled') as "lastUsedAt"
    from (${matched}) matched order by created_at desc, id desc`.execute(library.db)
  return rows
}

/** The ids of what has all the words, and of what has some of them, where an index knows that they are few among many. */
async function fewHaving(library: Library, words: string[]): Promise<[every: Sql[], some: Sql[]]> {
  if (words.length === 0 || (await isSmall(library))) return [[], []]
  const known = (await Promise.all(words.map((word) => knownWords(library, word)))).map((each) =>
    havingKnown(library, each),
  )
  const isKnown = known.length > 0 && known.every((having) => having.length > 0)
  const some = isKnown ? sql`(${sql.join(known.map(and), sql` or `)})` : undefined
  return Promise.all([few(library, known.flat()), few(library, some ? [some] : [])])
}

/** Whether all that there is can be looked through. */
async function isSmall({ db, clientId }: Library): Promise<boolean> {
  const { rows } = await sql`select from assets where client_id = ${clientId} and trashed_at is null
    offset ${sql.lit(lookedThrough)} limit 1`.execute(db)
  return rows.length === 0
}

async function few({ db, clientId }: Library, having: Sql[]): Promise<Sql[]> {
  if (having.length === 0) return []
  const { rows } = await sql<{ id: string }>`select id from assets
    where client_id = ${clientId} and trashed_at is null and ${and(having)} limit ${sql.lit(lookedThrough + 1)}`.execute(
    db,
  )
  return rows.length > lookedThrough ? [] : [sql`id = any(${rows.map(({ id }) => id)}::text[])`]
}

type Sql = RawBuilder<unknown>
const and = (conditions: Sql[]) => sql.join(conditions, sql` and `)

/** How many of the words it has, from 0 to 1. */
function shareOf(words: string[], column: Sql): Sql {
  if (words.length === 0) return sql`0`
  const has = words.map((word) => sql`(${column} like ${containing(word)})::int`)
  return sql`(${sql.join(has, sql` + `)})::float8 / ${sql.lit(words.length)}`
}
