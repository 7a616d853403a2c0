import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/upkeep.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })

test('the one file of a client does not wait for the sixty of another', async () => {
  const { parts } = w
  const [noisy, quiet] = [(await w.newClient()).clientId, (await w.newClient()).clientId]
  const queue = (clientId: string, files: number) =>
    parts.db.transaction().execute(async (trx) => {
      for (let i = 0; i < files; i++)
        await parts.jobs.send(trx, 'media', { clientId, assetId: newId('asset'), version: 1 })
    })
  await queue(noisy, 60)
  await queue(quiet, 1)

  const order: string[] = []
  await parts.jobs.work({
    ...jobHandlers(parts),
    media: async ({ clientId }) => {
      order.push(clientId)
    },
  })
  // A worker that looked for its next job once a second would need half a minute.
  for (let waited = 0; order.length < 61 && waited < 20_000; waited += 100) await pause(100)
  expect(order).toHaveLength(61)
  // Behind those whose turn was while the others were still being queued, and no more.
  expect(order.indexOf(quiet)).toBeLessThan(20)
  expect(order.slice(-30)).not.toContain(quiet)
})
