import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { isVideo } from '../assets/picture.tsx'
import { middle, movesByKeys, type Pin, placeOf, setPinning, usePinning } from './pinning.ts'
import { useComments } from './reviews.ts'
import { threadsOf } from './threads.ts'
import './review.css'

interface View {
  scale: number
  x: number
  y: number
}

/** What comments point to, over the large picture: however it is enlarged and moved, each stays at its place. */
export function Pins({ asset, view: { scale, x, y } }: { asset: Asset; view: View }) {
  const t = useTranslations('review')
  const ground = useRef<HTMLDivElement>(null)
  const box = useBoxOfPicture(ground)
  // Whoever sets it by the keys goes on to move it by them.
  const setByKeys = useRef(false)
  const { isPlacing, pin, threadId } = usePinning(asset.assetId)
  const { data: comments = [] } = useComments(asset.assetId)
  const pinned = threadsOf(comments).filter(
    ({ thread }) => thread.pin && thread.version === asset.version && !thread.resolvedAt,
  )
  // In a film a place belongs to a moment.
  const shown = isVideo(asset) ? pinned.filter(({ thread }) => thread.commentId === threadId) : pinned

  return (
    <div
      ref={ground}
      className="pins"
      style={{ ...box, transform: `translate(${x}px, ${y}px) scale(${scale})`, '--scale': scale } as object}
    >
      {isPlacing && (
        <button
          type="button"
          className="pins-ground"
          // biome-ignore lint/a11y/noAutofocus: whoever asked to point goes on here
          autoFocus
          aria-label={t('pointHere')}
          onClick={(event) => {
            setByKeys.current = event.detail === 0
            setPinning(asset.assetId, { isPlacing: false, pin: placeOf(event) })
          }}
          onKeyDown={(event) => {
            setByKeys.current = true
            movesByKeys(middle, (pin) => setPinning(asset.assetId, { isPlacing: false, pin }))(event)
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setPinning(asset.assetId, { isPlacing: false })
          }}
        />
      )}
      {shown.map(({ thread, number }) => (
        <button
          key={thread.commentId}
          type="button"
          className="pin"
          style={at(thread.pin!)}
          aria-label={t('pinOf', { number, text: thread.text })}
          aria-pressed={thread.commentId === threadId}
          onClick={() => setPinning(asset.assetId, { threadId: thread.commentId })}
        >
          {number}
        </button>
      ))}
      {pin && (
        <button
          type="button"
          className="pin pin-new"
          // biome-ignore lint/a11y/noAutofocus: the place it is set at is gone
          autoFocus={setByKeys.current}
          style={at(pin)}
          aria-label={t('pinNew')}
          onKeyDown={movesByKeys(pin, (pin) => setPinning(asset.assetId, { pin }))}
        >
          +
        </button>
      )}
    </div>
  )
}

const at = ({ x, y }: Pin) => ({ insetInlineStart: `${x * 100}%`, top: `${y * 100}%` })

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Where the picture lies on its stage before it is enlarged. */
function useBoxOfPicture(ground: RefObject<HTMLDivElement | null>): Box {
  const [box, setBox] = useState<Box>({ left: 0, top: 0, width: 0, height: 0 })
  const measure = useRef(() => {})
  measure.current = () => {
    const picture = pictureOf(ground.current)
    if (!picture) return
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = picture
    setBox((before) =>
      before.left === left && before.top === top && before.width === width && before.height === height
        ? before
        : { left, top, width, height },
    )
  }
  useLayoutEffect(() => measure.current())
  useEffect(() => {
    const watch = new ResizeObserver(() => measure.current())
    watch.observe(ground.current!.parentElement!)
    const picture = pictureOf(ground.current)
    if (picture) watch.observe(picture)
    return () => watch.disconnect()
  }, [ground])
  return box
}

const pictureOf = (ground: HTMLElement | null) =>
  ground?.parentElement?.querySelector<HTMLElement>('.quick-look-media')
