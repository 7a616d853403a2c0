import type { GuestComment, GuestDecision, GuestReview, NewGuestComment } from '../../contract/shares.ts'
import { versionWithApprover } from '../assets/approval.ts'
import type { AssetRow } from '../assets/asset.ts'
import { doneInHour } from '../changes/audit-trail.ts'
import type { Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { decide } from '../review/approvals.ts'
import { addComment, commentsThrough } from '../review/comments.ts'
import { sharedAsset } from './share.ts'
import type { OpenedShare } from './share-link.ts'

/** So much may be said through one link in an hour. */
const mostInHour = 60

/** How a shared asset stands, and what was said of it through this link: not what others say among themselves. */
export async function guestReview(share: OpenedShare, assetId: string): Promise<GuestReview> {
  return reviewOf(share, await reviewedAsset(share, assetId))
}

/** A guest says yes or no to the very version that the link shows. */
export async function guestDecides(
  share: OpenedShare,
  assetId: string,
  { name, ...decision }: GuestDecision,
): Promise<GuestReview> {
  const asset = await reviewedAsset(share, assetId)
  refuseOtherVersion(asset, decision.version)
  await refuseFlood(share)
  await decide(speakingAs(share, name), asset.id, decision)
  return reviewOf(share, asset)
}

export async function guestComments(
  share: OpenedShare,
  assetId: string,
  { name, ...comment }: NewGuestComment,
): Promise<GuestComment> {
  const asset = await reviewedAsset(share, assetId)
  refuseOtherVersion(asset, comment.version)
  await refuseFlood(share)
  const { threadId } = comment
  if (threadId !== undefined && !(await knownThread(share, asset, threadId))) throw notFound('No comment')
  return toGuestComment(await addComment(speakingAs(share, name), asset.id, comment))
}

async function reviewedAsset(share: OpenedShare, assetId: string): Promise<AssetRow> {
  if (!share.link.allows_review) throw notFound('No review')
  return sharedAsset(share, assetId)
}

/** Known by the link, and called as they say. */
const speakingAs = ({ library }: OpenedShare, name: string): Library => ({
  ...library,
  caller: { ...library.caller, name: name.normalize('NFC').trim() },
})

/** Nobody decides on a file that they have not seen. */
function refuseOtherVersion({ version }: AssetRow, seen: number): void {
  if (version !== seen)
    throw new Problem('changed-meanwhile', 'The file was replaced meanwhile. Look at the new one first.')
}

/** What stays in the audit trail counts, whatever becomes of the words. */
async function refuseFlood({ link, library: { db } }: OpenedShare): Promise<void> {
  if ((await doneInHour(db, link.id, ['comment', 'review'])) < mostInHour) return
  const detail = `More than ${mostInHour} comments and answers were sent through this link in an hour. Go on later.`
  throw new Problem('rate-limited', detail, { headers: { 'retry-after': '600' } })
}

const knownThread = async ({ library }: OpenedShare, { id }: AssetRow, threadId: string) =>
  (await commentsThrough(library, id)).some(({ commentId }) => commentId === threadId)

async function reviewOf({ link, library }: OpenedShare, { id, version }: AssetRow): Promise<GuestReview> {
  const row = await versionWithApprover(library.db, library, id, version)
  const isTheirs = row.approval_by === link.id
  return {
    version,
    state: row.approval,
    by: isTheirs ? row.approval_guest : null,
    note: isTheirs ? row.approval_note : '',
    // A place on an older picture is none on this one.
    comments: (await commentsThrough(library, id)).map((comment) =>
      toGuestComment(comment.version === version ? comment : { ...comment, pin: null }),
    ),
  }
}

const toGuestComment = ({
  commentId,
  version,
  threadId,
  text,
  pin,
  timeMs,
  author: { kind, name },
  createdAt,
  resolvedAt,
}: Awaited<ReturnType<typeof addComment>>): GuestComment => ({
  commentId,
  version,
  threadId,
  text,
  pin,
  timeMs,
  author: { kind: kind === 'guest' ? 'guest' : 'user', name },
  createdAt,
  resolvedAt,
})
