import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import './whole-page.css'

/** A page with a single message. */
export function WholePage({
  icon,
  title,
  text,
  children,
}: {
  icon?: ReactNode
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <main className="whole-page">
      {icon && <div className="whole-page-icon">{icon}</div>}
      <h1>{title}</h1>
      {text && <p>{text}</p>}
      <div className="whole-page-actions">{children}</div>
    </main>
  )
}

export function NotFound() {
  const t = useTranslations('app')
  return (
    <WholePage title={t('notFoundTitle')} text={t('notFoundText')}>
      <Button component={Link} to="/">
        {t('goHome')}
      </Button>
    </WholePage>
  )
}

export function Crashed() {
  const t = useTranslations('app')
  return (
    <WholePage title={t('crashed')}>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </WholePage>
  )
}
