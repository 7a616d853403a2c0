import { Button } from '@mantine/core'
import { Inbox } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { ShareLinkState } from '../../contract/shares.ts'
import type { UploadRequest } from '../../contract/upload-requests.ts'
import { State, type Tone } from '../ui/state.tsx'
import { endingStyle } from '../words/ending.ts'
import { fileSize } from '../words/file-size.ts'

const tones: Record<ShareLinkState, Tone> = {
  open: 'good',
  expired: 'plain',
  revoked: 'plain',
  suspended: 'warn',
}

/** One request: what it takes, until when, and what came of it. */
export function RequestCard({ request, onRevoke }: { request: UploadRequest; onRevoke(): void }) {
  const t = useTranslations('uploadRequests')
  const format = useFormatter()
  const locale = useLocale()
  const { state, title, note, waitingFiles, acceptedFiles, maxFiles, maxBytes } = request
  const isLive = state === 'open' || state === 'suspended'
  const day = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium' })
  return (
    <li className="card" data-off={!isLive}>
      <span className="card-icon">
        <Inbox size={20} aria-hidden />
      </span>
      <div className="card-words">
        <h3>{title}</h3>
        {note && <p>{note}</p>}
        <p>{t('caps', { files: maxFiles, bytes: fileSize(maxBytes, locale) })}</p>
        <p className="card-state">
          <State tone={tones[state]}>{t(`states.${state}`)}</State>
          {isLive && (
            <time dateTime={request.expiresAt}>
              {t('until', {
                day: format.dateTime(new Date(request.expiresAt), endingStyle(request.expiresAt, 'medium')),
              })}
            </time>
          )}
        </p>
        {state === 'suspended' && <p className="card-why">{t('suspendedWhy')}</p>}
        <p>{t('counts', { waiting: waitingFiles, accepted: acceptedFiles })}</p>
        <p>{t('madeBy', { name: request.createdByName ?? t('somebody'), day: day(request.createdAt) })}</p>
      </div>
      {isLive && (
        <div className="card-acts">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('revokeOf', { title })}
            onClick={onRevoke}
          >
            {t('revoke')}
          </Button>
        </div>
      )}
    </li>
  )
}
