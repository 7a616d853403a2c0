import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../ui/announce.tsx'
import { useProgress } from './progress.ts'
import './progress-note.css'

/** How far something long has come, with the way to stop it. */
export function ProgressNote() {
  const t = useTranslations('progress')
  const progress = useProgress()
  const text = progress?.text
  useEffect(() => {
    if (text) announce(text)
  }, [text])
  if (!progress) return null
  const { done, total, stop } = progress
  return (
    <section className="progress-note" aria-label={progress.text}>
      <span className="progress-note-words">
        {progress.text}
        {total !== null && <small>{t('of', { done, total })}</small>}
      </span>
      <progress
        max={total ?? undefined}
        value={total === null ? undefined : done}
        aria-label={progress.text}
      />
      <button type="button" onClick={stop}>
        {t('stop')}
      </button>
    </section>
  )
}
