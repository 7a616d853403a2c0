import { Button } from '@mantine/core'
import { Inbox, Share2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ShareLink } from '../../contract/shares.ts'
import { ShareLinkCard } from '../shares/share-link-card.tsx'
import { useRevokeShareLink, useShareLinks } from '../shares/share-links.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { RequestDialog } from '../upload-requests/request-dialog.tsx'
import { UploadRequests } from '../upload-requests/request-list.tsx'
import { WaitingFiles } from '../upload-requests/waiting-files.tsx'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'
import '../shares/shares.css'
import '../ui/cards.css'
import '../upload-requests/upload-requests.css'

/** All that people without an account see of one client, and what they send. */
export function AdminShareLinksPage() {
  const t = useTranslations('shares')
  return (
    <OfClient>
      {(client) => (
        <ClientFrame
          client={client}
          title={t('listTitle')}
          lead={t('lead')}
          needs="shares:write"
          create={<Ask />}
        >
          <Links />
        </ClientFrame>
      )}
    </OfClient>
  )
}

/** The same for the client's own people. */
export function PortalShareLinksPage() {
  const t = useTranslations('shares')
  return (
    <OfPortal>
      <PortalFrame title={t('listTitle')} lead={t('lead')} needs="shares:write" create={<Ask />}>
        <Links />
      </PortalFrame>
    </OfPortal>
  )
}

function Ask() {
  const t = useTranslations('uploadRequests')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button leftSection={<Inbox size={16} />} onClick={() => setAsking(true)}>
        {t('ask')}
      </Button>
      {asking && <RequestDialog folder={null} onClose={() => setAsking(false)} />}
    </>
  )
}

function Links() {
  const t = useTranslations('shares')
  const list = useShareLinks()
  const revoke = useRevokeShareLink()
  const [revoking, setRevoking] = useState<ShareLink | null>(null)
  const links = list.data?.pages.flatMap(({ shareLinks }) => shareLinks)
  return (
    <>
      <WaitingFiles />
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
      <UploadRequests />
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
    </>
  )
}
