import { sql } from 'kysely'
import type { ApprovalState } from '../../contract/assets.ts'
import { mostReviewsCounted, type ReviewPage, type ReviewQuery } from '../../contract/review.ts'
import { approvedOnlySurfaces, toApproval } from '../assets/approval.ts'
import { type AssetRow, assetColumns, toAsset, type VersionRow } from '../assets/asset.ts'
import type { Condition } from '../assets/search.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Library } from '../library.ts'

/** What is in review, what was asked or decided last first; with `mine` what waits for the caller's answer. */
export async function listReviews(library: Library, query: ReviewQuery): Promise<ReviewPage> {
  const { limit = 50, cursor } = query
  const kinds = query.mine ? await waitsForAnswer(library) : inReview(library)
  const all = query.approval ? sql`a.approval = ${query.approval}` : sql`true`
  const most = sql.lit(limit + 1)
  const mostCounted = sql.lit(mostReviewsCounted)
  const found = kinds.map(
    ({
      from,
      which,
    }) => sql`(select a.id, ${since} as since from ${from} join asset_versions v on v.client_id = a.client_id
        and v.asset_id = a.id and v.version = a.version and v.approval = a.approval
      where ${which} and ${all} ${cursor ? behind(cursor) : sql``} order by since desc, a.id desc limit ${most})`,
  )
  const counted = kinds.map(
    ({ from, which }) => sql`(select from ${from} where ${which} and ${all} limit ${mostCounted})`,
  )
  const [{ rows }, { rows: counts }] = await Promise.all([
    sql<ReviewRow>`
      select ${columns}, since, v.approval_by, v.approval_guest, v.approval_at, v.approval_note,
        (select u.name from users u where u.id = v.approval_by) as approver,
        (select count(*) from comments c where c.client_id = a.client_id and c.asset_id = a.id
          and c.thread_id is null and c.resolved_at is null) as "openThreads",
        exists (select from (${mentions(library)} and c.asset_id = a.id) its) as mentioned
      from (select * from (${sql.join(found, unionAll)}) its order by since desc, id desc limit ${most}) found
      join assets a on a.client_id = ${library.clientId} and a.id = found.id
      join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
      order by since desc, a.id desc`.execute(library.db),
    sql<{ total: number }>`select count(*) as total
      from (select from (${sql.join(counted, unionAll)}) its limit ${mostCounted}) counted`.execute(
      library.db,
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

// In the order of 0157-reviews.concurrently.sql, of each approval by itself.
const since = sql`coalesce(v.approval_at, v.created_at)`

/** Some assets, and no other kind has any of them. */
interface Kind {
  from: Condition
  which: Condition
}

function inReview(library: Library): Kind[] {
  const commented = sql`select c.asset_id from comments c where c.client_id = ${library.clientId}`
  return [
    ...(['pending', 'approved', 'changes-requested'] as const).map((state) => standing(library, state)),
    lookedUp(library, commented, sql`a.approval = 'none'`),
  ]
}

/** Where only what is approved may be used, everything else waits for somebody's word, asked for or not. */
async function waitsForAnswer(library: Library): Promise<Kind[]> {
  if (!library.caller.permissions.has('reviews:write'))
    return [lookedUp(library, mentions(library), sql`true`)]
  const approvedOnly = await approvedOnlySurfaces(library.db, library)
  const concerned = sql`(a.allowed_surfaces = '{}' or a.allowed_surfaces && ${approvedOnly}::text[])`
  const asked = standing(library, 'pending')
  const unasked = standing(library, 'none', approvedOnly.length > 0 ? concerned : sql`false`)
  const others = sql`not (${asked.which}) and not (${unasked.which})`
  return [asked, unasked, lookedUp(library, mentions(library), others)]
}

function standing({ clientId }: Library, approval: ApprovalState, which = sql`true`): Kind {
  return {
    from: sql`assets a`,
    which: sql`a.client_id = ${clientId} and a.trashed_at is null and a.approval = ${approval} and ${which}`,
  }
}

function lookedUp({ clientId }: Library, ids: Condition, which: Condition): Kind {
  return {
    from: sql`(select distinct asset_id from (${ids}) c) its join assets a on a.client_id = ${clientId} and a.id = its.asset_id`,
    which: sql`a.trashed_at is null and ${which}`,
  }
}

/** Where an open thread speaks to the caller, who has said nothing in it since. */
const mentions = ({ clientId, caller }: Library) => sql`select c.asset_id from comment_mentions m
  join comments c on c.client_id = m.client_id and c.id = m.comment_id
  join comments thread on thread.client_id = c.client_id and thread.id = coalesce(c.thread_id, c.id)
  where m.client_id = ${clientId} and m.user_id = ${caller.id}
    and c.created_by <> ${caller.id} and thread.resolved_at is null
    and not exists (select from comments answer where answer.client_id = c.client_id
      and answer.thread_id = thread.id and answer.created_by = ${caller.id}
      and (answer.created_at, answer.id) > (c.created_at, c.id))`

function behind(cursor: string) {
  const [at, id] = readCursor(cursor, ['time', 'text'])
  return sql`and (${since}, v.asset_id) < (${at}::timestamptz, ${id}::text)`
}
