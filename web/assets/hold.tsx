import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Gavel } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useActivity } from '../activity/activity.ts'
import { useActor } from '../activity/activity-words.ts'
import { send } from '../api.ts'
import { showAsset } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { useMe } from '../session.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'

/** A legal hold: since when, why, and for those who may the way to set and to lift it. */
export function Hold({ asset }: { asset: Asset }) {
  const t = useTranslations('hold')
  const format = useFormatter()
  const { can } = useLibrary()
  const me = useMe()
  const [isAsked, setAsked] = useState(false)
  const { hold } = asset
  const may = can('assets:hold')
  const name = useWhoSetIt(asset)
  if (!hold && !may) return null
  return (
    <div className={hold ? 'details-nudge details-held' : 'details-hold'}>
      {hold && <Gavel size={16} aria-hidden />}
      {hold && (
        <span>
          {t('since', {
            day: format.dateTime(new Date(hold.heldAt), { dateStyle: 'medium' }),
            who: hold.heldBy === me?.id ? 'me' : name ? 'somebody' : 'other',
            name: name ?? '',
            isTold: hold.reason ? 'yes' : 'no',
          })}{' '}
          {hold.reason}
        </span>
      )}
      {may && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={hold ? undefined : <Gavel size={14} />}
          onClick={() => setAsked(true)}
        >
          {t(hold ? 'lift' : 'set')}
        </Button>
      )}
      {isAsked && <HoldDialog asset={asset} onClose={() => setAsked(false)} />}
    </div>
  )
}

/** As far as whoever looks may know them, and while it is among what was done to the asset lately. */
function useWhoSetIt(asset: Asset): string | undefined {
  const actor = useActor()
  const page = useActivity({ thing: asset.assetId }, asset.updatedAt)
  const set = page.data?.pages[0]?.activity.find(({ changed }) => changed.includes('hold'))
  return asset.hold && set ? actor(set) : undefined
}

function HoldDialog({ asset, onClose }: { asset: Asset; onClose(): void }) {
  const t = useTranslations('hold')
  const library = useLibrary()
  const client = useQueryClient()
  const problemText = useProblemText()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isHeld = asset.hold !== null

  async function submit() {
    if (!isHeld && !reason.trim()) return setProblem(t('reasonNeeded'))
    setBusy(true)
    try {
      const { body, etag } = await send<Asset>('PUT', `${library.base}/${asset.assetId}/hold`, {
        body: isHeld ? { held: false } : { held: true, reason: reason.trim() },
      })
      showAsset(client, library, body, etag)
      onClose()
    } catch (error) {
      setProblem(problemText(error))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={t(isHeld ? 'liftTitle' : 'setTitle', { title: asset.title })}
      problem={problem}
      act={t(isHeld ? 'lift' : 'set')}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="dialog-text">{t(isHeld ? 'liftText' : 'setText')}</p>
      {!isHeld && (
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={1000}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
