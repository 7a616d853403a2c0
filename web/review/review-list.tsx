import { Link } from '@tanstack/react-router'
import { AtSign, MessageSquare } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Review } from '../../contract/review.ts'
import { Picture } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { MixedBox } from '../ui/mixed-box.tsx'
import { ApproveChosen } from './approve-chosen.tsx'
import { useSpeaker } from './speaker.ts'
import { takeLookedAt } from './way-back.ts'
import '../assets/assets.css'
import './review.css'

/** Assets in review; each leads to the large picture with what was said of it. Many can be said yes to at once. */
export function ReviewList({ reviews, label }: { reviews: Review[]; label: string }) {
  const t = useTranslations('review')
  const { can } = useLibrary()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const open = reviews.filter(isOpen)
  // What was answered meanwhile is not chosen any more.
  const chosen = open.filter((review) => ticked.has(markOf(review)))
  const all = chosen.length === open.length
  const list = useRef<HTMLUListElement>(null)
  const lookedAt = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was answered leaves the list
  useEffect(() => {
    lookedAt.current ??= takeLookedAt()
    if (!lookedAt.current) return
    const at = `[data-asset="${lookedAt.current}"] a`
    focusIfLost(() => list.current?.querySelector<HTMLElement>(at) ?? list.current?.querySelector('a'))
  }, [reviews])
  const mayDecide = can('reviews:write') && open.length > 1
  return (
    <>
      {mayDecide && (
        <div className="reviews-chosen">
          <MixedBox
            value={all || (chosen.length > 0 && 'mixed')}
            initial={false}
            onChange={(next) => setTicked(new Set(next ? open.map(markOf) : []))}
          >
            {t('chooseAll')}
          </MixedBox>
          <span role="status">{t('chosen', { count: chosen.length })}</span>
          <ApproveChosen chosen={chosen} onDone={() => setTicked(new Set())} />
        </div>
      )}
      <ul ref={list} className="reviews" aria-label={label}>
        {reviews.map((review) => (
          <ReviewOf key={review.asset.assetId} review={review}>
            {mayDecide && isOpen(review) && (
              <input
                type="checkbox"
                className="review-tick"
                aria-label={t('choose', { title: review.asset.title })}
                checked={ticked.has(markOf(review))}
                onChange={({ currentTarget: { checked } }) =>
                  setTicked((before) => {
                    const after = new Set(before)
                    if (checked) after.add(markOf(review))
                    else after.delete(markOf(review))
                    return after
                  })
                }
              />
            )}
          </ReviewOf>
        ))}
      </ul>
    </>
  )
}

const isOpen = ({ approval }: Review) =>
  approval.state === 'pending' || approval.state === 'changes-requested'

/** Of what was looked at: another version, or another answer, is ticked anew. */
const markOf = ({ asset: { assetId, version, approval } }: Review) => `${assetId} ${version} ${approval}`

function ReviewOf({
  review: { asset, approval, openThreads, mentioned },
  children,
}: {
  review: Review
  children: ReactNode
}) {
  const t = useTranslations('review')
  const format = useFormatter()
  const speaker = useSpeaker()
  const library = useLibrary()
  const to = library.frame === 'admin' ? '/clients/$clientId/assets' : '/portal/assets'
  const search = { folder: asset.folderId ?? undefined, look: asset.assetId, panel: 'review' }
  return (
    <li className="review" data-asset={asset.assetId}>
      {children}
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
