import { type FormEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import type { GuestReview, SharedAsset } from '../../contract/shares.ts'
import { Problem } from '../api.ts'
import { shortTime, words } from '../words/guests.ts'
import { commentOn, decideOn, readReview } from './share-api.ts'
import './review.css'

export interface Pin {
  x: number
  y: number
}

const nameKey = 'guest-name'

/** What a guest says of what is shown: yes, no, or a comment, under the name they give. */
export function ReviewPanel({
  asset,
  pin,
  film,
  isPointing,
  onPointing,
  onPin,
}: {
  asset: SharedAsset
  pin: Pin | null
  film: RefObject<HTMLVideoElement | null>
  isPointing: boolean
  onPointing(is: boolean): void
  onPin(pin: Pin | null): void
}) {
  const [review, setReview] = useState<GuestReview | null>(null)
  const [name, setName] = useState(() => sessionStorage.getItem(nameKey) ?? '')
  const [text, setText] = useState('')
  const [atMoment, setAtMoment] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(
    () => readReview(asset).then(setReview, () => setProblem(words.failedText)),
    [asset],
  )
  useEffect(() => void read(), [read])

  async function say(what: () => Promise<unknown>) {
    setBusy(true)
    setProblem(null)
    try {
      sessionStorage.setItem(nameKey, name.trim())
      await what()
      await read()
      return true
    } catch (error) {
      setProblem(
        error instanceof Problem && error.code === 'changed-meanwhile' ? words.replaced : words.notSent,
      )
      return false
    } finally {
      setBusy(false)
    }
  }

  const decides = (decision: 'approved' | 'changes-requested') =>
    say(() => decideOn(asset, { name: name.trim(), decision, note: text.trim() })).then(
      (done) => done && setText(''),
    )

  async function send(event: FormEvent) {
    event.preventDefault()
    const moment = atMoment && film.current ? { timeMs: Math.floor(film.current.currentTime * 1000) } : {}
    const done = await say(() =>
      commentOn(asset, { name: name.trim(), text: text.trim(), ...(pin && { pin }), ...moment }),
    )
    if (!done) return
    setText('')
    setAtMoment(false)
    onPin(null)
  }

  const isNamed = name.trim() !== ''
  return (
    <section className="guest-review" aria-label={words.review}>
      <p className="guest-review-state" role="status">
        {review && words.states[review.state]}
        {review?.by && <small>{review.by}</small>}
      </p>
      <ol className="guest-comments" aria-label={words.comments}>
        {review?.comments.map((comment) => (
          <li key={comment.commentId} data-answer={comment.threadId !== null}>
            <strong>{comment.author.name ?? words.somebody}</strong>{' '}
            <small>{shortTime(comment.createdAt)}</small>
            <p>{comment.text}</p>
          </li>
        ))}
      </ol>
      <form onSubmit={send}>
        <label className="guest-field">
          {words.yourName}
          <input
            value={name}
            maxLength={120}
            required
            autoComplete="name"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="guest-field">
          {words.yourComment}
          <textarea
            value={text}
            maxLength={2000}
            rows={2}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {problem && (
          <p className="guest-wrong" role="alert">
            {problem}
          </p>
        )}
        <div className="guest-review-acts">
          <button type="button" disabled={!isNamed || busy} onClick={() => void decides('approved')}>
            {words.approve}
          </button>
          <button type="button" disabled={!isNamed || busy} onClick={() => void decides('changes-requested')}>
            {words.requestChanges}
          </button>
          {asset.hasFilm ? (
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
              aria-pressed={isPointing}
              onClick={() => (pin ? onPin(null) : onPointing(!isPointing))}
            >
              {pin ? words.removePin : words.setPin}
            </button>
          )}
          <button type="submit" className="guest-review-send" disabled={!isNamed || !text.trim() || busy}>
            {words.send}
          </button>
        </div>
      </form>
    </section>
  )
}
