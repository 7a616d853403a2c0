import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { faultProxy } from './fault-proxy.ts'
import { newClient, newHome, startServer } from './world.ts'

// The embedded database is in the same process: it cannot be away.
const onPostgres = process.env.TEST_WORLD === 'postgres'

describe.runIf(onPostgres)('a database that goes away', async () => {
  if (!onPostgres) return
  const home = await newHome()
  const line = await faultProxy({ port: Number(new URL(home.environment.DATABASE_URL!).port) })
  const server = await startServer({
    ...home.environment,
    DATABASE_URL: line.before(home.environment.DATABASE_URL!),
  })
  const { operator } = await newClient(server)
  afterAll(async () => {
    await server.stop()
    await line.stop()
    await home.remove()
  })
  const folders = `${operator.door.assets}/folders`

  test('under many changes leaves each made or not made, and says which as soon as it is back', async () => {
    const before = line.open()
    let number = 0
    let over = false
    const made: string[] = []
    const refused: { status: number; code: string }[] = []
    const people = Array.from({ length: 12 }, async () => {
      while (!over) {
        const { status, body } = await operator.post(folders, { name: `Folder ${number++}` })
        if (status === 201) made.push(body.folderId)
        else refused.push({ status, code: body.code })
      }
    })
    for (let round = 0; round < 3; round++) {
      await pause(200)
      line.weather({ trouble: 'reset' })
      await pause(1500)
      line.weather({})
    }
    const back = performance.now()
    while ((await operator.post(folders, { name: `Back ${number++}` })).status !== 201) await pause(50)
    expect(performance.now() - back).toBeLessThan(5000)
    over = true
    await Promise.all(people)

    expect(refused.length).toBeGreaterThan(0)
    for (const refusal of refused) expect(refusal).toEqual({ status: 503, code: 'database-unavailable' })
    const { body } = await operator.lists()
    const there = new Set(body.folders.map(({ folderId }: { folderId: string }) => folderId))
    expect(made.filter((folderId) => !there.has(folderId))).toEqual([])

    // Whoever listens has come back once, not once for each attempt.
    await pause(1500)
    expect(line.open()).toBeLessThanOrEqual(Math.max(before, 11))
  })
})
