import { Button, Checkbox } from '@mantine/core'
import { MapPin, MapPinOff } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { duration } from '../assets/formats.ts'
import { isVideo } from '../assets/picture.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { useProblemText } from '../words/problem-text.ts'
import { noDraft, useDraft } from './drafts.ts'
import { MentionField } from './mention-field.tsx'
import { largeFilm, setPinning, usePinning } from './pinning.ts'
import { useAddComment } from './reviews.ts'

interface CommentFormProps {
  asset: Asset
  /** Of an answer: what it answers. */
  threadId?: string
  /** The picture shows large beside it: there is something to point to. */
  isLarge: boolean
  onDone?(): void
  /** Sends what is written, for who goes on with something else; nothing while nothing is. */
  sender?: RefObject<(() => Promise<unknown>) | undefined>
}

/** Something to say of the asset, at a place of it if wanted; or an answer. */
export function CommentForm({ asset, threadId, isLarge, onDone, sender }: CommentFormProps) {
  const t = useTranslations('review')
  const app = useTranslations('app')
  const problemText = useProblemText()
  const add = useAddComment(asset.assetId)
  const [draft, setDraft] = useDraft(asset.assetId, threadId)
  const { text, mentioned } = draft
  const [seconds, setSeconds] = useState<number | null>(null)
  const { pin, isPlacing } = usePinning(asset.assetId)
  const points = isLarge && threadId === undefined
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!isPlacing || !points) return
    return () => focusIfLost(() => form.current?.querySelector('textarea'))
  }, [isPlacing, points])

  function sendIt(): Promise<unknown> {
    if (!text.trim() || add.isPending) return Promise.resolve()
    const mentions = mentioned.filter(({ name }) => text.includes(`@${name}`)).map(({ userId }) => userId)
    const sent = add.mutateAsync({
      text,
      version: asset.version,
      mentions: [...new Set(mentions)],
      ...(threadId !== undefined && { threadId }),
      ...(points && pin && { pin }),
      ...(points && seconds !== null && { timeMs: Math.floor(seconds * 1000) }),
    })
    // Whoever has left it by then has sent it all the same.
    sent.then(
      () => {
        setDraft(noDraft)
        setSeconds(null)
        if (points) setPinning(asset.assetId, { pin: null, isPlacing: false })
        onDone?.()
        focusIfLost(() => form.current?.querySelector('textarea'))
      },
      () => {},
    )
    return sent
  }
  const send = () => void sendIt().catch(() => {}) // said below
  useEffect(() => {
    if (!sender) return
    sender.current = text.trim() ? sendIt : undefined
    return () => {
      sender.current = undefined
    }
  })

  return (
    <form
      ref={form}
      className="comment-form"
      aria-label={t(threadId === undefined ? 'comment' : 'answer')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <MentionField
        label={t(threadId === undefined ? 'commentLabel' : 'answerLabel')}
        placeholder={t('commentHint')}
        value={text}
        onChange={(now) => setDraft({ ...draft, text: now })}
        onMention={(person, now) => setDraft({ text: now, mentioned: [...mentioned, person] })}
        onSend={send}
        readOnly={add.isPending}
        autoFocus={onDone !== undefined && !text}
      />
      {add.error && (
        <p className="comment-problem" role="alert">
          {problemText(add.error)}
        </p>
      )}
      <div className="comment-form-acts">
        {points && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={pin ? <MapPinOff size={14} /> : <MapPin size={14} />}
            aria-pressed={isPlacing}
            onClick={() => setPinning(asset.assetId, pin ? { pin: null } : { isPlacing: !isPlacing })}
          >
            {t(pin ? 'removePin' : 'setPin')}
          </Button>
        )}
        {points && isVideo(asset) && <AtMoment seconds={seconds} onSeconds={setSeconds} />}
        <Button type="submit" size="compact-sm" loading={add.isPending} disabled={!text.trim()}>
          {t('send')}
        </Button>
        {onDone && (
          <Button variant="default" size="compact-sm" onClick={onDone}>
            {app('cancel')}
          </Button>
        )}
      </div>
      {isPlacing && points && (
        <p className="details-hint" role="status">
          {t('placing')}
        </p>
      )}
    </form>
  )
}

/** Whether it is about the moment at which the film stands. */
function AtMoment({
  seconds,
  onSeconds,
}: {
  seconds: number | null
  onSeconds(seconds: number | null): void
}) {
  const t = useTranslations('review')
  const [now, setNow] = useState(0)
  useEffect(() => {
    const film = largeFilm()
    if (!film) return
    const follow = () => setNow(film.currentTime)
    follow()
    film.addEventListener('timeupdate', follow)
    return () => film.removeEventListener('timeupdate', follow)
  }, [])
  return (
    <Checkbox
      size="xs"
      checked={seconds !== null}
      label={t('atMoment', { time: duration(seconds ?? now) })}
      onChange={(event) => {
        const { checked } = event.currentTarget
        if (checked) largeFilm()?.pause()
        onSeconds(checked ? (largeFilm()?.currentTime ?? now) : null)
      }}
    />
  )
}
