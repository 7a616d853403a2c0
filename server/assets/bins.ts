import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>
type Direction = 'asc' | 'desc'

/**
 * Ever wider ranges of bins of an order, each from the asset on that is told as `start`, in the words of an index (0151-bins.sql,
 * 0160-ranges-of-bins.sql). The widest is still a small part of all: to go on in vain must not cost much.
 */
export const inTime = (direction: Direction): Sql =>
  fromStart(`ranges_of_numbers('time', time_bin(created_at), 3, ${steps[direction]})`)
export const inSize = (direction: Direction): Sql =>
  fromStart(`ranges_of_numbers('size', size_bin(size_bytes), 2, ${steps[direction]})`)
export const inTitle = (direction: Direction): Sql =>
  fromStart(`ranges_of_titles(title, ${steps[direction]})`)

const fromStart = (ranges: string) => sql.raw(`select its.* from start, ${ranges} as its`)

const steps = { asc: 1, desc: -1 }
