import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Permission } from '../../contract/access.ts'
import { useCan } from '../session.ts'
import { Nothing } from '../ui/list-notes.tsx'
import { adminSections } from './admin-sections.ts'
import { AppBar } from './app-bar.tsx'
import { Tabs } from './tabs.tsx'
import './admin-frame.css'

/** The frame of every page here: bar, heading, the one thing to create, and what there is. */
export function AdminFrame({
  title,
  lead,
  needs,
  create,
  admin = false,
  bar,
  children,
}: {
  title: string
  lead: string
  /** Without it, everybody may. */
  needs?: Permission
  create?: ReactNode
  /** Shows the way to the other pages of the administration. */
  admin?: boolean
  /** In place of the bar that names the app. */
  bar?: ReactNode
  children: ReactNode
}) {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const can = useCan()
  const allowed = !needs || can(needs)
  return (
    <div className="access">
      <title>{`${title} · ${words('name')}`}</title>
      {bar ?? <AppBar title={words('name')} />}
      <main className="access-main">
        {admin && allowed && (
          <Tabs label={t('sections')}>
            {adminSections
              .filter((section) => can(section.needs))
              .map(({ to, word }) => (
                <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
                  {words(word)}
                </Link>
              ))}
          </Tabs>
        )}
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
