import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  Building2,
  CircleUserRound,
  Images,
  Languages,
  LogOut,
  Moon,
  Share2,
  Sun,
  WifiOff,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useChooseLanguage } from '../account/account.ts'
import { api } from '../api.ts'
import { useReach } from '../connection.ts'
import icon from '../icon.svg'
import { NotificationBell } from '../notifications/bell.tsx'
import { useCan, useMe } from '../session.ts'
import { leave } from '../ui/holding.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { useOtherLanguages } from '../words/words.tsx'
import { adminSections } from './admin-sections.ts'
import './app-bar.css'

/** The bar at the top of every page behind the login: `children` stand between the title and the account. */
export function AppBar({
  start,
  title,
  beside,
  children,
}: {
  start?: ReactNode
  title: string
  /** Stands right after the title. */
  beside?: ReactNode
  children?: ReactNode
}) {
  const t = useTranslations('app')
  const me = useMe()
  return (
    <>
      <header className="app-bar">
        <SkipLink />
        {start}
        <Link to="/" className="app-bar-home" aria-label={t('goHome')}>
          <img src={icon} alt="" width={28} height={28} />
        </Link>
        <h1 className="app-bar-title">{title}</h1>
        {beside}
        <div className="app-bar-middle">{children}</div>
        <ThemeToggle />
        {me && !me.pending && <NotificationBell />}
        {me && <AccountMenu />}
      </header>
      <OfflineNote />
    </>
  )
}

/** What could not be read meanwhile is read when the connection is back. */
function OfflineNote() {
  const t = useTranslations('app')
  const can = useCan()
  const reach = useReach()
  if (reach === 'there') return null
  return (
    <p className="offline" role="status">
      <WifiOff size={16} aria-hidden /> {t(reach === 'away' ? 'serverAway' : 'offline')}{' '}
      {t(can('assets:write') ? 'offlineWork' : 'offlineLook')}
    </p>
  )
}

function ThemeToggle() {
  const t = useTranslations('app')
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  return (
    <Tooltip label={t('theme')}>
      <ActionIcon
        size={36}
        className="app-bar-theme"
        aria-label={t('theme')}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** “Back” shows a page again as it was left, in some browsers without asking anybody. */
function leaveNothing() {
  document.body.replaceChildren()
  addEventListener('pageshow', () => location.reload())
}

function AccountMenu() {
  const t = useTranslations('app')
  const me = useMe()!
  const can = useCan()
  const { clientId } = useParams({ strict: false })
  const others = useOtherLanguages()
  const queryClient = useQueryClient()
  const chooseLanguage = useChooseLanguage()

  async function signOut() {
    await api.post('/auth/logout', undefined, { waitForSignIn: false }).catch(() => {})
    queryClient.clear()
    leaveNothing()
    location.assign('/app/login')
  }

  return (
    <Menu width={240} position="bottom-end">
      <Menu.Target>
        <button type="button" className="app-bar-account" aria-label={`${t('account')}: ${me.name}`}>
          <span data-initials={initials(me.name)} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="app-bar-me">
          <strong>{me.name}</strong>
          <span>{me.email}</span>
        </div>
        <Menu.Divider />
        {can('clients:read') && (
          <Menu.Item component={Link} to="/clients" leftSection={<Building2 size={16} />}>
            {t('clients')}
          </Menu.Item>
        )}
        {(clientId || me.clientId) && can('shares:write') && (
          <Menu.Item
            leftSection={<Share2 size={16} />}
            renderRoot={(props) =>
              me.clientId ? (
                <Link to="/portal/share-links" {...props} />
              ) : (
                <Link to="/clients/$clientId/share-links" params={{ clientId: clientId! }} {...props} />
              )
            }
          >
            {t('shareLinks')}
          </Menu.Item>
        )}
        {adminSections
          .filter(({ needs }) => can(needs))
          .map(({ to, word, Icon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} />}>
              {t(word)}
            </Menu.Item>
          ))}
        {can('clients:read') && <Menu.Divider />}
        {me.role === 'client' && (
          <Menu.Item component={Link} to="/" leftSection={<Images size={16} />}>
            {t('goHome')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/account" leftSection={<CircleUserRound size={16} />}>
          {t('yourAccount')}
        </Menu.Item>
        {others.map(({ language, name }) => (
          <Menu.Item
            key={language}
            leftSection={<Languages size={16} />}
            onClick={() => chooseLanguage(language)}
            lang={language}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => leave(signOut)}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word[0])
    .filter(Boolean)
    .slice(0, 2)
    .join('')
    .toUpperCase()
