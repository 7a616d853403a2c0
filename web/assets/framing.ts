import { useEffect, useRef, useState } from 'react'
import type { Asset } from '../../contract/assets.ts'
import type { Crops } from '../../contract/crops.ts'
import {
  type Area,
  asArea,
  centre,
  clamp,
  cutAround,
  inPixels,
  type Point,
  type Ratio,
  ratioValue,
} from '../../contract/ratios.ts'
import { type Edit, useBeginEdit, useSaveEdit } from './assets.ts'

const settleAfter = 500

type Draft = { field: 'focalPoint'; value: Point | null } | { field: 'crops'; value: Crops }

/** What of a picture is kept: shown while it is being changed, and saved once the person rests or leaves. */
export function useFraming(asset: Asset) {
  const begin = useBeginEdit()
  const save = useSaveEdit()
  const [draft, setDraft] = useState<Draft>()
  const edit = useRef<Edit>(undefined)

  function settle() {
    if (draft && edit.current) void save(edit.current, draft.field, draft.value)
    edit.current = undefined
    setDraft(undefined)
  }
  const latest = useRef(settle)
  latest.current = settle

  useEffect(() => {
    if (!draft) return
    const timer = setTimeout(() => latest.current(), settleAfter)
    return () => clearTimeout(timer)
  }, [draft])
  useEffect(() => () => latest.current(), [])

  function change(next: Draft) {
    if (draft && draft.field !== next.field) settle()
    edit.current ??= begin(asset)
    setDraft(next)
  }

  const focalPoint = (draft?.field === 'focalPoint' ? draft.value : asset.focalPoint) ?? centre
  const crops: Crops = draft?.field === 'crops' ? draft.value : asset.crops
  return {
    focalPoint,
    crops,
    isGuess: draft?.field !== 'focalPoint' && (asset.focalPointIsGuess || !asset.focalPoint),
    areaIn: (ratio: Ratio) => crops[ratio] ?? around(asset, ratio, focalPoint),
    setFocalPoint: (value: Point | null) => change({ field: 'focalPoint', value }),
    setCrop: (ratio: Ratio, area: Area) => change({ field: 'crops', value: { ...crops, [ratio]: area } }),
    dropCrop(ratio: Ratio) {
      const { [ratio]: _, ...others } = crops
      change({ field: 'crops', value: others })
    },
    settle,
  }
}

const sizeOf = ({ width, height }: Asset) => ({ width: width ?? 1, height: height ?? 1 })

const around = (asset: Asset, ratio: Ratio, point: Point): Area =>
  asArea(sizeOf(asset), cutAround(sizeOf(asset), ratioValue(ratio), point))

/** How much of the largest part of this ratio an area is. */
export const scaleOf = (asset: Asset, ratio: Ratio, { width }: Area): number =>
  width / around(asset, ratio, centre).width

export const smallestScale = 0.2

/** An area of this ratio and scale around a point, as near as the edges allow, in whole pixels. */
export function areaAt(asset: Asset, ratio: Ratio, middle: Point, scale: number): Area {
  const size = sizeOf(asset)
  const whole = cutAround(size, ratioValue(ratio))
  const width = Math.max(1, Math.round(whole.width * clamp(scale, smallestScale, 1)))
  const height = clamp(Math.round(width / ratioValue(ratio)), 1, whole.height)
  const left = clamp(Math.round(middle.x * size.width - width / 2), 0, size.width - width)
  const top = clamp(Math.round(middle.y * size.height - height / 2), 0, size.height - height)
  return asArea(size, { left, top, width, height })
}

export const middleOf = ({ x, y, width, height }: Area): Point => ({ x: x + width / 2, y: y + height / 2 })

export const pixelsOf = (asset: Asset, area: Area) => inPixels(sizeOf(asset), area)
