import type { FastifyBaseLogger } from 'fastify'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { Database, Trx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { type Metrics, timed } from '../metrics.ts'
import type { Tracer } from '../tracing.ts'
import { openTurns } from './turns.ts'

/** Every kind of job, with its fate when it fails. A job may run twice: its work must bear that. */
const queues = {
  sweep: { cron: '*/5 * * * *', expireInSeconds: 900, retryLimit: 0, policy: 'exclusive' },
  purge: { cron: '17 * * * *', expireInSeconds: 3600, retryLimit: 0, policy: 'exclusive' },
  media: { expireInSeconds: 600, retryLimit: 6, retryDelay: 5, retryBackoff: true, workers: 2 },
  checksum: { expireInSeconds: 3600, retryLimit: 8, retryDelay: 5, retryBackoff: true },
  'delivery-failed': { expireInSeconds: 60, retryLimit: 10, retryDelay: 10 },
  deliver: {
    expireInSeconds: 4 * 3600,
    retryLimit: 12,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 1800,
    deadLetter: 'delivery-failed',
    workers: 4,
  },
  'remove-objects': {
    expireInSeconds: 900,
    retryLimit: 20,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3600,
  },
} as const satisfies Record<
  string,
  { cron?: string; expireInSeconds: number; retryLimit: number; [option: string]: unknown }
>

export interface JobData {
  sweep: object
  purge: object
  media: { clientId: string; assetId: string; version: number }
  checksum: { clientId: string; assetId: string; version: number }
  deliver: { clientId: string; deliveryId: string }
  'delivery-failed': { clientId: string; deliveryId: string }
  'remove-objects': { clientId: string; prefix: string }
}
export type JobName = keyof JobData & keyof typeof queues
export type JobHandlers = { [Name in JobName]: (data: JobData[Name]) => Promise<void> }

interface Job {
  id: string
  data: { clientId?: string; traceparent?: string }
}

type Handle = (data: object) => Promise<void>

interface Queue {
  cron?: string
  policy?: string
  /** How many run at once, per process. */
  workers?: number
}

export interface Jobs {
  /** Queued if and only if the transaction commits. */
  send<Name extends JobName>(trx: Trx, name: Name, data: JobData[Name]): Promise<void>
  work(handlers: JobHandlers): Promise<void>
  waiting(): Promise<{ name: string; queued: number; active: number; failed: number }[]>
  stop(): Promise<void>
}

interface JobsOptions {
  log: FastifyBaseLogger
  metrics: Metrics
  tracer: Tracer
}

export async function openJobs(database: Database, { log, metrics, tracer }: JobsOptions): Promise<Jobs> {
  const turnOf = openTurns()
  const db: BossDb = {
    executeSql: (text, values) => database.pool.query(text, values as unknown[]).then(lastResult),
  }
  const boss = new PgBoss({
    db,
    schema: 'jobs',
    // How soon a job whose worker has died is given to another.
    superviseIntervalSeconds: 20,
    monitorIntervalSeconds: 20,
    ...(database.embedded ? { backend: 'pglite' as const } : {}),
  })
  boss.on('error', (error) => log.warn({ err: error }, 'jobs'))
  await boss.start()
  for (const [name, { cron, policy, workers: _, ...options }] of Object.entries(
    queues as Record<string, Queue>,
  )) {
    await boss.createQueue(name, { policy, ...options, ...pulse })
    await boss.updateQueue(name, { ...options, ...pulse })
    // Reads the queue into the cache; a first look-up inside a transaction would wait for its own connection.
    await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' })
    if (cron) await boss.schedule(name, cron)
  }

  /** One line in the log for each, whatever becomes of it. */
  const runJob = (name: JobName, { id, data }: Job, handle: Handle) => {
    const { traceparent, ...input } = data
    const attributes = { 'job.id': id, client: input.clientId }
    return tracer.within(`job ${name}`, { kind: 'consumer', attributes, parent: traceparent }, () =>
      timed(
        () => handle(input),
        (seconds, error) => {
          const outcome = error === undefined ? 'done' : 'failed'
          metrics.jobs.inc({ queue: name, outcome })
          metrics.jobSeconds.observe({ queue: name }, seconds)
          const { clientId: client, ...about } = input
          const line = { job: name, jobId: id, client, ...about, ms: Math.round(seconds * 1000), outcome }
          if (error === undefined) log.info(line, 'job')
          else log.error({ ...line, err: error }, 'job')
        },
      ),
    )
  }

  async function startWorker(name: JobName, handle: Handle): Promise<void> {
    const id: string = await boss.work(name, { pollingIntervalSeconds: 1 }, async ([job]) => {
      try {
        await runJob(name, job as Job, handle)
      } finally {
        // While there is work, the next job is fetched at once.
        boss.notifyWorker(id)
      }
    })
  }

  return {
    async send(trx, name, data) {
      const { clientId } = data as { clientId?: string }
      const traceparent = tracer.traceparent()
      await boss.send(name, traceparent ? { ...data, traceparent } : data, {
        db: inTransaction(trx),
        ...(clientId && { priority: turnOf(clientId) }),
      })
    },
    async work(handlers) {
      for (const [name, { workers = 1 }] of Object.entries(queues as Record<JobName, Queue>) as [
        JobName,
        Queue,
      ][])
        for (let worker = 0; worker < workers; worker++) await startWorker(name, handlers[name] as Handle)
    },
    async waiting() {
      const all = await boss.getQueues(Object.keys(queues))
      return all.map((queue) => ({
        name: queue.name,
        queued: queue.queuedCount ?? 0,
        active: queue.activeCount ?? 0,
        failed: (queue as { failedCount?: number }).failedCount ?? 0,
      }))
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5000, close: false })
    },
  }
}

// A job is sent with nearly every upload; its statement has one text for each queue.
const inTransaction = (trx: Trx): BossDb => ({
  executeSql: async (text, values = []) => ({ rows: await prepared(text)(trx, ...values) }),
})

// A worker that dies is noticed long before its job would have run out.
const pulse = { heartbeatSeconds: 10 }

// A text of several statements answers with several results; the last one is what is asked for.
const lastResult = (result: { rows: unknown[] } | { rows: unknown[] }[]) =>
  Array.isArray(result) ? result.at(-1)! : result
