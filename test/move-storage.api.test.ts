import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import type { Environment } from '../server/config.ts'
import { command } from './command.ts'
import { puts } from './person.ts'
import { png, pngOfSize } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { newClient, newHome, type Server, startServer } from './world.ts'

const MiB = 1024 ** 2

const home = await newHome()
const inBucket: Environment = {
  ...home.environment,
  PORT: String(await freePort()),
  PART_SIZE_BYTES: String(5 * MiB),
  MULTIPART_FROM_BYTES: '0',
}
const onDisk = Object.fromEntries(Object.entries(inBucket).filter(([name]) => !name.startsWith('STORAGE_')))
const bookmark = join(home.environment.DATA_DIR!, 'move-storage.json')
const bucket = new URL(`${inBucket.STORAGE_ENDPOINT}/${inBucket.STORAGE_BUCKET_NAME}`)
bucket.username = inBucket.STORAGE_ACCESS_KEY_ID!
bucket.password = inBucket.STORAGE_SECRET_ACCESS_KEY!

let server: Server
async function restart(environment: Environment): Promise<void> {
  await server?.stop()
  server = await startServer(environment)
}
afterAll(async () => {
  await server.stop()
  await home.remove()
})

test('from the disk to a bucket and back, with readers, a kill and uploads under way', async () => {
  await restart(onDisk)
  const { operator, clientId, agent } = await newClient(server)
  const at = operator.door.assets
  const folder = await operator.makesFolder('Harbour')
  const assets = []
  for (let number = 0; number < 10; number++)
    assets.push(await operator.uploads(pngOfSize(20_000, number), { words: { folderId: folder.folderId } }))
  const purged = await operator.uploads(png(3, 3))
  const grant = await agent.post(`/admin/clients/${clientId}/pull-grants`, {
    assetRef: assets[0]!.assetRef,
    surface: 'website',
    target: 'wordpress',
  })
  const addresses = [
    ...assets.slice(0, 3).map(({ assetId }) => `${at}/${assetId}/content`),
    `${at}/${assets[1]!.assetId}/preview?size=card`,
    `${at}/folders/download?folderId=${folder.folderId}`,
    new URL(grant.body.url).pathname,
  ]
  const read = async (address: string) => {
    const answer = await operator.fetch(address)
    return { address, status: answer.status, bytes: (await answer.bytes()).length }
  }
  const before = await Promise.all(addresses.map(read))
  expect(before.map(({ status }) => status)).toEqual(addresses.map(() => 200))

  // Two uploads are begun: one whole, one in parts of which the first has come.
  const whole = png(40, 40)
  const large = pngOfSize(7 * MiB, 9)
  const { body: begun } = await operator.opensUpload({ expectedSizeBytes: whole.length })
  const { body: inParts } = await operator.opensUpload({ expectedSizeBytes: large.length })
  const asks = async (...partNumbers: number[]) =>
    (
      await operator.post(`${at}/upload-session/parts`, {
        uploadToken: inParts.uploadToken,
        partNumbers,
      })
    ).body.parts
  const [first] = await asks(1)
  expect((await puts(first, large.subarray(0, 5 * MiB))).status).toBe(200)

  async function movesAmongReaders(environment: Environment): Promise<void> {
    let over = false
    const readers = addresses.map(async (address, number) => {
      const seen = []
      while (!over) {
        seen.push(await read(address))
        await pause(50)
      }
      return seen.filter((one) => !isDeepStrictEqual(one, before[number]))
    })
    const moves = command(environment)
    const { child, ended } = moves.start('move-storage')
    await expect.poll(() => existsSync(bookmark), { interval: 20 }).toBe(true)
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    expect((await operator.trashes(purged.assetId)).status).toBe(200)
    expect((await operator.delete(`${at}/${purged.assetId}?permanently=true`)).status).toBe(200)
    const finished = await moves.run('move-storage', '--json')
    expect(finished.json, finished.errors).toMatchObject({ differing: [] })
    over = true
    expect((await Promise.all(readers)).flat()).toEqual([])
  }
  await restart({ ...inBucket, STORAGE_PREVIOUS: 'disk' })
  const moving = movesAmongReaders({ ...inBucket, STORAGE_PREVIOUS: 'disk' })
  // Addresses of before still take bytes, and the rest goes to the bucket.
  expect((await puts(begun, whole)).status).toBe(200)
  expect((await operator.finalizes(begun.uploadToken)).status).toBe(201)
  const [second] = await asks(2)
  expect(second.uploadUrl).toContain(inBucket.STORAGE_ENDPOINT)
  expect((await puts(second, large.subarray(5 * MiB))).status).toBe(200)
  const { status, body: joined } = await operator.finalizes(inParts.uploadToken)
  expect(status, JSON.stringify(joined)).toBe(201)
  await moving

  // Until nothing is left to move, and no upload of before is under way.
  await expect
    .poll(() => command({ ...inBucket, STORAGE_PREVIOUS: 'disk' }).run('move-storage', '--json'), {
      timeout: 120_000,
    })
    .toMatchObject({ code: 0, json: { objects: 0, done: true } })
  await server.stop()
  await rm(join(home.environment.DATA_DIR!, 'objects'), { recursive: true })
  const check = () => command(inBucket).run('check', '--read', '100%', '--json')
  expect((await check()).json).toMatchObject({ faults: [], read: 12 })
  server = await startServer(inBucket)
  expect(await Promise.all(addresses.map(read))).toEqual(before)

  // And back.
  const again = { ...onDisk, STORAGE_PREVIOUS: bucket.href }
  await restart(again)
  expect(await Promise.all(addresses.map(read))).toEqual(before)
  const late = await operator.uploads(png(5, 5))
  await expect
    .poll(() => command(again).run('move-storage', '--json'), { timeout: 120_000 })
    .toMatchObject({ code: 0, json: { objects: 0, done: true } })
  await restart(onDisk)
  expect(await Promise.all(addresses.map(read))).toEqual(before)
  expect((await operator.fetch(`${at}/${late.assetId}/content`)).status).toBe(200)
})

test('only with another store to move from', async () => {
  const none = await command(onDisk).run('move-storage')
  expect(none).toMatchObject({ code: 3, errors: expect.stringContaining('STORAGE_PREVIOUS is not set') })
  const same = await command({ ...onDisk, STORAGE_PREVIOUS: 'disk' }).run('move-storage')
  expect(same).toMatchObject({ code: 3, errors: expect.stringContaining('must be another store') })
})
