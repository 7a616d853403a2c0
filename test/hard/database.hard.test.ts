import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { person } from '../person.ts'
import { startPostgres } from '../setup/postgres.ts'
import { inventoryOf } from './inventory.ts'
import { startLoad, summary } from './load.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const restarts = 20

test(`the database restarts ${restarts} times under load: every promise is kept, no row is half`, {
  timeout: 900_000,
}, async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  await postgres.admin('create database library')
  const server = await startProcess({ DATABASE_URL: `${postgres.url}/library` })
  onTestFinished(server.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Restarts' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })

  const load = startLoad(operator, {
    people: 8,
    works: ['upload', 'edit', 'list', 'folder', 'move', 'trash', 'upload', 'edit'],
  })
  const recoveries: number[] = []
  for (let round = 1; round <= restarts; round++) {
    await pause(1000 + Math.random() * 1000)
    await postgres.restart({ crash: round % 2 === 0, downMs: Math.random() * 1500 })
    recoveries.push(await untilWell(operator, `Restart ${round}`))
  }
  await load.stop()

  const broken = await load.broken()
  const inventory = await inventoryOf(server.environment)
  console.log(summary(load.actions))
  const slowest = Math.max(...recoveries)
  experiment({
    experiment: 'database restarts',
    load: `8 people, ${load.actions.length} requests, ${load.uploads()} uploads`,
    faults: `${restarts} restarts, half of them crashes`,
    lost: broken.length + inventory.missing.length,
    leaked: inventory.orphans.length + inventory.halves.length,
    recoveredInSeconds: slowest,
  })
  expect(broken).toEqual([])
  expect(inventory).toEqual({ missing: [], orphans: [], halves: [] })
  // The disk store asks the database whether a file may still be put, and says so in the store's own words.
  const awaited = ['database-unavailable', 'ServiceUnavailable']
  expect(load.actions.filter(({ status, code }) => status >= 500 && !awaited.includes(code))).toEqual([])
  expect(load.actions.filter(({ status }) => status === 0)).toEqual([])
  expect(slowest).toBeLessThan(5)
  expect(server.isRunning()).toBe(true)
})

/** Seconds until something is written and read again. */
async function untilWell(operator: ReturnType<typeof person>, name: string): Promise<number> {
  const from = performance.now()
  const folder = { name }
  while ((await operator.post(`${operator.door.assets}/folders`, folder)).status !== 201) await pause(50)
  while ((await operator.lists()).status !== 200) await pause(50)
  return (performance.now() - from) / 1000
}
