import { Button, Stack } from '@mantine/core'
import { LogIn } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSignInOptions } from './access.ts'

/** The ways in by somebody else who vouches for a person. Each leaves this page. */
export function SignOnButtons({ to }: { to: string | undefined }) {
  const t = useTranslations('access')
  const providers = useSignInOptions().data?.providers ?? []
  if (providers.length === 0) return null
  return (
    <Stack gap={12} mt={12}>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          href={`/auth/oidc/${id}${to ? `?${new URLSearchParams({ to })}` : ''}`}
          variant="default"
          size="md"
          fullWidth
          leftSection={<LogIn size={18} />}
        >
          {t('signOn', { provider: name })}
        </Button>
      ))}
    </Stack>
  )
}
