import { Button, Textarea } from '@mantine/core'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { Comment } from '../../contract/review.ts'
import { duration } from '../assets/formats.ts'
import { useLibrary } from '../library/library.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { CommentForm } from './comment-form.tsx'
import { isHalfSaid, keepDraftsOfGone, noDraft, useDraft } from './drafts.ts'
import { largeFilm, setPinning, usePinning } from './pinning.ts'
import { useChangeComment, useComments, useDeleteComment } from './reviews.ts'
import { useSpeaker } from './speaker.ts'
import { type Thread, threadsOf } from './threads.ts'

/** What somebody is asked about before it is deleted, and where the keyboard was. */
interface Leaving {
  comment: Comment
  button: HTMLElement
  thread: Element
}

/** What was said of the asset: open threads, and on demand those that are settled. */
export function CommentList({
  asset,
  isLarge,
  onLeft,
}: {
  asset: Asset
  isLarge: boolean
  /** What somebody was saying to a comment that is there no more is left as a comment of its own. */
  onLeft(): void
}) {
  const t = useTranslations('review')
  const area = useRef<HTMLDivElement>(null)
  const [settledShown, showSettled] = useState(false)
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const remove = useDeleteComment(asset.assetId)
  const { data } = useComments(asset.assetId)
  const threads = threadsOf(data ?? [])
  const settled = threads.filter(({ thread }) => thread.resolvedAt)
  const shown = settledShown ? threads : threads.filter(isOpen)
  const latest = useRef(onLeft)
  latest.current = onLeft
  useLayoutEffect(() => {
    if (!data || !keepDraftsOfGone(asset.assetId, new Set(data.map(({ commentId }) => commentId)))) return
    latest.current()
    toast({ about: asset.assetId, text: t('commentGone') })
  }, [data, asset.assetId, t])

  const answersTo = ({ commentId }: Comment) =>
    threads.find(({ thread }) => thread.commentId === commentId)?.answers.length ?? 0

  /** What somebody is saying to it is not folded away with it. */
  function isOpen({ thread }: Thread) {
    return !thread.resolvedAt || isHalfSaid(asset.assetId, thread.commentId)
  }

  return (
    <div ref={area} className="comments-area">
      {shown.length > 0 && (
        <ol className="comments" aria-label={t('comments')}>
          {shown.map((thread) => (
            <ThreadOf
              key={thread.thread.commentId}
              asset={asset}
              {...thread}
              isLarge={isLarge}
              onDelete={setLeaving}
            />
          ))}
        </ol>
      )}
      {settled.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="comments-settled"
          aria-expanded={settledShown}
          onClick={() => showSettled(!settledShown)}
        >
          {t(settledShown ? 'hideResolved' : 'showResolved', { count: settled.length })}
        </Button>
      )}
      {leaving && (
        <ConfirmRemoval
          title={t('deleteTitle')}
          text={t('deleteText', { answers: answersTo(leaving.comment) })}
          button={t('delete')}
          remove={remove}
          what={leaving.comment}
          removed={t('deleted')}
          onClose={() => {
            setLeaving(null)
            const { button, thread } = leaving
            focusIfLost(() =>
              button.isConnected ? button : goesOn(thread.isConnected ? thread : area.current!),
            )
          }}
        />
      )}
    </div>
  )
}

/** A form closes, and its comment stays; a thread that is resolved or deleted goes, and what was resolved can be shown. */
export const goesOn = (from: Element) =>
  from.closest<HTMLElement>('.decision') ??
  from.closest('.comment, .thread')?.querySelector<HTMLElement>(':scope > .thread-acts button') ??
  halfSaidIn(from.closest('.asset-review')) ??
  from.closest('.comments-area')?.querySelector<HTMLElement>('.comments-settled') ??
  from.closest('.asset-review')?.querySelector<HTMLElement>('[data-goes-on]')

const halfSaidIn = (review: Element | null) =>
  [...(review?.querySelectorAll<HTMLTextAreaElement>('.comment-form textarea') ?? [])].find(
    ({ value }) => value,
  )

function ThreadOf({
  asset,
  thread,
  answers,
  number,
  isLarge,
  onDelete,
}: Thread & { asset: Asset; isLarge: boolean; onDelete(leaving: Leaving): void }) {
  const t = useTranslations('review')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const change = useChangeComment(asset.assetId)
  const [answer] = useDraft(asset.assetId, thread.commentId)
  const [answering, setAnswering] = useState(answer.text !== '')
  const mayReview = can('reviews:write') && !asset.trashedAt
  const isResolved = thread.resolvedAt !== null
  const { commentId } = thread

  return (
    <li className="thread" data-resolved={isResolved}>
      <CommentOf
        asset={asset}
        comment={thread}
        place={<PlaceOf asset={asset} {...{ thread, number, isLarge }} />}
        onDelete={onDelete}
      />
      {answers.length > 0 && (
        <ol className="answers">
          {answers.map((answer) => (
            <li key={answer.commentId}>
              <CommentOf asset={asset} comment={answer} onDelete={onDelete} />
            </li>
          ))}
        </ol>
      )}
      {change.error && (
        <p className="comment-problem" role="alert">
          {problemText(change.error)}
        </p>
      )}
      {mayReview && !answering && (
        <div className="thread-acts">
          <Button variant="subtle" size="compact-xs" onClick={() => setAnswering(true)}>
            {t('answer')}
          </Button>
          <Button
            variant="subtle"
            size="compact-xs"
            loading={change.isPending}
            onClick={() => change.mutate({ commentId, resolved: !isResolved })}
          >
            {t(isResolved ? 'reopen' : 'resolve')}
          </Button>
        </div>
      )}
      {answering && (
        <CommentForm
          asset={asset}
          threadId={commentId}
          isLarge={isLarge}
          onDone={() => setAnswering(false)}
        />
      )}
    </li>
  )
}

/** Where it points; where the picture shows large, it leads there. */
function PlaceOf({
  asset,
  thread,
  number,
  isLarge,
}: Omit<Thread, 'answers'> & { asset: Asset; isLarge: boolean }) {
  const t = useTranslations('review')
  const { threadId } = usePinning(asset.assetId)
  const isOld = thread.version !== asset.version
  const label = [
    String(number),
    thread.timeMs !== null && duration(thread.timeMs / 1000),
    isOld && t('ofVersion', { version: thread.version }),
  ]
    .filter(Boolean)
    .join(' · ')
  const leads = isLarge && !isOld && (thread.pin || thread.timeMs !== null)
  if (!leads) return <span className="comment-place">{label}</span>
  return (
    <button
      type="button"
      className="comment-place"
      aria-label={t('showPlace', { number })}
      aria-pressed={threadId === thread.commentId}
      onClick={() => {
        setPinning(asset.assetId, { threadId: thread.commentId })
        const film = largeFilm()
        if (!film || thread.timeMs === null) return
        film.pause()
        film.currentTime = thread.timeMs / 1000
      }}
    >
      {label}
    </button>
  )
}

function CommentOf({
  asset,
  comment,
  place,
  onDelete,
}: {
  asset: Asset
  comment: Comment
  place?: ReactNode
  onDelete(leaving: Leaving): void
}) {
  const t = useTranslations('review')
  const app = useTranslations('app')
  const format = useFormatter()
  const problemText = useProblemText()
  const speaker = useSpeaker()
  const { can } = useLibrary()
  const change = useChangeComment(asset.assetId)
  const [draft, setDraft] = useDraft(asset.assetId, `${comment.commentId} edit`)
  const [opened, setEditing] = useState(false)
  const isEditing = opened || draft !== noDraft
  const text = draft === noDraft ? comment.text : draft.text
  const mayReview = can('reviews:write') && !asset.trashedAt
  const mayDelete = mayReview && (comment.isOwn || comment.author.kind === 'guest')
  const { commentId } = comment

  function done() {
    setDraft(noDraft)
    setEditing(false)
  }

  function save() {
    if (!text.trim() || change.isPending) return
    // Whoever has left it by then has saved it all the same.
    change.mutateAsync({ commentId, text }).then(done, () => {})
  }

  return (
    <div className="comment">
      <p className="comment-head">
        {place}
        <strong>{speaker(comment.author)}</strong>
        <time dateTime={comment.createdAt}>
          {format.dateTime(new Date(comment.createdAt), { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
        {comment.editedAt && <span>{t('edited')}</span>}
      </p>
      {!isEditing ? (
        <p className="comment-text">{withMentions(comment)}</p>
      ) : (
        <form
          className="comment-form"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <Textarea
            aria-label={t('commentLabel')}
            autosize
            maxRows={8}
            maxLength={5000}
            value={text}
            readOnly={change.isPending}
            autoFocus={draft === noDraft}
            onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
            onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Tab') event.stopPropagation()
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
            }}
          />
          <div className="comment-form-acts">
            <Button type="submit" size="compact-sm" loading={change.isPending} disabled={!text.trim()}>
              {app('save')}
            </Button>
            <Button variant="default" size="compact-sm" onClick={done}>
              {app('cancel')}
            </Button>
          </div>
        </form>
      )}
      {change.error && (
        <p className="comment-problem" role="alert">
          {problemText(change.error)}
        </p>
      )}
      {!isEditing && (mayDelete || (mayReview && comment.isOwn)) && (
        <div className="thread-acts">
          {comment.isOwn && (
            <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
              {t('edit')}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={({ currentTarget: button }) =>
              onDelete({ comment, button, thread: button.closest('.thread')! })
            }
          >
            {t('delete')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The text, with whom it speaks to told apart. */
function withMentions({ text, mentions }: Comment): ReactNode {
  if (mentions.length === 0) return text
  const names = mentions.map(({ name }) => name).sort((a, b) => b.length - a.length)
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.split(new RegExp(`(@(?:${escaped.join('|')}))`, 'u')).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
    index % 2 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  )
}
