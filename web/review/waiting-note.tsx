import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { shownCount } from './reviews.ts'
import type { Waiting } from './waiting.ts'
import { reviewsOf } from './way-back.ts'
import './review.css'

interface WaitingNoteProps {
  waiting: Waiting
  /** The one before, with what was said of it. */
  decided: Asset | undefined
  onGo(assetId: string): void
}

/** How many still wait for an answer, and the way to the next of them. */
export function WaitingNote({ waiting: { left, next, waits }, decided, onGo }: WaitingNoteProps) {
  const t = useTranslations('review')
  const format = useFormatter()
  const library = useLibrary()
  return (
    <div className="waiting">
      <p role="status">
        {decided && <strong>{t('decided', { title: decided.title, state: decided.approval })}</strong>}{' '}
        {left !== undefined && t('left', { count: left, shown: shownCount(left, format) })}
      </p>
      {next ? (
        <Button variant="default" size="compact-sm" onClick={() => onGo(next)}>
          {t(waits ? 'skip' : 'nextWaiting')}
        </Button>
      ) : (
        <Link {...reviewsOf(library)} className="access-link">
          {t('toList')}
        </Link>
      )}
    </div>
  )
}
