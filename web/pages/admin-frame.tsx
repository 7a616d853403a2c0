import { Alert, Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Permission } from '../../contract/access.ts'
import { useCan } from '../session.ts'
import { useSaid } from '../words/problem-text.ts'
import { AppBar } from './app-bar.tsx'
import '../access/access.css'

const sections = [
  { to: '/admin/clients', needs: 'clients:write', word: 'manageClients' },
  { to: '/admin/users', needs: 'users:write', word: 'users' },
  { to: '/admin/keys', needs: 'keys:write', word: 'keys' },
  { to: '/admin/webhooks', needs: 'webhooks:write', word: 'webhooks' },
  { to: '/admin/audit', needs: 'audit:read', word: 'audit' },
] as const

/** The frame of every page here: bar, heading, the one thing to create, and what there is. */
export function AccessPage({
  title,
  lead,
  needs,
  create,
  admin = false,
  above,
  children,
}: {
  title: string
  lead: string
  needs: Permission
  create?: ReactNode
  /** Shows the way to the other pages of the administration. */
  admin?: boolean
  /** Stands over the heading. */
  above?: ReactNode
  children: ReactNode
}) {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const can = useCan()
  const allowed = can(needs)
  return (
    <div className="access">
      <title>{`${title} · ${words('name')}`}</title>
      <AppBar title={words('name')} />
      <main className="access-main">
        {admin && allowed && (
          <nav className="access-sections" aria-label={t('sections')}>
            {sections
              .filter((section) => can(section.needs))
              .map(({ to, word }) => (
                <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
                  {words(word)}
                </Link>
              ))}
          </nav>
        )}
        {allowed && above}
        {allowed ? (
          <>
            <div className="access-heading">
              <div>
                <h2>{title}</h2>
                <p>{lead}</p>
              </div>
              {create}
            </div>
            {children}
          </>
        ) : (
          <Nothing icon={<Lock size={28} />} title={t('forbiddenTitle')} text={t('forbiddenText')} />
        )}
      </main>
    </div>
  )
}

/** In place of a list that has nothing to show. */
export function Nothing({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="access-nothing">
      <span className="access-nothing-icon">{icon}</span>
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

export function LoadFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const said = useSaid()
  return (
    <Alert color="red" variant="light" title={t('loadFailed')}>
      <p className="access-failed">{said(error)}</p>
      <Button size="xs" variant="default" onClick={onRetry}>
        {words('retry')}
      </Button>
    </Alert>
  )
}

export const LoadingRows = () => (
  <div className="access-loading" aria-hidden>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} height={62} radius={12} />
    ))}
  </div>
)
