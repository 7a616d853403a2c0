import { Button } from '@mantine/core'
import { Folder, Images, Lock } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ShareLink, ShareLinkState } from '../../contract/shares.ts'
import { State, type Tone } from '../ui/state.tsx'
import { endingStyle } from '../words/ending.ts'

const tones: Record<ShareLinkState, Tone> = {
  open: 'good',
  expired: 'plain',
  revoked: 'plain',
  suspended: 'warn',
}

/** One link: what it gives, until when, and who opened it. */
export function ShareLinkCard({ link, onRevoke }: { link: ShareLink; onRevoke(): void }) {
  const t = useTranslations('shares')
  const format = useFormatter()
  const [shown, setShown] = useState(false)
  const {
    state,
    title,
    note,
    folderId,
    collectionId,
    assetCount,
    allows,
    files,
    watermark,
    visits,
    openCount,
  } = link
  const isLive = state === 'open' || state === 'suspended'
  const when = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' })
  const given = allows === 'view' ? 'view' : files === 'original' ? 'originals' : 'copies'
  return (
    <li className="card" data-off={!isLive}>
      <span className="card-icon">
        {folderId ? <Folder size={20} aria-hidden /> : <Images size={20} aria-hidden />}
      </span>
      <div className="card-words">
        <h3>{title}</h3>
        {note && <p>{note}</p>}
        <p>
          {folderId
            ? t('ofFolder')
            : collectionId
              ? t('ofCollection')
              : t('ofAssets', { count: assetCount ?? 0 })}{' '}
          · {t(`givesWords.${given}`)}
          {watermark && ` · ${t('marked', { text: watermark })}`}
          {link.review && ` · ${t('withReview')}`}
        </p>
        <p className="card-state">
          <State tone={tones[state]}>{t(`states.${state}`)}</State>
          {link.hasPassword && (
            <span className="share-locked">
              <Lock size={13} aria-hidden /> {t('withPassword')}
            </span>
          )}
          {isLive && (
            <time dateTime={link.expiresAt}>
              {t('until', {
                day: format.dateTime(new Date(link.expiresAt), endingStyle(link.expiresAt, 'medium')),
              })}
            </time>
          )}
        </p>
        {state === 'suspended' && <p className="card-why">{t('suspendedWhy')}</p>}
        <p>{t('madeBy', { name: link.createdByName ?? t('somebody'), when: when(link.createdAt) })}</p>
        <p>
          {link.lastOpenedAt
            ? t('opened', {
                count: openCount,
                when: format.relativeTime(new Date(link.lastOpenedAt), new Date()),
              })
            : t('neverOpened')}
        </p>
        {visits.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            className="share-visits-toggle"
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? t('hideVisits') : t('showVisits')}
          </Button>
        )}
        {shown && (
          <ul className="share-visits">
            {visits.map(({ at, network, browser }) => (
              <li key={`${at} ${network}`}>
                <time dateTime={at}>{when(at)}</time>
                <span>{browser || t('unknownBrowser')}</span>
                <span>{network}</span>
              </li>
            ))}
          </ul>
        )}
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
