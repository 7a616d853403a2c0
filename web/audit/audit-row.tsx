import { Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import type { AuditEntry } from '../../contract/audit.ts'

export function AuditRow({ entry, clientName }: { entry: AuditEntry; clientName: string | undefined }) {
  const t = useTranslations('audit')
  const format = useFormatter()
  const { principal, action } = entry
  const nameOf = (kind: AuditEntry['principal']['kind'], name: string | null) => {
    if (kind === 'system') return t('principals.system')
    return kind === 'user' && name === null ? t('principals.deleted') : name
  }
  return (
    <tr>
      <td data-main>
        <span className="state audit-action" data-tone={toneOf(entry)}>
          {t(`actions.${action}`)}
        </span>
        <Thing entry={entry} />
        {clientName && <span className="access-sub">{clientName}</span>}
        <More entry={entry} />
      </td>
      <td data-label={t('who')}>
        <span>
          {principal.id ? (
            <Link className="access-link" to="/admin/audit" search={{ who: principal.id }}>
              {nameOf(principal.kind, principal.name) ?? principal.id}
            </Link>
          ) : (
            t('principals.nobody')
          )}
          {(principal.kind === 'user' || principal.kind === 'key') && (
            <span className="access-sub">{t(`principals.${principal.kind}`)}</span>
          )}
        </span>
      </td>
      <td data-label={t('when')}>
        <time dateTime={entry.at}>
          {format.dateTime(new Date(entry.at), { dateStyle: 'medium', timeStyle: 'medium' })}
        </time>
      </td>
      <td data-label={t('where')}>{entry.address ?? '–'}</td>
    </tr>
  )
}

function Thing({ entry: { action, thing, name, clientId } }: { entry: AuditEntry }) {
  if (!thing) return null
  const called = name ?? thing
  const canBeOpened = /^(asset|review|comment)\./.test(action) && action !== 'asset.purged'
  return (
    <strong className="audit-called">
      {canBeOpened && clientId ? (
        <Link
          className="access-link"
          to="/clients/$clientId/assets"
          params={{ clientId }}
          search={{ asset: thing }}
        >
          {called}
        </Link>
      ) : (
        called
      )}
    </strong>
  )
}

/** What only somebody who looks closely wants to know. */
function More({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit')
  const { thing, userAgent, requestId, details } = entry
  const rows = [
    [t('userAgent'), userAgent],
    [t('requestId'), requestId],
    ...Object.entries(details).map(([name, value]) => [name, inWords(value)]),
  ].filter(([, value]) => value !== null && value !== '')
  return (
    <details className="audit-more">
      <summary>{t('more')}</summary>
      <dl>
        {thing && (
          <div>
            <dt>{t('thing')}</dt>
            <dd>
              <Link className="access-link" to="/admin/audit" search={{ thing }} title={t('allOfIt')}>
                {thing}
              </Link>
            </dd>
          </div>
        )}
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const inWords = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const gone = /\.(trashed|purged|removed|deleted|revoked|aborted|expired|cancelled)$/
const bad = /\.(failed|rejected|unknown)$/

const toneOf = ({ action }: AuditEntry) => (bad.test(action) ? 'bad' : gone.test(action) ? 'warn' : 'plain')
