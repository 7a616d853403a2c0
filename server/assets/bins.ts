import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>
type Direction = 'asc' | 'desc'

/**
 * Ever wider ranges of bins of an order, each from the asset on that is told as `start`, in the words of an index (0151-bins.sql).
 * The widest is still a small part of all: to go on in vain must not cost much.
 */
export const inTime = (direction: Direction): Sql => ofNumbers('time', 'time_bin(created_at)', 3, direction)
export const inSize = (direction: Direction): Sql => ofNumbers('size', 'size_bin(size_bytes)', 2, direction)

const ofNumbers = (name: string, number: string, levels: number, direction: Direction): Sql =>
  sql.raw(`select 2 * level + width / 24 as nth, level = ${levels - 1} as is_widest,
      array_agg('${name} ' || level || ' ' || ((${number} >> 3 * level) ${next[direction]} n)) as items
    from start, generate_series(0, ${levels - 1}) as level, (values (8), (24)) as wide (width), generate_series(0, width - 1) as n
    where level < ${levels - 1} or width = 8 group by level, width`)

export const inTitle = (direction: Direction): Sql =>
  sql.raw(`select 6 - letters as nth, letters = 2 as is_widest, array_agg('title ' || left(title, letters - 1) || chr(code)) as items
    from (select lower(title) as title from start) as start, generate_series(2, least(6, length(title))) as letters, generate_series(0, 7) as n,
      lateral (select ascii(substr(title, letters, 1)) ${next[direction]} n as code) as letter
    where code between 1 and 55295 or code between 57344 and 1114111 group by letters`)

const next = { asc: '+', desc: '-' }
