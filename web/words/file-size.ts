const units = ['B', 'kB', 'MB', 'GB', 'TB']

export const fileSize = (bytes: number, locale: string) => inUnits(bytes, locale, 'halfExpand')

/** A limit in the same units, and never more than it is: what it says is taken. */
export const sizeLimit = (bytes: number, locale: string) => inUnits(bytes, locale, 'floor')

function inUnits(bytes: number, locale: string, roundingMode: 'halfExpand' | 'floor'): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const maximumFractionDigits = unit === 0 || value >= 100 ? 0 : 1
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits, roundingMode })
  return `${format.format(value)} ${units[unit]}`
}
