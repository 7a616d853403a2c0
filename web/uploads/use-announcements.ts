import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../ui/announce.tsx'
import type { Totals } from './upload.ts'
import { useStatus } from './upload-row.tsx'
import type { Snapshot } from './upload-store.ts'

/** Only start, end and refusals are announced. */
export function useAnnouncements({ uploads, trouble }: Snapshot, totals: Totals) {
  const t = useTranslations('uploads')
  const say = useStatus()
  const before = useRef({ underWay: 0, refused: 0, trouble: null as Snapshot['trouble'] })
  useEffect(() => {
    const refused = uploads.filter(({ state }) => state === 'refused')
    const was = before.current
    before.current = { underWay: totals.underWay, refused: refused.length, trouble }
    if (trouble && trouble !== was.trouble) return announce(t(`trouble.${trouble.code}.title`))
    const more = refused.length - was.refused
    const last = refused.at(-1)
    if (more === 1 && last) return announce(t('announce.refused', { name: last.name, reason: say(last) }))
    if (more > 1) return announce(t('announce.refusedMany', { count: more }))
    if (was.underWay === 0 && totals.underWay > 0)
      return announce(t('announce.started', { count: totals.underWay }))
    if (was.underWay === 0 || totals.underWay > 0) return
    if (totals.attention > 0)
      announce(t('announce.partly', { done: totals.done, count: totals.count, attention: totals.attention }))
    else if (totals.done > 0) announce(t('announce.done', { count: totals.done }))
  }, [uploads, totals, trouble, t, say])
}
