import { ActionIcon } from '@mantine/core'
import { ChevronLeft, ChevronRight, Crop, X } from 'lucide-react'
import { type DragEvent, type MouseEvent, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import type { Plan } from '../../contract/references.ts'
import { useAsset } from '../assets/assets.ts'
import { Cropped } from '../assets/cropped.tsx'
import { useFitWords } from '../assets/fit-words.ts'
import { mayBeCropped } from '../assets/picture.tsx'
import { useLibrary } from '../library/library.tsx'
import { announce } from '../ui/announce.tsx'
import { partOf } from '../ui/part.ts'
import { unavailable } from '../ui/unavailable.ts'
import type { Planned } from './set-plan.ts'
import './set-pictures.css'

const CropDialog = partOf(() => import('../assets/crop-dialog.tsx'), 'CropDialog')

const draggedPicture = 'application/x-picture'

/** The pictures as they will be sent, in their order, which can be changed by drag and by key. */
export function SetPictures({
  order,
  plan,
  hasOrder,
  onOrder,
  onCropped,
}: {
  order: string[]
  plan: Plan | undefined
  /** Those of a post have one; files go each by itself. */
  hasOrder: boolean
  onOrder(order: string[]): void
  onCropped(): void
}) {
  const t = useTranslations('plan')
  const move = (assetId: string, to: number) => {
    const others = order.filter((other) => other !== assetId)
    onOrder([...others.slice(0, to), assetId, ...others.slice(to)])
  }
  return (
    <ol className="set-pictures" aria-label={t('pictures')}>
      {order.map((assetId, place) => (
        <SetPicture
          key={assetId}
          assetId={assetId}
          plan={plan}
          picture={plan?.pictures.find(({ assetRef }) => assetRef === assetId)}
          place={place}
          count={order.length}
          hasOrder={hasOrder}
          onMove={move}
          onRemove={() => onOrder(order.filter((other) => other !== assetId))}
          onCropped={onCropped}
        />
      ))}
    </ol>
  )
}

function SetPicture({
  assetId,
  plan,
  picture,
  place,
  count,
  hasOrder,
  onMove,
  onRemove,
  onCropped,
}: {
  assetId: string
  plan: Plan | undefined
  picture: Planned | undefined
  place: number
  count: number
  hasOrder: boolean
  onMove(assetId: string, to: number): void
  onRemove(): void
  onCropped(): void
}) {
  const t = useTranslations('plan')
  const library = useLibrary()
  const { asset } = useAsset(assetId)
  const [cropping, setCropping] = useState(false)
  const [isOver, setIsOver] = useState(false)
  if (!asset) return null
  const { title } = asset

  /** The button goes along with its picture, and keeps the keyboard. */
  const step = (by: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const to = place + by
    if (to < 0 || to >= count) return
    const button = event.currentTarget
    flushSync(() => onMove(assetId, to))
    button.focus()
    announce(t('place', { title, place: to + 1, count }))
  }
  const dragging = hasOrder && {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(draggedPicture, assetId)
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(draggedPicture)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      onMove(event.dataTransfer.getData(draggedPicture), place)
    },
  }
  return (
    <li data-unfit={picture?.ok === false} data-over={isOver} {...dragging}>
      <Cropped
        asset={asset}
        area={picture?.ok ? picture.crop : { x: 0, y: 0, width: 1, height: 1 }}
        size="card"
        alt={asset.altText || title}
      />
      <strong>{title}</strong>
      <small>{picture && plan && <Outcome plan={plan} picture={picture} />}</small>
      <span className="set-acts">
        {hasOrder && (
          <ActionIcon {...unavailable(place === 0)} onClick={step(-1)} aria-label={t('earlier', { title })}>
            <ChevronLeft size={16} />
          </ActionIcon>
        )}
        {library.can('assets:write') && mayBeCropped(asset) && (
          <ActionIcon onClick={() => setCropping(true)} aria-label={t('adjust', { title })}>
            <Crop size={16} />
          </ActionIcon>
        )}
        {count > 1 && (
          <ActionIcon onClick={onRemove} aria-label={t('remove', { title })}>
            <X size={16} />
          </ActionIcon>
        )}
        {hasOrder && (
          <ActionIcon
            {...unavailable(place === count - 1)}
            onClick={step(1)}
            aria-label={t('later', { title })}
          >
            <ChevronRight size={16} />
          </ActionIcon>
        )}
      </span>
      {cropping && (
        <Suspense>
          <CropDialog
            asset={asset}
            at={plan?.ratio ?? null}
            onClose={() => {
              setCropping(false)
              onCropped()
            }}
          />
        </Suspense>
      )}
    </li>
  )
}

function Outcome({ plan, picture }: { plan: Plan; picture: Planned }) {
  const t = useTranslations('plan')
  const refusals = useTranslations('problems.refusals')
  const inWords = useFitWords()
  if (picture.ok) return t(`by.${picture.cropBy}`)
  const { code, why } = picture
  return why.length > 0 ? inWords({ target: plan.target, name: plan.target, why }) : refusals(code)
}
