import { sql } from 'kysely'
import type { ReviewPage, ReviewQuery } from '../../contract/review.ts'
import { approvedOnlySurfaces, toApproval } from '../assets/approval.ts'
import { type AssetRow, assetColumns, toAsset, type VersionRow } from '../assets/asset.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Library } from '../library.ts'

/** What is in review, what was asked or decided last first; with `mine` what waits for the caller's answer. */
export async function listReviews(library: Library, query: ReviewQuery): Promise<ReviewPage> {
  const { limit = 50, cursor } = query
  const { clientId } = library
  const wanted = query.mine ? await needsAnswer(library) : inReview
  const found = sql`assets a join asset_versions v
      on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
    where a.client_id = ${clientId} and a.trashed_at is null and (${wanted})
      ${query.approval ? sql`and a.approval = ${query.approval}` : sql``}`
  const since = sql`coalesce(v.approval_at, v.created_at)`
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<ReviewRow>`
      select ${columns}, ${since} as since, v.approval_by, v.approval_guest, v.approval_at, v.approval_note,
        (select u.name from users u where u.id = v.approval_by) as approver,
        (select count(*) from comments c where c.client_id = a.client_id and c.asset_id = a.id
          and c.thread_id is null and c.resolved_at is null) as "openThreads",
        ${isMentioned(library)} as mentioned
      from ${found} ${cursor ? behind(since, cursor) : sql``}
      order by since desc, a.id desc limit ${sql.lit(limit + 1)}`.execute(library.db),
    sql<{ total: number }>`select count(*) as total from ${found}`.execute(library.db),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    reviews: page.map(({ openThreads, mentioned, ...row }) => ({
      asset: toAsset(row),
      approval: toApproval(row),
      openThreads,
      mentioned,
    })),
    total: counted[0]!.total,
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

const inReview = sql`a.approval <> 'none' or exists (select from comments c
  where c.client_id = a.client_id and c.asset_id = a.id)`

/** Where only what is approved may be used, everything else waits for somebody's word, asked for or not. */
async function needsAnswer(library: Library) {
  const mentioned = isMentioned(library)
  if (!library.caller.permissions.has('reviews:write')) return mentioned
  const approvedOnly = await approvedOnlySurfaces(library.db, library)
  return sql`a.approval = 'pending' or ${mentioned} or (a.approval = 'none' and ${approvedOnly.length > 0}
    and (a.allowed_surfaces = '{}' or a.allowed_surfaces && ${approvedOnly}::text[]))`
}

/** An open thread speaks to the caller, who has said nothing in it since. */
const isMentioned = ({ caller }: Library) => sql`exists (
  select from comment_mentions m
  join comments c on c.client_id = m.client_id and c.id = m.comment_id
  join comments thread on thread.client_id = c.client_id and thread.id = coalesce(c.thread_id, c.id)
  where m.client_id = a.client_id and m.user_id = ${caller.id} and c.asset_id = a.id
    and c.created_by <> ${caller.id} and thread.resolved_at is null
    and not exists (select from comments answer where answer.client_id = c.client_id
      and answer.thread_id = thread.id and answer.created_by = ${caller.id}
      and (answer.created_at, answer.id) > (c.created_at, c.id)))`

function behind(since: ReturnType<typeof sql>, cursor: string) {
  const [at, id] = readCursor(cursor, ['time', 'text'])
  return sql`and (${since}, a.id) < (${at}::timestamptz, ${id}::text)`
}
