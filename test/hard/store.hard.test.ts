import { expect, onTestFinished, test } from 'vitest'
import { faultProxy } from '../fault-proxy.ts'
import { faultyStore } from '../faulty-store.ts'
import { person } from '../person.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { clear, inSmallParts, loudTroubles, silentTroubles, sitsOut } from '../store-in-trouble.ts'
import { inventoryOf } from './inventory.ts'
import { startLoad, summary } from './load.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

test('the store goes wrong in every way while people list and make folders: they notice nothing, and it is found again', {
  timeout: 600_000,
}, async () => {
  const r2 = await startR2Simulator()
  onTestFinished(r2.stop)
  const store = await faultyStore(r2.endpoint)
  onTestFinished(store.stop)
  const line = await faultProxy({ port: Number(new URL(store.endpoint).port) })
  onTestFinished(line.stop)
  const server = await startProcess({
    ...inSmallParts,
    STORAGE_ACCOUNT_ID: 'account',
    STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
    STORAGE_BUCKET_NAME: r2.bucket,
    STORAGE_ENDPOINT: line.before(store.endpoint),
  })
  onTestFinished(server.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Store' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })

  const load = startLoad(operator, { people: 3, works: ['list', 'folder', 'list'], pauseMs: 50 })
  const troubles = [...loudTroubles, ...silentTroubles]
  const outcomes: { name: string; recoveredInSeconds: number; refusedInSeconds: number }[] = []
  for (const [name, begin] of troubles) {
    const outcome = await sitsOut(operator, { store, line }, begin).finally(() => clear({ store, line }))
    outcomes.push({ name, ...outcome })
  }
  await load.stop()

  const broken = await load.broken()
  const inventory = await inventoryOf(server.environment)
  const slowest = Math.max(...outcomes.map(({ recoveredInSeconds }) => recoveredInSeconds))
  console.log(
    outcomes
      .map(
        ({ name, recoveredInSeconds, refusedInSeconds }) =>
          `${name}: refused within ${refusedInSeconds.toFixed(1)} s, well ${recoveredInSeconds.toFixed(1)} s after`,
      )
      .join('\n'),
  )
  console.log(summary(load.actions))
  experiment({
    experiment: 'store in trouble',
    load: `3 people, ${load.actions.length} listings and new folders, 2 uploads a fault`,
    faults: `${troubles.length} kinds: 503, resets, silence, 200 with an error inside, …`,
    lost: broken.length + inventory.missing.length,
    leaked: inventory.orphans.length + inventory.halves.length,
    recoveredInSeconds: slowest,
  })
  expect(load.actions.filter(({ status }) => status === 0 || status >= 500)).toEqual([])
  expect(broken).toEqual([])
  expect(inventory).toEqual({ missing: [], orphans: [], halves: [] })
  expect(slowest).toBeLessThan(10)
})
