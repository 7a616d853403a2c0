import { useLocale, useTranslations } from 'use-intl'
import type { FitReason } from '../../contract/fit-reasons.ts'
import { fileSize } from './formats.ts'

/** Why a target takes a file only converted, or not at all, in the person's language. */
export function useFitWords() {
  const t = useTranslations('fitReasons')
  const locale = useLocale()
  const spoken = (code: string, value: string | number) => {
    if (typeof value === 'string') return value
    return code.endsWith('-bytes') ? fileSize(value, locale) : new Intl.NumberFormat(locale).format(value)
  }
  return (why: readonly FitReason[]): string =>
    why
      .map(({ code, values }) => {
        const words = Object.entries(values).map(([name, value]) => [name, spoken(code, value)])
        return t(code, Object.fromEntries(words))
      })
      .join(' ')
}
