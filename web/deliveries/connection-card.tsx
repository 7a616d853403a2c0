import { ActionIcon, Button } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Connection } from '../../contract/deliveries.ts'
import { State, type Tone } from '../ui/state.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { addressOf, iconOf } from './kinds.ts'
import { needsSignIn } from './sign-in.ts'

const tones: Record<Connection['status'], Tone> = { untested: 'plain', connected: 'good', error: 'bad' }

/** One system: what it is, whether it answers, and since when that is known. */
export function ConnectionCard({
  connection,
  isTesting,
  onTest,
  onSignIn,
  signInMissing,
  onEdit,
  onRemove,
}: {
  connection: Connection
  isTesting: boolean
  onTest(): void
  /** Absent where the person may not, or nobody can. */
  onSignIn?(): void
  /** What has to be set first. */
  signInMissing?: string
  onEdit?(): void
  onRemove?(): void
}) {
  const t = useTranslations('connections')
  const common = useTranslations('access')
  const outbound = useOutboundText()
  const format = useFormatter()
  const { kind, name, status, lastCheckedAt, lastError, lastErrorReason, signedIn } = connection
  const isNeeded = needsSignIn(connection)
  const Icon = iconOf(kind)
  return (
    <li className="card">
      <span className="card-icon">
        <Icon size={20} aria-hidden />
      </span>
      <div className="card-words">
        <h3>{name}</h3>
        <p>
          {t(`kinds.${kind}`)} · <span className="card-address">{addressOf(connection)}</span>
        </p>
        <p className="card-state">
          <State tone={tones[status]}>{t(`states.${status}`)}</State>
          {lastCheckedAt && (
            <time dateTime={lastCheckedAt}>
              {t('checked', { when: format.relativeTime(new Date(lastCheckedAt), new Date()) })}
            </time>
          )}
        </p>
        {signedIn?.until && !isNeeded && (
          <p>
            {t('signedInUntil', { when: format.dateTime(new Date(signedIn.until), { dateStyle: 'long' }) })}
          </p>
        )}
        {lastError && <p className="card-why">{outbound(lastError, lastErrorReason)}</p>}
        {onSignIn && signInMissing && <p>{signInMissing}</p>}
      </div>
      <div className="card-acts">
        {onSignIn && (
          <Button
            variant={isNeeded ? 'filled' : 'default'}
            size="xs"
            disabled={!!signInMissing}
            onClick={onSignIn}
            aria-label={t('signInTo', { name })}
          >
            {t(signedIn ? 'signInAgain' : 'signIn')}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          loading={isTesting}
          onClick={onTest}
          aria-label={t('testOf', { name })}
        >
          {t('test')}
        </Button>
        {onEdit && (
          <ActionIcon onClick={onEdit} aria-label={common('edit', { name })}>
            <Pencil size={16} />
          </ActionIcon>
        )}
        {onRemove && (
          <ActionIcon color="red" onClick={onRemove} aria-label={t('remove', { name })}>
            <Trash2 size={16} />
          </ActionIcon>
        )}
      </div>
    </li>
  )
}
