import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const onPhone = () => matchMedia('(width < 768px), (pointer: coarse)').matches
const shownLayer = () => (history.state as { layer?: number } | null)?.layer ?? 0

let newest = 0
/** A layer that was closed while its step is still the last one. */
let left = 0

/**
 * On a phone a layer over the page is a step in the browser's history: Back closes it, and closing it goes back. Without
 * a way to close it, Back finds it there again.
 */
export function useBackCloses(opened: boolean, onClose: (() => void) | null) {
  const router = useRouter()
  const close = useRef(onClose)
  close.current = onClose

  useEffect(() => {
    if (!opened || !onPhone()) return
    newest = Math.max(newest, shownLayer()) + 1 // one of before a reload may be left there
    const layer = newest
    const { pathname, search, hash } = location
    const step = left > 0 && shownLayer() === left ? router.history.replace : router.history.push
    const state = { layer } as never
    step(pathname + search + hash, state)
    const onBack = () => {
      if (shownLayer() >= layer) return
      if (close.current) close.current()
      else router.history.push(pathname + search + hash, state)
    }
    addEventListener('popstate', onBack)
    return () => {
      removeEventListener('popstate', onBack)
      if (shownLayer() !== layer) return
      left = layer
      // Another layer may take its step over; and whatever closed it may be on its way to another place.
      setTimeout(() => {
        if (left === layer && shownLayer() === layer) history.back()
      })
    }
  }, [opened, router])
}

/** Going to another place from a layer takes its step over. */
export const isOnLayer = () => shownLayer() > 0
