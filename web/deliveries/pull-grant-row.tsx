import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { PullGrant, PullGrantState } from '../../contract/deliveries.ts'
import { useTargetName } from '../assets/fit-words.ts'
import { useLibrary } from '../library/library.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { State, type Tone } from '../ui/state.tsx'
import { useRevokePullGrant } from './pull-grants.ts'

const tones: Record<PullGrantState, Tone> = {
  open: 'good',
  expired: 'plain',
  revoked: 'plain',
  delivered: 'plain',
}

/** One address to fetch from: for whom, until when, who has fetched; and the way to end it. */
export function PullGrantRow({
  grant,
  assetTitle,
  children,
}: {
  grant: PullGrant
  /** Where more than one asset's are listed. */
  assetTitle?: string
  /** What the row is headed by. */
  children: ReactNode
}) {
  const t = useTranslations('pullGrants')
  const format = useFormatter()
  const { can } = useLibrary()
  const revoke = useRevokePullGrant()
  const [asking, setAsking] = useState(false)
  const name = useTargetName()({ target: grant.target, name: grant.targetName })
  const { state, expiresAt, deliveryId, fetchCount, lastFetchedAt, lastFetchedFrom } = grant
  const isOpen = state === 'open'
  return (
    <li className="delivery">
      <div className="delivery-body">
        <div className="delivery-head">
          <span className="delivery-name">{children}</span>
          <State tone={tones[state]}>{t(`states.${state}`)}</State>
        </div>
        <small className="delivery-facts">
          {isOpen && (
            <time dateTime={expiresAt}>
              {t('until', {
                when: format.dateTime(new Date(expiresAt), { dateStyle: 'short', timeStyle: 'short' }),
              })}
            </time>
          )}
          {isOpen && deliveryId && ' · '}
          {deliveryId && t('ofDelivery')}
        </small>
        <small className="delivery-facts">
          {lastFetchedAt
            ? t('fetched', {
                count: fetchCount,
                when: format.relativeTime(new Date(lastFetchedAt), new Date()),
                from: lastFetchedFrom ?? '',
              })
            : t('neverFetched')}
        </small>
        {isOpen && can('deliveries:write') && (
          <div className="delivery-acts">
            <Button
              variant="default"
              size="compact-sm"
              aria-label={
                assetTitle ? t('revokeOfAsset', { name, title: assetTitle }) : t('revokeOf', { name })
              }
              onClick={() => setAsking(true)}
            >
              {t('revoke')}
            </Button>
          </div>
        )}
        {asking && (
          <ConfirmRemoval
            title={t('revokeTitle', { name })}
            text={t('revokeText', { name })}
            button={t('revoke')}
            remove={revoke}
            what={grant}
            removed={t('revoked', { name })}
            onClose={() => setAsking(false)}
          />
        )}
      </div>
    </li>
  )
}
