import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import type { Config, S3Settings } from '../../server/config.ts'
import { newId } from '../../server/ids.ts'
import { openStore } from '../../server/parts.ts'
import { connect, usualTimeouts } from '../../server/storage/s3.ts'
import { allowOrigin, corsRule, preflight } from '../../server/storage/s3-cors.ts'
import type { ObjectStore } from '../../server/storage/storage.ts'
import type { Finding } from './finding.ts'

/** The bucket as a browser meets it: who we are, whether it is there, a file put into it, the policy, the clock. */
export async function storage(config: Config, wishes: { applyCors: boolean }): Promise<Finding[]> {
  const store = openStore(config, config.secretKey ?? 'only looking')
  try {
    if (config.storage.kind !== 's3') return [await diskOrNothing(store, config)]
    const client = connect(config.storage.s3, usualTimeouts)
    const { bucket } = config.storage.s3
    const time = await clock(config.storage.s3)
    const trouble = await troubleWith(client, config.storage.s3)
    if (trouble) return [{ part: 'storage', ok: false, says: trouble }, ...time]
    return [
      { part: 'storage', ok: true, says: `the bucket ${bucket} answers` },
      await upload(store),
      await cors(store, client, bucket, config, wishes),
      ...time,
    ]
  } finally {
    await store.close()
  }
}

async function diskOrNothing(store: ObjectStore, { dataDir }: Config): Promise<Finding> {
  const part = 'storage'
  try {
    await store.check()
    return { part, ok: true, says: `on the disk under ${dataDir}, not for production` }
  } catch (error) {
    const { message, cause } = error as Error
    const why =
      cause instanceof Error ? ` (${cause.message}) Correct the rights of DATA_DIR, or make room.` : ''
    return { part, ok: false, says: `${message}${why}` }
  }
}

/** Undefined when the bucket lets us look; else what is wrong and which setting mends it. */
async function troubleWith(
  client: S3Client,
  { bucket: Bucket, endpoint }: S3Settings,
): Promise<string | undefined> {
  try {
    await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), {
      abortSignal: AbortSignal.timeout(10_000),
    })
  } catch (error) {
    const { name, message } = error as Error
    const code = (error as { code?: string }).code ?? name
    return `${explained(code, Bucket, endpoint) ?? `${endpoint} does not let us in (${code}: ${message}). Correct the storage settings`} and restart the server.`
  }
}

function explained(code: string, bucket: string, endpoint: string): string | undefined {
  const explanations: Record<string, string> = {
    NoSuchBucket: `There is no bucket ${bucket}. Make it, or correct STORAGE_BUCKET_NAME`,
    SignatureDoesNotMatch: 'The store refuses our signature. Correct STORAGE_SECRET_ACCESS_KEY',
    AccessDenied: `The key may not use the bucket ${bucket}. Give it the right to read, write, list and delete there, or correct STORAGE_BUCKET_NAME`,
    RequestTimeTooSkewed:
      'The store finds our clock wrong. Let this machine follow NTP (timedatectl set-ntp true)',
    AuthorizationHeaderMalformed: 'The store expects another region. Correct STORAGE_REGION',
    PermanentRedirect: 'The bucket is in another region. Correct STORAGE_REGION and STORAGE_ENDPOINT',
  }
  const unknownKey = 'The store does not know our key. Correct STORAGE_ACCESS_KEY_ID and STORAGE_ACCOUNT_ID'
  for (const name of ['InvalidAccessKeyId', 'Unauthorized', 'InvalidArgument'])
    explanations[name] = unknownKey
  const unreachable = `${endpoint} cannot be reached (${code}). Correct STORAGE_ACCOUNT_ID or STORAGE_ENDPOINT, or open the way there,`
  for (const name of [
    'ENOTFOUND',
    'ECONNREFUSED',
    'ECONNRESET',
    'EAI_AGAIN',
    'EPROTO',
    'TimeoutError',
    'AbortError',
  ])
    explanations[name] = unreachable
  return explanations[code]
}

/** Puts a file as a browser does, and takes it away again. */
async function upload(store: ObjectStore): Promise<Finding> {
  const part = 'upload'
  const probe = probeIn(store)
  try {
    const answer = await fetch(await probe.url(), { method: 'PUT', body: probe.bytes })
    if (!answer.ok)
      return {
        part,
        ok: false,
        says: `A PUT to a presigned address answers ${answer.status}. Give the key the right to write into the bucket, or correct the storage settings, and restart the server.`,
      }
    await probe.remove()
    return { part, ok: true, says: 'a file can be put at a presigned address, and removed' }
  } catch (error) {
    return { part, ok: false, says: `A file could not be put: ${(error as Error).message}` }
  }
}

/** Under a client that does not exist, so that nobody can ever see it. */
function probeIn(store: ObjectStore) {
  const storage = store.storageOf(newId('client'))
  const key = 'staging/doctor/file'
  const bytes = Buffer.from('doctor')
  return {
    bytes,
    url: () => storage.presignPut(key, { sizeBytes: bytes.length, expiresInSeconds: 60 }),
    remove: () => storage.delete([key]),
  }
}

async function cors(
  store: ObjectStore,
  client: S3Client,
  bucket: string,
  { publicUrl }: Config,
  { applyCors }: { applyCors: boolean },
): Promise<Finding> {
  const part = 'cors'
  const { origin } = new URL(publicUrl)
  const fine = (more = '') => ({ part, ok: true, says: `pages of ${origin} may put files${more}` })
  const url = await probeIn(store).url()
  const why = await preflight(url, origin)
  if (!why) return fine()
  const policy = JSON.stringify([corsRule(origin)])
  const byHand = `Browsers cannot upload: ${why}. Add this to the bucket’s CORS policy: ${policy}`
  if (!applyCors) return { part, ok: false, says: `${byHand} (or run doctor --apply-cors)` }
  try {
    await allowOrigin(client, bucket, origin)
  } catch (error) {
    return { part, ok: false, says: `${byHand} (it was not taken from here: ${(error as Error).message})` }
  }
  const still = await preflight(url, origin)
  return still
    ? {
        part,
        ok: false,
        says: `The policy was written, but ${still}. It may take a minute: run doctor again.`,
      }
    : fine(': the rule was added to the bucket’s CORS policy')
}

const largestDrift = 300_000

/** Signatures carry the time; stores refuse them when it is a quarter of an hour off. */
async function clock({ endpoint }: S3Settings): Promise<Finding[]> {
  const part = 'clock'
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  )
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return []
  const drift = Math.round((Date.now() - theirs) / 1000)
  const says = `this machine is ${Math.abs(drift)} s ${drift < 0 ? 'behind' : 'ahead of'} the store`
  return Math.abs(drift) * 1000 > largestDrift
    ? [
        {
          part,
          ok: false,
          says: `${says}, which refuses signatures. Let it follow NTP (timedatectl set-ntp true).`,
        },
      ]
    : [{ part, ok: true, says }]
}
