import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Webhook } from '../../contract/webhooks.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useRotateSecret } from './webhooks.ts'
import '../ui/confirm.css'

const choices = [0, 1, 24, 72, 168]
const usual = 24

/** Makes a new secret and shows it once; the old one ends by itself. */
export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTranslations('webhooks')
  const problemText = useProblemText()
  const rotate = useRotateSecret(webhook.webhookId)
  const [overlapHours, setOverlapHours] = useState(usual)
  return (
    <FormDialog
      title={rotate.data ? t('rotatedTitle') : t('rotateTitle')}
      secret={rotate.data && { text: t('createdText'), secret: rotate.data.secret }}
      problem={rotate.error ? problemText(rotate.error) : null}
      act={t('rotateButton')}
      busy={rotate.isPending}
      onSubmit={() => rotate.mutate({ overlapHours })}
      onClose={onClose}
    >
      <p className="confirm-text">{t('rotateText')}</p>
      <NativeSelect
        label={t('overlap')}
        value={String(overlapHours)}
        onChange={(event) => setOverlapHours(Number(event.currentTarget.value))}
        data={choices.map((hours) => ({
          value: String(hours),
          label: hours > 24 ? t('overlapDays', { days: hours / 24 }) : t('overlapHours', { hours }),
        }))}
      />
    </FormDialog>
  )
}
