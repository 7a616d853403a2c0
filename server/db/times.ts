import pg from 'pg'

/**
 * A time as PostgreSQL writes it, as answers write it. Many rows have two or more of them, and for a Date each would be
 * read number by number only to be written again.
 */
export function isoTime(text: string): string {
  if (!text.endsWith('+00') || text.length > longest) return new Date(text).toISOString()
  const end = text.length - 3
  return `${text.slice(0, 10)}T${text.slice(11, end)}${restOfSecond[end - seconds]}`
}

const seconds = '2026-11-16 13:16:30'.length
const longest = '2026-11-16 13:16:30.123+00'.length
/** What is left out after the second, a point, a tenth or a hundredth. */
const restOfSecond = ['.000Z', '000Z', '00Z', '0Z', 'Z']

/** Begins a statement whose times are to come as answers write them. */
export const timesAsText = '/* times as text */ '

/** A row of such a statement. */
export type Written<Row> = {
  [Column in keyof Row]: Date extends Row[Column] ? Exclude<Row[Column], Date> | string : Row[Column]
}

export const inIso = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString())

const { TIMESTAMPTZ } = pg.types.builtins
export const typesWithTimesAsText: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === TIMESTAMPTZ ? isoTime : pg.types.getTypeParser(type, format as 'text'),
}
