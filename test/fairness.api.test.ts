import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/upkeep.ts'
import { nextEvents } from './event-reader.ts'
import { pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, newClient, startServer, world } from './world.ts'

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

test('whoever asks two hundred things at once lets another be answered meanwhile', async () => {
  const [noisy, quiet] = [(await w.newClient()).operator, (await w.newClient()).operator]
  const folders = `${noisy.door.assets}/folders`
  let done = 0
  const noise = Array.from({ length: 200 }, async (_, number) => {
    const { status } = await noisy.post(folders, { name: `Folder ${number}` })
    done++
    return status
  })
  await Promise.race(noise)
  for (let i = 0; i < 5; i++) expect((await quiet.lists()).status).toBe(200)
  expect(done).toBeLessThan(150)
  expect(new Set(await Promise.all(noise))).toEqual(new Set([201]))
  expect((await noisy.lists()).body.folders).toHaveLength(200)
})

describe('where one request of a client is handled at once, and two may wait', async () => {
  const narrow = await startServer({
    ...w.environment,
    ROLE: 'api',
    REQUESTS_AT_ONCE: '1',
    REQUESTS_WAITING: '2',
  })
  afterAll(narrow.stop)
  const crowd = ({ operator, viewer }: ClientWorld) =>
    Promise.all(Array.from({ length: 20 }, (_, number) => (number % 2 ? operator : viewer).lists({ q: 'a' })))

  test('its others are told to come back, and those of another client are not', async () => {
    const [noisy, quiet] = [await newClient(narrow), await newClient(narrow)]
    const crowding = crowd(noisy)
    expect((await quiet.operator.lists()).status).toBe(200)
    const answers = await crowding
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(3)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expect(answer).toEqual(refusal('rate-limited'))
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect((await noisy.operator.lists()).status).toBe(200)
  })

  test('streams and files on their way hold no place, and neither does who was refused or hung up', async () => {
    const client = await newClient(narrow)
    const { operator } = client
    const streams = [await nextEvents(operator), await nextEvents(operator)]
    const { folderId } = await operator.makesFolder('Large')
    await operator.uploads(pngOfSize(16_000_000), { session: { folderId } })
    const leave = new AbortController()
    const path = `${operator.door.assets}/folders/download?folderId=${folderId}`
    await operator.fetch(path, { signal: leave.signal })
    expect((await operator.lists()).status).toBe(200)
    expect(await operator.get(`${operator.door.assets}?limit=0`)).toEqual(refusal('invalid-request'))
    expect(await operator.get(`${operator.door.assets}/asset_01h00000000000000000000000`)).toEqual(
      refusal('not-found'),
    )
    for (let i = 0; i < 5; i++)
      await operator.fetch(operator.door.assets, { signal: AbortSignal.timeout(1 + i) }).catch(() => {})
    expect((await operator.lists()).status).toBe(200)
    leave.abort()
    for (const stream of streams) stream.leaves()
  })
})
