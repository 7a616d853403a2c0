import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Permission } from '../../contract/access.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { returnTo } from '../library/visits.ts'
import { shownCount, useReviewCount } from '../review/reviews.ts'
import { useWaitingCount } from '../upload-requests/upload-requests.ts'
import './tabs.css'

const tab = <To extends string>(to: To, word: Word, needs: Permission) => ({ to, word, needs })
type Word = 'assets' | 'review' | 'connections' | 'shareLinks' | 'activity' | 'agents' | 'settings'

/** The pages of a client, in their order, and who may open them: a row makes a tab. */
const tabs = {
  admin: [
    tab('/clients/$clientId/assets', 'assets', 'assets:read'),
    tab('/clients/$clientId/review', 'review', 'assets:read'),
    tab('/clients/$clientId/connections', 'connections', 'deliveries:write'),
    tab('/clients/$clientId/share-links', 'shareLinks', 'shares:write'),
    tab('/clients/$clientId/activity', 'activity', 'assets:read'),
    tab('/clients/$clientId/agents', 'agents', 'agents:read'),
    tab('/clients/$clientId/settings', 'settings', 'clients:write'),
  ],
  portal: [
    tab('/portal/assets', 'assets', 'assets:read'),
    tab('/portal/review', 'review', 'assets:read'),
    tab('/portal/share-links', 'shareLinks', 'shares:write'),
    tab('/portal/activity', 'activity', 'assets:read'),
    tab('/portal/agents', 'agents', 'agents:read'),
  ],
} satisfies Record<Library['frame'], unknown>

/** The way to all pages of the client; where there is only one, none is needed. */
export function ClientTabs() {
  const t = useTranslations('tabs')
  const { frame, root, clientId, can } = useLibrary()
  const format = useFormatter()
  const waiting = { review: useReviewCount(), shareLinks: useWaitingCount() }
  const open = tabs[frame].filter(({ needs }) => can(needs))
  if (open.length < 2) return null

  /** Said in full by the link, and drawn as a number by the style sheet. */
  function waitingAt(word: Word) {
    if ((word !== 'review' && word !== 'shareLinks') || waiting[word] === 0) return
    const count = waiting[word]
    const shown = word === 'review' ? shownCount(count, format) : format.number(count)
    return { 'aria-label': t(`waiting.${word}`, { page: t(word), count, shown }), 'data-count': shown }
  }

  return (
    <Tabs label={t('label')} className="client-tabs">
      {open.map(({ to, word }) => (
        <Link
          key={to}
          to={to}
          params={{ clientId }}
          activeOptions={{ includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
          {...(word === 'assets' && returnTo(root))}
          {...waitingAt(word)}
        >
          {t(word)}
        </Link>
      ))}
    </Tabs>
  )
}

export const Tabs = ({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) => {
  const tabs = useRef<HTMLElement>(null)
  const shownAt = useRef(0)
  // What waits is counted later, and takes room.
  useEffect(() => {
    const { scrollWidth } = tabs.current!
    if (scrollWidth !== shownAt.current) showHere(tabs.current!)
    shownAt.current = scrollWidth
  })
  return (
    <nav ref={tabs} className={`tabs ${className}`} aria-label={label}>
      {children}
    </nav>
  )
}

/** On a phone the way to where one is may begin beyond the edge. `scrollIntoView` would take the first Tab along. */
function showHere(tabs: HTMLElement) {
  const here = tabs.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!here) return
  const frame = tabs.getBoundingClientRect()
  tabs.scrollLeft += here.x + here.width / 2 - (frame.x + frame.width / 2)
}
