import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type R2Simulator, startR2Simulator } from '../../test/r2-simulator.ts'
import { type S3Options, s3Store } from './s3.ts'
import type { Storage } from './storage.ts'
import { bytesOf, keysOf, newClientId, obeysStorageContract, streamOf, textOf } from './storage-contract.ts'

const MiB = 1024 * 1024

obeysStorageContract('s3', async () => {
  const simulator = await startR2Simulator()
  const limits = { page: 100 }
  const store = s3Store({ ...simulator, region: 'auto', pathStyle: true, limits })
  return {
    store,
    allowedOrigin: 'http://localhost:5173',
    leftovers: async () => [],
    async stop() {
      await store.close()
      await simulator.stop()
    },
  }
})

describe('objects too large for one step', () => {
  let simulator: R2Simulator
  let storage: Storage
  beforeAll(async () => {
    simulator = await startR2Simulator()
    const limits = { copy: 6 * MiB, copyPart: 5 * MiB, put: 5 * MiB }
    storage = s3Store({ ...simulator, region: 'auto', pathStyle: true, limits }).storageOf(newClientId())
  })
  afterAll(() => simulator.stop())

  test('are put and copied by parts, to the last byte', async () => {
    const bytes = randomBytes(12 * MiB + 7)
    expect(await storage.put('assets/large', streamOf(bytes), { sizeBytes: bytes.length })).toBe(true)
    await storage.copy('assets/large', 'assets/copy')
    expect((await bytesOf(storage, 'assets/large')).equals(bytes)).toBe(true)
    expect((await bytesOf(storage, 'assets/copy')).equals(bytes)).toBe(true)
  })

  test('stay as they are when they are put only if absent', async () => {
    const bytes = randomBytes(6 * MiB)
    const options = { sizeBytes: bytes.length, ifAbsent: true }
    expect(await storage.put('previews/large', streamOf(bytes), options)).toBe(true)
    expect(await storage.put('previews/large', streamOf(Buffer.alloc(6 * MiB)), options)).toBe(false)
    expect((await bytesOf(storage, 'previews/large')).equals(bytes)).toBe(true)
  })

  test('leave nothing behind when the body is not as long as announced', async () => {
    const body = streamOf(Buffer.alloc(11 * MiB))
    await expect(storage.put('previews/short', body, { sizeBytes: 12 * MiB })).rejects.toThrow('announced')
    expect(await keysOf(storage, 'previews/short')).toEqual([])
  })
})

describe('a presigned URL of S3', () => {
  test('signs the length and the host, and nothing a browser would have to repeat', async () => {
    await using store = await storeThatAnswers(() => {})
    const url = await store.storage.presignPut('staging/upload', { sizeBytes: 5, expiresInSeconds: 3600 })
    const signed = new URL(url).searchParams
    expect(signed.get('X-Amz-SignedHeaders')).toBe('content-length;host')
    expect(signed.get('X-Amz-Expires')).toBe('3600')
    expect([...signed.keys()].filter((name) => /crc|checksum|sdk/i.test(name))).toEqual([])
  })
})

describe('a store in trouble', () => {
  const troubles: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['answers 503', (_, response) => fail(response, 503, 'ServiceUnavailable')],
    ['asks us to slow down', (_, response) => fail(response, 503, 'SlowDown')],
    ['answers 500', (_, response) => fail(response, 500, 'InternalError')],
    ['answers 429', (_, response) => fail(response, 429, 'TooManyRequests')],
    [
      'answers with a page of a proxy',
      (_, response) => response.writeHead(502).end('<html>Bad gateway</html>'),
    ],
    ['resets the line', (request) => request.socket.destroy()],
    ['never answers', () => {}],
    ['refuses our key', (_, response) => fail(response, 403, 'InvalidAccessKeyId')],
    ['refuses our signature', (_, response) => fail(response, 403, 'SignatureDoesNotMatch')],
    ['denies access', (_, response) => fail(response, 403, 'AccessDenied')],
    ['does not know us', (_, response) => fail(response, 401, 'Unauthorized')],
  ]

  test.each(troubles)('that %s is a store out of reach, whatever we want of it', async (_name, answer) => {
    await using store = await storeThatAnswers(answer)
    const { storage } = store
    const wishes = [
      () => storage.head('a'),
      () => storage.read('a'),
      () => storage.copy('a', 'b'),
      () => storage.join(['a', 'b'], 'c'),
      () => storage.put('a', Buffer.from('x'), { sizeBytes: 1 }),
      () => storage.put('a', Buffer.from('x'), { sizeBytes: 1, ifAbsent: true }),
      () => storage.delete(['a']),
      () => Array.fromAsync(storage.list('')),
      () => store.store.check(),
    ]
    const outcomes = await Promise.allSettled(wishes.map((wish) => wish()))
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'storage-unavailable', headers: { 'retry-after': '5' }, cause: expect.any(Error) },
      })
    }
    expect(store.requests.length).toBeLessThanOrEqual(3 * wishes.length)
  })

  test('that is not there at all is out of reach, too', async () => {
    const gone = await storeThatAnswers(() => {})
    await gone[Symbol.asyncDispose]()
    const store = s3Store(optionsFor(gone.endpoint))
    await expect(store.check()).rejects.toMatchObject({ code: 'storage-unavailable' })
    await expect(store.storageOf(newClientId()).head('a')).rejects.toMatchObject({
      code: 'storage-unavailable',
    })
  })

  test('keeps its own words as the cause', async () => {
    await using store = await storeThatAnswers((_, response) => fail(response, 404, 'NoSuchBucket'))
    await expect(store.storage.read('a')).rejects.toMatchObject({
      code: 'storage-unavailable',
      cause: expect.objectContaining({ name: 'NoSuchBucket' }),
    })
    await expect(store.store.check()).rejects.toMatchObject({ code: 'storage-unavailable' })
  })

  test('is well again as soon as it answers', async () => {
    let well = false
    await using store = await storeThatAnswers((_, response) =>
      well ? response.writeHead(200, { 'content-length': 5 }).end('hello') : fail(response, 503, 'SlowDown'),
    )
    await expect(store.storage.read('a')).rejects.toMatchObject({ code: 'storage-unavailable' })
    well = true
    expect(await textOf(store.storage, 'a')).toBe('hello')
  })

  test('that stumbles once is asked again', async () => {
    let answers = 0
    await using store = await storeThatAnswers((_, response) =>
      answers++ === 0
        ? fail(response, 503, 'SlowDown')
        : response.writeHead(200, { 'content-length': 5 }).end('hello'),
    )
    expect(await textOf(store.storage, 'a')).toBe('hello')
  })

  test('that says 200 with an error inside has not copied', async () => {
    await using store = await storeThatAnswers((request, response) =>
      request.method === 'HEAD'
        ? response.writeHead(200, { 'content-length': 5 }).end()
        : fail(response, 200, 'InternalError'),
    )
    await expect(store.storage.copy('a', 'b')).rejects.toMatchObject({ code: 'storage-unavailable' })
  })

  test('that says 200 with an error inside has not joined, and is told to forget the parts', async () => {
    await using store = await storeThatAnswers((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://store')
      if (searchParams.has('uploads')) {
        answerXml(
          response,
          '<InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>',
        )
      } else if (request.method === 'PUT') {
        answerXml(response, '<CopyPartResult><ETag>"e"</ETag></CopyPartResult>')
      } else if (request.method === 'DELETE') {
        response.writeHead(204).end()
      } else {
        fail(response, 200, 'InternalError')
      }
    })
    await expect(store.storage.join(['a', 'b'], 'c')).rejects.toMatchObject({ code: 'storage-unavailable' })
    expect(store.requests.at(-1)).toMatch(/^DELETE .*uploadId=7/)
  })

  test('that breaks off midway breaks the stream off', async () => {
    await using store = await storeThatAnswers((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('only a part', () => response.destroy())
    })
    const stream = await store.storage.read('a')
    await expect(buffer(stream)).rejects.toThrow()
  })

  test('that falls silent midway breaks the stream off', async () => {
    await using store = await storeThatAnswers((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('only a part')
    })
    const stream = await store.storage.read('a')
    await expect(buffer(stream)).rejects.toThrow('inactivity')
  })

  test('that is silent is left by a reader who leaves', async () => {
    const closed: string[] = []
    await using store = await storeThatAnswers((request, response) => {
      response.once('close', () => closed.push(request.url!.replace(/[?].*/, '').split('/').at(-1)!))
      if (request.url?.includes('mute')) return
      response.writeHead(200, { 'content-length': 100 })
      response.write('only a part')
    })
    for (const key of ['mute', 'half']) {
      const leaves = new AbortController()
      const reading = Array.fromAsync(store.storage.scan(key, undefined, leaves.signal))
      await expect.poll(() => store.requests.some((request) => request.includes(key))).toBe(true)
      leaves.abort()
      await expect(reading).rejects.toThrow()
    }
    await expect.poll(() => closed).toEqual(['mute', 'half'])
  })

  test('that stops sending is not waited for as long as a reader of ours may pause', async () => {
    await using store = await storeThatAnswers(
      (request, response) => {
        const whole = request.url?.includes('whole')
        response.writeHead(200, { 'content-length': MiB })
        response.write(Buffer.alloc(whole ? MiB : 1000))
      },
      { move: 60_000 },
    )
    await expect(buffer(await store.storage.read('part'))).rejects.toThrow('stopped sending')
    const paused = await store.storage.read('whole')
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect((await buffer(paused)).length).toBe(MiB)
  })

  test('whose idle lines have died in silence is reached on a new one', async () => {
    let dead = false
    const lines = new Set<unknown>()
    await using store = await storeThatAnswers((request, response) => {
      if (!dead) lines.add(request.socket)
      if (dead && lines.has(request.socket)) return
      setTimeout(() => response.writeHead(200, { 'content-length': 5 }).end('hello'), dead ? 0 : 100)
    })
    await Promise.all(Array.from({ length: 8 }, () => textOf(store.storage, 'a')))
    expect(lines.size).toBeGreaterThanOrEqual(8)
    dead = true
    expect(await textOf(store.storage, 'a')).toBe('hello')
  })

  test('that deletes some and not others says which', async () => {
    await using store = await storeThatAnswers((_, response) =>
      answerXml(
        response,
        '<DeleteResult><Error><Key>clients/x/a</Key><Code>InternalError</Code><Message>no</Message></Error></DeleteResult>',
      ),
    )
    await expect(store.storage.delete(['a', 'b'])).rejects.toMatchObject({
      code: 'storage-unavailable',
      cause: { errors: [expect.objectContaining({ message: 'clients/x/a: InternalError no' })] },
    })
  })
})

describe('a store of another make', () => {
  test('that knows no conditions is asked first', async () => {
    const stored = new Set<string>()
    await using store = await storeThatAnswers((request, response) => {
      const path = request.url?.split('?')[0] ?? ''
      const there = stored.has(path) || path.split('/').filter(Boolean).length === 1 // the bucket
      if (request.method === 'HEAD') return response.writeHead(there ? 200 : 404).end()
      if (request.headers['if-none-match']) return fail(response, 501, 'NotImplemented')
      stored.add(path)
      return response.writeHead(200).end()
    })
    const put = () => store.storage.put('a', Buffer.from('x'), { sizeBytes: 1, ifAbsent: true })
    expect(await put()).toBe(true)
    expect(await put()).toBe(false)
  })

  test('that reports a rival put is asked again', async () => {
    let answers = 0
    await using store = await storeThatAnswers((_, response) =>
      answers++ < 2 ? fail(response, 409, 'ConditionalRequestConflict') : response.writeHead(200).end(),
    )
    expect(await store.storage.put('a', Buffer.from('x'), { sizeBytes: 1, ifAbsent: true })).toBe(true)
    expect(store.requests).toHaveLength(3)
  })

  test('whose complaint is about our own request is not called out of reach', async () => {
    await using store = await storeThatAnswers((_, response) => fail(response, 400, 'EntityTooSmall'))
    await expect(store.storage.read('a')).rejects.toMatchObject({ name: 'EntityTooSmall' })
  })
})

const optionsFor = (endpoint: string): S3Options => ({
  endpoint,
  region: 'auto',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  bucket: 'assets',
  pathStyle: true,
  // Longer than a busy machine takes for an answer.
  timeouts: { connect: 2000, answer: 1000, move: 1000 },
})

async function storeThatAnswers(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeouts: S3Options['timeouts'] = {},
) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = optionsFor(endpoint)
  const store = s3Store({ ...options, timeouts: { ...options.timeouts, ...timeouts } })
  return {
    store,
    storage: store.storageOf(newClientId()),
    requests,
    endpoint,
    async [Symbol.asyncDispose]() {
      await store.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

function answerXml(response: ServerResponse, xml: string, status = 200) {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
}

function fail(response: ServerResponse, status: number, code: string) {
  answerXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)
}
