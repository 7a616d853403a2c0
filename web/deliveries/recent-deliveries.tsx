import { NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Connection, Delivery, DeliveryStatus } from '../../contract/deliveries.ts'
import { previewUrl, useAsset } from '../assets/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { useDeliveries } from './deliveries.ts'
import { DeliveryRow } from './delivery-row.tsx'

const statuses = [
  'queued',
  'preparing',
  'sending',
  'done',
  'failed',
  'unknown',
  'cancelled',
  'removed',
] as const satisfies DeliveryStatus[]

/** What was delivered lately to any of the client's systems. */
export function RecentDeliveries({ connections }: { connections: Connection[] }) {
  const t = useTranslations('deliveries')
  const [status, setStatus] = useState<DeliveryStatus>()
  const page = useDeliveries({ status })
  const deliveries = page.data?.pages.flatMap((some) => some.deliveries)
  const nameOf = ({ connectionId }: Delivery) =>
    connections.find((one) => one.connectionId === connectionId)?.name ?? t('goneConnection')
  if (deliveries?.length === 0 && !status && connections.length === 0) return null
  return (
    <section className="recent" aria-labelledby="recent-deliveries">
      <div className="recent-head">
        <h3 id="recent-deliveries">{t('title')}</h3>
        <NativeSelect
          aria-label={t('filter')}
          size="sm"
          data={[
            { value: '', label: `${t('filter')}: ${t('all')}` },
            ...statuses.map((value) => ({ value, label: t(`states.${value}`) })),
          ]}
          value={status ?? ''}
          onChange={(event) =>
            setStatus((event.currentTarget.value || undefined) as DeliveryStatus | undefined)
          }
        />
      </div>
      <LoadState query={page} />
      {deliveries?.length === 0 &&
        (status ? (
          <p className="recent-none">{t('noMatch')}</p>
        ) : (
          <Nothing icon={<Send size={28} />} title={t('emptyTitle')} text={t('emptyText')} />
        ))}
      {deliveries && deliveries.length > 0 && (
        <ul className="deliveries deliveries-page">
          {deliveries.map((delivery) => (
            <RecentDelivery
              key={delivery.deliveryId}
              delivery={delivery}
              connectionName={nameOf(delivery)}
              replaced={deliveries.find((one) => one.deliveryId === delivery.replacesDeliveryId)}
            />
          ))}
        </ul>
      )}
      <ShowMore list={page} />
    </section>
  )
}

function RecentDelivery({
  delivery,
  connectionName,
  replaced,
}: {
  delivery: Delivery
  connectionName: string
  replaced: Delivery | undefined
}) {
  const t = useTranslations('deliveries')
  const library = useLibrary()
  const { asset } = useAsset(delivery.assetId)
  const title = asset?.title ?? t('goneAsset')
  return (
    <DeliveryRow
      delivery={delivery}
      connectionName={connectionName}
      assetTitle={title}
      replaced={replaced}
      picture={asset ? previewUrl(library, delivery, 'thumb') : null}
    >
      {asset ? (
        <Link
          to="/clients/$clientId/assets"
          params={{ clientId: delivery.clientId }}
          search={{ folder: asset.folderId ?? undefined, asset: asset.assetId }}
        >
          <strong>{title}</strong>
        </Link>
      ) : (
        <strong>{title}</strong>
      )}
      <span className="delivery-to">→ {connectionName}</span>
    </DeliveryRow>
  )
}
