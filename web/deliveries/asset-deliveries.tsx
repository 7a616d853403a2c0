import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { RefreshCw, Send } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { Delivery } from '../../contract/deliveries.ts'
import { daysLeft } from '../assets/rights-end.ts'
import { Section } from '../assets/section.tsx'
import { useLibrary } from '../library/library.tsx'
import { partOf } from '../ui/part.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useConnections, useDeliveries, useRedeliver } from './deliveries.ts'
import { DeliveryRow } from './delivery-row.tsx'

const DeliverDialog = partOf(() => import('./deliver-dialog.tsx'), 'DeliverDialog')

/** Where one asset has been delivered, and the way to deliver it. */
export function AssetDeliveries({ asset }: { asset: Asset }) {
  const t = useTranslations('deliveries')
  const common = useTranslations('access')
  const { clientId, can } = useLibrary()
  const connections = useConnections()
  const page = useDeliveries({ assetId: asset.assetId })
  const [choosing, setChoosing] = useState(false)
  const deliveries = page.data?.pages.flatMap((some) => some.deliveries)
  const hasEnded = (daysLeft(asset.rightsExpireAt) ?? 0) < 0
  const mayDeliver = can('deliveries:write') && !asset.trashedAt && !hasEnded
  if (!connections.data || !deliveries || (!mayDeliver && deliveries.length === 0)) return null

  const hasConnections = connections.data.length > 0
  const nameOf = ({ connectionId }: Delivery) =>
    connections.data.find((one) => one.connectionId === connectionId)?.name ?? t('goneConnection')
  return (
    <Section title={t('label')}>
      {deliveries.length > 0 && (
        <ul className="deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.deliveryId}
              delivery={delivery}
              connectionName={nameOf(delivery)}
              assetTitle={asset.title}
              replaced={deliveries.find((one) => one.deliveryId === delivery.replacesDeliveryId)}
            >
              <strong>{nameOf(delivery)}</strong>
            </DeliveryRow>
          ))}
        </ul>
      )}
      {page.hasNextPage && (
        <Button variant="subtle" size="compact-sm" onClick={() => page.fetchNextPage()}>
          {common('showMore')}
        </Button>
      )}
      {mayDeliver && <Outdated asset={asset} deliveries={deliveries} />}
      {mayDeliver && !hasConnections && (
        <p className="details-hint">
          {t('noConnections')}{' '}
          <Link to="/clients/$clientId/connections" params={{ clientId }} className="access-link">
            {t('toConnections')}
          </Link>
        </p>
      )}
      {mayDeliver && hasConnections && (
        <Button
          variant="default"
          size="sm"
          mt={8}
          leftSection={<Send size={16} />}
          onClick={() => setChoosing(true)}
        >
          {t('deliver')}
        </Button>
      )}
      <Suspense>
        {choosing && (
          <DeliverDialog asset={asset} connections={connections.data} onClose={() => setChoosing(false)} />
        )}
      </Suspense>
    </Section>
  )
}

/** The file was replaced, and somewhere the earlier one is still what people see. */
function Outdated({ asset, deliveries }: { asset: Asset; deliveries: Delivery[] }) {
  const t = useTranslations('deliveries')
  const problemText = useProblemText()
  const redeliver = useRedeliver()
  const files = deliveries.filter(({ text }) => text === null)
  const behind = [...Map.groupBy(files, ({ connectionId }) => connectionId).values()].filter(
    (there) =>
      there.some(({ status }) => status === 'done') && there.every(({ version }) => version < asset.version),
  )
  if (behind.length === 0) return null
  const about = `${asset.assetId} redelivery`
  return (
    <div className="details-nudge deliveries-outdated">
      <span>{t('outdated', { count: behind.length })}</span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<RefreshCw size={14} />}
        loading={redeliver.isPending}
        onClick={() =>
          redeliver.mutate(asset.assetId, {
            onSuccess: (answer) => {
              toast({ about, text: t('redelivered', { count: answer.deliveries.length }) })
              for (const { detail } of answer.refused) toast({ text: detail, bad: true })
            },
            onError: (error) => toast({ about, text: problemText(error), bad: true }),
          })
        }
      >
        {t('redeliver', { version: asset.version })}
      </Button>
    </div>
  )
}
