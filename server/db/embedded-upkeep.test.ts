import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { tidyOne } from './embedded-upkeep.ts'

test('tables that have changed much are cleared and counted, the busiest first, and then left alone', async () => {
  const lite = await PGlite.create()
  onTestFinished(() => lite.close())
  await lite.exec(`
    create table "Large ones" as select n from generate_series(1, 5000) n;
    create table small as select n from generate_series(1, 100) n;
    create table still as select 1 as n;
    delete from "Large ones" where n > 4000`)
  const tidies = async () => {
    await lite.query('select pg_stat_force_next_flush()') // it would tell within a second
    return tidyOne(lite)
  }
  const known = async () =>
    (
      await lite.query<{ relname: string; reltuples: number; dead: number }>(
        `select relname, reltuples, n_dead_tup::int as dead from pg_class join pg_stat_user_tables using (relname) order by 1`,
      )
    ).rows
  expect(await tidies()).toBe(true)
  expect(await known()).toEqual([
    { relname: 'Large ones', reltuples: 4000, dead: 0 },
    { relname: 'small', reltuples: -1, dead: 0 },
    { relname: 'still', reltuples: -1, dead: 0 },
  ])
  expect(await tidies()).toBe(true)
  expect(await tidies()).toBe(false)
  expect((await known())[1]).toEqual({ relname: 'small', reltuples: 100, dead: 0 })

  await lite.exec('update small set n = n + 1')
  expect(await tidies()).toBe(true)
})

test('what an index makes of a column is not made again to count a table', async () => {
  const lite = await PGlite.create()
  onTestFinished(() => lite.close())
  await lite.exec(`
    create sequence made;
    create function doubled(n int) returns int immutable language sql return n * 2 + 0 * nextval('public.made')::int;
    create table numbers as select n from generate_series(1, 100) n;
    create index "Doubled ones" on numbers (n, doubled(n)) where n > 0`)
  const made = async () => (await lite.query('select last_value from made')).rows
  const before = await made()
  await lite.query('select pg_stat_force_next_flush()')
  expect(await tidyOne(lite)).toBe(true)
  expect(await made()).toEqual(before)
  expect((await lite.query('select attname from pg_stats where tablename = $1', ['numbers'])).rows).toEqual([
    { attname: 'n' },
  ])
})
