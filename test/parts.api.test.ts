import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { plainDetails } from './plain-details.ts'
import { partition } from './setup/partitions.ts'
import { asAdmin, ownWorld } from './world.ts'

const name = `library_in_parts_${process.pid}`
const url = `${inject('postgresUrl')}/${name}`
await asAdmin(inject('postgresUrl'), `create database ${name} template template_library`)
const pool = new pg.Pool({ connectionString: url, max: 1 })
if (!process.env.TEST_PARTITIONS) await partition(pool, 4)
await pool.end()
const w = await ownWorld({ DATABASE_URL: url, ROLE: 'api' })

/** Eight clients with the same assets: in each part of a table, rows of others stand in the same place. */
const clients = await Promise.all(Array.from({ length: 8 }, () => w.newClient()))
for (const { clientId } of clients)
  await w.parts.db
    .insertInto('assets')
    .values(
      Array.from({ length: 20 }, (_, n) => ({
        client_id: clientId,
        id: newId('asset'),
        title: `Harbour ${n}`,
        tags: n % 2 ? ['boats'] : [],
        original_filename: 'p.png',
        mime_type: 'image/png',
        size_bytes: n,
        sha256: `${n % 15}`,
        details: plainDetails,
        created_by: 'tests',
      })) as never,
    )
    .execute()

test.each<Record<string, string | boolean>>([
  { q: 'harbour' },
  { q: 'harbour', sort: 'title' },
  { q: 'harbor' },
  { q: 'harbour', tag: 'boats' },
  { q: 'harbour', duplicates: true },
  { tag: 'boats', sort: 'size' },
  { duplicates: true },
  { duplicates: true, mimeType: 'image/png', sort: 'title' },
])('with tables in parts, each client finds its own: %o', async (search) => {
  const wanted = 'duplicates' in search || 'tag' in search ? 10 : 20
  for (const { operator, clientId } of clients) {
    const { body } = await operator.lists({ everywhere: true, ...search })
    const { rows } = await sql<{ id: string }>`select id from assets where client_id = ${clientId}`.execute(
      w.parts.db,
    )
    const own = new Set(rows.map(({ id }) => id))
    const found = body.assets.map(({ assetId }: { assetId: string }) => assetId)
    expect(found).toHaveLength(wanted)
    expect(new Set(found).size).toBe(wanted)
    expect(found.every((id: string) => own.has(id))).toBe(true)
  }
})
