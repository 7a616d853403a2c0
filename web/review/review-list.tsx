import { Link } from '@tanstack/react-router'
import { AtSign, MessageSquare } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Review } from '../../contract/review.ts'
import { Picture } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { useSpeaker } from './speaker.ts'
import { takeLookedAt } from './way-back.ts'
import '../assets/assets.css'
import './review.css'

/** Assets in review; each leads to the large picture with what was said of it. */
export function ReviewList({ reviews, label }: { reviews: Review[]; label: string }) {
  const list = useRef<HTMLUListElement>(null)
  const lookedAt = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was answered leaves the list
  useEffect(() => {
    lookedAt.current ??= takeLookedAt()
    if (!lookedAt.current) return
    const at = `[data-asset="${lookedAt.current}"] a`
    focusIfLost(() => list.current?.querySelector<HTMLElement>(at) ?? list.current?.querySelector('a'))
  }, [reviews])
  return (
    <ul ref={list} className="reviews" aria-label={label}>
      {reviews.map((review) => (
        <ReviewOf key={review.asset.assetId} {...review} />
      ))}
    </ul>
  )
}

function ReviewOf({ asset, approval, openThreads, mentioned }: Review) {
  const t = useTranslations('review')
  const format = useFormatter()
  const speaker = useSpeaker()
  const library = useLibrary()
  const to = library.frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets'
  const search = { folder: asset.folderId ?? undefined, look: asset.assetId, panel: 'review' }
  return (
    <li className="review" data-asset={asset.assetId}>
      <span className="review-picture">
        <Picture asset={asset} library={library} sizes={96} alt="" />
      </span>
      <div className="review-words">
        <Link
          to={to}
          params={{ clientId: library.clientId }}
          search={search as never}
          className="access-link"
        >
          {asset.title}
        </Link>
        <p className="review-state">
          <span className="badge" data-approval={approval.state}>
            {t(`states.${approval.state}`)}
          </span>
          <span>{t('ofVersion', { version: asset.version })}</span>
          {mentioned && (
            <span className="review-mark">
              <AtSign size={14} aria-hidden /> {t('mentionsYou')}
            </span>
          )}
          {openThreads > 0 && (
            <span className="review-mark">
              <MessageSquare size={14} aria-hidden /> {t('openThreads', { count: openThreads })}
            </span>
          )}
        </p>
        {approval.by && approval.at && (
          <small>
            {speaker(approval.by)} ·{' '}
            <time dateTime={approval.at}>
              {format.dateTime(new Date(approval.at), { dateStyle: 'medium', timeStyle: 'short' })}
            </time>
          </small>
        )}
        {approval.note && <p className="review-note">{approval.note}</p>}
      </div>
    </li>
  )
}
