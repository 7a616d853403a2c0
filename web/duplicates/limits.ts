import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import type { Limits } from '../../contract/duplicates.ts'
import { haveEnded, lastDayOf } from '../assets/rights-end.ts'

interface LimitWord {
  field: keyof Limits
  text: string
  isBad?: boolean
}

/** What limits an asset, in words: where it may be used, until when, and how it came about. */
export function useLimitWords() {
  const t = useTranslations('duplicates')
  const surfaces = useTranslations('surfaces')
  const tile = useTranslations('tile')
  const rights = useTranslations('rights')
  const format = useFormatter()
  return ({ allowedSurfaces, rightsExpireAt, provenance }: Asset): LimitWord[] => {
    const words: LimitWord[] = []
    if (allowedSurfaces.length > 0) {
      const names = format.list(allowedSurfaces.map((surface) => surfaces(surface)))
      words.push({ field: 'allowedSurfaces', text: t('only', { surfaces: names }) })
    }
    if (haveEnded(rightsExpireAt))
      words.push({ field: 'rightsExpireAt', text: tile('rightsEnded'), isBad: true })
    else if (rightsExpireAt) {
      const day = format.dateTime(lastDayOf(rightsExpireAt), { dateStyle: 'medium' })
      words.push({ field: 'rightsExpireAt', text: t('until', { day }) })
    }
    if (provenance !== 'unknown') words.push({ field: 'provenance', text: rights(`origins.${provenance}`) })
    return words
  }
}
