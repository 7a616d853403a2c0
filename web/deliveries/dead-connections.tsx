import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { Connection } from '../../contract/deliveries.ts'
import { useOutboundText } from '../words/outbound-text.ts'
import { needsSignIn } from './sign-in.ts'

/** Nothing can be delivered there until somebody has mended it. */
export const isDead = ({ status }: Connection) => status === 'error'

/** Why nothing can be delivered there; undefined where it can. */
export function useWhyDead() {
  const outbound = useOutboundText()
  const t = useTranslations('deliveries')
  return (connection: Connection): string | undefined => {
    if (!isDead(connection)) return undefined
    const { lastError, lastErrorReason } = connection
    return lastError ? outbound(lastError, lastErrorReason) : t('dead')
  }
}

/** The way to where it is mended. */
export function MendLink({ connection }: { connection: Connection }) {
  const t = useTranslations('deliveries')
  const { clientId } = connection
  return (
    <Link to="/clients/$clientId/connections" params={{ clientId }} className="access-link">
      {t(needsSignIn(connection) ? 'signInThere' : 'mend')}
    </Link>
  )
}
