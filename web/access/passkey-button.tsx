import { Button } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { isProblem } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { usePasskeySignIn } from './access.ts'
import { PasskeyDeclined } from './passkeys.ts'

/** The way in without a password. */
export function PasskeyButton({ onSignedIn }: { onSignedIn(me: Me): void }) {
  const t = useTranslations('access')
  const problemText = useProblemText()
  const signIn = usePasskeySignIn()

  function why(error: unknown): string {
    const isNot = error instanceof PasskeyDeclined || isProblem(error, 'wrong-code')
    return isNot ? t('second.declined') : problemText(error)
  }

  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      mt={12}
      leftSection={<KeyRound size={18} />}
      loading={signIn.isPending}
      onClick={() =>
        signIn.mutate(undefined, {
          onSuccess: onSignedIn,
          onError: (error) => toast({ about: 'passkey', text: why(error), bad: true }),
        })
      }
    >
      {t('passkey')}
    </Button>
  )
}
