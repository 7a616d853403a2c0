import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { openAi } from './ai/ai.ts'
import { openMeaning } from './ai/meaning.ts'
import { openNewEvents } from './changes/new-events.ts'
import { CannotStart, type Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { readFailure } from './db/embedded.ts'
import { migrate, oneNodeAtATime } from './db/migrate.ts'
import { openVectors } from './db/vectors.ts'
import { openJobs } from './jobs/jobs.ts'
import type { Parts } from './library.ts'
import { keptForBackup } from './live-backup.ts'
import { openMailer } from './mail/mailer.ts'
import { clamd } from './malware/clamd.ts'
import { noScanner } from './malware/scanner.ts'
import { openMedia } from './media/media.ts'
import { openOutbound } from './outbound/outbound.ts'
import { sealer } from './secrets.ts'
import { diskStore } from './storage/disk.ts'
import { measuredStore } from './storage/measured.ts'
import { movingStore } from './storage/moving.ts'
import { notConfiguredStore } from './storage/not-configured.ts'
import { s3Store } from './storage/s3.ts'
import { openScratch } from './storage/scratch.ts'
import type { ObjectStore } from './storage/storage.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'
import { otlpCollector } from './telemetry/otlp.ts'
import { noTracer, openTracer, type Tracer } from './telemetry/tracing.ts'

/** Opens everything the server needs, in order of dependence. */
export async function openParts(
  config: Config,
  log: FastifyBaseLogger,
  { prepare = migrate as (pool: Pool) => Promise<unknown> } = {},
): Promise<Parts & { close(): Promise<void> }> {
  await writableFolder(config.dataDir)
  const secret = config.secretKey ?? (await keptSecret(config.dataDir))
  const metrics = openMetrics()
  const tracer = config.traces ? tracerTo(config.traces, metrics, log) : noTracer
  const watch = { metrics, tracer }
  const database = await openDatabase(config, tracer)
  try {
    await prepare(database.pool)
    const jobs = await oneNodeAtATime(database, () => openJobs(database, { log, ...watch }))
    const store = measuredStore(openStore(config, secret), metrics, tracer)
    const scratchFolder = join(config.dataDir, 'scratch')
    const scratch = openScratch({
      folder: scratchFolder,
      maxBytes: config.scratchBytes,
      hasJobs: config.role !== 'api',
    })
    const media = openMedia({ scratchFolder, ffmpeg: config.ffmpeg, c2pa: config.c2pa, ...watch })
    const newEvents = await openNewEvents(database)
    const ai = config.ai && openAi(config.ai, watch)
    const lacksVectors = ai?.embeddingsModel ? await openVectors(database) : undefined
    return {
      config,
      database,
      db: database.db,
      jobs,
      store,
      scratch,
      media,
      malware: config.clamd ? clamd(config.clamd) : noScanner,
      ai,
      meaning: ai?.embeddingsModel && !lacksVectors ? openMeaning(ai) : undefined,
      lacksVectors,
      newEvents,
      sealer: sealer(secret, config.previousSecretKey),
      outbound: openOutbound({ allow: config.outboundAllow, ...watch }),
      mailer: openMailer(config.mail),
      ...watch,
      async close() {
        await jobs.stop()
        await media.close()
        await scratch.close()
        await store.close()
        await database.close()
        await tracer.close()
      },
    }
  } catch (error) {
    await database.close()
    throw database.embedded ? readFailure(config.dataDir, error) : error
  }
}

/** What is not in it yet is read from the one before, while there is one. */
export function openStore(config: Config, secret: string): ObjectStore {
  const store = openOneStore(config, config.storage, secret)
  return config.previousStorage
    ? movingStore(store, openOneStore(config, config.previousStorage, secret))
    : store
}

export function openOneStore(
  { dataDir, publicUrl, port }: Config,
  storage: Config['storage'],
  secret: string,
): ObjectStore {
  if (storage.kind === 'not-configured') return notConfiguredStore(storage.missing)
  if (storage.kind === 's3') return s3Store(storage.s3)
  // localhost and 127.0.0.1: people type either.
  const allowedOrigins = [new URL(publicUrl).origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
  return diskStore({
    folder: join(dataDir, 'objects'),
    keepsDeletedIn: keptForBackup(dataDir).deleted,
    publicUrl: storage.url,
    secret,
    allowedOrigins,
  })
}

const tracerTo = (
  { share, ...traces }: NonNullable<Config['traces']>,
  metrics: Metrics,
  log: FastifyBaseLogger,
): Tracer =>
  openTracer(otlpCollector({ ...traces, log, dropped: (spans) => metrics.spansDropped.inc(spans) }), {
    share,
  })

async function writableFolder(folder: string): Promise<void> {
  const probe = join(folder, '.writable')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(probe, 'w', 0o600)).close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : code
    throw new CannotStart(
      `DATA_DIR ${folder} cannot be written (${why}). Correct its rights or set DATA_DIR to another folder.`,
    )
  }
}

export const keptSecretPath = (folder: string) => join(folder, 'secret.key')

/** The key made at the first start; two starts at once agree on one, for only one can make the file. */
async function keptSecret(folder: string): Promise<string> {
  const path = keptSecretPath(folder)
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(32).toString('hex'))
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = await readFile(path, 'utf8')
  if (secret.length < 32)
    throw new CannotStart(`The secret key in ${path} is damaged. Remove it, or set SECRET_KEY.`)
  return secret
}
