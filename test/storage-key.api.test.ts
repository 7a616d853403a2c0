import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Person, person, puts } from './person.ts'
import { png, pngOfSize } from './pictures.ts'
import { type R2Simulator, startR2Simulator } from './r2-simulator.ts'
import { refusal } from './refusal.ts'
import { newClient, newHome, startServer } from './world.ts'

const MiB = 1024 ** 2

test('a new key for the bucket, node by node, and the old one revoked', async () => {
  // The simulator takes one key: two of them on one folder are a bucket with two.
  const folder = await mkdtemp(join(tmpdir(), 'library-bucket-'))
  const [old, fresh] = [
    await startR2Simulator({ persistTo: folder }),
    await startR2Simulator({ persistTo: folder }),
  ]
  const home = await newHome()
  const node = ({ accessKeyId, secretAccessKey, endpoint }: R2Simulator) =>
    startServer({
      ...home.environment,
      ROLE: 'api',
      PART_SIZE_BYTES: String(5 * MiB),
      MULTIPART_FROM_BYTES: '0',
      STORAGE_ACCESS_KEY_ID: accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
      STORAGE_ENDPOINT: endpoint,
    })
  const before = await node(old)
  const after = await node(fresh)
  onTestFinished(async () => {
    await before.stop()
    await after.stop()
    await old.stop()
    await fresh.stop()
    await home.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const { operator: here } = await newClient(before)
  const there = person(after.url, here.credentials, here.door)
  const content = (assetId: string) => `${here.door.assets}/${assetId}/content`
  const picture = png(4, 4)
  const { assetId } = await here.uploads(picture)
  const { body: begun } = await here.opensUpload({ expectedSizeBytes: picture.length })
  const large = pngOfSize(6 * MiB, 1)
  const { body: late } = await here.opensUpload({ expectedSizeBytes: large.length })
  const parts = async (one: Person): Promise<{ uploadUrl: string }[]> =>
    (
      await one.post(`${one.door.assets}/upload-session/parts`, {
        uploadToken: late.uploadToken,
        partNumbers: [1, 2],
      })
    ).body.parts
  const signedBefore = await parts(here)
  expect((await puts(signedBefore[0]!, large.subarray(0, 5 * MiB))).status).toBe(200)

  // Both keys are good: either node serves, and finalizes what was put by an address of the other.
  for (const one of [here, there]) expect((await one.fetch(content(assetId))).status).toBe(200)
  expect((await puts(begun, picture)).status).toBe(200)
  expect((await there.finalizes(begun.uploadToken)).status).toBe(201)

  await old.revokeKey()
  expect((await there.fetch(content(assetId))).status).toBe(200)
  expect(await storeAt(there)).toBe('ok')
  // A node that still has it says so, and an address that it signed is worth nothing.
  expect(await here.get(content(assetId))).toEqual(refusal('storage-unavailable'))
  expect(await storeAt(here)).toBe('degraded')
  expect((await puts(signedBefore[1]!, large.subarray(5 * MiB))).status).toBe(401)
  // Nothing of the upload is lost: another address is asked for.
  const [, second] = await parts(there)
  expect((await puts(second!, large.subarray(5 * MiB))).status).toBe(200)
  expect((await there.finalizes(late.uploadToken)).status).toBe(201)
})

const storeAt = async (one: Person) => (await one.get('/status')).body.checks.storage.status
