import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { ScrollText, Search } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTrail } from '../audit/audit.ts'
import { AuditFilters } from '../audit/audit-filters.tsx'
import { AuditRow } from '../audit/audit-row.tsx'
import type { AuditFilter } from '../audit/filter.ts'
import { useEveryClient } from '../clients/clients.ts'
import { areReversed } from '../ui/days.ts'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { AdminFrame } from './admin-frame.tsx'
import { AdminTable } from './admin-table.tsx'
import '../ui/state.css'
import '../audit/audit.css'

const route = getRouteApi('/inside/admin/audit')

/** Who did what to which thing, and from where. */
export function AuditPage() {
  const t = useTranslations('audit')
  const finding = useTranslations('finding')
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: AuditFilter) => navigate({ search: next, replace: true })
  const trail = useTrail(filter)
  const clients = useEveryClient().data
  const entries = trail.data?.pages.flatMap((page) => page.entries)
  const filtered = Object.keys(filter).length > 0
  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="audit:read" admin>
      <AuditFilters filter={filter} onFilter={show} />
      <p className="unseen" aria-live="polite">
        {entries && !trail.isPlaceholderData ? t('found', { count: entries.length }) : ''}
      </p>
      <LoadState query={trail} />
      {entries?.length === 0 &&
        (filtered ? (
          <Nothing
            icon={<Search size={28} />}
            title={t('noMatchTitle')}
            text={areReversed(filter) ? finding('reversed') : t('noMatchText')}
          >
            <Button variant="default" onClick={() => show({})}>
              {t('clear')}
            </Button>
          </Nothing>
        ) : (
          <Nothing icon={<ScrollText size={28} />} title={t('emptyTitle')} text={t('emptyText')} />
        ))}
      {entries && entries.length > 0 && (
        <AdminTable
          className="audit-table"
          aria-busy={trail.isPlaceholderData}
          heads={[t('what'), t('who'), t('when'), t('where')]}
        >
          {entries.map((entry) => (
            <AuditRow
              key={entry.entryId}
              entry={entry}
              clientName={clients?.find(({ clientId }) => clientId === entry.clientId)?.name}
            />
          ))}
        </AdminTable>
      )}
      <ShowMore list={trail} />
    </AdminFrame>
  )
}
