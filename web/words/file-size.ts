const units = ['B', 'kB', 'MB', 'GB', 'TB']
const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export const fileSize = (bytes: number, locale: string) => inUnits(bytes, 1000, units, locale)

/** A limit reads as it was set: 100 MiB is 100 MiB and not 105 MB. */
export function sizeLimit(bytes: number, locale: string): string {
  const isRoundInBinary = bytes >= 1024 ** 2 && bytes % 1024 ** 2 === 0 && bytes % 1000 ** 2 !== 0
  return isRoundInBinary ? inUnits(bytes, 1024, binaryUnits, locale) : fileSize(bytes, locale)
}

function inUnits(bytes: number, step: number, names: string[], locale: string): string {
  let value = bytes
  let unit = 0
  while (value >= step && unit < names.length - 1) {
    value /= step
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${names[unit]}`
}
