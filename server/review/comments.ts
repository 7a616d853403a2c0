import { type Selectable, sql } from 'kysely'
import { isFilm } from '../../contract/media-types.ts'
import type {
  Comment,
  CommentChange,
  CommentPage,
  CommentQuery,
  NewComment,
  Person,
} from '../../contract/review.ts'
import { guestName, speaker } from '../assets/approval.ts'
import { type AssetRow, assetRow, type VersionRow, versionIfThere } from '../assets/asset.ts'
import { heldRow } from '../assets/assets.ts'
import { tidyText } from '../assets/wording.ts'
import { newestFirst } from '../cursors.ts'
import type { Reader } from '../db/database.ts'
import type { CommentsTable } from '../db/schema.ts'
import { knownId, newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { mentionedPeople } from './people.ts'

/** What was said of an asset, the newest first. */
export async function listComments(
  library: Library,
  assetId: string,
  query: CommentQuery,
): Promise<CommentPage> {
  const { id } = await assetRow(library.db, library, assetId)
  let rows = commentsIn(library.db, library).where('asset_id', '=', id)
  if (query.version !== undefined) rows = rows.where('version', '=', query.version)
  const { page, nextCursor } = await newestFirst(rows, query)
  return { comments: await toComments(library.db, library, page), nextCursor }
}

const mostThroughLink = 200

/** What the caller began to speak of, and the answers to it, the oldest first: all that a guest hears of. */
export async function commentsThrough(library: Library, assetId: string): Promise<Comment[]> {
  const own = sql`(select own.id from comments own where own.client_id = ${library.clientId}
    and own.asset_id = ${assetId} and own.created_by = ${library.caller.id} and own.thread_id is null)`
  const rows = await commentsIn(library.db, library)
    .where(sql<boolean>`(comments.id in ${own} or comments.thread_id in ${own})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostThroughLink)
    .execute()
  return toComments(library.db, library, rows.reverse())
}

export const addComment = (library: Library, assetId: string, input: NewComment): Promise<Comment> =>
  changeOnce(library, async (its) => {
    const asset = await heldRow(its, library, assetId)
    if (asset.trashed_at) throw notFound('No asset outside the trash')
    const thread = input.threadId === undefined ? undefined : await threadOf(its, library, asset, input)
    const version = await versionIfThere(
      its.trx,
      library,
      asset.id,
      thread?.version ?? input.version ?? asset.version,
    )
    if (!version) throw notFound('No such version')
    refuseBadTime(version, input)
    const id = newId('comment')
    const mentions = await mentionedPeople(its.trx, library, input.mentions ?? [])
    await its.trx
      .insertInto('comments')
      .values({
        client_id: library.clientId,
        id,
        asset_id: asset.id,
        version: version.version,
        thread_id: thread?.id ?? null,
        words: tidy(input.text),
        pin_x: input.pin?.x ?? null,
        pin_y: input.pin?.y ?? null,
        time_ms: input.timeMs ?? null,
        created_by: library.caller.id,
        guest_name: guestName(library),
      })
      .execute()
    if (mentions.length > 0)
      await its.trx
        .insertInto('comment_mentions')
        .values(mentions.map((user_id) => ({ client_id: library.clientId, comment_id: id, user_id })))
        .execute()
    return told(its, library, asset, await commentById(its.trx, library, asset, id), 'comment.created')
  })

/** Who answers an answer answers its thread. */
async function threadOf(
  its: Change,
  library: Library,
  asset: AssetRow,
  { threadId, pin, timeMs }: NewComment,
) {
  if (pin || timeMs !== undefined)
    throw badField(pin ? '/pin' : '/timeMs', 'An answer is about what its thread is about, and has no place.')
  const row = await commentById(its.trx, library, asset, threadId!)
  return row.thread_id === null ? row : commentById(its.trx, library, asset, row.thread_id)
}

function refuseBadTime({ mime_type, duration_seconds }: VersionRow, { timeMs }: NewComment): void {
  if (timeMs === undefined) return
  if (!isFilm(mime_type)) throw badField('/timeMs', 'Only a film has moments. Use a pin instead.')
  if (duration_seconds !== null && timeMs > Math.ceil(duration_seconds * 1000))
    throw badField('/timeMs', `The film ends after ${duration_seconds} seconds.`)
}

const badField = (path: string, message: string) =>
  new Problem('invalid-request', message, { extra: { errors: [{ path, message }] } })

/** Its author words it anew; whoever reviews resolves the thread, or opens it again. */
export const changeComment = (
  library: Library,
  assetId: string,
  commentId: string,
  { text, resolved }: CommentChange,
): Promise<Comment> =>
  change(library, async (its) => {
    const asset = await heldRow(its, library, assetId)
    const row = await commentById(its.trx, library, asset, commentId)
    if (text !== undefined && row.created_by !== library.caller.id) throw notYours('change')
    if (resolved !== undefined && row.thread_id !== null)
      throw badField('/resolved', 'An answer is resolved with its thread.')
    const words = text === undefined ? row.words : tidy(text)
    const wasResolved = row.resolved_at !== null
    const isResolved = resolved ?? wasResolved
    if (words !== row.words || isResolved !== wasResolved)
      await its.trx
        .updateTable('comments')
        .set({
          ...(words !== row.words && { words, edited_at: new Date() }),
          ...(isResolved !== wasResolved && {
            resolved_at: isResolved ? new Date() : null,
            resolved_by: isResolved ? library.caller.id : null,
          }),
        })
        .where('client_id', '=', library.clientId)
        .where('id', '=', row.id)
        .execute()
    else return commentOf(its.trx, library, row)
    return told(its, library, asset, await commentById(its.trx, library, asset, row.id), 'comment.updated')
  })

/** Removes a comment with its answers: one's own, or a guest's, for whom nobody else can. */
export const deleteComment = (library: Library, assetId: string, commentId: string): Promise<void> =>
  change(library, async (its) => {
    const asset = await heldRow(its, library, assetId)
    const row = await commentById(its.trx, library, asset, commentId)
    if (row.created_by !== library.caller.id && row.guest_name === null) throw notYours('delete')
    await told(its, library, asset, row, 'comment.deleted')
    await its.trx
      .deleteFrom('comments')
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .execute()
  })

const notYours = (verb: string) =>
  new Problem('forbidden', `Only its author can ${verb} a comment. Answer it, or resolve its thread.`)

const tidy = (text: string) => tidyText(text).trim()

type CommentRow = Selectable<CommentsTable> & { author: string | null; resolver: string | null }

const commentsIn = (db: Reader, { clientId }: Library) =>
  db
    .selectFrom('comments')
    .selectAll()
    .select([
      sql<string | null>`(select u.name from users u where u.id = comments.created_by)`.as('author'),
      sql<string | null>`(select u.name from users u where u.id = comments.resolved_by)`.as('resolver'),
    ])
    .where('client_id', '=', clientId)

async function commentById(
  db: Reader,
  library: Library,
  { id: assetId }: AssetRow,
  commentId: string,
): Promise<CommentRow> {
  const row = await commentsIn(db, library)
    .where('asset_id', '=', assetId)
    .where('id', '=', knownId('comment', commentId))
    .executeTakeFirst()
  if (!row) throw notFound('No comment')
  return row
}

async function told(
  its: Change,
  library: Library,
  { id, title }: AssetRow,
  row: CommentRow,
  type: 'comment.created' | 'comment.updated' | 'comment.deleted',
): Promise<Comment> {
  const comment = await commentOf(its.trx, library, row)
  its.tell(type, id, {
    commentId: row.id,
    title,
    version: row.version,
    threadId: row.thread_id,
    resolved: row.resolved_at !== null,
    mentions: comment.mentions.map(({ userId }) => userId),
  })
  return comment
}

async function commentOf(db: Reader, library: Library, row: CommentRow): Promise<Comment> {
  const [comment] = await toComments(db, library, [row])
  return comment!
}

async function toComments(db: Reader, library: Library, rows: CommentRow[]): Promise<Comment[]> {
  if (rows.length === 0) return []
  const { rows: mentioned } = await sql<Person & { commentId: string }>`
    select m.comment_id as "commentId", u.id as "userId", u.name from comment_mentions m join users u on u.id = m.user_id
    where m.client_id = ${library.clientId} and m.comment_id = any(${rows.map(({ id }) => id)}::text[])
    order by lower(u.name), u.id`.execute(db)
  return rows.map((row) => ({
    commentId: row.id,
    assetId: row.asset_id,
    version: row.version,
    threadId: row.thread_id,
    text: row.words,
    pin: row.pin_x === null ? null : { x: row.pin_x, y: row.pin_y! },
    timeMs: row.time_ms,
    mentions: mentioned
      .filter(({ commentId }) => commentId === row.id)
      .map(({ userId, name }) => ({ userId, name })),
    author: speaker(row.created_by, row.author, row.guest_name),
    isOwn: row.created_by === library.caller.id,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolvedBy: row.resolved_by === null ? null : speaker(row.resolved_by, row.resolver, null),
  }))
}
