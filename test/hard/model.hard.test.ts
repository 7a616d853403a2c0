import { afterAll, expect, test } from 'vitest'
import { libraryIsItsModel, type Told } from '../model.ts'
import { person } from '../person.ts'
import { inventoryOf } from './inventory.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const server = await startProcess()
afterAll(() => server.stop())
const admin = person(server.url, { cookie: server.cookie })
const runs = 150

test(`${runs} random stories end as a simple model says`, { timeout: 1_200_000 }, async () => {
  const told: Told[] = []
  const newLibrary = async () => {
    const { clientId } = (await admin.post('/admin/clients', { name: 'Story' })).body
    return admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
  }
  const differing = await libraryIsItsModel(newLibrary, { runs, length: 60, told }).catch(
    (error: unknown) => error,
  )

  const made = told.flatMap(({ model, real }) => [...model.assets.keys()].map((id) => ({ real, id })))
  const gone: string[] = []
  for (const { real, id } of made) if ((await real.reads(id)).status !== 200) gone.push(id)
  const inventory = await inventoryOf(server.environment)
  experiment({
    experiment: 'random stories',
    load: `${told.length} of up to 60 commands, ${made.length} assets`,
    faults: 'none',
    lost: gone.length + inventory.missing.length,
    leaked: inventory.orphans.length + inventory.halves.length,
  })
  if (differing) throw differing
  expect(made.length).toBeGreaterThan(runs)
  expect(gone).toEqual([])
  expect(inventory).toEqual({ missing: [], orphans: [], halves: [] })
})
