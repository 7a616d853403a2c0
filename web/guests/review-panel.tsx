import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { GuestComment, GuestReview, SharedAsset } from '../../contract/shares.ts'
import { isProblem } from '../api.ts'
import { isHalfSaid, noDraft, useDraft } from '../review/drafts.ts'
import { setPinning, usePinning } from '../review/pinning.ts'
import { areChangesSaid } from '../review/wanted-changes.ts'
import { focusIfLost } from '../ui/focus.ts'
import { unavailable } from '../ui/unavailable.ts'
import { shortTime, words } from '../words/guests.ts'
import { NameField, useNameFirst } from './name-field.tsx'
import { numbersOf } from './pins.ts'
import { commentOn, decideOn, readReview } from './share-api.ts'
import './review.css'

const nameKey = 'guest-name'
const rereadMs = 20_000

/** What a guest says of what is shown: yes, no, or a comment, under the name they give. */
export function ReviewPanel({
  asset,
  film,
  onRead,
  onStands,
}: {
  asset: SharedAsset
  film: RefObject<HTMLVideoElement | null>
  onRead(comments: GuestComment[]): void
  onStands(approval: GuestReview['state']): void
}) {
  const [review, setReview] = useState<GuestReview | null>(null)
  const [name, setName] = useState(() => sessionStorage.getItem(nameKey) ?? '')
  const { hasName, ...named } = useNameFirst(name)
  const [atMoment, setAtMoment] = useState(false)
  const [answered, setAnswered] = useState<GuestComment | null>(null)
  const [draft, setDraft] = useDraft(asset.assetId, answered?.commentId)
  const { text } = draft
  const { pin, isPlacing } = usePinning(asset.assetId)
  const field = useRef<HTMLTextAreaElement>(null)
  const [isUnsaid, setUnsaid] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(async () => {
    const review = await readReview(asset)
    setReview(review)
    onRead(review.comments)
    return review
  }, [asset, onRead])
  useEffect(() => {
    read().then(
      ({ comments }) => {
        const halfAnswered = comments.find(({ commentId }) => isHalfSaid(asset.assetId, commentId))
        if (halfAnswered) setAnswered(halfAnswered)
      },
      () => setProblem(words.failedText),
    )
    // What others answer meanwhile comes by itself; should one try fail, the next brings it.
    const again = setInterval(() => document.hidden || read().catch(() => {}), rereadMs)
    return () => clearInterval(again)
  }, [asset, read])
  useEffect(() => {
    if (!isPlacing) return
    return () => focusIfLost(() => field.current)
  }, [isPlacing])

  async function say(what: () => Promise<unknown>) {
    if (busy) return false
    setBusy(true)
    setProblem(null)
    setUnsaid(false)
    try {
      await what()
      await read().catch(() => setProblem(words.failedText))
      return true
    } catch (error) {
      setProblem(isProblem(error, 'changed-meanwhile') ? await whatChanged() : words.notSent)
      return false
    } finally {
      setBusy(false)
    }
  }

  async function whatChanged() {
    const now = await read().catch(() => null)
    if (now?.version !== asset.version) return words.replaced
    onStands(now.state)
    return words.decidedMeanwhile
  }

  function requestChanges() {
    if (!hasName()) return
    if (areChangesSaid(text, asset.version, review?.comments)) return void decides('changes-requested')
    setUnsaid(true)
    field.current?.focus()
  }

  async function decides(decision: 'approved' | 'changes-requested') {
    // A decision is about all of it: what points to a place or a moment goes before it, as a comment.
    const points = text.trim() !== '' && (pin || atMoment)
    if (points && !(await sends())) return
    const note = points ? '' : text.trim()
    const done = await say(() => decideOn(asset, { name: name.trim(), decision, seen: review?.state, note }))
    if (!done) return
    setDraft(noDraft)
    onStands(decision)
  }

  /** Whether the comment was sent. */
  async function sends(): Promise<boolean> {
    const moment = atMoment && film.current ? { timeMs: Math.floor(film.current.currentTime * 1000) } : {}
    const place = answered ? { threadId: answered.commentId } : { ...(pin && { pin }), ...moment }
    const done = await say(() => commentOn(asset, { name: name.trim(), text: text.trim(), ...place }))
    if (!done) return false
    setDraft(noDraft)
    if (answered) setAnswered(null)
    else {
      setAtMoment(false)
      setPinning(asset.assetId, { pin: null, isPlacing: false })
    }
    return true
  }

  function send(event: FormEvent) {
    event.preventDefault()
    if (text.trim() && hasName()) void sends()
  }

  function answer(thread: GuestComment) {
    setAnswered(thread)
    setUnsaid(false)
    setPinning(asset.assetId, { isPlacing: false })
    field.current?.focus()
  }

  const numbers = numbersOf(review?.comments ?? [])
  return (
    <section className="guest-review" aria-label={words.review}>
      <p className="guest-review-state" role="status">
        {review && words.states[review.state]} {review?.by && <small>{review.by}</small>}
      </p>
      {review?.note && <p className="guest-review-note">{review.note}</p>}
      <ol className="guest-comments" aria-label={words.comments}>
        {inThreads(review?.comments ?? []).map(({ comment, asked }) => (
          <li key={comment.commentId} data-answer={comment.threadId !== null}>
            {numbers.has(comment) && <span className="viewer-pin">{numbers.get(comment)}</span>}
            <strong>{nameOf(comment)}</strong> <small>{shortTime(comment.createdAt)}</small>
            {comment.resolvedAt && <small className="guest-resolved">{words.resolved}</small>}
            <p>{comment.text}</p>
            {asked && (
              <button
                type="button"
                className="guest-answer"
                aria-label={words.answerTo(nameOf(asked))}
                aria-pressed={answered?.commentId === asked.commentId}
                onClick={() => answer(asked)}
              >
                {words.answer}
              </button>
            )}
          </li>
        ))}
      </ol>
      <form noValidate onSubmit={send}>
        <NameField
          {...named}
          name={name}
          maxLength={120}
          onChange={(name) => {
            setName(name)
            sessionStorage.setItem(nameKey, name)
          }}
        />
        <label className="guest-field">
          {answered ? words.answerTo(nameOf(answered)) : words.yourComment}
          <textarea
            ref={field}
            value={text}
            readOnly={busy}
            maxLength={2000}
            rows={2}
            aria-invalid={isUnsaid}
            aria-describedby={isUnsaid ? 'unsaid' : undefined}
            onChange={(event) => {
              setDraft({ ...noDraft, text: event.target.value })
              setUnsaid(false)
            }}
          />
        </label>
        {isUnsaid && (
          <p id="unsaid" className="guest-wrong" role="alert">
            {words.changesUnsaid}
          </p>
        )}
        {problem && (
          <p className="guest-wrong" role="alert">
            {problem}
          </p>
        )}
        <div className="guest-review-acts">
          {answered ? (
            <button type="button" onClick={() => setAnswered(null)}>
              {words.cancelAnswer}
            </button>
          ) : (
            <>
              <button
                type="button"
                {...unavailable(busy)}
                onClick={() => hasName() && void decides('approved')}
              >
                {words.approve}
              </button>
              <button type="button" {...unavailable(busy)} onClick={requestChanges}>
                {words.requestChanges}
              </button>
            </>
          )}
          {answered ? null : asset.hasFilm ? (
            <label>
              <input
                type="checkbox"
                checked={atMoment}
                onChange={(event) => {
                  film.current?.pause()
                  setAtMoment(event.target.checked)
                }}
              />
              {words.atMoment}
            </label>
          ) : (
            <button
              type="button"
              aria-pressed={isPlacing}
              onClick={() => setPinning(asset.assetId, pin ? { pin: null } : { isPlacing: !isPlacing })}
            >
              {pin ? words.removePin : words.setPin}
            </button>
          )}
          <button type="submit" className="guest-review-send" {...unavailable(!text.trim() || busy)}>
            {answered ? words.sendAnswer : words.send}
          </button>
        </div>
      </form>
    </section>
  )
}

interface Said {
  comment: GuestComment
  /** The comment that an answer here is one to: it stands below the last that was said. */
  asked: GuestComment | undefined
}

/** Each with its answers behind it. */
const inThreads = (comments: GuestComment[]): Said[] =>
  comments
    .filter(({ threadId }) => threadId === null)
    .flatMap((thread) => {
      const said = [thread, ...comments.filter(({ threadId }) => threadId === thread.commentId)]
      return said.map((comment) => ({ comment, asked: comment === said.at(-1) ? thread : undefined }))
    })

const nameOf = ({ author }: GuestComment) => author.name ?? words.somebody
