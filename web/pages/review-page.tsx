import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquareCheck } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { ReviewList } from '../review/review-list.tsx'
import { type ReviewFilter, shownCount, useReviewCount, useReviews } from '../review/reviews.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'

/** What of one client waits for an answer, for those who work for it. */
export function AdminReviewPage() {
  const t = useTranslations('review')
  return (
    <OfClient>
      {(client) => (
        <ClientFrame client={client} title={t('title')} lead={t('lead')} needs="assets:read">
          <Reviews />
        </ClientFrame>
      )}
    </OfClient>
  )
}

/** The same for the client's own people. */
export function PortalReviewPage() {
  const t = useTranslations('review')
  return (
    <OfPortal>
      <PortalFrame title={t('title')} lead={t('lead')} needs="assets:read">
        <Reviews />
      </PortalFrame>
    </OfPortal>
  )
}

const filters = {
  mine: { mine: true },
  all: {},
  pending: { approval: 'pending' },
  'changes-requested': { approval: 'changes-requested' },
  approved: { approval: 'approved' },
} as const satisfies Record<string, ReviewFilter>
type Filter = keyof typeof filters

function Reviews() {
  const t = useTranslations('review')
  const { show = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const filter = Object.hasOwn(filters, show) ? (show as Filter) : 'mine'
  const list = useReviews(filters[filter])
  const waiting = useReviewCount()
  const format = useFormatter()
  const reviews = list.data?.pages.flatMap((page) => page.reviews)
  return (
    <>
      <div className="reviews-filter">
        <SegmentedControl
          aria-label={t('filter')}
          value={filter}
          onChange={(value) => navigate({ to: '.', search: { show: value }, replace: true })}
          data={(Object.keys(filters) as Filter[]).map((value) => ({
            value,
            label:
              value === 'mine' && waiting
                ? t('mineCounted', { count: shownCount(waiting, format) })
                : t(`filters.${value}`),
          }))}
        />
      </div>
      <LoadState query={list} />
      {reviews?.length === 0 && (
        <Nothing
          icon={<MessageSquareCheck size={28} />}
          title={t(filter === 'mine' ? 'emptyMine' : 'empty')}
          text={t(filter === 'mine' ? 'emptyMineText' : 'emptyText')}
        />
      )}
      {reviews && reviews.length > 0 && <ReviewList reviews={reviews} label={t(`filters.${filter}`)} />}
      <ShowMore list={list} />
    </>
  )
}
