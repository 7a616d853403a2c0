import { type PointerEvent, useRef } from 'react'
import type { Asset } from '../../contract/assets.ts'
import { type Area, clamp, type Point, type Ratio } from '../../contract/ratios.ts'
import { useLibrary } from '../library/library.tsx'
import { PictureOrIcon } from '../ui/picture-or-icon.tsx'
import { previewUrl } from './assets.ts'
import { areaAt, middleOf, scaleOf } from './framing.ts'

interface Drag {
  does: 'point' | 'move' | 'size'
  /** From the pointer to the middle of what is moved. */
  offset: Point
}

/** The picture under the pointer: one click sets the focal point; a frame is dragged, and sized by its corner. */
export function CropStage({
  asset,
  ratio,
  focalPoint,
  area,
  onPoint,
  onArea,
  onRest,
}: {
  asset: Asset
  ratio: Ratio | null
  focalPoint: Point
  area: Area | null
  onPoint(point: Point): void
  onArea(area: Area): void
  onRest(): void
}) {
  const library = useLibrary()
  const drag = useRef<Drag>(undefined)
  const shape = (asset.width ?? 1) / (asset.height ?? 1)

  function pointOf({ clientX, clientY, currentTarget }: PointerEvent): Point {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return { x: clamp((clientX - left) / width, 0, 1), y: clamp((clientY - top) / height, 0, 1) }
  }

  function begin(event: PointerEvent) {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = pointOf(event)
    const middle = area && middleOf(area)
    const isInside = area && middle && isWithin(area, at)
    drag.current = {
      does: !area ? 'point' : (event.target as Element).matches('.crop-corner') ? 'size' : 'move',
      offset: isInside ? { x: middle.x - at.x, y: middle.y - at.y } : { x: 0, y: 0 },
    }
    follow(event)
  }

  function follow(event: PointerEvent) {
    if (!drag.current) return
    const at = pointOf(event)
    const { does, offset } = drag.current
    if (does === 'point') return onPoint(rounded(at))
    if (!area || !ratio) return
    const middle = middleOf(area)
    if (does === 'move')
      return onArea(
        areaAt(asset, ratio, { x: at.x + offset.x, y: at.y + offset.y }, scaleOf(asset, ratio, area)),
      )
    const half = Math.max((at.x - middle.x) / area.width, (at.y - middle.y) / area.height)
    onArea(areaAt(asset, ratio, middle, 2 * half * scaleOf(asset, ratio, area)))
  }

  function end() {
    if (drag.current) onRest()
    drag.current = undefined
  }

  return (
    <div
      className="crop-stage"
      style={{ aspectRatio: shape, width: `min(100%, calc(var(--stage-height) * ${shape}))` }}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <PictureOrIcon
        src={previewUrl(library, asset, 'large')}
        alt={asset.altText || asset.title}
        draggable={false}
      />
      {area ? (
        <span
          className="crop-frame"
          style={{
            left: inPercent(area.x),
            top: inPercent(area.y),
            width: inPercent(area.width),
            height: inPercent(area.height),
          }}
        >
          <span className="crop-corner" />
        </span>
      ) : (
        <span
          className="crop-point"
          style={{ left: inPercent(focalPoint.x), top: inPercent(focalPoint.y) }}
        />
      )}
    </div>
  )
}

const inPercent = (share: number) => `${share * 100}%`
const rounded = ({ x, y }: Point): Point => ({
  x: Math.round(x * 1000) / 1000,
  y: Math.round(y * 1000) / 1000,
})
const isWithin = ({ x, y, width, height }: Area, at: Point) =>
  at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height
