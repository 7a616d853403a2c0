import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from './world.ts'

const w = await world()

test('the embedded database sees to its tables by itself', async () => {
  const { clientId } = await w.newClient()
  const seenTo = async () =>
    (
      await sql<{
        vacuums: number
      }>`select vacuum_count::int as vacuums from pg_stat_user_tables where relname = 'folders'`.execute(
        w.parts.db,
      )
    ).rows[0]!.vacuums
  const before = await seenTo()
  await sql`insert into folders (client_id, id, name, name_key)
    select ${clientId}, 'folder_' || lpad(n::text, 26, '0'), n, n from generate_series(1, 5000) n`.execute(
    w.parts.db,
  )
  await expect.poll(seenTo).toBeGreaterThan(before)
})
