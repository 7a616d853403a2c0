import { History } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useActivity } from '../activity/activity.ts'
import { ActivityList } from '../activity/activity-list.tsx'
import { linesOf } from '../activity/together.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'

/** Who did what in one client's library, for those who work for it. */
export function AdminActivityPage() {
  const t = useTranslations('activity')
  return (
    <OfClient>
      {(client) => (
        <ClientFrame
          client={client}
          title={t('title')}
          lead={t('lead', { client: client.name })}
          needs="assets:read"
        >
          <Everything />
        </ClientFrame>
      )}
    </OfClient>
  )
}

/** The same for the client's own people. */
export function PortalActivityPage() {
  const t = useTranslations('activity')
  return (
    <OfPortal>
      <PortalFrame title={t('title')} lead={t('portalLead')} needs="assets:read">
        <Everything />
      </PortalFrame>
    </OfPortal>
  )
}

function Everything() {
  const t = useTranslations('activity')
  const page = useActivity({ together: true })
  const activity = page.data && linesOf(page.data.pages)
  return (
    <>
      <LoadState query={page} />
      {activity?.length === 0 && (
        <Nothing icon={<History size={28} />} title={t('emptyTitle')} text={t('emptyText')} />
      )}
      {activity && activity.length > 0 && <ActivityList activity={activity} label={t('title')} />}
      <ShowMore list={page} />
    </>
  )
}
