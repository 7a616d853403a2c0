import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type R2Simulator, startR2Simulator } from '../../test/r2-simulator.ts'
import { diskStore } from './disk.ts'
import { moveObjects } from './move.ts'
import { movingStore } from './moving.ts'
import { s3Store } from './s3.ts'
import type { ObjectStore, Storage } from './storage.ts'
import { bytesOf, keysOf, newClientId, obeysStorageContract, textOf } from './storage-contract.ts'

let r2: R2Simulator
let folder: string
beforeAll(async () => {
  r2 = await startR2Simulator()
  folder = await mkdtemp(join(tmpdir(), 'library-moving-'))
})
afterAll(async () => {
  await r2.stop()
  await rm(folder, { recursive: true, force: true })
})

const disk = () =>
  diskStore({ folder: join(folder, 'objects'), publicUrl: 'http://127.0.0.1:1', secret: 'x' })
const bucket = () => s3Store({ ...r2, region: 'auto', pathStyle: true, limits: { page: 100 } })
const ways: [name: string, from: () => ObjectStore, to: () => ObjectStore][] = [
  ['from the disk to S3', disk, bucket],
  ['from S3 to the disk', bucket, disk],
]

obeysStorageContract('a store that is being moved', async () => {
  const store = movingStore(bucket(), disk())
  return { store, allowedOrigin: 'http://localhost:5173', leftovers: async () => [], stop: store.close }
})

const put = (storage: Storage, key: string, text: string | Buffer) =>
  storage.put(key, Buffer.from(text), { sizeBytes: text.length })

test.each(ways)('%s: what is not moved yet is read, copied and joined from there', async (_, from, to) => {
  const clientId = newClientId()
  const [previous, current] = [from().storageOf(clientId), to().storageOf(clientId)]
  const moving = movingStore(to(), from())
  const storage = moving.storageOf(clientId)
  const parts = [randomBytes(5 * 1024 ** 2), randomBytes(5 * 1024 ** 2), Buffer.from('the rest')]
  await put(previous, 'assets/a/original', 'old')
  await put(current, 'assets/b/original', 'new')
  await put(previous, 'staging/up/1', parts[0]!)
  await put(current, 'staging/up/2', parts[1]!)
  await put(previous, 'staging/up/3', parts[2]!)

  expect(await textOf(storage, 'assets/a/original')).toBe('old')
  expect(await textOf(storage, 'assets/a/original', { start: 1, end: 1 })).toBe('l')
  expect(Buffer.concat(await Array.fromAsync(storage.scan('assets/a/original'))).toString()).toBe('old')
  expect(await storage.head('assets/a/original')).toMatchObject({ sizeBytes: 3 })
  const path = storage.localPath('assets/a/original')
  expect(path && (await readFile(path, 'utf8'))).toBe(from === disk ? 'old' : undefined)
  expect(await keysOf(storage)).toEqual([
    'assets/a/original',
    'assets/b/original',
    'staging/up/1',
    'staging/up/2',
    'staging/up/3',
  ])
  expect(await Array.fromAsync(moving.clientIds())).toContain(clientId)
  const ifAbsent = { sizeBytes: 1, ifAbsent: true }
  expect(await storage.put('assets/a/original', Buffer.from('x'), ifAbsent)).toBe(false)

  await storage.copy('assets/a/original', 'assets/c/original')
  expect(await textOf(current, 'assets/c/original')).toBe('old')
  await storage.join(['staging/up/1', 'staging/up/2', 'staging/up/3'], 'assets/d/original')
  expect((await bytesOf(current, 'assets/d/original')).equals(Buffer.concat(parts))).toBe(true)
  expect(await keysOf(current, 'staging/')).toEqual(['staging/up/2'])

  await storage.delete(['assets/a/original', 'assets/b/original'])
  expect([await keysOf(previous, 'assets/'), await keysOf(current, 'assets/')]).toEqual([
    [],
    ['assets/c/original', 'assets/d/original'],
  ])
})

test.each(ways)(
  '%s: broken off and begun again, each object arrives and is compared',
  async (_, from, to) => {
    const [source, target] = [from(), to()]
    const clientIds = [newClientId(), newClientId()].sort()
    const [first, second] = clientIds.map((id) => source.storageOf(id)) as [Storage, Storage]
    const arrived = async () =>
      (await Promise.all(clientIds.map((id) => keysOf(target.storageOf(id))))).map(({ length }) => length)
    for (let number = 10; number < 30; number++)
      await put(first, `assets/${number}/original`, `file ${number}`)
    await put(second, 'assets/1/original', 'the last')
    await put(second, 'staging/under-way', 'not yet')
    // Half of a move of before, and something that is not what it should be.
    await put(target.storageOf(clientIds[0]!), 'assets/20/original', 'file 20')
    await put(target.storageOf(clientIds[0]!), 'assets/21/original', 'file 12')

    const bookmark = join(await mkdtemp(join(folder, 'bookmark-')), 'move.json')
    const move = (advance: () => void = () => {}) =>
      moveObjects({ from: only(source, clientIds), to: target, bookmark, name: 'there', advance })
    let batches = 0
    const breaksOff = () => {
      if (++batches === 2) throw new Error('killed')
    }
    await expect(move(breaksOff)).rejects.toThrow('killed')
    expect(await arrived()).toEqual([16, 0])
    // Deleted by a server, which goes through both.
    await movingStore(target, source).storageOf(clientIds[0]!).delete(['assets/10/original'])

    expect(await move()).toMatchObject({ objects: 5, there: 0, uploads: 1, differing: [] })
    expect(await arrived()).toEqual([19, 1])
    // A second pass looks at sizes alone; the move of two other stores knows nothing of this one.
    expect(await move()).toMatchObject({ objects: 0, there: 20, uploads: 1, differing: [] })
    await rm(bookmark)
    await put(first, 'assets/30/original', 'file 30')
    expect(await move()).toMatchObject({ objects: 1, there: 19, differing: ['assets/21/original'] })
    for (const key of await keysOf(first, 'assets/2'))
      expect(await textOf(target.storageOf(clientIds[0]!), key)).toBe(
        key === 'assets/21/original' ? 'file 12' : await textOf(first, key),
      )
  },
)

test('what is deleted while it is moved does not come back', async () => {
  const clientId = newClientId()
  const [source, target] = [disk(), bucket()]
  await put(source.storageOf(clientId), 'assets/1/original', 'purged')
  const servers = movingStore(target, source).storageOf(clientId)
  // Deleted after it was read and before it is put.
  const slow: ObjectStore = {
    ...target,
    storageOf: (id) => ({
      ...target.storageOf(id),
      put: async (key, body, options) => {
        await servers.delete([key])
        return target.storageOf(id).put(key, body, options)
      },
    }),
  }
  const bookmark = join(await mkdtemp(join(folder, 'bookmark-')), 'move.json')
  const from = only(source, [clientId])
  await moveObjects({ from, to: slow, bookmark, name: '', advance: () => {} })
  expect(await keysOf(servers)).toEqual([])
})

/** The stores are shared with other tests. */
const only = (store: ObjectStore, clientIds: string[]): ObjectStore => ({
  ...store,
  clientIds: async function* () {
    yield* clientIds
  },
})
