import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { faultProxy } from './fault-proxy.ts'
import { faultyStore } from './faulty-store.ts'
import { clear, inSmallParts, loudTroubles, sitsOut } from './store-in-trouble.ts'
import { newClient, newHome, startServer } from './world.ts'

// On S3 alone: the disk has its own faults, tried elsewhere.
describe('a store', async () => {
  const home = await newHome()
  const store = await faultyStore(home.environment.STORAGE_ENDPOINT!)
  const line = await faultProxy({ port: Number(new URL(store.endpoint).port) })
  const server = await startServer({
    ...home.environment,
    ...inSmallParts,
    STORAGE_ENDPOINT: line.before(store.endpoint),
  })
  const { operator } = await newClient(server)
  afterEach(() => clear({ store, line }))
  afterAll(async () => {
    await server.stop()
    await line.stop()
    await store.stop()
    await home.remove()
  })

  test.each(loudTroubles)(
    'that %s: what needs it answers 503 and when to come again, the rest works, and all is well when it is',
    async (_, begin) => {
      const { recoveredInSeconds } = await sitsOut(operator, { store, line }, begin)
      expect(recoveredInSeconds).toBeLessThan(10)
    },
  )
})
