import { useEffect, useRef } from 'react'
import { mostReviewsCounted } from '../../contract/review.ts'
import { useAsset } from '../assets/assets.ts'
import { useReviews } from './reviews.ts'
import { noteLookedAt } from './way-back.ts'

/** What waits for somebody who goes through it one by one. */
export interface Waiting {
  /** The asset they look at is one of those, or was. */
  isOne: boolean
  /** It waits still. */
  waits: boolean
  /** What waits, and what they have decided on meanwhile: in an order that stays. */
  order: string[]
  /** How many that is with those that are not read yet. */
  count: number
  /** There may be more than those. */
  isAtLeast: boolean
  /** How many still wait, this one included; unknown until it is read. */
  left: number | undefined
  /** The one to look at after this one. */
  next: string | undefined
  /** It was decided on, and can be gone back to. */
  keep(assetId: string): void
}

/** Before so few are left of what was read, more is. */
const ahead = 5

/** What waits for the caller's answer, as seen from the asset they look at. */
export function useWaiting(assetId: string, isOn: boolean): Waiting {
  const { data, hasNextPage, isFetching, fetchNextPage } = useReviews({ mine: true }, isOn)
  const waiting = new Set(data?.pages.flatMap(({ reviews }) => reviews.map(({ asset }) => asset.assetId)))
  const known = useRef(new Set<string>())
  const decided = useRef(new Set<string>())
  for (const id of waiting) known.current.add(id)

  const all = [...known.current]
  const at = all.indexOf(assetId)
  const next = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))].find((id) => waiting.has(id))
  // Read ahead: it shows at once.
  useAsset(next ?? null)

  useEffect(() => {
    if (isOn) noteLookedAt(assetId)
  }, [isOn, assetId])

  const needsMore = isOn && hasNextPage && !isFetching && all.length - at <= ahead
  useEffect(() => {
    if (needsMore) void fetchNextPage()
  }, [needsMore, fetchNextPage])

  const left = data?.pages[0]?.total
  const order = all.filter((id) => waiting.has(id) || decided.current.has(id))
  return {
    isOne: at >= 0,
    waits: waiting.has(assetId),
    order,
    count: order.filter((id) => !waiting.has(id)).length + (left ?? 0),
    isAtLeast: left === mostReviewsCounted,
    left,
    next,
    keep: (id) => decided.current.add(id),
  }
}
