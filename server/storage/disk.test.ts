import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStore } from './disk.ts'
import { keysOf, newClientId, obeysStorageContract, rawPut, textOf } from './storage-contract.ts'

const run = promisify(execFile)
const ourPage = 'https://library.example'
const MiB = 1024 * 1024

obeysStorageContract('disk', async () => ({ ...(await startDisk()), allowedOrigin: ourPage }))

describe('the disk store', () => {
  let disk: Awaited<ReturnType<typeof startDisk>>
  beforeAll(async () => {
    disk = await startDisk()
  })
  afterAll(() => disk.stop())

  const anyClient = () => disk.store.storageOf(newClientId())

  test('copies without copying a byte', async () => {
    const storage = anyClient()
    await storage.put('staging/upload', Buffer.from('bytes'), { sizeBytes: 5 })
    await storage.copy('staging/upload', 'assets/original')
    const [from, to] = ['staging/upload', 'assets/original'].map((key) => storage.localPath(key) ?? '')
    expect((await stat(from!)).ino).toBe((await stat(to!)).ino)

    await storage.put('staging/upload', Buffer.from('other'), { sizeBytes: 5 })
    expect(await readFile(to!, 'utf8')).toBe('bytes')
  })

  test('gives a reader the bytes it began with, whatever happens to the key meanwhile', async () => {
    const storage = anyClient()
    await storage.put('a', Buffer.alloc(3 * MiB, 'a'), { sizeBytes: 3 * MiB })
    const stream = await storage.read('a')
    await storage.put('a', Buffer.from('b'), { sizeBytes: 1 })
    await storage.delete(['a'])
    expect(await text(stream)).toBe('a'.repeat(3 * MiB))
  })

  test('leaves no empty folders', async () => {
    const storage = anyClient()
    await storage.put('a/b/c/d', Buffer.from('x'), { sizeBytes: 1 })
    await storage.put('a/e', Buffer.from('x'), { sizeBytes: 1 })
    const top = storage.localPath('a') ?? ''
    await storage.delete(['a/b/c/d'])
    expect(await readdir(top)).toEqual(['e'])
    await storage.delete(['a/e'])
    await expect(stat(top)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('puts and deletes side by side without losing a file to a pruned folder', async () => {
    const storage = anyClient()
    const rounds = Array.from({ length: 200 }, (_, number) => `deep/down/${number % 4}/file${number}`)
    const putAndDelete = async (key: string) => {
      await storage.put(key, Buffer.from('x'), { sizeBytes: 1 })
      expect(await textOf(storage, key)).toBe('x')
      await storage.delete([key])
    }
    for (let first = 0; first < rounds.length; first += 20) {
      await Promise.all(rounds.slice(first, first + 20).map(putAndDelete))
    }
    expect(await keysOf(storage)).toEqual([])
  })

  test('shows no half-written file under its key', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: MiB, expiresInSeconds: 60 })
    const sending = httpRequest(url, { method: 'PUT', headers: { 'content-length': MiB } })
    sending.write(Buffer.alloc(MiB / 2))
    await expect.poll(disk.leftovers, { timeout: 5000 }).toHaveLength(1)
    expect(await storage.head('staging/upload')).toBeUndefined()

    sending.end(Buffer.alloc(MiB / 2))
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(200)
    answer.resume()
    expect((await storage.head('staging/upload'))?.sizeBytes).toBe(MiB)
    expect(await disk.leftovers()).toEqual([])
  })

  test('takes not a byte beyond the length', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const { hostname, port, pathname, search, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.end(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\n\r\nhello, and more`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1.1 (200|400)/)
    await expect.poll(disk.leftovers).toEqual([])
    const stored = await storage.head('staging/upload')
    expect(stored?.sizeBytes ?? 5).toBe(5)
  })

  test('wants a length, and says so', async () => {
    const url = await anyClient().presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const sending = httpRequest(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } })
    sending.end('hello')
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(411)
    expect(await text(answer)).toContain('<Code>MissingContentLength</Code>')
  })

  test('answers in XML, as a bucket would, and serves nothing', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    await rawPut(url, 'hello')
    const answer = await fetch(url)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(answer.headers.get('allow')).toBe('PUT, OPTIONS')
    expect(await answer.text()).toContain('<Code>MethodNotAllowed</Code>')
  })

  test('lets a page of ours see why it was refused', async () => {
    const url = await anyClient().presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const refused = await fetch(url, { method: 'PUT', body: 'too long', headers: { origin: ourPage } })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('access-control-allow-origin')).toBe(ourPage)
    expect(refused.headers.get('vary')).toContain('Origin')
    const foreign = await fetch(url, {
      method: 'PUT',
      body: 'hello',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('refuses a large body at once, without waiting for the rest of it', async () => {
    const url = await anyClient().presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const sending = httpRequest(url, { method: 'PUT', headers: { 'content-length': 1024 * MiB } })
    sending.on('error', () => {})
    sending.write(Buffer.alloc(MiB))
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(403)
    sending.destroy()
  })

  test('is not fooled by a path spelt otherwise', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const spellings = [
      'staging%2Fupload',
      'staging/./upload',
      'staging//upload',
      'staging/%75pload',
      'x/../staging/upload',
    ]
    for (const spelling of spellings) {
      expect(await rawPut(url.replace('staging/upload', spelling), 'hello'), spelling).toBe(403)
    }
    for (const path of ['/objects/', '/objects/%00', '/objects/..%2f..%2fetc%2fpasswd', '/objects/%ff']) {
      const status = await rawPut(new URL(url).origin + path + new URL(url).search, 'hello')
      expect(status, path).toBeOneOf([400, 403, 404])
    }
    expect(await keysOf(storage)).toEqual([])
  })

  test('writes no permission into the log', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    await rawPut(url, 'hello')
    await rawPut(url, 'much too long')
    await fetch(url)
    const signature = new URL(url).searchParams.get('signature') ?? ''
    expect(disk.log()).not.toContain(signature)
  })

  test('takes nothing for an upload that is over, whether it ends before, during or after the bytes', async () => {
    let asked = 0
    let wantedFor = 0
    await using guarded = await startDisk({ mayPut: async () => ++asked <= wantedFor })
    const storage = guarded.store.storageOf(newClientId())
    const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 60 })
    const refusedAfter = async (times: number) => {
      asked = 0
      wantedFor = times
      const answer = await fetch(url, { method: 'PUT', body: 'hello' })
      expect(answer.status).toBe(403)
      expect(await answer.text()).toContain('<Code>AccessDenied</Code>')
      expect(await keysOf(storage)).toEqual([])
      expect(await guarded.leftovers()).toEqual([])
    }
    await refusedAfter(0)
    await refusedAfter(1)
    await refusedAfter(2)
    asked = 0
    wantedFor = 3
    expect(await rawPut(url, 'hello')).toBe(200)
  })

  test('cuts off a body that is still coming when its upload ends or its URL expires', async () => {
    let wanted = true
    await using guarded = await startDisk({ mayPut: async () => wanted })
    const storage = guarded.store.storageOf(newClientId())
    const isCutOff = async (expiresInSeconds: number, meanwhile: () => void) => {
      const url = await storage.presignPut('staging/upload', { sizeBytes: MiB, expiresInSeconds })
      const sending = httpRequest(url, { method: 'PUT', headers: { 'content-length': MiB } })
      sending.write(Buffer.alloc(MiB / 2))
      await expect.poll(guarded.leftovers, { timeout: 5000 }).toHaveLength(1)
      meanwhile()
      await expect(once(sending, 'response')).rejects.toThrow()
      await expect.poll(guarded.leftovers).toEqual([])
      expect(await keysOf(storage)).toEqual([])
    }
    await isCutOff(1, () => {})
    await isCutOff(60, () => {
      wanted = false
    })
  })

  test('lets one URL be used once at a time: the later one counts', async () => {
    const storage = anyClient()
    const url = await storage.presignPut('staging/upload', { sizeBytes: MiB, expiresInSeconds: 60 })
    const first = httpRequest(url, { method: 'PUT', headers: { 'content-length': MiB } })
    first.write(Buffer.alloc(MiB / 2))
    await expect.poll(disk.leftovers, { timeout: 5000 }).toHaveLength(1)
    const cutOff = expect(once(first, 'response')).rejects.toThrow()
    expect(await rawPut(url, 'x'.repeat(MiB))).toBe(200)
    await cutOff
    await expect.poll(disk.leftovers).toEqual([])
    expect((await storage.head('staging/upload'))?.sizeBytes).toBe(MiB)
  })

  test('says when the store cannot be written', async () => {
    await using broken = await startDisk()
    await broken.store.check()
    await rm(broken.folder, { recursive: true })
    await writeFile(broken.folder, 'no folder any more')
    const storage = broken.store.storageOf(newClientId())

    await expect(broken.store.check()).rejects.toMatchObject({ code: 'storage-unavailable' })
    await expect(storage.put('a', Buffer.from('x'), { sizeBytes: 1 })).rejects.toMatchObject({
      code: 'storage-unavailable',
      cause: expect.objectContaining({ syscall: 'open' }),
    })
    const url = await storage.presignPut('a', { sizeBytes: 1, expiresInSeconds: 60 })
    const answer = await fetch(url, { method: 'PUT', body: 'x' })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('<Code>ServiceUnavailable</Code>')
  })

  test('sweeps what a crash left unfinished a day ago, and nothing younger', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disk-store-'))
    const unfinished = join(folder, 'unfinished')
    await mkdir(unfinished)
    const aDayAgo = Date.now() / 1000 - 25 * 60 * 60
    await writeFile(join(unfinished, 'old'), 'half')
    await utimes(join(unfinished, 'old'), aDayAgo, aDayAgo)
    await writeFile(join(unfinished, 'young'), 'half')

    const store = diskStore({ folder, publicUrl: 'http://localhost', secret: 'secret' })
    await store.check()
    expect(await readdir(unfinished)).toEqual(['young'])
    await store.close()
    await rm(folder, { recursive: true })
  })

  test('allows the pages of its own public address when told of no others', async () => {
    const app = Fastify()
    const folder = await mkdtemp(join(tmpdir(), 'disk-store-'))
    const store = diskStore({ folder, publicUrl: 'https://assets.example/', secret: 'secret' })
    await app.register(store.routes!(async () => true))
    const url = await store.storageOf(newClientId()).presignPut('a', { sizeBytes: 1, expiresInSeconds: 60 })
    expect(url).toMatch(/^https:\/\/assets\.example\/objects\/clients\//)

    const answer = await app.inject({
      method: 'OPTIONS',
      url: new URL(url).pathname,
      headers: { origin: 'https://assets.example', 'access-control-request-method': 'PUT' },
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('https://assets.example')
    await app.close()
    await store.close()
    await rm(folder, { recursive: true })
  })
})

test('a full disk is a clean refusal that leaves nothing half-done', async ({ skip }) => {
  await using small = await smallDisk()
  if (!small) return skip('this system mounts nothing for us')

  await using disk = await startDisk({ folder: join(small.folder, 'store') })
  const storage = disk.store.storageOf(newClientId())
  await storage.put('a', Buffer.from('small'), { sizeBytes: 5 })

  const tooMuch = Buffer.alloc(4 * MiB)
  await expect(storage.put('a', tooMuch, { sizeBytes: tooMuch.length })).rejects.toMatchObject({
    code: 'storage-unavailable',
    message: expect.stringContaining('full. Make room'),
    cause: expect.objectContaining({ code: 'ENOSPC' }),
  })
  const url = await storage.presignPut('a', { sizeBytes: tooMuch.length, expiresInSeconds: 60 })
  const answer = await fetch(url, { method: 'PUT', body: tooMuch })
  expect(answer.status).toBe(507)
  expect(await answer.text()).toContain('<Code>InsufficientStorage</Code>')

  expect(await textOf(storage, 'a')).toBe('small')
  expect(await disk.leftovers()).toEqual([])
  await storage.put('b', Buffer.from('fits'), { sizeBytes: 4 })
})

async function startDisk(given: { folder?: string; mayPut?: (key: string) => Promise<boolean> } = {}) {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'disk-store-')))
  let log = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  let server!: Server
  const app = Fastify({
    logger: { level: 'info', stream },
    serverFactory: (handler) => (server = createServer(handler)),
  })
  // Before the routes, because the store has to know its address.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const store = diskStore({ folder, publicUrl, secret: 'a secret of the tests', allowedOrigins: [ourPage] })
  await app.register(store.routes!((object) => given.mayPut?.(object.key) ?? Promise.resolve(true)))
  await app.ready()

  const stop = async () => {
    await app.close()
    server.close() // Fastify closes only what it opened
    server.closeAllConnections()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    store,
    folder,
    log: () => log,
    leftovers: () => readdir(join(folder, 'unfinished')),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** A disk of one megabyte, where the system lets us have one. */
async function smallDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  const unmount = async () => {
    await run('umount', [folder])
    await rm(folder, { recursive: true })
  }
  return { folder, [Symbol.asyncDispose]: unmount }
}
