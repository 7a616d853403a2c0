import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { GuestComment, SharedAsset } from '../../contract/shares.ts'
import { middle, movesByKeys, type Pin, placeOf, setPinning, usePinning } from '../review/pinning.ts'
import { focusIfLost } from '../ui/focus.ts'
import { partOf } from '../ui/part.ts'
import { words } from '../words/guests.ts'
import { DownloadLink, useDownload } from './download.tsx'
import { numbersOf } from './pins.ts'
import { downloadUrl, filmUrl, previewUrl, reportMissing } from './share-api.ts'
import type { SharedList } from './use-shared-assets.ts'
import { useTries } from './use-tries.ts'

const ReviewPanel = partOf(() => import('./review-panel.tsx'), 'ReviewPanel')

const swipe = 50

/** One picture or film over the whole page; arrows and swipes lead to the next, Escape and Back out. */
export function Viewer({
  list,
  at,
  count,
  mayDownload,
  mayReview,
  onGo,
  onClose,
}: {
  list: SharedList
  at: number
  /** As it is written. */
  count: string
  mayDownload: boolean
  mayReview: boolean
  onGo(at: number): void
  onClose(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const start = useRef<number | null>(null)
  const film = useRef<HTMLVideoElement>(null)
  const [said, setSaid] = useState<GuestComment[]>([])
  const { failed, download } = useDownload()
  const asset = list.assets[at]!
  const { pin, isPlacing } = usePinning(asset.assetId)
  useBackCloses(onClose)
  useEffect(() => {
    dialog.current!.showModal()
    // Its first button would download at the next Enter.
    dialog.current!.focus()
  }, [])
  // What led to the last one leads no further, and goes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each asset anew
  useEffect(() => focusIfLost(() => dialog.current), [at])
  useEffect(() => {
    if (at > list.assets.length - 5) void list.more()
  }, [at, list])

  const go = (step: number) => {
    if (!list.assets[at + step]) return
    setSaid([])
    onGo(at + step)
  }
  function onKeyDown(event: KeyboardEvent) {
    if ((event.target as Element).matches('video, input, textarea')) return
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
    <dialog
      ref={dialog}
      className="viewer"
      tabIndex={-1}
      data-review={mayReview}
      aria-label={asset.title}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <div className="viewer-bar">
        <span className="viewer-position">{words.position(at + 1, count)}</span>
        <span className="viewer-title">{asset.title}</span>
        {failed && <span role="alert">{words.notDownloaded}</span>}
        {mayDownload && (
          <DownloadLink
            className="viewer-button"
            url={downloadUrl(asset)}
            label={words.downloadOf(asset.title)}
            download={download}
          >
            <Download size={20} aria-hidden />
          </DownloadLink>
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
        <Media
          key={asset.assetId}
          asset={asset}
          film={film}
          pin={pin}
          said={said}
          isPlacing={isPlacing}
          onPin={(pin) => setPinning(asset.assetId, { isPlacing: false, pin })}
        />
      </div>
      {mayReview && (
        <Suspense>
          <ReviewPanel
            key={asset.assetId}
            asset={asset}
            film={film}
            onRead={setSaid}
            onStands={(approval) => list.stands(asset.assetId, approval)}
          />
        </Suspense>
      )}
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

function Media({
  asset,
  film,
  pin,
  said,
  isPlacing,
  onPin,
}: {
  asset: SharedAsset
  film: RefObject<HTMLVideoElement | null>
  pin: Pin | null
  said: GuestComment[]
  /** The next click on the picture sets the pin. */
  isPlacing: boolean
  onPin(pin: Pin): void
}) {
  const [failed, setFailed] = useState(false)
  const { tries, tryAgain } = useTries()
  const fail = () => {
    setFailed(true)
    reportMissing()
  }
  // An error before the element is on the page is heard by nobody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it appears
  useEffect(() => {
    if (film.current?.error) fail()
  }, [])
  if (asset.hasFilm && failed) return <p className="viewer-failed">{words.cannotPlay}</p>
  if (asset.hasFilm)
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody has written any
      <video
        ref={film}
        src={filmUrl(asset)}
        poster={previewUrl(asset, 'large')}
        controls
        playsInline
        preload="metadata"
        onError={fail}
      />
    )
  const picture = (
    <img
      key={tries}
      hidden={failed}
      src={previewUrl(asset, 'large')}
      alt={asset.altText || asset.title}
      draggable={false}
      onLoad={() => setFailed(false)}
      onError={() => {
        fail()
        tryAgain()
      }}
    />
  )
  return (
    <>
      {failed && <p className="viewer-failed">{words.noPicture}</p>}
      {picture}
      {!failed && (pin || isPlacing || said.some((comment) => comment.pin)) && (
        <OverPicture pin={pin} said={said} isPlacing={isPlacing} onPin={onPin} />
      )}
    </>
  )
}

/** As large as the picture before it: where somebody points, and what they pointed to. */
function OverPicture({
  pin,
  said,
  isPlacing,
  onPin,
}: {
  pin: Pin | null
  said: GuestComment[]
  isPlacing: boolean
  onPin(pin: Pin): void
}) {
  const ground = useRef<HTMLDivElement>(null)
  // Whoever sets it by the keys goes on to move it by them.
  const setByKeys = useRef(false)
  const [box, setBox] = useState<CSSProperties>({})
  useLayoutEffect(() => {
    const picture = ground.current!.previousElementSibling as HTMLElement
    const measure = () => {
      const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = picture
      setBox({ left, top, width, height })
    }
    const watch = new ResizeObserver(measure)
    watch.observe(picture)
    watch.observe(picture.parentElement!)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={ground} className="viewer-over" style={box}>
      {[...numbersOf(said)].map(([comment, number]) => (
        <span key={comment.commentId} className="viewer-pin" style={placeStyle(comment.pin!)}>
          {number}
        </span>
      ))}
      {pin && (
        <button
          type="button"
          className="viewer-pin"
          // biome-ignore lint/a11y/noAutofocus: the place it is set at is gone
          autoFocus={setByKeys.current}
          style={placeStyle(pin)}
          aria-label={words.pinNew}
          onKeyDown={movesByKeys(pin, onPin)}
        />
      )}
      {isPlacing && (
        <button
          type="button"
          className="viewer-point"
          // biome-ignore lint/a11y/noAutofocus: whoever asked to point goes on here
          autoFocus
          aria-label={words.pointHere}
          onClick={(event) => {
            setByKeys.current = event.detail === 0
            onPin(placeOf(event))
          }}
          onKeyDown={(event) => {
            setByKeys.current = true
            movesByKeys(middle, onPin)(event)
          }}
        />
      )}
    </div>
  )
}

const placeStyle = ({ x, y }: Pin): CSSProperties => ({ left: `${x * 100}%`, top: `${y * 100}%` })

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
