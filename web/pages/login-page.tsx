import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Moon, Sun } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import { LoginForm } from '../access/login-form.tsx'
import icon from '../icon.svg'
import { homeOf } from '../session.ts'
import { chooseLanguage, useOtherLanguages } from '../words/words.tsx'
import '../access/login.css'

const route = getRouteApi('/login')

export function LoginPage() {
  const t = useTranslations('access')
  const words = useTranslations('app')
  const router = useRouter()
  const { to } = route.useSearch()

  function enter(me: Me) {
    // The address may be left from an operator who used this machine.
    const isOpen =
      !me.clientId || to?.startsWith('/portal/') || to?.startsWith(`/clients/${me.clientId}/assets`)
    const wanted = to && isOpen ? to : homeOf(me)
    router.navigate({ to: wanted, replace: true })
  }

  return (
    <main className="login">
      <title>{`${t('signIn')} · ${words('name')}`}</title>
      <div className="login-card">
        <div className="login-brand">
          <img src={icon} alt="" width={40} height={40} />
          <span>{words('name')}</span>
        </div>
        <h1>{t('welcome')}</h1>
        <p className="login-lead">{t('welcomeText')}</p>
        <LoginForm onSignedIn={enter} />
        <p className="login-forgot">{t('forgot')}</p>
      </div>
      <Preferences />
    </main>
  )
}

function Preferences() {
  const words = useTranslations('app')
  const others = useOtherLanguages()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  return (
    <div className="login-preferences">
      {others.map(({ language, name }) => (
        <button
          key={language}
          type="button"
          className="login-language"
          lang={language}
          onClick={() => chooseLanguage(language)}
        >
          {name}
        </button>
      ))}
      <ActionIcon
        aria-label={words('theme')}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
      </ActionIcon>
    </div>
  )
}
