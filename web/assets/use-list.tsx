import { useFormatter, useTranslations } from 'use-intl'
import type { Use } from '../../contract/references.ts'
import './use-list.css'

/** Posts and jobs that point to an asset, with where they stand. */
export function UseList({ uses }: { uses: Use[] }) {
  const t = useTranslations('uses')
  const format = useFormatter()
  return (
    <ul className="uses">
      {uses.map(({ kind, externalId, title, url, status, scheduledFor }) => (
        <li key={`${kind} ${externalId}`}>
          <span className="use-name">
            {url ? (
              <a href={url} target="_blank" rel="noreferrer">
                {title ?? externalId}
              </a>
            ) : (
              (title ?? externalId)
            )}
            <small>
              {t(`kinds.${kind}`)}
              {scheduledFor &&
                ` · ${format.dateTime(new Date(scheduledFor), { dateStyle: 'medium', timeStyle: 'short' })}`}
            </small>
          </span>
          <span className="badge">{t(`statuses.${status}`)}</span>
        </li>
      ))}
    </ul>
  )
}
