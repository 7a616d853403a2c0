const form = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** A time that JavaScript and PostgreSQL can both hold: a real day, the years 1 to 9999, no leap second. */
export function isTimestamp(text: string): boolean {
  const [, day] = form.exec(text) ?? []
  if (!day || !isDay(day)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

const isDay = (text: string) => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
