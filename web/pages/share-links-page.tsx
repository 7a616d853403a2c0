import { Link, useParams } from '@tanstack/react-router'
import { Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ShareLink } from '../../contract/shares.ts'
import { isProblem } from '../api.ts'
import { LibraryProvider, useClientRecord, useLibraryAt } from '../library/library.tsx'
import { useMe } from '../session.ts'
import { ShareLinkCard } from '../shares/share-link-card.tsx'
import { useRevokeShareLink, useShareLinks } from '../shares/share-links.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { NotFound } from '../ui/whole-page.tsx'
import { AdminFrame } from './admin-frame.tsx'
import '../shares/shares.css'
import '../ui/cards.css'

/** All links by which people without an account see something of one client. */
export function AdminShareLinksPage() {
  const t = useTranslations('library')
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const library = useLibraryAt('admin', `/admin/clients/${clientId}`, clientId)
  const client = useClientRecord(clientId)
  if (isProblem(client.error, 'not-found')) return <NotFound />
  return (
    <LibraryProvider value={library} key={clientId}>
      <Page
        toLibrary={
          <Link to="/clients/$clientId/assets" params={{ clientId }}>
            {t('of', { client: client.data?.name ?? '…' })}
          </Link>
        }
      />
    </LibraryProvider>
  )
}

/** The same for the client's own people. */
export function PortalShareLinksPage() {
  const t = useTranslations('library')
  const me = useMe()
  const library = useLibraryAt('portal', '/portal', me?.clientId ?? '')
  if (!me?.clientId) return <NotFound />
  return (
    <LibraryProvider value={library}>
      <Page toLibrary={<Link to="/portal/assets">{t('title')}</Link>} />
    </LibraryProvider>
  )
}

function Page({ toLibrary }: { toLibrary: ReactNode }) {
  const t = useTranslations('shares')
  const list = useShareLinks()
  const revoke = useRevokeShareLink()
  const [revoking, setRevoking] = useState<ShareLink | null>(null)
  const links = list.data?.pages.flatMap(({ shareLinks }) => shareLinks)
  return (
    <AdminFrame
      title={t('listTitle')}
      lead={t('lead')}
      needs="shares:write"
      above={
        <nav className="access-sections" aria-label={t('sections')}>
          {toLibrary}
        </nav>
      }
    >
      <LoadState query={list} />
      {links?.length === 0 && (
        <Nothing icon={<Share2 size={28} />} title={t('emptyTitle')} text={t('emptyText')} />
      )}
      {links && links.length > 0 && (
        <ul className="cards">
          {links.map((link) => (
            <ShareLinkCard key={link.shareLinkId} link={link} onRevoke={() => setRevoking(link)} />
          ))}
        </ul>
      )}
      <ShowMore list={list} />
      {revoking && (
        <ConfirmRemoval
          title={t('revokeTitle', { title: revoking.title })}
          text={t('revokeText')}
          button={t('revoke')}
          remove={revoke}
          what={revoking}
          removed={t('revoked', { title: revoking.title })}
          onClose={() => setRevoking(null)}
        />
      )}
    </AdminFrame>
  )
}
