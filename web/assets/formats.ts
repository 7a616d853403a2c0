/** 1:05 or 1:02:03. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part, place) => (place ? String(part).padStart(2, '0') : String(part))).join(':')
}
