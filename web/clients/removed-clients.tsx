import { Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import type { ClientRemoval } from '../../contract/clients.ts'
import { RemovalReport } from './removal-report.tsx'

/** The clients that were removed, as rows: by id, for nothing else is left of them. */
export function RemovedClients({ removals }: { removals: ClientRemoval[] }) {
  const t = useTranslations('access.removals')
  const format = useFormatter()
  return removals.map((removal) => (
    <tr key={removal.clientId}>
      <td data-main>
        <Link
          className="access-link"
          to="/admin/audit"
          search={{ thing: removal.clientId }}
          title={t('trail')}
        >
          {removal.clientId}
        </Link>
      </td>
      <td data-wide>
        <RemovalReport removal={removal} />
      </td>
      <td data-label={t('when')}>
        {format.dateTime(new Date(removal.askedAt), { dateStyle: 'medium', timeStyle: 'short' })}
      </td>
    </tr>
  ))
}
