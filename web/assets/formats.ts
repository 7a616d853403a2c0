const units = ['B', 'kB', 'MB', 'GB', 'TB']

export function fileSize(bytes: number, locale: string): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${units[unit]}`
}

/** 1:05 or 1:02:03. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part, place) => (place ? String(part).padStart(2, '0') : String(part))).join(':')
}
