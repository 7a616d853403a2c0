import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import icon from '../icon.svg'
import { chooseLanguage, useOtherLanguages } from '../words/words.tsx'
import './login.css'

/** The page before the door: what it is about, and one thing to do. */
export function LoginFrame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const words = useTranslations('app')
  return (
    <main className="login">
      <title>{`${title} · ${words('name')}`}</title>
      <div className="login-card">
        <div className="login-brand">
          <img src={icon} alt="" width={40} height={40} />
          <span>{words('name')}</span>
        </div>
        <h1>{title}</h1>
        {lead && <p className="login-lead">{lead}</p>}
        {children}
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
