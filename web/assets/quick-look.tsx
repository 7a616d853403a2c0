import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { ChevronLeft, ChevronRight, Download, Info, ListX, Trash2, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { timesUndone, useUndo } from '../library/undo.ts'
import { focusIfLost } from '../ui/focus.ts'
import { useIsTop } from '../ui/layers.ts'
import { unavailable } from '../ui/unavailable.ts'
import { useProblemText } from '../words/problem-text.ts'
import { contentUrl, useAsset } from './assets.ts'
import { EditableField } from './edit-field.tsx'
import { isVideo } from './picture.tsx'
import { Stage, TryAgain } from './quick-look-stage.tsx'
import { useZoom, type View } from './zoom.ts'
import './quick-look.css'

interface QuickLookProps {
  assetId: string
  /** What ← and → go through. */
  order: string[]
  /** How many there are with those that are not read yet. */
  count: number
  /** There may be more than those. */
  isAtLeast: boolean
  onGo(assetId: string): void
  /** What is known of it, shown beside the picture on demand. */
  details: ReactNode
  /** Whether that shows from the start. */
  detailsFirst: boolean
  /** What lies over the picture while that shows. */
  over(asset: Asset, view: View): ReactNode
  /** There, Delete takes it out of the collection. */
  inCollection: boolean
  /** Both are absent where the person may not. */
  onTakeOut?(): void
  onTrash?(): void
  onClose(): void
}

/** Over the whole page, but not in the browser's top layer: what is said at the bottom has to be seen above it. */
export function QuickLook({
  assetId,
  order,
  count,
  isAtLeast,
  onGo,
  details: known,
  detailsFirst,
  over,
  inCollection,
  onTakeOut,
  onTrash,
  onClose,
}: QuickLookProps) {
  const t = useTranslations('quickLook')
  const app = useTranslations('app')
  const actions = useTranslations('actions')
  const collections = useTranslations('collections')
  const details = useTranslations('details')
  const page = useTranslations('library')
  const library = useLibrary()
  const undo = useUndo()
  useIsTop(true)
  const problemText = useProblemText()
  const { asset, error, retry } = useAsset(assetId)
  const [knownShown, showKnown] = useState(detailsFirst)
  const dialog = useRef<HTMLDivElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const index = order.indexOf(assetId)
  // What somebody else takes out of the list leaves its place to the next one.
  const stood = useRef({ assetId, index })
  if (index >= 0 || stood.current.assetId !== assetId) stood.current = { assetId, index }
  const at = stood.current.index
  const removed = useRef(new Map<string, number>())
  const previous = at < 0 ? undefined : staying(at - 1, -1)
  const next = at < 0 ? undefined : staying(index < 0 ? at : at + 1, 1)
  const isGone = index < 0 && !!asset?.trashedAt
  const zoomable = !!asset && !isVideo(asset) && asset.media.state !== 'failed'
  const zoom = useZoom(stage, {
    subject: `${assetId} ${asset?.version}`,
    zoomable,
    onSwipe: (to) => goTo(to === 'next' ? next : previous),
  })

  const keyed = useRef(onKeyDown)
  keyed.current = onKeyDown
  useEffect(() => {
    dialog.current!.focus()
    // The keyboard falls to the page when what had it goes, such as the button of a toast. It is still ours.
    function takeBack(event: globalThis.KeyboardEvent) {
      if ((event.target as Element).closest('[role=dialog], [role=menu], .toast')) return
      event.stopPropagation()
      dialog.current!.focus()
      keyed.current(event)
    }
    document.addEventListener('keydown', takeBack, true)
    return () => document.removeEventListener('keydown', takeBack, true)
  }, [])

  // What had the focus may have gone with the asset before: whoever decides goes on where the next decision is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each asset anew
  useEffect(
    () => focusIfLost(() => dialog.current!.querySelector<HTMLElement>('[data-goes-on]') ?? dialog.current),
    [assetId],
  )

  function goTo(other: string | undefined) {
    if (other) onGo(other)
  }

  /** From there on. The list may still show what was removed a moment ago, or an older answer show it again. */
  function staying(from: number, by: 1 | -1): string | undefined {
    let place = from
    while (removed.current.get(order[place] ?? '') === timesUndone()) place += by
    return order[place]
  }

  /** What is looked at next takes its place; with nothing left, there is nothing to look at. */
  function goAfter(remove: (() => void) | undefined) {
    if (!remove || isGone) return
    remove()
    removed.current.set(assetId, timesUndone())
    setTimeout(() => removed.current.delete(assetId), moment)
    const after = next ?? previous
    if (after) onGo(after)
    else onClose()
  }

  const steps: Record<string, () => unknown> = {
    Escape: onClose,
    ArrowLeft: () => zoom.panBy(pan, 0) || goTo(previous),
    ArrowRight: () => zoom.panBy(-pan, 0) || goTo(next),
    ArrowUp: () => zoom.panBy(0, pan),
    ArrowDown: () => zoom.panBy(0, -pan),
    '+': zoom.zoomIn,
    '=': zoom.zoomIn,
    '-': zoom.zoomOut,
    '0': zoom.reset,
    i: () => showKnown(!knownShown),
    Delete: () => goAfter(inCollection ? onTakeOut : onTrash),
    ' ': onClose,
  }

  function onKeyDown(event: KeyboardEvent | globalThis.KeyboardEvent) {
    const target = event.target as Element
    // What is open above it has its own keys.
    const within = target.closest('[role=dialog]')
    if (within && within !== dialog.current) return
    if (event.key === 'Tab') return keepInside(event, dialog.current!)
    if (target.matches('input, textarea, select')) return
    if (target.matches('video') && (event.key === ' ' || event.key.startsWith('Arrow'))) return
    if (target.matches('button, a') && event.key === ' ') return
    const wantsUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z'
    const step = wantsUndo ? () => void undo.undoLatest() : steps[event.key]
    if (!step || event.altKey || ((event.ctrlKey || event.metaKey) && !wantsUndo)) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }

  return createPortal(
    <div
      ref={dialog}
      className="quick-look"
      data-known={knownShown}
      role="dialog"
      aria-modal
      tabIndex={-1}
      aria-label={t('label', { title: asset?.title ?? '' })}
      onKeyDown={onKeyDown}
    >
      <div className="quick-look-bar">
        <span className="quick-look-position">
          {index >= 0 && t(isAtLeast ? 'positionAtLeast' : 'position', { index: index + 1, count })}
          <span role="status">{isGone && t('gone')}</span>
        </span>
        {zoomable && (
          <>
            <ActionIcon
              size={36}
              {...unavailable(!zoom.isZoomed)}
              onClick={zoom.zoomOut}
              aria-label={t('zoomOut')}
            >
              <ZoomOut size={18} />
            </ActionIcon>
            <button type="button" className="quick-look-scale" onClick={zoom.reset} title={t('fit')}>
              {t('scale', { scale: zoom.view.scale })}
            </button>
            <ActionIcon size={36} onClick={zoom.zoomIn} aria-label={t('zoomIn')}>
              <ZoomIn size={18} />
            </ActionIcon>
          </>
        )}
        {asset && (
          <ActionIcon
            component="a"
            href={contentUrl(library, asset, { download: true })}
            download
            size={36}
            aria-label={actions('download')}
          >
            <Download size={18} />
          </ActionIcon>
        )}
        {onTakeOut && asset && !isGone && (
          <ActionIcon size={36} onClick={() => goAfter(onTakeOut)} aria-label={collections('takeOut')}>
            <ListX size={18} />
          </ActionIcon>
        )}
        {onTrash && asset && !isGone && (
          <ActionIcon
            size={36}
            onClick={() => goAfter(onTrash)}
            aria-label={inCollection ? collections('trash') : actions('trash')}
          >
            <Trash2 size={18} />
          </ActionIcon>
        )}
        <ActionIcon
          size={36}
          onClick={() => showKnown(!knownShown)}
          aria-label={actions('showDetails')}
          aria-pressed={knownShown}
        >
          <Info size={18} />
        </ActionIcon>
        <ActionIcon size={36} onClick={onClose} aria-label={app('close')}>
          <X size={20} />
        </ActionIcon>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a convenience for the mouse; the button closes it */}
      <div
        ref={stage}
        className="quick-look-stage"
        {...zoom.handlers}
        onClick={(event) => {
          if (event.target === stage.current && !zoom.wasDrag() && !zoom.isZoomed) onClose()
        }}
      >
        {asset ? (
          <Stage key={`${asset.assetId} ${asset.version}`} asset={asset} view={zoom.view} />
        ) : (
          error && (
            <div className="quick-look-instead" role="alert">
              <p>{problemText(error)}</p>
              <TryAgain onClick={() => void retry()} />
            </div>
          )
        )}
        {asset && knownShown && over(asset, zoom.view)}
        <ActionIcon
          className="quick-look-step is-previous"
          size={44}
          {...unavailable(!previous)}
          onClick={() => goTo(previous)}
          aria-label={t('previous')}
        >
          <ChevronLeft size={24} />
        </ActionIcon>
        <ActionIcon
          className="quick-look-step is-next"
          size={44}
          {...unavailable(!next)}
          onClick={() => goTo(next)}
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
      {knownShown && (
        <aside className="quick-look-known" aria-label={page('details')}>
          <VisuallyHidden component="h2">{page('details')}</VisuallyHidden>
          {known}
        </aside>
      )}
    </div>,
    document.body,
  )
}

/** Tab goes round in the dialog, and never to what lies behind it. */
function keepInside(event: KeyboardEvent | globalThis.KeyboardEvent, dialog: HTMLElement) {
  const stops = [
    ...dialog.querySelectorAll<HTMLElement>('a[href], button, video, input, textarea, select, summary'),
  ]
  const at = event.shiftKey ? stops[0] : stops.at(-1)
  if (event.target !== at && event.target !== dialog) return
  if (event.target === dialog && !event.shiftKey) return
  event.preventDefault()
  ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
}

/** Until an answer on its way has come. What could not be removed is looked at again. */
const moment = 3000

/** How far one arrow moves an enlarged picture. */
const pan = 80
