import { sql } from 'kysely'
import type { ApprovalState } from '../../contract/assets.ts'
import { mostReviewsCounted, type ReviewPage, type ReviewQuery } from '../../contract/review.ts'
import { approvedOnlySurfaces, toApproval } from '../assets/approval.ts'
import { type AssetRow, assetColumns, toAsset, type VersionRow } from '../assets/asset.ts'
import type { Condition } from '../assets/search.ts'
import { textOf, unseen } from '../assets/sought.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'

/** What is in review, what was asked or decided last first; with `mine` what waits for the caller's answer. */
export async function listReviews(library: Library, query: ReviewQuery): Promise<ReviewPage> {
  const { limit = 50, cursor } = query
  const kinds = query.mine ? await waitsForAnswer(library, query) : inReview(library, query)
  const most = sql.lit(limit + 1)
  const mostCounted = sql.lit(mostReviewsCounted)
  const found = kinds.map(
    ({ rows, id, since }) => sql`(select ${id} as id, ${since} as since from ${rows}
      ${cursor ? behind(since, id, cursor) : sql``} order by ${since} desc, ${id} desc limit ${most})`,
  )
  const counted = kinds.map(({ rows, told = rows }) => sql`(select from ${told} limit ${mostCounted})`)
  const [rows, counts] = await Promise.all([
    askPrepared(
      library.db,
      sql<ReviewRow>`
      select ${columns}, since, v.approval_by, v.approval_guest, v.approval_at, v.approval_note,
        (select u.name from users u where u.id = v.approval_by) as approver,
        (select count(*) from comments c where c.client_id = a.client_id and c.asset_id = a.id
          and c.thread_id is null and c.resolved_at is null) as "openThreads",
        exists (${mentions(library, ofOne)}) as mentioned
      from (select * from (${sql.join(found, unionAll)}) its order by since desc, id desc limit ${most}) found
      join assets a on a.client_id = ${clientOf(library)} and a.id = found.id
      join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
      order by since desc, a.id desc`,
    ),
    askPrepared(
      library.db,
      sql<{ total: number }>`select count(*) as total
      from (select from (${sql.join(counted, unionAll)}) its limit ${mostCounted}) counted`,
    ),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    reviews: shown.map(({ openThreads, mentioned, ...row }) => ({
      asset: toAsset(row),
      approval: toApproval(row),
      openThreads,
      mentioned,
    })),
    total: counts[0]!.total,
    nextCursor: rows.length > limit && last ? writeCursor([last.since.toISOString(), last.id]) : null,
  }
}

type ReviewRow = AssetRow &
  Pick<VersionRow, 'approval_by' | 'approval_guest' | 'approval_at' | 'approval_note'> & {
    since: Date
    approver: string | null
    openThreads: number
    mentioned: boolean
  }

const columns = sql.raw(assetColumns.map((column) => `a.${column}`).join(', '))
const unionAll = sql` union all `

/** Assets that no other kind has, each read in its order as far as it is asked for. */
interface Kind {
  rows: Condition
  id: Condition
  since: Condition
  /** The same ones, where they are counted at a lower price. */
  told?: Condition
}

const isSought = ({ approval }: ReviewQuery, state: ApprovalState) => !approval || approval === state

function inReview(library: Library, query: ReviewQuery): Kind[] {
  const states = (['pending', 'approved', 'changes-requested'] as const).filter((each) =>
    isSought(query, each),
  )
  const kinds: Kind[] = states.map((state) => ({
    ...standing(library, state),
    told: sql`assets a where a.client_id = ${clientOf(library)} and a.approval = ${sql.lit(state)} and a.trashed_at is null`,
  }))
  // Of what nobody was asked about, what was spoken of.
  const commented = sql`listed_assets l where l.client_id = ${clientOf(library)} and l.list = 'commented' and l.approval = 'none'`
  if (isSought(query, 'none')) kinds.push({ rows: commented, id: sql`l.asset_id`, since: sql`l.created_at` })
  return kinds
}

/**
 * What the caller asked of others waits for them. Where only what is approved may be used, everything else waits for
 * somebody's word, asked for or not.
 */
async function waitsForAnswer(library: Library, query: ReviewQuery): Promise<Kind[]> {
  const { caller, db } = library
  if (!caller.permissions.has('reviews:write')) return [await mentioned(library, query, sql`true`)]
  const approvedOnly = await approvedOnlySurfaces(db, library)
  const unasked = sql`a.approval = 'none' and ${approvedOnly.length > 0}
    and (a.allowed_surfaces = '{}' or a.allowed_surfaces && ${approvedOnly}::text[])`
  const byOthers = sql`v.approval_by is distinct from ${caller.id}`
  const isMentioned = sql`not (a.approval = 'pending' and ${byOthers}) and not (${unasked})`
  const kinds = [await mentioned(library, query, isMentioned)]
  if (isSought(query, 'pending')) kinds.push(standing(library, 'pending', byOthers))
  if (approvedOnly.length > 0 && isSought(query, 'none'))
    kinds.push({
      rows: sql`assets a where a.client_id = ${clientOf(library)} and a.trashed_at is null and ${unasked}`,
      id: sql`a.id`,
      since: sql`a.created_at`,
    })
  return kinds
}

/** Current versions by 0157-reviews.concurrently.sql: one after the other is looked at, which the planner has to be told. */
const standing = (library: Library, approval: ApprovalState, which = sql`true`): Kind => ({
  rows: sql`asset_versions v, lateral (select from assets a where a.client_id = v.client_id and a.id = v.asset_id
      and a.version = v.version and a.trashed_at is null offset 0) a
    where v.client_id = ${clientOf(library)} and v.approval = ${sql.lit(approval)} and v.approval <> 'none' and ${which}`,
  id: sql`v.asset_id`,
  since: sql`coalesce(v.approval_at, v.created_at)`,
})

/** Few of many: they are found once, to be both listed and counted. */
async function mentioned(library: Library, { approval }: ReviewQuery, which: Condition): Promise<Kind> {
  const found = await askPrepared(
    library.db,
    sql<{ id: string; since: Date }>`
    select a.id, case when a.approval = 'none' then a.created_at else coalesce(v.approval_at, v.created_at) end as since
    from (select distinct asset_id from (${mentions(library, ofAll)}) c) c
    join assets a on a.client_id = ${clientOf(library)} and a.id = c.asset_id
    join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
    where a.trashed_at is null and ${which} ${approval ? sql`and a.approval = ${sql.lit(approval)}` : sql``}`,
  )
  const [ids, times] = [found.map(({ id }) => id), found.map(({ since }) => since)]
  return {
    rows: sql`unnest(${ids}::text[], ${times}::timestamptz[]) its (id, since) where true`,
    id: sql`its.id collate "C"`,
    since: sql`its.since`,
  }
}

const clientOf = ({ clientId }: Library) => textOf(clientId, unseen)

/** Of the mentions of a person, those of all their comments: each is looked up by its key, which the planner has to be told. */
const ofAll = sql`comment_mentions m cross join lateral (
  select client_id, id, asset_id, thread_id, created_by, created_at from comments
  where client_id = m.client_id and id = m.comment_id offset 0) c`

const ofOne = sql`comments c join comment_mentions m
  on m.client_id = c.client_id and m.comment_id = c.id and c.client_id = a.client_id and c.asset_id = a.id`

/** Where an open thread speaks to the caller, who has said nothing in it since. */
const mentions = (library: Library, which: Condition) => sql`select c.asset_id from ${which}
  join comments thread on thread.client_id = c.client_id and thread.id = coalesce(c.thread_id, c.id)
  where m.client_id = ${clientOf(library)} and m.user_id = ${library.caller.id}
    and c.created_by <> ${library.caller.id} and thread.resolved_at is null
    and not exists (select from comments answer where answer.client_id = c.client_id
      and answer.thread_id = thread.id and answer.created_by = ${library.caller.id}
      and (answer.created_at, answer.id) > (c.created_at, c.id))`

function behind(since: Condition, id: Condition, cursor: string) {
  const [at, last] = readCursor(cursor, ['time', 'text'])
  return sql`and (${since}, ${id}) < (${at}::timestamptz, ${last}::text)`
}
