import { afterAll, test } from 'vitest'
import { libraryIsItsModel } from '../model.ts'
import { person } from '../person.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const server = await startProcess()
afterAll(() => server.stop())
const admin = person(server.url, { cookie: server.cookie })
const runs = 150

test(`${runs} random stories end as a simple model says`, { timeout: 1_200_000 }, async () => {
  await libraryIsItsModel(
    async () => {
      const { clientId } = (await admin.post('/admin/clients', { name: 'Story' })).body
      return admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
    },
    { runs, length: 60 },
  )
  experiment({
    experiment: 'random stories',
    load: `${runs} of up to 60 commands`,
    faults: 'none',
    lost: 0,
    leaked: 0,
  })
})
