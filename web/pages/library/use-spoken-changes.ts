import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { chosenCount, useIsBeingDrawn, useSelectedIds } from '../../library/selection.ts'
import { announce } from '../../ui/announce.tsx'
import type { PageState } from './use-page-state.ts'

/** Says where one is in the title of the window, and to screen readers what is there and how much is selected. */
export function useSpokenChanges({ here, list }: PageState, title: string) {
  const done = useTranslations('done')
  const t = useTranslations('library')
  const selected = useSelectedIds()
  const place = list.isEverywhere ? t('resultsEverywhere') : here.name

  useEffect(() => {
    document.title = `${place} · ${title}`
  }, [place, title])

  const isBeingDrawn = useIsBeingDrawn()
  const countBefore = useRef(0)
  useEffect(() => {
    if (isBeingDrawn) return
    const timer = setTimeout(() => {
      const count = chosenCount(selected)
      const isNew = count > 1 || (count === 0 && countBefore.current > 0)
      if (isNew) announce(done('selected', { count }))
      countBefore.current = count
    }, 300)
    return () => clearTimeout(timer)
  }, [selected, isBeingDrawn, done])

  // biome-ignore lint/correctness/useExhaustiveDependencies: said when another place has been read, not when it grows
  useEffect(() => {
    if (!list.isSettled || list.error || !list.isCounted) return
    const shown = done(list.isAtLeast ? 'shownAtLeast' : 'shown', { count: list.order.length })
    announce(`${place}: ${shown}`)
  }, [list.isSettled, list.isCounted, here.placeKey])
}
