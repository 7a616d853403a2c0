import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askPrepared } from '../server/db/prepared.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })

test('a connection keeps the plans of so many statements, begins anew, and answers as before', async () => {
  const asks = (shape: number) =>
    askPrepared(
      w.parts.db,
      sql<{ asked: number; shape: number; kept: number }>`select ${shape * 2}::int as asked, ${sql.lit(shape)} as shape,
        (select count(*)::int from pg_prepared_statements) as kept`,
    )
  const most: number[] = []
  for (const shape of [...Array(250).keys(), 0, 249, 120]) {
    const [row] = await asks(shape)
    expect(row).toMatchObject({ asked: shape * 2, shape })
    most.push(row!.kept)
  }
  expect(Math.max(...most)).toBeGreaterThan(50)
  expect(Math.max(...most)).toBeLessThan(150)
})
