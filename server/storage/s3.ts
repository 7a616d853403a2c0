import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { addAbortSignal } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { objectMissing, Problem, storageUnavailable } from '../problems.ts'
import { exactly } from './exactly.ts'
import { assemble, type Part } from './s3-assembly.ts'
import { inOurWords, isAbsence, isSilence, noBucket, statusOf } from './s3-refusals.ts'
import { endWhenSilent, type StoreAnswer } from './silence.ts'
import type { ByteRange, ObjectStore } from './storage.ts'
import { type Bucket, clientsPrefix, isClientId, storageOf } from './storage-of.ts'

export interface S3Options {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  bucket: string
  pathStyle: boolean
  timeouts?: Partial<typeof usualTimeouts>
  limits?: Partial<typeof usualLimits>
}

const MiB = 1024 * 1024

/** Milliseconds: to connect, to begin an answer, and to move a whole object about at most. */
export const usualTimeouts = { connect: 3_000, answer: 5_000, move: 300_000 }

/** Bytes a second at least: when the store copies, and when we send. */
const slowest = { copy: 10 * MiB, send: MiB / 4 }

/**
 * The largest copy in one step is R2's, a little below that of others. What is put waits in memory, for retries. A page
 * is what a store lists or deletes at once.
 */
const usualLimits = { copy: 5115 * MiB, copyPart: 1024 * MiB, put: 16 * MiB, page: 1000 }

const mostParts = 10_000

const bucketSeenFor = 10_000

export function s3Store(options: S3Options): ObjectStore {
  const timeouts = { ...usualTimeouts, ...options.timeouts }
  const limits = { ...usualLimits, ...options.limits }
  const client = connect(options, timeouts)
  const bucket = bucketOf(client, options.bucket, timeouts, limits)

  return {
    kind: 's3',
    uploadOrigin: originOf(options),
    storageOf: (clientId) => storageOf(bucket, clientId),
    async *clientIds() {
      let ContinuationToken: string | undefined
      do {
        const command = new ListObjectsV2Command({
          Bucket: options.bucket,
          Prefix: clientsPrefix,
          Delimiter: '/',
          ContinuationToken,
        })
        const page = await withinReach(() => client.send(command))
        yield* (page.CommonPrefixes ?? [])
          .map(({ Prefix = '' }) => Prefix.slice(clientsPrefix.length, -1))
          .filter(isClientId)
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
    async check() {
      try {
        const abortSignal = AbortSignal.timeout(Math.min(timeouts.answer, 3_000))
        await client.send(new HeadBucketCommand({ Bucket: options.bucket }), { abortSignal })
      } catch (error) {
        throw isAbsence(error) ? noBucket(error) : asRefusal(error)
      }
    },
    close: async () => client.destroy(),
  }
}

function originOf({ endpoint, bucket, pathStyle }: S3Options): string {
  const { origin, protocol, host } = new URL(endpoint)
  return pathStyle ? origin : `${protocol}//${bucket}.${host}`
}

export function connect(options: S3Options, timeouts: typeof usualTimeouts): S3Client {
  const pool = { keepAlive: true, maxSockets: 64 }
  const agents = { httpAgent: new Agent(pool), httpsAgent: new SecureAgent(pool) }
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    forcePathStyle: options.pathStyle,
    // The SDK would otherwise sign the checksum of an empty body, and the browser's PUT would fail.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some stores never say 100, and each such request would open a socket outside the pool.
    expectContinueHeader: false,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: timeouts.connect,
      requestTimeout: timeouts.answer,
      throwOnRequestTimeout: true,
      // Counts the pauses of a slow reader of ours, too: a paused video must not lose its stream at once.
      socketTimeout: timeouts.move,
      ...agents,
    },
  })
  // When one connection hangs, idle ones to the same host often do too: retry on a new one.
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (isSilence(error)) Object.values(agents).forEach(dropIdle)
        throw error
      }
    },
    { step: 'deserialize' },
  )
  return client
}

const dropIdle = ({ freeSockets }: Agent) => {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
}

function bucketOf(
  client: S3Client,
  Bucket: string,
  timeouts: typeof usualTimeouts,
  limits: typeof usualLimits,
): Bucket {
  const within = (sizeBytes: number, bytesPerSecond: number) => ({
    requestTimeout: Math.min(timeouts.answer + (sizeBytes / bytesPerSecond) * 1000, timeouts.move),
  })
  const sourceOf = (key: string) => `${Bucket}/${encodeURI(key)}`

  async function find(Key: string) {
    try {
      return await client.send(new HeadObjectCommand({ Bucket, Key }))
    } catch (error) {
      if (!isAbsence(error)) throw error
      await refuseWithoutBucket()
      return undefined
    }
  }

  // To a HEAD, a store says of a bucket that is not there the same as of an object.
  let bucketSeenAt = Number.NEGATIVE_INFINITY
  async function refuseWithoutBucket() {
    if (performance.now() - bucketSeenAt < bucketSeenFor) return
    try {
      await client.send(new HeadBucketCommand({ Bucket }))
    } catch (error) {
      throw isAbsence(error) ? noBucket(error) : error
    }
    bucketSeenAt = performance.now()
  }

  async function copy(from: string, to: string) {
    const source = await find(from)
    if (!source) throw objectMissing()
    const sizeBytes = source.ContentLength ?? 0
    if (sizeBytes <= limits.copy) {
      const command = new CopyObjectCommand({ Bucket, Key: to, CopySource: sourceOf(from) })
      await client.send(command, within(sizeBytes, slowest.copy))
      return
    }

    const ranges = rangesOf(sizeBytes, limits.copyPart)
    const copies = ranges.map((range) => copiedPart(from, limits.copyPart, range))
    await assemble(client, { Bucket, Key: to }, copies, within(sizeBytes, slowest.copy))
    // R2 knows no If-Match for a part, so a source replaced midway is only seen afterwards.
    const after = await find(from)
    if (after?.ETag !== source.ETag) throw new Error(`${from} was replaced while it was copied.`)
  }

  const copiedPart =
    (from: string, sizeBytes: number, CopySourceRange?: string): Part =>
    async (place) => {
      const command = new UploadPartCopyCommand({ ...place, CopySource: sourceOf(from), CopySourceRange })
      const { CopyPartResult } = await client.send(command, within(sizeBytes, slowest.copy))
      return CopyPartResult?.ETag
    }

  const sentPart =
    (Body: Buffer): Part =>
    async (place) => {
      const command = new UploadPartCommand({ ...place, Body })
      const { ETag } = await client.send(command, within(Body.length, slowest.send))
      return ETag
    }

  async function putWhole(Key: string, Body: Buffer, ifAbsent: boolean, attempt = 1): Promise<boolean> {
    try {
      const IfNoneMatch = ifAbsent ? '*' : undefined
      const command = new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch })
      await client.send(command, within(Body.length, slowest.send))
      return true
    } catch (error) {
      const status = ifAbsent ? statusOf(error) : undefined
      if (status === 412) return false
      // Another such put is under way, and may yet fail.
      if (status === 409 && attempt < 8)
        return wait(50 * attempt).then(() => putWhole(Key, Body, ifAbsent, attempt + 1))
      // The store does not know the condition.
      if (status === 501) return !(await find(Key)) && putWhole(Key, Body, false)
      throw error
    }
  }

  async function putInParts(
    Key: string,
    body: AsyncIterable<Uint8Array>,
    sizeBytes: number,
    ifAbsent: boolean,
  ) {
    // Not every store minds the condition when it completes an upload, so ask first, too.
    if (ifAbsent && (await find(Key))) return false
    async function* parts() {
      const partSize = Math.max(limits.put, Math.ceil(sizeBytes / mostParts))
      for await (const piece of inPieces(body, partSize)) yield sentPart(piece)
    }
    try {
      await assemble(client, { Bucket, Key }, parts(), { ...within(sizeBytes, slowest.copy), ifAbsent })
      return true
    } catch (error) {
      if (ifAbsent && statusOf(error) === 412) return false
      throw error
    }
  }

  const read = (Key: string, range?: ByteRange, abortSignal?: AbortSignal) =>
    withinReach(async () => {
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }), { abortSignal })
      return endWhenSilent(Body as StoreAnswer, 2 * timeouts.answer)
    })

  return {
    presignPut: (Key, { sizeBytes, expiresInSeconds }) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentLength: sizeBytes }), {
        expiresIn: expiresInSeconds,
        signableHeaders: new Set(['host', 'content-length']),
      }),

    head: (key) =>
      withinReach(async () => {
        const found = await find(key)
        return (
          found && {
            key,
            sizeBytes: found.ContentLength ?? 0,
            lastModified: found.LastModified ?? new Date(0),
          }
        )
      }),

    read: (key, range) => read(key, range),

    async *scan(key, range, signal) {
      const body = await read(key, range, signal)
      try {
        yield* signal ? addAbortSignal(signal, body) : body
      } catch (error) {
        throw inOurWords(error)
      }
    },

    copy: (from, to) => withinReach(() => copy(from, to)),

    join: (parts, to) =>
      withinReach(async () => {
        const [only, ...more] = parts
        if (only && more.length === 0) return copy(only, to)
        const first = await find(parts[0]!)
        if (!first) throw objectMissing()
        const partSize = first.ContentLength ?? 0
        const copies = parts.map((part) => copiedPart(part, partSize))
        return assemble(client, { Bucket, Key: to }, copies, within(partSize * parts.length, slowest.copy))
      }),

    put: (key, body, { sizeBytes, ifAbsent = false }) =>
      withinReach(async () => {
        const chunks = exactly(sizeBytes, body)
        if (sizeBytes > limits.put) return putInParts(key, chunks, sizeBytes, ifAbsent)
        return putWhole(key, Buffer.concat(await Array.fromAsync(chunks)), ifAbsent)
      }),

    delete: (keys) =>
      withinReach(async () => {
        for (let first = 0; first < keys.length; first += limits.page) {
          const Objects = keys.slice(first, first + limits.page).map((Key) => ({ Key }))
          const { Errors = [] } = await client.send(
            new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
          )
          if (Errors.length > 0) throw notDeleted(Errors)
        }
      }),

    async *list(Prefix) {
      let ContinuationToken: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken, MaxKeys: limits.page })
        const page = await withinReach(() => client.send(command))
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          yield { key: Key, sizeBytes: Size, lastModified: LastModified }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },

    localPath: () => undefined,
  }
}

/** Whatever a look at the bucket ends with is the store's own trouble. */
function asRefusal(error: unknown): unknown {
  const said = inOurWords(error)
  return said instanceof Problem ? said : storageUnavailable(error)
}

async function withinReach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw inOurWords(error)
  }
}

function rangesOf(sizeBytes: number, partSize: number): string[] {
  const parts = Math.ceil(sizeBytes / partSize)
  return Array.from({ length: parts }, (_, part) => {
    const end = Math.min((part + 1) * partSize, sizeBytes) - 1
    return `bytes=${part * partSize}-${end}`
  })
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>, pieceSize: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldBytes += chunk.length
    while (heldBytes >= pieceSize) {
      const all = Buffer.concat(held)
      yield all.subarray(0, pieceSize)
      held = [all.subarray(pieceSize)]
      heldBytes -= pieceSize
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}

const notDeleted = (errors: { Key?: string; Code?: string; Message?: string }[]) =>
  storageUnavailable(
    new AggregateError(
      errors.map(({ Key, Code, Message }) => new Error(`${Key}: ${Code} ${Message ?? ''}`)),
      `Objects that were not deleted: ${errors.length}.`,
    ),
  )
