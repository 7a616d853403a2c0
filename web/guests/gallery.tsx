import { Play } from 'lucide-react'
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import type { SharedAsset } from '../../contract/shares.ts'
import { words } from '../words/guests.ts'
import { justified } from './justified.ts'
import { previewUrl, reportMissing } from './share-api.ts'
import type { SharedList } from './use-shared-assets.ts'
import { useTries } from './use-tries.ts'

const gap = 8

/** The pictures in rows that fill the width, each in its own shape. Whoever has looked at one goes on there. */
export function Gallery({
  list,
  shown,
  onShow,
}: {
  list: SharedList
  shown: number | null
  onShow(at: number): void
}) {
  const { assets, hasMore, more } = list
  const { ground, width } = useWidth()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasMore || assets.length === 0) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && void more(), {
      rootMargin: '800px',
    })
    seen.observe(end.current!)
    return () => seen.disconnect()
  }, [hasMore, more, assets.length])

  const last = useRef(shown)
  useEffect(() => {
    if (shown === null && last.current !== null)
      ground.current!.querySelectorAll<HTMLElement>('.share-tile')[last.current]?.focus()
    last.current = shown
  }, [shown, ground])

  const rows = justified(assets.map(ratioOf), width, width < 600 ? 200 : 280, gap)
  return (
    <>
      <ul className="share-gallery" ref={ground}>
        {width > 0 &&
          rows.flatMap(({ from, to, height }) =>
            assets
              .slice(from, to)
              .map((asset, index) => (
                <Tile
                  key={asset.assetId}
                  asset={asset}
                  style={{ width: Math.min(ratioOf(asset) * height, width) - 0.01, height }}
                  onShow={() => onShow(from + index)}
                />
              )),
          )}
      </ul>
      <div ref={end} />
    </>
  )
}

/** A very long or high picture is shown in part. */
const ratioOf = ({ width, height }: SharedAsset) =>
  width && height ? Math.min(3, Math.max(0.5, width / height)) : 1

function Tile({ asset, style, onShow }: { asset: SharedAsset; style: CSSProperties; onShow(): void }) {
  const [failed, setFailed] = useState(false)
  const [there, setThere] = useState(false)
  const { tries, tryAgain } = useTries()
  const { title, altText, hasFilm, durationSeconds, approval } = asset
  const name = hasFilm ? words.play(title) : words.show(title)
  return (
    <li style={style}>
      <button
        type="button"
        className="share-tile"
        aria-label={approval ? `${name}, ${words.states[approval]}` : name}
        style={{ backgroundImage: there ? undefined : placeholderOf(asset) }}
        onClick={onShow}
      >
        {failed && <span className="share-tile-failed">{title}</span>}
        <img
          key={tries}
          hidden={failed}
          src={previewUrl(asset, 'card')}
          alt={altText}
          // What is hidden would never be loaded lazily.
          loading={failed ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => {
            setFailed(false)
            // Through what is transparent its stand-in would show.
            setThere(true)
          }}
          onError={() => {
            setFailed(true)
            reportMissing()
            tryAgain()
          }}
        />
        <span className="share-tile-marks" aria-hidden>
          {approval && (
            <span className="share-tile-state" data-state={approval}>
              {words.states[approval]}
            </span>
          )}
          {durationSeconds !== null && (
            <span className="share-tile-film" data-time={clock(durationSeconds)}>
              <Play size={12} fill="currentColor" />
            </span>
          )}
        </span>
        <span className="share-tile-title" aria-hidden>
          {title}
        </span>
      </button>
    </li>
  )
}

function placeholderOf({ placeholder }: SharedAsset): string | undefined {
  if (!placeholder) return undefined
  return `url(${thumbHashToDataURL(Uint8Array.from(atob(placeholder), (byte) => byte.charCodeAt(0)))})`
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

function useWidth() {
  const ground = useRef<HTMLUListElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measured = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    measured.observe(ground.current!)
    return () => measured.disconnect()
  }, [])
  return { ground, width }
}
