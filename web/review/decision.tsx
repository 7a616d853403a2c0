import { Button, Textarea } from '@mantine/core'
import { Check, MessageSquareWarning } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useVersions } from '../assets/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useDecide, useRequestReview } from './reviews.ts'
import { useSpeaker } from './speaker.ts'

/** How the current version stands, and what can be said to it. */
export function DecisionOf({
  asset,
  onDecided,
}: {
  asset: Asset
  onDecided: ((asset: Asset) => void) | undefined
}) {
  const t = useTranslations('review')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const decide = useDecide(asset)
  const ask = useRequestReview()
  const [changing, setChanging] = useState(false)
  const { approval, version } = asset
  const mayDecide = can('reviews:write') && !asset.trashedAt
  const mayAsk =
    can('assets:write') && !asset.trashedAt && (approval === 'none' || approval === 'changes-requested')
  const isDecided = approval === 'approved' || approval === 'changes-requested'
  const problem = decide.error ?? ask.error
  return (
    <div className="decision">
      <State asset={asset} />
      {problem && (
        <p className="comment-problem" role="alert">
          {problemText(problem)}
        </p>
      )}
      {changing ? (
        <WantedChanges
          busy={decide.isPending}
          onCancel={() => setChanging(false)}
          onSend={(note) =>
            decide.mutate(
              { version, decision: 'changes-requested', note },
              {
                onSuccess: ({ body }) => {
                  setChanging(false)
                  onDecided?.(body.asset)
                },
              },
            )
          }
        />
      ) : (
        <div className="decision-acts">
          {mayDecide && approval !== 'approved' && (
            <Button
              size="compact-sm"
              leftSection={<Check size={14} />}
              loading={decide.isPending}
              // The second click of two was meant for the asset before.
              onClick={({ detail }) =>
                detail < 2 &&
                decide.mutate(
                  { version, decision: 'approved' },
                  { onSuccess: ({ body }) => onDecided?.(body.asset) },
                )
              }
            >
              {t('approve', { version })}
            </Button>
          )}
          {mayDecide && approval !== 'changes-requested' && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<MessageSquareWarning size={14} />}
              onClick={() => setChanging(true)}
            >
              {t('requestChanges')}
            </Button>
          )}
          {mayAsk && (
            <Button
              variant="default"
              size="compact-sm"
              loading={ask.isPending}
              onClick={() => ask.mutate({ assetIds: [asset.assetId] })}
            >
              {t('ask')}
            </Button>
          )}
          {mayDecide && isDecided && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => decide.mutate({ version, decision: 'pending' })}
            >
              {t('takeBack')}
            </Button>
          )}
        </div>
      )}
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
  busy,
  onSend,
  onCancel,
}: {
  busy: boolean
  onSend(note: string): void
  onCancel(): void
}) {
  const t = useTranslations('review')
  const app = useTranslations('app')
  const [note, setNote] = useState('')
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault()
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
        autoFocus
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => event.key !== 'Tab' && event.stopPropagation()}
      />
      <div className="comment-form-acts">
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          {app('cancel')}
        </Button>
        <Button type="submit" size="compact-sm" loading={busy}>
          {t('sendChanges')}
        </Button>
      </div>
    </form>
  )
}
