import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { CircleAlert, KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import type { SecondStep } from '../../contract/second-factor.ts'
import { isProblem } from '../api.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useSecondStep } from './access.ts'
import { canUsePasskeys, PasskeyDeclined } from './passkeys.ts'

/** After the password: a code of the app, a recovery code, or a passkey. */
export function SecondStepForm({
  begun,
  onSignedIn,
  onBack,
}: {
  begun: SecondStep
  onSignedIn(me: Me): void
  onBack(): void
}) {
  const t = useTranslations('access.second')
  const common = useTranslations('access')
  const problemText = useProblemText()
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const finish = useSecondStep(begun)
  const { error } = finish
  const problem =
    error instanceof PasskeyDeclined
      ? t('declined')
      : isProblem(error, 'wrong-code')
        ? t('wrongCode')
        : error && problemText(error)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (code.trim()) finish.mutate({ code: code.trim() }, { onSuccess: onSignedIn })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        {problem && (
          <Alert color="red" variant="light" icon={<CircleAlert size={18} />} className="access-alert">
            {problem}
          </Alert>
        )}
        {begun.passkey && canUsePasskeys() && (
          <Button
            size="md"
            fullWidth
            leftSection={<KeyRound size={18} />}
            loading={finish.isPending}
            onClick={() => finish.mutate('passkey', { onSuccess: onSignedIn })}
          >
            {t('usePasskey')}
          </Button>
        )}
        <TextInput
          label={begun.hasTotp ? t('code') : t('recoveryCode')}
          description={begun.hasTotp ? t('codeHint') : undefined}
          name="code"
          autoComplete="one-time-code"
          size="md"
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={tried && !code.trim() && common('required')}
          autoFocus={begun.hasTotp}
        />
        <Button
          type="submit"
          size="md"
          fullWidth
          variant={begun.passkey ? 'default' : 'filled'}
          loading={finish.isPending}
        >
          {t('continue')}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  )
}
