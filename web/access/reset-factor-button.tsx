import { ActionIcon, Tooltip } from '@mantine/core'
import { ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { User } from '../../contract/access.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { useResetSecondFactor } from './access.ts'

/** For somebody who has lost their second factor. */
export function ResetFactorButton({ user: { userId, name } }: { user: User }) {
  const t = useTranslations('access.users')
  const factors = useTranslations('account.factors')
  const reset = useResetSecondFactor()
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Tooltip label={t('resetFactor')}>
        <ActionIcon aria-label={`${t('resetFactor')}: ${name}`} onClick={() => setAsks(true)}>
          <ShieldOff size={16} />
        </ActionIcon>
      </Tooltip>
      {asks && (
        <ConfirmRemoval
          title={t('resetFactor')}
          text={t('resetFactorText')}
          button={factors('remove')}
          remove={reset}
          what={userId}
          removed={t('factorReset', { name })}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
