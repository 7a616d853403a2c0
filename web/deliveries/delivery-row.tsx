import { Button } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Delivery, DeliveryStatus } from '../../contract/deliveries.ts'
import { useLibrary } from '../library/library.tsx'
import { partOf } from '../ui/part.ts'
import { PictureOrIcon } from '../ui/picture-or-icon.tsx'
import { State, type Tone } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'
import { type DeliveryDecision, isUnderWay, useDecideDelivery } from './deliveries.ts'

const SettleDialog = partOf(() => import('./settle-dialog.tsx'), 'SettleDialog')

const tones: Record<DeliveryStatus, Tone> = {
  queued: 'plain',
  preparing: 'plain',
  sending: 'plain',
  done: 'good',
  failed: 'bad',
  unknown: 'warn',
  cancelled: 'plain',
  removed: 'plain',
}

interface DeliveryRowProps {
  delivery: Delivery
  connectionName: string
  assetTitle: string
  /** The delivery this one takes the place of, if it is known. */
  replaced?: Delivery
  /** Where its picture is; null when there is none to show, absent where none is wanted. */
  picture?: string | null
  /** What the row is headed by. */
  children: ReactNode
}

/** One delivery: how it stands, why, and what can be done about it. */
export function DeliveryRow({
  delivery,
  connectionName,
  assetTitle,
  replaced,
  picture,
  children,
}: DeliveryRowProps) {
  const t = useTranslations('deliveries')
  const surfaces = useTranslations('surfaces')
  const format = useFormatter()
  const { status, surface, version, updatedAt, remoteUrl, text, assetRefs } = delivery
  return (
    <li className="delivery">
      {picture && <PictureOrIcon className="delivery-picture" src={picture} alt="" loading="lazy" />}
      {picture === null && <span className="delivery-picture" />}
      <div className="delivery-body">
        <div className="delivery-head">
          <span className="delivery-name">{children}</span>
          <State tone={tones[status]}>{t(`states.${status}`)}</State>
        </div>
        <small className="delivery-facts">
          {surfaces(surface)} · {t('version', { version })} ·{' '}
          <time dateTime={updatedAt}>{format.relativeTime(new Date(updatedAt), new Date())}</time>
        </small>
        {assetRefs.length > 1 && (
          <small className="delivery-facts">{t('showing', { count: assetRefs.length })}</small>
        )}
        {text && <small className="delivery-facts delivery-post">{t('saying', { text })}</small>}
        <Progress delivery={delivery} name={connectionName} />
        <Reason delivery={delivery} />
        {status === 'done' && remoteUrl && (
          <a className="delivery-link" href={remoteUrl} target="_blank" rel="noreferrer">
            {t('show')} <ExternalLink size={13} aria-hidden />
          </a>
        )}
        <Decisions
          delivery={delivery}
          connectionName={connectionName}
          assetTitle={assetTitle}
          replaced={replaced}
        />
      </div>
    </li>
  )
}

function Progress({ delivery: { status, progress }, name }: { delivery: Delivery; name: string }) {
  const t = useTranslations('deliveries')
  const { sentBytes, totalBytes, convertedPercent } = progress
  const isSent = status === 'sending' && totalBytes
  const percent = isSent ? Math.min(100, Math.floor((100 * sentBytes) / totalBytes)) : convertedPercent
  if (percent === undefined) return null
  return (
    <div className="delivery-progress">
      <div
        className="delivery-bar"
        role="progressbar"
        aria-label={t('progress', { name })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
      <small>{t(isSent ? 'sent' : 'converted', { percent })}</small>
    </div>
  )
}

/** Why it did not work, or not yet. */
function Reason({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('deliveries')
  const outbound = useOutboundText()
  const { status, lastError, lastErrorReason, attempts } = delivery
  const { can } = useLibrary()
  const isEnded = !isUnderWay(delivery)
  const isRetrying = !isEnded && lastError && attempts > 0
  const why = lastError && lastErrorReason?.code !== 'cannot-tell' && outbound(lastError, lastErrorReason)
  if (status === 'unknown')
    return (
      <>
        <p className="delivery-why">
          {t('unknownText')} {can('deliveries:settle') && t('unknownAsk')}
        </p>
        {why && <p className="delivery-why">{t('lastSaid', { why })}</p>}
      </>
    )
  if (isEnded && lastError) return <p className="delivery-why">{outbound(lastError, lastErrorReason)}</p>
  if (isRetrying)
    return (
      <p className="delivery-why">
        {t('retrying', { count: attempts })} {outbound(lastError, lastErrorReason)}
      </p>
    )
  return null
}

function Decisions({
  delivery,
  connectionName: name,
  assetTitle,
  replaced,
}: Omit<DeliveryRowProps, 'children' | 'picture'>) {
  const t = useTranslations('deliveries')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const decide = useDecideDelivery(delivery)
  const [settling, setSettling] = useState(false)
  const { status } = delivery
  if (!can('deliveries:write')) return null

  const { deliveryId: about } = delivery
  const act = (decision: DeliveryDecision) =>
    decide.mutate(decision, {
      // What may have arrived is looked for, and not sent a second time.
      onSuccess: () => status === 'unknown' && toast({ about, text: t('looking', { name }) }),
      onError: (error) => toast({ about, text: problemText(error), bad: true }),
    })
  const button = (words: string, decision: DeliveryDecision['act'] & string, label?: string) => (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={label}
      loading={decide.isPending && decide.variables.act === decision}
      onClick={() => act({ act: decision } as DeliveryDecision)}
    >
      {words}
    </Button>
  )
  const isReplacement = status === 'done' && replaced?.status === 'done'
  return (
    <>
      {isReplacement && <p className="delivery-why">{t('replaces')}</p>}
      <div className="delivery-acts">
        {isReplacement && button(t('confirm'), 'confirm')}
        {isReplacement && button(t('undo'), 'undo')}
        {isUnderWay(delivery) && button(t('cancel'), 'cancel', t('cancelOf', { name }))}
        {status === 'failed' && button(t('abandon'), 'cancel', t('abandonOf', { name }))}
        {(status === 'unknown' || status === 'failed') && can('deliveries:settle') && (
          <Button variant="default" size="compact-sm" onClick={() => setSettling(true)}>
            {t('settle')}
          </Button>
        )}
        {status === 'unknown' && button(t('lookAgain'), 'retry', t('lookAgainOf', { name }))}
        {(status === 'failed' || status === 'cancelled' || (status === 'done' && delivery.lastError)) &&
          button(t('retry'), 'retry', t('retryOf', { name }))}
      </div>
      <Suspense>
        {settling && (
          <SettleDialog
            delivery={delivery}
            connectionName={name}
            assetTitle={assetTitle}
            onClose={() => setSettling(false)}
          />
        )}
      </Suspense>
    </>
  )
}
