import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Environment } from '../server/config.ts'
import { refusal } from './refusal.ts'
import { newClient, newHome, startServer } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

describe('a store is blamed for what it says', async () => {
  beforeEach(({ skip }) => skip(process.env.TEST_WORLD !== 'postgres', 'a disk has neither keys nor buckets'))
  const home = await newHome()
  afterAll(home.remove)

  test.each<[string, Environment, RegExp]>([
    ['a wrong secret', { STORAGE_SECRET_ACCESS_KEY: 'wrong' }, /refuses our key.*STORAGE_SECRET_ACCESS_KEY/],
    ['a bucket that is not there', { STORAGE_BUCKET_NAME: 'none' }, /no such bucket.*STORAGE_BUCKET_NAME/],
    ['nobody there', { STORAGE_ENDPOINT: 'http://127.0.0.1:1' }, /does not answer\. Try again/],
  ])('%s: in the status, and to who finalizes', async (_, wrong, detail) => {
    const server = await startServer({ ...home.environment, ...wrong, ROLE: 'api' })
    try {
      const { operator, viewer } = await newClient(server)
      expect((await viewer.get('/status')).body.checks.storage).toEqual({
        status: 'degraded',
        detail: expect.stringMatching(detail),
      })
      const { body: session } = await operator.opensUpload()
      const refused = await operator.finalizes(session.uploadToken)
      expect(refused).toEqual(refusal('storage-unavailable'))
      expect(refused.body.detail).toMatch(detail)
    } finally {
      await server.stop()
    }
  })
})
