import { type RefObject, useEffect, useRef } from 'react'
import type { GridHandle } from '../../assets/asset-grid.tsx'
import { hasHoles } from '../../assets/use-choosing.ts'
import type { Place } from '../../library/place.ts'
import { isFolderId, useFollowed, useSelection } from '../../library/selection.ts'
import type { usePlace } from '../../library/use-place.ts'

/** Keeps what is selected and what the address names in step, both ways. */
export function useAddress({
  place,
  go,
  placeKey,
  order,
  isRead,
  placeOf,
  shownAsset,
  grid,
  onArrive,
}: {
  place: Place
  go: ReturnType<typeof usePlace>['go']
  /** The place without what is only a way to look at it. */
  placeKey: string
  order: (string | undefined)[]
  /** The place has been read, though maybe not all of it. */
  isRead: boolean
  /** Where it stands among what nobody has read; -1 if it does not. */
  placeOf(assetId: string): Promise<number>
  shownAsset: string | null
  grid: RefObject<GridHandle | null>
  onArrive(): void
}) {
  const selection = useSelection()
  const wasAt = useRef(placeKey)
  const left = useRef(place.folder)
  const awaited = useRef<string | null>(place.asset ?? null)
  const written = useRef<string | null>(null)
  const arrive = useRef(onArrive)
  arrive.current = onArrive

  // Another place: what was selected there is not selected here.
  useEffect(() => {
    if (wasAt.current === placeKey) return
    wasAt.current = placeKey
    const from = left.current
    left.current = place.folder
    if (awaited.current) return
    selection.clear()
    // One level up, the keyboard stands where it came from.
    selection.focusOn(from ?? null)
  }, [placeKey, place.folder, selection])

  // A deep link: the asset it names is selected, shown, and scrolled to once it is there.
  const looked = useRef(place.look)
  useEffect(() => {
    const wasLooking = looked.current && !place.look
    looked.current = place.look
    // Back from the quick look: what was looked at last stays selected.
    if (wasLooking) written.current = place.asset ?? null
    if (!place.asset || place.asset === written.current) return
    written.current = place.asset
    awaited.current = place.asset
    selection.only(place.asset)
    arrive.current()
  }, [place.asset, place.look, selection])
  // It may stand where nobody has read yet; and where that is may be known before the list is shown so long.
  const standsAt = useRef(-1)
  const shown = useRef(order)
  const showThere = useRef(() => {
    if (standsAt.current < 0 || standsAt.current >= shown.current.length) return
    grid.current?.showAt(standsAt.current)
    standsAt.current = -1
  })
  useEffect(() => {
    shown.current = order
    showThere.current()
    if (!awaited.current || !order.includes(awaited.current)) return
    grid.current?.show(awaited.current)
    awaited.current = null
  }, [order, grid])
  const find = useRef(placeOf)
  find.current = placeOf
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once in each place, when that has been read
  useEffect(() => {
    const wanted = awaited.current
    if (!wanted || !isRead || !hasHoles(order) || order.includes(wanted)) return
    void seek(wanted)
  }, [isRead, placeKey, place.asset])

  async function seek(wanted: string) {
    awaited.current = wanted
    standsAt.current = await find.current(wanted)
    if (standsAt.current >= 0) showThere.current()
    else if (awaited.current === wanted) awaited.current = null
  }

  const followed = useFollowed()
  const sought = useRef(followed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: wherever the order takes it
  useEffect(() => {
    if (!followed) return
    const { id, isSaved } = followed
    if (order.includes(id)) {
      grid.current?.show(id)
      if (isSaved) selection.endFollowing()
    } else if (isSaved && sought.current !== followed && !isFolderId(id) && hasHoles(order)) {
      sought.current = followed
      void seek(id)
    }
  }, [followed, order, selection])

  // The address names what is selected, a moment later: arrows held down do not flood the history.
  useEffect(() => {
    const timer = setTimeout(() => {
      if ((place.asset ?? null) === shownAsset || awaited.current) return
      written.current = shownAsset
      go({ asset: shownAsset ?? undefined }, { replace: true })
    }, 250)
    return () => clearTimeout(timer)
  }, [shownAsset, place.asset, go])

  return {
    /** This asset is on its way: it is shown when its place has been read. */
    expect(assetId: string) {
      awaited.current = assetId
      written.current = assetId
    },
  }
}
