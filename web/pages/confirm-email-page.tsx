import { Alert, Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { LoginFrame } from '../access/login-frame.tsx'
import { useConfirmEmail } from '../account/account.ts'
import { isProblem } from '../api.ts'
import { meQuery } from '../session.ts'
import { useProblemText } from '../words/problem-text.ts'

/** Where the link to a new address leads to. Only the button uses it: mail programs open links by themselves. */
export function ConfirmEmailPage() {
  const t = useTranslations('account')
  const problemText = useProblemText()
  const client = useQueryClient()
  const confirm = useConfirmEmail()
  const { error, data } = confirm
  return (
    <LoginFrame title={t('confirmTitle')} lead={data ? undefined : t('confirmLead')}>
      {data ? (
        <p className="login-lead" role="status">
          {t('confirmed', { email: data.email })}
        </p>
      ) : (
        <Stack gap={16}>
          {error && (
            <Alert color="red" variant="light" role="alert" className="access-alert">
              {isProblem(error, 'link-over') ? t('confirmOver') : problemText(error)}
            </Alert>
          )}
          <Button
            size="md"
            fullWidth
            loading={confirm.isPending}
            onClick={() =>
              confirm.mutate(location.hash.slice(1) || 'none', {
                onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
              })
            }
          >
            {t('confirmButton')}
          </Button>
        </Stack>
      )}
      <p className="login-forgot">
        <Link to="/">{t('toLibrary')}</Link>
      </p>
    </LoginFrame>
  )
}
