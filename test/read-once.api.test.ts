import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import type { Environment } from '../server/config.ts'
import { fixturePath, typeByName } from '../server/media/fixtures/fixture.ts'
import { command } from './command.ts'
import { faultyStore } from './faulty-store.ts'
import { type Person, person } from './person.ts'
import { freePort } from './setup/postgres.ts'
import { newClient, newHome, type Server, startServer } from './world.ts'

// On S3 alone: on the disk, decoders open the stored file itself.
describe('an original in a store elsewhere', async () => {
  const home = await newHome()
  const store = await faultyStore(home.environment.STORAGE_ENDPOINT!)
  const environment: Environment = { ...home.environment, STORAGE_ENDPOINT: store.endpoint }
  let server: Server | undefined
  let operator: Person
  afterEach(() => server?.stop())
  afterAll(async () => {
    await store.stop()
    await home.remove()
  })

  async function serves(settings: Environment = {}) {
    server = await startServer({ ...environment, ...settings })
    operator ??= (await newClient(server)).operator
    operator = person(server.url, operator.credentials, operator.door)
  }

  /** How often each of its bytes was sent by the store. */
  const timesRead = ({ assetId, sizeBytes }: Asset) =>
    store.wishes
      .filter(({ method, path }) => method === 'GET' && path.includes(`/${assetId}/`))
      .filter(({ path }) => /\/original(\?|$)/.test(path))
      .reduce((sum, { answeredBytes }) => sum + answeredBytes, 0) / sizeBytes

  async function uploads(name: string, bytes: Buffer): Promise<Asset> {
    const mimeType = typeByName(name) as Asset['mimeType']
    return operator.uploads(bytes, { session: { originalFilename: name, mimeType } })
  }

  const isMade = ({ assetId }: Asset) =>
    expect
      .poll(async () => (await operator.reads(assetId)).body, { timeout: 150_000 })
      .toMatchObject({ media: { state: 'ready' }, sha256: expect.any(String) })

  test('is read once for its checksums, its marks, its signature and all that is made of it', async () => {
    await serves()
    const files: Record<string, Buffer> = {
      'photo.jpg': await photo(),
      'drawing.png': await noise().png({ compressionLevel: 1 }).toBuffer(),
      'signed.jpg': await readFile(fixturePath('c2pa/C.jpg')),
      'phone.heic': await readFile(fixturePath('grid.heic')),
      'film.mp4': await readFile(fixturePath('moov-at-end.mp4')),
      'signed.mp4': await readFile(fixturePath('c2pa/video1.mp4')),
    }
    const assets = await Promise.all(Object.entries(files).map(([name, bytes]) => uploads(name, bytes)))
    // Somebody looks before the job has made anything.
    for (const { assetId } of assets)
      expect((await operator.get(`${operator.door.assets}/${assetId}/preview?size=card`)).status).toBe(200)
    for (const asset of assets) {
      await isMade(asset)
      expect.soft(timesRead(asset), asset.originalFilename).toBeLessThan(1.1)
      expect.soft(timesRead(asset), asset.originalFilename).toBeGreaterThan(0.9)
    }
  })

  test('for which there is no room here is read more often, and all is made of it', async () => {
    await serves({ SCRATCH_BYTES: '100000' })
    const asset = await uploads('photo.jpg', await photo())
    await isMade(asset)
    expect(timesRead(asset)).toBeGreaterThan(1.1)
    expect(server!.parts.scratch.keptBytes()).toBeLessThanOrEqual(100_000)
  })

  test('is read once more after a server was killed, which leaves no copy behind', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const settings = { ...environment, ROLE: 'api', PORT: String(port), PUBLIC_URL: url }
    const { child } = command(settings).start('serve')
    await expect.poll(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status).toBe(200)
    operator = person(url, operator.credentials, operator.door)
    const asset = await uploads('photo.jpg', await photo())
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(join(environment.DATA_DIR!, 'scratch'))).toEqual([])

    await serves()
    await isMade(asset)
    expect(timesRead(asset)).toBeLessThan(2.1)
  })
})

const noise = () =>
  sharp({
    create: {
      ...{ width: 1500, height: 1000, channels: 3 as const, background: '#808080' },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

const photo = () => noise().jpeg({ quality: 95 }).toBuffer()
