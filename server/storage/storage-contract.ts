import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ByteRange, ObjectStore, Storage } from './storage.ts'

export interface StoreUnderTest {
  store: ObjectStore
  allowedOrigin: string
  /** What half-done work has left where no listing shows it. */
  leftovers(): Promise<string[]>
  stop(): Promise<void>
}

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

const MiB = 1024 * 1024
const anHour = 3600

const badKeys = [
  ...['', '/', '/a', 'a/', 'a//b', '.', '..', '../x', 'a/../../x', 'a/./b', 'a/..'],
  ...['a\\b', 'a\0b', 'a\nb', 'a%2Fb', '%2e%2e/a', 'a b', 'a?b', 'a#b', 'ä'],
  ...['x'.repeat(300), `${'x/'.repeat(500)}x`],
]

/** What every driver owes to the rest of the library. */
export function obeysStorageContract(name: string, start: () => Promise<StoreUnderTest>) {
  describe(`${name} obeys the storage contract`, () => {
    let peer: StoreUnderTest
    beforeAll(async () => {
      peer = await start()
    })
    afterAll(() => peer.stop())

    const anyClient = () => peer.store.storageOf(newClientId())
    const permit = (sizeBytes: number) => ({ sizeBytes, expiresInSeconds: anHour })

    test('the store answers when asked how it is', async () => {
      await peer.store.check()
    })

    describe('a presigned URL', () => {
      test('takes the body with nothing but the URL', async () => {
        const storage = anyClient()
        const bytes = randomBytes(70_000)
        const url = await storage.presignPut('staging/upload', permit(bytes.length))

        expect((await put(url, bytes)).status).toBe(200)
        expect(await bytesOf(storage, 'staging/upload')).toEqual(bytes)
        expect((await storage.head('staging/upload'))?.sizeBytes).toBe(bytes.length)
      })

      test.each(['image/jpeg', 'text/plain', 'application/json', 'odd', ''])(
        'minds no content type, also not %j',
        async (contentType) => {
          const storage = anyClient()
          const url = await storage.presignPut('staging/upload', permit(5))
          const answer = await put(url, Buffer.from('hello'), { 'content-type': contentType })
          expect(answer.status).toBe(200)
          expect(await textOf(storage, 'staging/upload')).toBe('hello')
        },
      )

      test('takes an empty body when it was signed for one', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/nothing', permit(0))
        expect((await put(url, Buffer.alloc(0))).status).toBe(200)
        expect((await storage.head('staging/nothing'))?.sizeBytes).toBe(0)
        expect(await bytesOf(storage, 'staging/nothing')).toHaveLength(0)
      })

      test('takes what `curl -T` sends', async ({ skip }) => {
        skip(!hasCurl, 'curl is not installed')
        const folder = await mkdtemp(join(tmpdir(), 'curl-'))
        try {
          const storage = anyClient()
          const bytes = randomBytes(2 * MiB)
          const file = join(folder, 'picture.jpg')
          await writeFile(file, bytes)
          const url = await storage.presignPut('staging/upload', permit(bytes.length))

          const { stdout } = await run('curl', ['-sS', '-T', file, url, '-w', '%{http_code}'])
          expect(stdout).toBe('200')
          expect((await bytesOf(storage, 'staging/upload')).equals(bytes)).toBe(true)
        } finally {
          await rm(folder, { recursive: true })
        }
      })

      test('holds the body to its length', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', permit(10))
        for (const length of [0, 9, 11, 100_000]) {
          expect((await put(url, Buffer.alloc(length))).status).toBe(403)
        }
        expect(await storage.head('staging/upload')).toBeUndefined()
      })

      test('takes no body of unknown length', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', permit(5))
        const body = Readable.toWeb(Readable.from([Buffer.from('hello')])) as ReadableStream
        const answer = await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit)
        await answer.text()

        expect([403, 411]).toContain(answer.status)
        expect(await storage.head('staging/upload')).toBeUndefined()
      })

      test('cannot be bent to another key, length, time or signature', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/mine', permit(5))
        const bent = {
          key: url.replace('staging/mine', 'staging/yours'),
          client: url.replace(/client_\w+/, newClientId()),
          climbing: url.replace('staging/mine', 'staging/mine/../yours'),
          time: withParameter(url, /expires$/i, (value) => String(Number(value) + 1)),
          signature: withParameter(url, /signature$/i, (value) => flipped(value)),
          'no signature': withParameter(url, /signature$/i, () => ''),
          'no query': url.replace(/\?.*/, ''),
        }
        for (const [what, bentUrl] of Object.entries(bent)) {
          expect(bentUrl, what).not.toBe(url)
          expect(await rawPut(bentUrl, 'hello'), what).toBeOneOf([400, 401, 403])
        }
        const longer = withParameter(url, /^length$/, () => '6')
        expect(await rawPut(longer, 'hello!')).toBe(403)

        expect(await keysOf(storage)).toEqual([])
        expect(await rawPut(url, 'hello')).toBe(200)
      })

      test('is worth nothing once its time is over', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 1 })
        await new Promise((resolve) => setTimeout(resolve, 2100))
        expect((await put(url, Buffer.from('hello'))).status).toBe(403)
        expect(await storage.head('staging/upload')).toBeUndefined()
      })

      test('opens no other method', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', permit(5))
        await put(url, Buffer.from('hello'))
        for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
          const answer = await fetch(url, { method })
          expect(answer.status, method).toBeOneOf([403, 404, 405])
          expect(await answer.text(), method).not.toContain('hello')
        }
        expect(await textOf(storage, 'staging/upload')).toBe('hello')
      })

      test('signs no checksum of an empty body', async () => {
        const url = await anyClient().presignPut('staging/upload', permit(5))
        expect(url).not.toMatch(/crc|checksum/i)
        expect(url).toMatch(/length/i)
      })

      test('leaves nothing behind when the sender goes away midway', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', permit(8 * MiB))
        const sending = httpRequest(url, { method: 'PUT', headers: { 'content-length': 8 * MiB } })
        sending.on('error', () => {})
        await new Promise((sent) => sending.write(Buffer.alloc(4 * MiB), sent))
        const gone = new Promise((close) => sending.once('close', close))
        sending.destroy()
        await gone

        await expect.poll(peer.leftovers, { timeout: 10_000 }).toEqual([])
        expect(await storage.head('staging/upload')).toBeUndefined()
        expect(await keysOf(storage)).toEqual([])
      })

      test('can be used again, which does not reach a copy made before', async () => {
        const storage = anyClient()
        const url = await storage.presignPut('staging/upload', permit(5))
        await put(url, Buffer.from('first'))
        await storage.copy('staging/upload', 'assets/original')
        await put(url, Buffer.from('other'))

        expect(await textOf(storage, 'staging/upload')).toBe('other')
        expect(await textOf(storage, 'assets/original')).toBe('first')
      })

      test('answers the preflight of a page of ours', async () => {
        const url = await anyClient().presignPut('staging/upload', permit(5))
        const answer = await preflight(url, peer.allowedOrigin)
        expect(answer.ok).toBe(true)
        expect(answer.headers.get('access-control-allow-origin')).toBeOneOf(['*', peer.allowedOrigin])
        expect(answer.headers.get('access-control-allow-methods')).toContain('PUT')
        expect(answer.headers.get('access-control-allow-headers')).toMatch(/content-type/i)

        const sent = await put(url, Buffer.from('hello'), { origin: peer.allowedOrigin })
        expect(sent.headers.get('access-control-allow-origin')).toBeOneOf(['*', peer.allowedOrigin])
        expect(sent.headers.get('access-control-expose-headers')).toMatch(/etag|\*/i)
        expect(sent.headers.get('etag')).toMatch(/^".+"$/)
      })

      test('gives a page of another site no permission', async () => {
        const url = await anyClient().presignPut('staging/upload', permit(5))
        const answer = await preflight(url, 'https://elsewhere.example')
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
        expect(answer.status).toBe(403)
      })
    })

    describe('reading', () => {
      test('gives the whole, a range, the first byte and the last', async () => {
        const storage = anyClient()
        await storage.put('assets/original', Buffer.from('0123456789'), { sizeBytes: 10 })

        expect(await textOf(storage, 'assets/original')).toBe('0123456789')
        expect(await textOf(storage, 'assets/original', { start: 3, end: 6 })).toBe('3456')
        expect(await textOf(storage, 'assets/original', { start: 0, end: 0 })).toBe('0')
        expect(await textOf(storage, 'assets/original', { start: 9, end: 9 })).toBe('9')
        expect(await textOf(storage, 'assets/original', { start: 8, end: 1000 })).toBe('89')
        await expect(storage.read('assets/original', { start: 10, end: 12 })).rejects.toMatchObject({
          code: 'range-not-satisfiable',
        })
      })

      test('scans the whole, several objects at once', async () => {
        const storage = anyClient()
        const objects = Array.from({ length: 12 }, (_, n) => ({
          key: `assets/${n}`,
          bytes: randomBytes(700_000 + n),
        }))
        for (const { key, bytes } of objects) await storage.put(key, bytes, { sizeBytes: bytes.length })
        const hashes = await Promise.all(objects.map(({ key }) => scanned(storage, key)))
        expect(hashes).toEqual(objects.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')))
        await expect(scanned(storage, 'assets/absent')).rejects.toMatchObject({ code: 'object-missing' })
      })

      test('scans a range', async () => {
        const storage = anyClient()
        const bytes = randomBytes(700_000)
        await storage.put('assets/original', bytes, { sizeBytes: bytes.length })
        for (const [start, end] of [
          [0, 0],
          [1, 300_000],
          [300_000, 699_999],
          [699_999, 800_000],
        ] as const) {
          const part = createHash('sha256')
            .update(bytes.subarray(start, end + 1))
            .digest('hex')
          expect(await scanned(storage, 'assets/original', { start, end }), `${start}-${end}`).toBe(part)
        }
        await expect(
          scanned(storage, 'assets/original', { start: 700_000, end: 700_001 }),
        ).rejects.toMatchObject({ code: 'range-not-satisfiable' })
      })

      test('says before the first byte that an object is missing', async () => {
        const storage = anyClient()
        await storage.put('assets/there', Buffer.from('x'), { sizeBytes: 1 })
        for (const key of ['assets/absent', 'absent/altogether', 'assets']) {
          await expect(storage.read(key)).rejects.toMatchObject({ code: 'object-missing' })
          expect(await storage.head(key)).toBeUndefined()
        }
      })

      test('may stop early, many times over', async () => {
        const storage = anyClient()
        await storage.put('assets/large', Buffer.alloc(2 * MiB), { sizeBytes: 2 * MiB })
        for (let time = 0; time < 80; time++) {
          const stream = await storage.read('assets/large')
          stream.destroy()
        }
        expect(await bytesOf(storage, 'assets/large')).toHaveLength(2 * MiB)
      })

      test('head knows key, size and time', async () => {
        const storage = anyClient()
        await storage.put('assets/original', Buffer.from('abc'), { sizeBytes: 3 })
        expect(await storage.head('assets/original')).toEqual({
          key: 'assets/original',
          sizeBytes: 3,
          lastModified: expect.any(Date),
        })
      })

      test('by path goes to the same bytes, where there is a path', async () => {
        const storage = anyClient()
        await storage.put('assets/original', Buffer.from('abc'), { sizeBytes: 3 })
        const path = storage.localPath('assets/original')
        expect(path === undefined).toBe(peer.store.kind === 's3')
      })
    })

    describe('putting', () => {
      test('takes bytes and streams, and replaces what was there', async () => {
        const storage = anyClient()
        const bytes = randomBytes(3 * MiB)
        expect(await storage.put('previews/card', Buffer.from('old'), { sizeBytes: 3 })).toBe(true)
        expect(await storage.put('previews/card', streamOf(bytes), { sizeBytes: bytes.length })).toBe(true)
        expect((await bytesOf(storage, 'previews/card')).equals(bytes)).toBe(true)
      })

      test('holds a stream to its announced size', async () => {
        const storage = anyClient()
        for (const sizeBytes of [4, 6]) {
          await expect(
            storage.put('previews/card', streamOf(Buffer.from('hello')), { sizeBytes }),
          ).rejects.toThrow('announced')
        }
        expect(await keysOf(storage)).toEqual([])
        expect(await peer.leftovers()).toEqual([])
      })

      test('stores nothing of a stream that breaks off', async () => {
        const storage = anyClient()
        const broken = Readable.from(
          (async function* () {
            yield Buffer.from('hel')
            throw new Error('the decoder died')
          })(),
        )
        await expect(storage.put('previews/card', broken, { sizeBytes: 5 })).rejects.toMatchObject({
          name: 'BrokenBody',
          cause: expect.objectContaining({ message: 'the decoder died' }),
        })
        expect(await keysOf(storage)).toEqual([])
        expect(await peer.leftovers()).toEqual([])
      })

      test('of twenty at once that mind whether it is there, exactly one wins', async () => {
        const storage = anyClient()
        const bodies = Array.from({ length: 20 }, (_, number) => Buffer.from(`body ${number}`.padEnd(8)))
        const answers = await Promise.all(
          bodies.map((body) => storage.put('previews/card', body, { sizeBytes: 8, ifAbsent: true })),
        )
        expect(answers.filter(Boolean)).toHaveLength(1)
        expect(await textOf(storage, 'previews/card')).toBe(bodies[answers.indexOf(true)]?.toString())
        const late = streamOf(Buffer.from('late'))
        expect(await storage.put('previews/card', late, { sizeBytes: 4, ifAbsent: true })).toBe(false)
        expect(late.destroyed).toBe(true)
      })
    })

    describe('copying and joining', () => {
      test('copies onto a new key and over an old one, also twice', async () => {
        const storage = anyClient()
        await storage.put('staging/upload', Buffer.from('new'), { sizeBytes: 3 })
        await storage.put('assets/original', Buffer.from('older'), { sizeBytes: 5 })
        for (const to of ['assets/original', 'assets/original', 'assets/deep/down/copy']) {
          await storage.copy('staging/upload', to)
          expect(await textOf(storage, to)).toBe('new')
        }
        await storage.delete(['staging/upload'])
        expect(await textOf(storage, 'assets/original')).toBe('new')
        expect(await peer.leftovers()).toEqual([])
      })

      test('a copy is as young as the copying, so that no sweep takes it for old', async () => {
        const storage = anyClient()
        await storage.put('staging/upload', Buffer.from('new'), { sizeBytes: 3 })
        const uploaded = await storage.head('staging/upload')
        await new Promise((resolve) => setTimeout(resolve, 1100))
        await storage.copy('staging/upload', 'assets/original')
        const copied = await storage.head('assets/original')
        expect(copied?.lastModified.getTime()).toBeGreaterThan(uploaded?.lastModified.getTime() ?? 0)
      })

      test('joins equal parts and a rest, in order', async () => {
        const storage = anyClient()
        const parts = [randomBytes(5 * MiB), randomBytes(5 * MiB), randomBytes(MiB + 3)]
        const keys = parts.map((_, number) => `staging/upload/${3 - number}`)
        for (const [number, part] of parts.entries()) {
          await storage.put(keys[number] ?? '', part, { sizeBytes: part.length })
        }
        await storage.join(keys, 'assets/original')
        expect((await bytesOf(storage, 'assets/original')).equals(Buffer.concat(parts))).toBe(true)
      })

      test('joins a single part, however small', async () => {
        const storage = anyClient()
        await storage.put('staging/upload/1', Buffer.from('small'), { sizeBytes: 5 })
        await storage.join(['staging/upload/1'], 'assets/original')
        expect(await textOf(storage, 'assets/original')).toBe('small')
      })

      test('says when the source is missing, and makes nothing', async () => {
        const storage = anyClient()
        await storage.put('staging/upload/1', Buffer.alloc(5 * MiB), { sizeBytes: 5 * MiB })
        const missing = { code: 'object-missing' }
        await expect(storage.copy('staging/absent', 'assets/a')).rejects.toMatchObject(missing)
        await expect(storage.join(['staging/absent'], 'assets/b')).rejects.toMatchObject(missing)
        await expect(
          storage.join(['staging/upload/1', 'staging/upload/2'], 'assets/c'),
        ).rejects.toMatchObject(missing)
        expect(await keysOf(storage, 'assets/')).toEqual([])
        expect(await peer.leftovers()).toEqual([])
      })
    })

    describe('listing and deleting', () => {
      test('lists in the order of keys, by any beginning of them', async () => {
        const storage = anyClient()
        const keys = [
          'a',
          'b-c',
          'b.c',
          'b/c',
          'b/c2',
          'b/d/e',
          'b0',
          'b_c',
          'c',
          'staging/up',
          'staging/upper/1',
        ]
        for (const key of keys.toReversed())
          await storage.put(key, Buffer.from(key), { sizeBytes: key.length })

        expect(await keysOf(storage)).toEqual(keys)
        expect(await keysOf(storage, 'b')).toEqual(keys.filter((key) => key.startsWith('b')))
        expect(await keysOf(storage, 'b/')).toEqual(['b/c', 'b/c2', 'b/d/e'])
        expect(await keysOf(storage, 'b/c')).toEqual(['b/c', 'b/c2'])
        expect(await keysOf(storage, 'staging/up')).toEqual(['staging/up', 'staging/upper/1'])
        expect(await keysOf(storage, 'absent/')).toEqual([])
        expect(await Array.fromAsync(storage.list('b/c2'))).toEqual([
          { key: 'b/c2', sizeBytes: 4, lastModified: expect.any(Date) },
        ])
      })

      test('deletes what is there and does not mind what is not', async () => {
        const storage = anyClient()
        for (const key of ['a/1', 'a/2', 'b/1']) await storage.put(key, Buffer.from('x'), { sizeBytes: 1 })
        await storage.delete(['a/1', 'a/absent', 'absent/too', 'b/1'])
        await storage.delete(['a/1'])
        await storage.delete([])
        expect(await keysOf(storage)).toEqual(['a/2'])
      })

      test('goes through more objects than a store gives in one page', async () => {
        const storage = anyClient()
        const keys = Array.from(
          { length: 230 },
          (_, number) => `staging/upload/${String(number).padStart(5, '0')}`,
        )
        const waiting = keys.values()
        const putter = async () => {
          for (const key of waiting) await storage.put(key, Buffer.from('x'), { sizeBytes: 1 })
        }
        await Promise.all(Array.from({ length: 16 }, putter))

        expect(await keysOf(storage)).toEqual(keys)
        await storage.delete(keys)
        expect(await keysOf(storage)).toEqual([])
      })
    })

    describe('clients', () => {
      test('see nothing of each other', async () => {
        const [acme, bolt] = [anyClient(), anyClient()]
        await acme.put('assets/original', Buffer.from('acme'), { sizeBytes: 4 })

        expect(await bolt.head('assets/original')).toBeUndefined()
        await expect(bolt.read('assets/original')).rejects.toMatchObject({ code: 'object-missing' })
        await expect(bolt.copy('assets/original', 'assets/stolen')).rejects.toMatchObject({
          code: 'object-missing',
        })
        expect(await keysOf(bolt)).toEqual([])
        await bolt.delete(['assets/original'])
        expect(await textOf(acme, 'assets/original')).toBe('acme')
      })

      test('cannot climb out of their own place by any key', async () => {
        const storage = anyClient()
        const one = { sizeBytes: 1 }
        for (const key of badKeys) {
          const refused = (work: Promise<unknown>) => expect(work, key).rejects.toThrow('Not a storage key')
          await refused(storage.presignPut(key, permit(1)))
          await refused(storage.put(key, Buffer.from('x'), one))
          await refused(storage.head(key))
          await refused(storage.read(key))
          await refused(storage.copy(key, 'a'))
          await refused(storage.copy('a', key))
          await refused(storage.join([key], 'a'))
          await refused(storage.join(['a'], key))
          await refused(storage.delete(['a', key]))
          expect(() => storage.localPath(key), key).toThrow('Not a storage key')
        }
      })

      test('cannot list what is not theirs', async () => {
        const storage = anyClient()
        for (const prefix of ['../', '/', 'a/../../', '..\\']) {
          await expect(Array.fromAsync(storage.list(prefix))).rejects.toThrow('Not a key prefix')
        }
      })

      test.each([
        '',
        'client_',
        '../client_01k00000000000000000000000',
        `${newClientId()}/`,
        `${newClientId()}\n`,
      ])('have ids of one shape only, unlike %j', (clientId) => {
        expect(() => peer.store.storageOf(clientId)).toThrow('Not a client id')
      })
    })
  })
}

export function newClientId(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  const letters = Array.from(randomBytes(26), (byte) => alphabet[byte % 32])
  return `client_${letters.join('')}`
}

export const bytesOf = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
  buffer(await storage.read(key, range))

export const textOf = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
  (await bytesOf(storage, key, range)).toString()

export const keysOf = async (storage: Storage, prefix = '') =>
  (await Array.fromAsync(storage.list(prefix))).map(({ key }) => key)

/** In uneven chunks, as streams come. */
export function streamOf(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < bytes.length; start += 65_537) yield bytes.subarray(start, start + 65_537)
    })(),
  )
}

async function put(url: string, body: Buffer, headers: Record<string, string> = {}) {
  const send = () => fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })
  // The store may be closing the very connection that was kept for this.
  const answer = await send().catch(send)
  await answer.arrayBuffer()
  return answer
}

const preflight = (url: string, origin: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  })

/** With the path exactly as given, where `fetch` would tidy it up. */
export async function rawPut(url: string, body: string): Promise<number | undefined> {
  const { origin, host } = new URL(url)
  const path = url.slice(origin.length)
  // On a socket of its own: a store may close one on which it refused a body.
  const sending = httpRequest(origin, { method: 'PUT', path, headers: { host }, agent: false })
  sending.setHeader('content-length', body.length)
  sending.end(body)
  const [answer] = await once(sending, 'response')
  answer.resume()
  return answer.statusCode
}

function withParameter(url: string, name: RegExp, change: (value: string) => string): string {
  const changed = new URL(url)
  for (const [key, value] of [...changed.searchParams]) {
    if (name.test(key)) changed.searchParams.set(key, change(value))
  }
  return changed.href
}

const flipped = (signature: string) => (signature.startsWith('a') ? 'b' : 'a') + signature.slice(1)

async function scanned(storage: Storage, key: string, range?: ByteRange): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of storage.scan(key, range)) hash.update(chunk)
  return hash.digest('hex')
}
