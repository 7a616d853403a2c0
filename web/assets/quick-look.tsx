import { ActionIcon } from '@mantine/core'
import { ChevronLeft, ChevronRight, Download, Info, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { contentUrl, previewUrl, useAsset } from './assets.ts'
import { EditableField } from './edit-field.tsx'
import { isVideo, TypeIcon } from './picture.tsx'
import { placeholderOf } from './placeholder.ts'
import './quick-look.css'

interface QuickLookProps {
  assetId: string
  /** What ← and → go through. */
  order: string[]
  onGo(assetId: string): void
  onDetails(): void
  onClose(): void
}

export function QuickLook({ assetId, order, onGo, onDetails, onClose }: QuickLookProps) {
  const t = useTranslations('quickLook')
  const app = useTranslations('app')
  const actions = useTranslations('actions')
  const details = useTranslations('details')
  const library = useLibrary()
  const { asset } = useAsset(assetId)
  const dialog = useRef<HTMLDialogElement>(null)
  const index = order.indexOf(assetId)
  const previous = index > 0 ? order[index - 1] : undefined
  const next = index >= 0 ? order[index + 1] : undefined

  useEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    shown.focus()
    return () => shown.close()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const typing = (event.target as Element).matches('input, textarea')
    const playing = (event.target as Element).matches('video')
    if (typing) return
    if (event.key === 'ArrowLeft' && previous && !playing) onGo(previous)
    else if (event.key === 'ArrowRight' && next && !playing) onGo(next)
    else if (event.key === ' ' && !(event.target as Element).matches('button, a, video')) onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <dialog
      ref={dialog}
      className="quick-look"
      tabIndex={-1}
      aria-label={t('label', { title: asset?.title ?? '' })}
      onKeyDown={onKeyDown}
      onClose={onClose}
      onClick={(event) => {
        if ((event.target as Element).matches('.quick-look, .quick-look-stage')) onClose()
      }}
    >
      <div className="quick-look-bar">
        <span className="quick-look-position">
          {index >= 0 && t('position', { index: index + 1, count: order.length })}
        </span>
        {asset && (
          <ActionIcon
            component="a"
            href={contentUrl(library, asset, { download: true })}
            size={36}
            aria-label={actions('download')}
          >
            <Download size={18} />
          </ActionIcon>
        )}
        <ActionIcon size={36} onClick={onDetails} aria-label={actions('showDetails')}>
          <Info size={18} />
        </ActionIcon>
        <ActionIcon size={36} onClick={onClose} aria-label={app('close')}>
          <X size={20} />
        </ActionIcon>
      </div>
      <div className="quick-look-stage">
        {asset && <Stage key={`${asset.assetId} ${asset.version}`} asset={asset} />}
        <ActionIcon
          className="quick-look-step is-previous"
          size={44}
          {...atTheEnd(!previous)}
          onClick={() => previous && onGo(previous)}
          aria-label={t('previous')}
        >
          <ChevronLeft size={24} />
        </ActionIcon>
        <ActionIcon
          className="quick-look-step is-next"
          size={44}
          {...atTheEnd(!next)}
          onClick={() => next && onGo(next)}
          aria-label={t('next')}
        >
          <ChevronRight size={24} />
        </ActionIcon>
      </div>
      {asset && (
        <div className="quick-look-words">
          <EditableField
            asset={asset}
            field="title"
            blank={details('addTitle')}
            className="quick-look-title"
          />
          <EditableField asset={asset} field="description" blank={details('addDescription')} />
        </div>
      )}
    </dialog>
  )
}

// Not `disabled`: the browser would take the focus away, and with it the keys of the whole dialog.
const atTheEnd = (end: boolean) => (end ? { 'data-disabled': true, 'aria-disabled': true } : {})

function Stage({ asset }: { asset: Asset }) {
  const t = useTranslations('quickLook')
  const actions = useTranslations('actions')
  const library = useLibrary()
  const [failed, setFailed] = useState(false)

  if (failed || (asset.media.state === 'failed' && !isVideo(asset)))
    return (
      <div className="quick-look-fallback">
        <TypeIcon asset={asset} size={48} />
        <p>{isVideo(asset) ? t('cannotPlay') : t('cannotShow')}</p>
        <a href={contentUrl(library, asset, { download: true })}>{actions('download')}</a>
      </div>
    )
  if (isVideo(asset))
    return (
      // biome-ignore lint/a11y/useMediaCaption: the library holds films without caption tracks
      <video
        className="quick-look-media"
        src={contentUrl(library, asset)}
        poster={previewUrl(library, asset, 'large')}
        width={asset.width ?? undefined}
        height={asset.height ?? undefined}
        controls
        playsInline
        preload="metadata"
        aria-label={asset.altText || asset.title}
        onError={() => setFailed(true)}
      />
    )
  return (
    <img
      className="quick-look-media"
      src={previewUrl(library, asset, 'large')}
      width={asset.width ?? undefined}
      height={asset.height ?? undefined}
      style={{ backgroundImage: asset.details.hasAlpha ? undefined : placeholderOf(asset.media.placeholder) }}
      alt={asset.altText || asset.title}
      onError={() => setFailed(true)}
    />
  )
}
