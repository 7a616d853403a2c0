import { useLocale, useTranslations } from 'use-intl'
import type { Fit } from '../../contract/assets.ts'
import { spokenRatio } from '../../contract/ratios.ts'
import { fileSize, sizeLimit } from '../words/file-size.ts'
import { ratioIn } from '../words/ratio.ts'

/** Why a target takes a file only converted, or not at all, in the person's language. */
export function useFitWords() {
  const t = useTranslations('fitReasons')
  const locale = useLocale()
  const nameOf = useTargetName()
  const spoken = (code: string, name: string, value: string | number) => {
    if (typeof value === 'string') return name === 'ratio' ? ratioIn(value, locale) : value
    if (code.endsWith('-ratio')) return ratioIn(spokenRatio(value), locale)
    if (!code.endsWith('-bytes')) return new Intl.NumberFormat(locale).format(value)
    return name === 'limit' ? sizeLimit(value, locale) : fileSize(value, locale)
  }
  return (fit: Pick<Fit, 'target' | 'name' | 'why'>): string =>
    fit.why
      .map(({ code, values }) => {
        const words = Object.entries(values).map(([name, value]) => [name, spoken(code, name, value)])
        return t(code, { ...Object.fromEntries(words), target: nameOf(fit) })
      })
      .join(' ')
}

/** What a target is called in the person's language; one the app has no word for, as the server calls it. */
export function useTargetName() {
  const t = useTranslations('targets')
  return ({ target, name }: Pick<Fit, 'target' | 'name'>): string =>
    t.has(target as 'wordpress') ? t(target as 'wordpress') : name
}
