import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { useTranslations } from 'use-intl'
import type { TotpBegun } from '../../contract/second-factor.ts'
import { isProblem } from '../api.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { useBeginTotp, useConfirmTotp } from './second-factors.ts'

/** The password, then the picture for the app, then the first code of it. */
export function TotpDialog({ onDone, onClose }: { onDone(recoveryCodes: string[]): void; onClose(): void }) {
  const t = useTranslations('account.factors')
  const begin = useBeginTotp()
  if (begin.data) return <FirstCode begun={begin.data} onDone={onDone} onClose={onClose} />
  return (
    <ProofDialog
      title={t('addApp')}
      text={t('appText')}
      act={t('next')}
      error={begin.error}
      busy={begin.isPending}
      onSubmit={(password) => begin.mutate({ password })}
      onClose={onClose}
    />
  )
}

function FirstCode({
  begun: { uri, secret },
  onDone,
  onClose,
}: {
  begun: TotpBegun
  onDone(recoveryCodes: string[]): void
  onClose(): void
}) {
  const t = useTranslations('account.factors')
  const problemText = useProblemText()
  const [code, setCode] = useState('')
  const confirm = useConfirmTotp()
  const isWrong = isProblem(confirm.error, 'wrong-code')
  return (
    <FormDialog
      title={t('addApp')}
      isLong
      problem={confirm.error && !isWrong ? problemText(confirm.error) : null}
      act={t('confirm')}
      busy={confirm.isPending}
      onSubmit={() =>
        confirm.mutate(code.trim() || '-', { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })
      }
      onClose={onClose}
    >
      <p className="account-text">{t('scan')}</p>
      <img
        className="account-qr"
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`}
        alt={t('qr')}
        width={200}
        height={200}
      />
      <p className="account-text">
        {t('orType')} <code className="account-secret">{secret}</code>
      </p>
      <TextInput
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={isWrong && t('wrongCode')}
        data-autofocus
      />
    </FormDialog>
  )
}
