import { once } from 'node:events'
import pg from 'pg'
import { expect, test } from 'vitest'
import { kept } from '../server/removal/client-tables.ts'
import { command } from './command.ts'
import { person } from './person.ts'
import { png } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { thingsOf } from './things.ts'
import { plants } from './web/plants.ts'
import { adminLogin, ownWorld, signIn } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })

test('a server is killed while it removes a client, and the next one goes on to the end', async () => {
  const client = await w.newClient('Short-lived')
  const { clientId, operator } = client
  await thingsOf(w, client)
  for (let n = 1; n < 4; n++) await operator.uploads(png(n, 9))
  const { pool } = w.parts.database
  // Whoever removes the rows stops before these.
  const holder = new pg.Client({ connectionString: w.environment.DATABASE_URL! })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from folders where client_id = $1 for update', [clientId])

  const first = await serve()
  const admin = person(first.url, { cookie: await signIn(first.url, adminLogin.email, adminLogin.password) })
  const gone = await admin.delete(`/admin/clients/${clientId}`, { confirmName: 'Short-lived' })
  expect(gone.status).toBe(202)
  const removal = async () =>
    (await w.admin.get(`/admin/client-removals?clientId=${clientId}`)).body.removals[0]
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query ilike 'delete from "folders"%'`
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await holder.query('rollback')
  await holder.end()
  const half = await removal()
  expect(half).toMatchObject({ finishedAt: null, rows: { asset_versions: expect.any(Number) } })
  expect(half.rows).not.toHaveProperty('folders')

  const second = await serve()
  await expect.poll(async () => (await removal()).finishedAt, { timeout: 300_000 }).not.toBeNull()
  const { rows, objects } = await removal()
  expect(rows).toMatchObject({ ...half.rows, folders: expect.any(Number) })
  expect(objects).toBeGreaterThan(3)
  const { rows: tables } = await pool.query<{ name: string }>(`select table_name as name
    from information_schema.columns where table_schema = current_schema() and column_name = 'client_id'`)
  for (const { name } of tables.filter((table) => !(table.name in kept)))
    expect((await pool.query(`select from "${name}" where client_id = $1`, [clientId])).rowCount, name).toBe(
      0,
    )
  expect(await Array.fromAsync(w.parts.store.storageOf(clientId).list(''))).toEqual([])
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
})

test('a server is killed in the middle of a batch, and the next one ends it, each asset once; then it is taken back', async () => {
  const { clientId, operator } = await w.newClient()
  const ids = (await plants(w, clientId, 500, { tags: ['old'] })).sort()
  const { pool } = w.parts.database
  // Of three chunks the first is done, and the second stops before this one.
  const holder = new pg.Client({ connectionString: w.environment.DATABASE_URL! })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from assets where id = $1 for update', [ids[250]])

  const first = await serve()
  const batches = `${operator.door.assets}/batches`
  const { body: batch } = await operator.post(batches, {
    search: { everywhere: true, tag: 'old' },
    action: 'tag',
    tags: ['new'],
  })
  const now = async (batchId: string) => (await operator.get(`${batches}/${batchId}`)).body
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query ilike '%assets%'`
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1)
  expect(await now(batch.batchId)).toMatchObject({ state: 'running', total: 500, done: 200 })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await holder.query('rollback')
  await holder.end()
  expect(await now(batch.batchId)).toMatchObject({ state: 'running', done: 200 })

  const second = await serve()
  const ends = (batchId: string) =>
    expect.poll(async () => (await now(batchId)).state, { timeout: 300_000 }).toBe('done')
  await ends(batch.batchId)
  expect(await now(batch.batchId)).toMatchObject({ done: 500, changed: 500, refused: 0 })
  const tags = async () =>
    (await pool.query('select distinct tags from assets where client_id = $1', [clientId])).rows
  expect(await tags()).toEqual([{ tags: ['old', 'new'] }])
  const { rows: told } = await pool.query(
    `select count(*)::int as events, count(distinct subject)::int as assets
      from events where client_id = $1 and type = 'asset.updated'`,
    [clientId],
  )
  expect(told).toEqual([{ events: 500, assets: 500 }])

  const { body: undo } = await operator.post(`${batches}/${batch.batchId}/undo`)
  await ends(undo.batchId)
  expect(await now(undo.batchId)).toMatchObject({ changed: 500, refused: 0 })
  expect(await tags()).toEqual([{ tags: ['old'] }])
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
})

/** Another server on the same database and store, in a process of its own. */
async function serve() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = { ...w.environment, ROLE: 'all', PORT: String(port), PUBLIC_URL: url }
  const { child } = command(environment).start('serve')
  await expect.poll(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status).toBe(200)
  return { child, url }
}
