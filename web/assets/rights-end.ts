/** The last day an asset may be used: rights that end at midnight end with the day before. */
export const lastDayOf = (rightsExpireAt: string) => new Date(Date.parse(rightsExpireAt) - 1)

/** Rights that last through this day, as `yyyy-mm-dd`, wherever the person is. */
export function endOfDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date! + 1).toISOString()
}

/** As a field for days has it: `yyyy-mm-dd`. */
export function dayOf(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

export const haveEnded = (rightsExpireAt: string | null, now = new Date()) =>
  rightsExpireAt !== null && Date.parse(rightsExpireAt) <= now.getTime()

const soon = 30

/** In how many days the last one is: null when that is far off, below zero when the rights have ended. */
export function daysLeft(rightsExpireAt: string | null, now = new Date()): number | null {
  if (!rightsExpireAt) return null
  if (haveEnded(rightsExpireAt, now)) return -1
  const days = Math.round((noonOf(lastDayOf(rightsExpireAt)) - noonOf(now)) / 86_400_000)
  return days < soon ? days : null
}

// Noon: days that a change of the clocks makes shorter or longer still count as one.
const noonOf = (time: Date) => new Date(time).setHours(12, 0, 0, 0)
