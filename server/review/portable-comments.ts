import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { AssetRef } from '../../contract/references.ts'
import { CommentText, Pin, TimeMs } from '../../contract/review.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { type MovedPerson, movedPeople, PortablePerson, peopleToMove } from '../access/portable.ts'
import { parseRef, pinnedRef } from '../assets/ref.ts'
import type { Trx } from '../db/database.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'

const CommentId = Type.String({ minLength: 1, maxLength: 100 })

const PortableComment = Strict({
  commentId: CommentId,
  assetRef: AssetRef,
  threadId: Nullable(CommentId),
  text: CommentText,
  pin: Nullable(Pin),
  timeMs: Nullable(TimeMs),
  by: PortablePerson,
  mentions: Type.Array(PortablePerson, { maxItems: 1000 }),
  createdAt: Timestamp,
  editedAt: Nullable(Timestamp),
  resolved: Nullable(Strict({ by: PortablePerson, at: Timestamp })),
})
type PortableComment = Static<typeof PortableComment>

/** What was said of each version: threads first, then the answers to them. */
export const commentsSection = section({
  name: 'comment',
  line: PortableComment,
  write: writeComments,
  async read(library, comments, ids) {
    await ids.settle(
      'comment',
      comments.map(({ commentId }) => commentId),
      (some) =>
        library.db
          .selectFrom('comments')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(comments, (some) => takeIn(library, some, ids))
  },
})

async function writeComments({ db, clientId }: Library): Promise<PortableComment[]> {
  const rows = await db
    .selectFrom('comments')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy(sql`thread_id is not null`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const mentions = Map.groupBy(
    await db
      .selectFrom('comment_mentions')
      .select(['comment_id', 'user_id'])
      .where('client_id', '=', clientId)
      .orderBy('user_id')
      .execute(),
    ({ comment_id }) => comment_id,
  )
  const person = await peopleToMove(db, [
    ...rows.flatMap(({ created_by, resolved_by }) => [created_by, resolved_by]),
    ...[...mentions.values()].flat().map(({ user_id }) => user_id),
  ])
  return rows.map((row) => ({
    commentId: row.id,
    assetRef: pinnedRef(row.asset_id, row.version),
    threadId: row.thread_id,
    text: row.words,
    pin: row.pin_x === null ? null : { x: row.pin_x, y: row.pin_y! },
    timeMs: row.time_ms,
    by: person(row.created_by, row.guest_name),
    mentions: (mentions.get(row.id) ?? []).map(({ user_id }) => person(user_id)),
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    resolved: row.resolved_at && { by: person(row.resolved_by!), at: row.resolved_at.toISOString() },
  }))
}

/** It tells nobody: nothing was said now. What was said of a version that did not come along stays behind with it. */
const takeIn = (library: Library, comments: PortableComment[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const here = await movedPeople(
      its.trx,
      comments.flatMap(({ by, mentions, resolved }) => [by, ...mentions, resolved?.by ?? null]),
      ids,
    )
    const rows = await ofWhatIsThere(its.trx, library, comments, ids)
    const made =
      rows.length === 0
        ? []
        : await its.trx
            .insertInto('comments')
            .values(rows.map((comment) => columnsOf(library, comment, ids, here)))
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .execute()
    const fresh = new Set(made.map(({ id }) => id))
    const mentions = rows
      .filter(({ commentId }) => fresh.has(ids.of(commentId)))
      .flatMap((comment) => comment.mentions.map(here).map((person) => ({ comment, person })))
      .filter(({ person }) => person.hasAccount)
    if (mentions.length > 0)
      await its.trx
        .insertInto('comment_mentions')
        .values(
          mentions.map(({ comment, person }) => ({
            client_id: library.clientId,
            comment_id: ids.of(comment.commentId),
            user_id: person.id,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    if (made.length > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { comments: made.length } })
    return {
      made: made.length,
      there: rows.length - made.length,
      refused: comments
        .filter((comment) => !rows.includes(comment))
        .map(({ commentId, assetRef }) => ({
          file: commentId,
          code: 'not-found',
          detail: `What it was said of, ${assetRef}, is not here.`,
        })),
    }
  })

async function ofWhatIsThere(
  trx: Trx,
  { clientId }: Library,
  comments: PortableComment[],
  ids: MovedIds,
): Promise<PortableComment[]> {
  const { rows } = await sql<{ ref: string }>`
    select v.asset_id || '@' || v.version as ref from asset_versions v where v.client_id = ${clientId}
      and v.asset_id || '@' || v.version = any(${comments.map(({ assetRef }) => ids.refOf(assetRef))}::text[])
    union all select c.id from comments c where c.client_id = ${clientId}
      and c.id = any(${comments.flatMap(({ threadId }) => (threadId ? ids.of(threadId) : []))}::text[])`.execute(
    trx,
  )
  const there = new Set(rows.map(({ ref }) => ref))
  const wanted = comments.filter(({ assetRef }) => there.has(ids.refOf(assetRef)))
  for (const { commentId, threadId } of wanted) if (threadId === null) there.add(ids.of(commentId))
  return wanted.filter(({ threadId }) => threadId === null || there.has(ids.of(threadId)))
}

function columnsOf(
  { clientId }: Library,
  comment: PortableComment,
  ids: MovedIds,
  here: (person: PortablePerson) => MovedPerson,
) {
  const { assetId, version } = parseRef(ids.refOf(comment.assetRef))!
  const author = here(comment.by)
  const isAnswer = comment.threadId !== null
  return {
    client_id: clientId,
    id: ids.of(comment.commentId),
    asset_id: assetId,
    version: version!,
    thread_id: comment.threadId === null ? null : ids.of(comment.threadId),
    words: comment.text,
    pin_x: isAnswer ? null : (comment.pin?.x ?? null),
    pin_y: isAnswer ? null : (comment.pin?.y ?? null),
    time_ms: isAnswer ? null : comment.timeMs,
    created_by: author.id,
    guest_name: author.guestName,
    created_at: comment.createdAt,
    edited_at: comment.editedAt,
    resolved_at: isAnswer ? null : (comment.resolved?.at ?? null),
    resolved_by: isAnswer || !comment.resolved ? null : here(comment.resolved.by).id,
  }
}
