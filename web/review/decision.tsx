import { Button, Textarea } from '@mantine/core'
import { Check, MessageSquareWarning } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useVersions } from '../assets/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { useProblemText } from '../words/problem-text.ts'
import { type Draft, noDraft, useWantedChanges } from './drafts.ts'
import { EarlierDecisions } from './earlier-decisions.tsx'
import { useComments, useDecide, useRequestReview } from './reviews.ts'
import { useSpeaker } from './speaker.ts'
import { areChangesSaid } from './wanted-changes.ts'

/** How the current version stands, and what can be said to it. */
export function DecisionOf({
  asset,
  changing,
  unsent,
  onChanging,
  onDecided,
}: {
  asset: Asset
  /** Somebody says what is to be changed. */
  changing: boolean
  /** Sends a comment that is written and not sent. */
  unsent: RefObject<(() => Promise<unknown>) | undefined>
  onChanging(changing: boolean): void
  onDecided: ((asset: Asset) => void) | undefined
}) {
  const t = useTranslations('review')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const decide = useDecide(asset)
  const ask = useRequestReview()
  const [, setWanted] = useWantedChanges(asset.assetId)
  const top = useRef<HTMLDivElement>(null)
  const [isSending, setSending] = useState(false)
  const { approval, version } = asset
  const mayDecide = can('reviews:write') && !asset.trashedAt
  const mayAsk =
    can('assets:write') && !asset.trashedAt && (approval === 'none' || approval === 'changes-requested')
  const isDecided = approval === 'approved' || approval === 'changes-requested'
  const problem = decide.error ?? ask.error

  const say = (decision: 'approved' | 'changes-requested' | 'pending', note?: string) =>
    decide.mutateAsync({ version, decision, seen: approval, note }).then(
      ({ body }) => {
        setWanted(noDraft)
        // Whoever has left it by then is not led on from where they are.
        if (!top.current) return
        onChanging(false)
        if (decision !== 'pending') onDecided?.(body.asset)
        focusIfLost(() => top.current)
      },
      () => {},
    )

  /** A comment that stands there written says what is to be changed: it goes first, with its place. */
  async function requestChanges() {
    if (unsent.current) {
      setSending(true)
      const isSent = await unsent.current().then(
        () => true,
        () => false, // said below it
      )
      setSending(false)
      if (isSent) await say('changes-requested')
      return
    }
    setWanted({ ...noDraft, begunOn: { version, approval } })
    onChanging(true)
  }

  return (
    <div ref={top} className="decision" tabIndex={-1} data-goes-on>
      <State asset={asset} />
      {problem && (
        <p className="comment-problem" role="alert">
          {problemText(problem)}
        </p>
      )}
      {changing ? (
        <WantedChanges
          asset={asset}
          busy={decide.isPending}
          onCancel={() => {
            setWanted(noDraft)
            onChanging(false)
          }}
          onSend={(note) => say('changes-requested', note)}
        />
      ) : (
        <div className="decision-acts">
          {mayDecide && approval !== 'approved' && (
            <Button
              size="compact-sm"
              leftSection={<Check size={14} />}
              loading={decide.isPending}
              // The second click of two was meant for the asset before.
              onClick={({ detail }) => detail < 2 && say('approved')}
            >
              {t('approve', { version })}
            </Button>
          )}
          {mayDecide && approval !== 'changes-requested' && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<MessageSquareWarning size={14} />}
              loading={isSending}
              onClick={() => void requestChanges()}
            >
              {t('requestChanges')}
            </Button>
          )}
          {mayAsk && (
            <Button
              variant="default"
              size="compact-sm"
              loading={ask.isPending}
              onClick={() =>
                ask.mutate({ assetIds: [asset.assetId] }, { onSuccess: () => focusIfLost(() => top.current) })
              }
            >
              {t('ask')}
            </Button>
          )}
          {mayDecide && isDecided && (
            <Button variant="subtle" size="compact-sm" onClick={() => say('pending')}>
              {t('takeBack')}
            </Button>
          )}
        </div>
      )}
      {approval !== 'none' && <EarlierDecisions key={asset.assetId} asset={asset} />}
    </div>
  )
}

function State({ asset: { assetId, approval, version } }: { asset: Asset }) {
  const t = useTranslations('review')
  const format = useFormatter()
  const speaker = useSpeaker()
  const said = useVersions(assetId)?.find((each) => each.version === version)?.approval
  return (
    <div className="decision-state" role="status">
      <span className="badge" data-approval={approval}>
        {t(`states.${approval}`)}
      </span>
      {approval !== 'none' && <span>{t('ofVersion', { version })}</span>}
      {said?.state === approval && said.by && said.at && (
        <small>
          {speaker(said.by)} ·{' '}
          {format.dateTime(new Date(said.at), { dateStyle: 'medium', timeStyle: 'short' })}
        </small>
      )}
      {said?.state === approval && said.note && <p>{said.note}</p>}
    </div>
  )
}

function WantedChanges({
  asset,
  busy,
  onSend,
  onCancel,
}: {
  asset: Asset
  busy: boolean
  onSend(note: string): void
  onCancel(): void
}) {
  const t = useTranslations('review')
  const app = useTranslations('app')
  const [wanted, setWanted] = useWantedChanges(asset.assetId)
  const note = wanted.text
  const [isUnsaid, setUnsaid] = useState(false)
  const { data: comments } = useComments(asset.assetId)
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (busy) return
        if (!areChangesSaid(note, asset.version, comments)) return setUnsaid(true)
        onSend(note)
      }}
    >
      <Textarea
        label={t('changesLabel')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={note}
        readOnly={busy}
        error={isUnsaid && !note.trim() && t('changesUnsaid')}
        autoFocus={!note}
        onChange={(event) => setWanted({ ...wanted, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Tab') event.stopPropagation()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <Meanwhile asset={asset} begunOn={wanted.begunOn} />
      <div className="comment-form-acts">
        <Button type="submit" size="compact-sm" loading={busy}>
          {t('sendChanges')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          {app('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** What is sent would be about another file than they began with, or take the place of what somebody else has decided. */
function Meanwhile({ asset: { version, approval }, begunOn }: { asset: Asset; begunOn: Draft['begunOn'] }) {
  const t = useTranslations('review')
  const isReplaced = begunOn && begunOn.version !== version
  const isDecided = begunOn && begunOn.approval !== approval && approval !== 'pending'
  if (!isReplaced && !isDecided) return null
  return (
    <p className="comment-problem" role="alert">
      {isReplaced ? t('replacedMeanwhile', { version }) : t('decidedMeanwhile')}
    </p>
  )
}
