import { useLocale } from 'use-intl'

/** A ratio with the decimal mark of a language: 1,91:1. */
export const ratioIn = (ratio: string, locale: string) =>
  ratio.replace(/[\d.]+/g, (number) => new Intl.NumberFormat(locale).format(Number(number)))

export function useRatioText() {
  const locale = useLocale()
  return (ratio: string) => ratioIn(ratio, locale)
}
