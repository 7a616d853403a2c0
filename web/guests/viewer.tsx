import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { SharedAsset } from '../../contract/shares.ts'
import { inNumbers, words } from '../words/guests.ts'
import { downloadUrl, filmUrl, previewUrl } from './share-api.ts'
import type { SharedList } from './use-shared-assets.ts'

const swipe = 50

/** One picture or film over the whole page; arrows and swipes lead to the next, Escape and Back out. */
export function Viewer({
  list,
  at,
  count,
  mayDownload,
  onGo,
  onClose,
}: {
  list: SharedList
  at: number
  count: number
  mayDownload: boolean
  onGo(at: number): void
  onClose(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const start = useRef<number | null>(null)
  const asset = list.assets[at]!
  useBackCloses(onClose)
  useEffect(() => dialog.current!.showModal(), [])
  useEffect(() => {
    if (at > list.assets.length - 5) void list.more()
  }, [at, list])

  const go = (step: number) => {
    if (list.assets[at + step]) onGo(at + step)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLVideoElement) return
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: list.assets.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to - at)
  }
  function onPointerUp(event: PointerEvent) {
    const moved = event.clientX - (start.current ?? event.clientX)
    start.current = null
    if (Math.abs(moved) > swipe) go(moved < 0 ? 1 : -1)
  }

  return (
    <dialog ref={dialog} className="viewer" aria-label={asset.title} onClose={onClose} onKeyDown={onKeyDown}>
      <div className="viewer-bar">
        <span className="viewer-position">{words.position(at + 1, inNumbers(count))}</span>
        <span className="viewer-title">{asset.title}</span>
        {mayDownload && (
          <a
            className="viewer-button"
            href={downloadUrl(asset)}
            aria-label={words.downloadOf(asset.title)}
            download
          >
            <Download size={20} aria-hidden />
          </a>
        )}
        <button
          type="button"
          className="viewer-button"
          aria-label={words.close}
          onClick={() => dialog.current!.close()}
        >
          <X size={22} aria-hidden />
        </button>
      </div>
      <div
        className="viewer-stage"
        onPointerDown={(event) => {
          start.current = event.clientX
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          start.current = null
        }}
      >
        <Media key={asset.assetId} asset={asset} />
      </div>
      <button
        type="button"
        className="viewer-button viewer-step"
        data-to="previous"
        aria-label={words.previous}
        disabled={at === 0}
        onClick={() => go(-1)}
      >
        <ChevronLeft size={28} aria-hidden />
      </button>
      <button
        type="button"
        className="viewer-button viewer-step"
        data-to="next"
        aria-label={words.next}
        disabled={at + 1 >= list.assets.length}
        onClick={() => go(1)}
      >
        <ChevronRight size={28} aria-hidden />
      </button>
    </dialog>
  )
}

function Media({ asset }: { asset: SharedAsset }) {
  const [failed, setFailed] = useState(false)
  if (failed) return <p className="viewer-failed">{asset.hasFilm ? words.cannotPlay : words.noPicture}</p>
  if (asset.hasFilm)
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody has written any
      <video
        src={filmUrl(asset)}
        poster={previewUrl(asset, 'large')}
        controls
        playsInline
        preload="metadata"
        onError={() => setFailed(true)}
      />
    )
  return (
    <img
      src={previewUrl(asset, 'large')}
      alt={asset.altText || asset.title}
      draggable={false}
      onError={() => setFailed(true)}
    />
  )
}

/** On a phone people go back with a gesture: that closes the picture, and not the page. */
function useBackCloses(onClose: () => void) {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    history.pushState({ viewer: true }, '')
    const onBack = () => close.current()
    addEventListener('popstate', onBack)
    return () => {
      removeEventListener('popstate', onBack)
      if (history.state?.viewer) history.back()
    }
  }, [])
}
