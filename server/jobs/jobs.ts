import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { Database, Trx } from '../db/database.ts'
import { blame } from '../db/failures.ts'
import { prepared } from '../db/prepared.ts'
import { type Metrics, timed } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import { type JobHealth, jobHealth } from './health.ts'
import { allQueues, isScheduled, type JobData, type JobName, type Queue, queues } from './queues.ts'
import { expectRuns, recorded } from './scheduled-runs.ts'
import { openTurns, turnOfNext, turnOfRetry } from './turns.ts'
import { beat } from './workers.ts'

export type { JobData, JobName } from './queues.ts'
export type JobHandlers = { [Name in JobName]: (data: JobData[Name], attempt: Attempt) => Promise<void> }

export interface Attempt {
  /** It will not be tried again. */
  last: boolean
}

/** A failure that says how long it is of no use to try again. */
interface RetriesLater {
  retrySeconds: number | undefined
}

interface Job {
  id: string
  /** A scheduled job has none. */
  data: { clientId?: string; traceparent?: string } | null
  retryCount: number
  retryLimit: number
}

type Handle = (data: object, attempt: Attempt) => Promise<void>

export interface Jobs {
  /** Queued if and only if the transaction commits. */
  send<Name extends JobName>(trx: Trx, name: Name, data: JobData[Name]): Promise<void>
  work(handlers: JobHandlers): Promise<void>
  waiting(): Promise<{ name: string; queued: number; active: number; failed: number }[]>
  /** What is wrong with the jobs of all processes. */
  health(): Promise<JobHealth>
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
    executeSql: (text, values) => database.pool.query(text, values as unknown[]).then(lastResult, blame),
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
  for (const [
    name,
    { cron, overdueMinutes: _o, policy, workers: _w, perClient: _p, inTurn: _t, mayWait: _m, ...options },
  ] of allQueues) {
    await boss.createQueue(name, { policy, ...options, ...pulse })
    await boss.updateQueue(name, { ...options, ...pulse })
    // Reads the queue into the cache; a first look-up inside a transaction would wait for its own connection.
    await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' })
    if (!cron) continue
    await expectRuns(database.db, name)
    // What came due while nobody ran is made up for at the start.
    await boss.schedule(name, cron, null, { missed: 'once' })
  }

  /** One line in the log for each, whatever becomes of it. */
  const runJob = (name: JobName, { id, data, retryCount, retryLimit }: Job, handle: Handle) => {
    const { traceparent, ...input } = data ?? {}
    const work = () => handle(input, { last: retryCount >= retryLimit })
    const attributes = { 'job.id': id, client: input.clientId }
    return tracer.within(`job ${name}`, { kind: 'consumer', attributes, parent: traceparent }, () =>
      timed(
        () => (isScheduled(name) ? recorded(database.db, name, work) : work()),
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

  async function startWorkers(name: JobName, { workers = 1, perClient, inTurn }: Queue, handle: Handle) {
    const options = {
      // The embedded database has one process, which knows of all it has queued. Many workers need not look so often.
      pollingIntervalSeconds: database.embedded || workers > 6 ? 2 : 1,
      includeMetadata: true as const,
      localConcurrency: workers,
      ...(perClient && { localGroupConcurrency: perClient }),
    }
    const id: string = await boss.work(name, options, async ([job]) => {
      try {
        await runJob(name, job as Job, handle)
      } catch (error) {
        if ((job as Job).data?.clientId) await stepBack(name, job as Job, error).catch(() => {})
        throw error
      } finally {
        if (inTurn) await letOthersGoFirst(name, job as Job).catch(() => {})
        // While there is work, the next job is fetched at once.
        for (const worker of boss.getWipData()) if (worker.workId === id) boss.notifyWorker(worker.id)
      }
    })
  }

  const stepBack = (name: JobName, { id }: Job, error: unknown) => {
    const { retryDelay = 0, retryBackoff = false }: Queue = queues[name]
    const asked = (error as Partial<RetriesLater>).retrySeconds
    return sql`update jobs.job set priority = ${turnOfRetry()},
      retry_delay = ${asked === undefined ? retryDelay : Math.ceil(asked)}::integer,
      retry_backoff = ${asked === undefined && retryBackoff}::boolean
      where name = ${name} and id = ${id}`.execute(database.db)
  }

  /** A client has had its turn: what else it has queued goes behind whatever others wait for by now. */
  const letOthersGoFirst = (name: JobName, { data }: Job) =>
    sql`update jobs.job set priority = least(priority, ${turnOfNext()}::integer)
      where name = ${name} and state < 'active' and data ->> 'clientId' = ${data?.clientId}`.execute(
      database.db,
    )

  const waking = new Set<JobName>()
  /** What this process has queued it looks for as soon as the transaction should have ended; polling finds the rest. */
  function wakeWorkers(name: JobName) {
    if (waking.has(name)) return
    waking.add(name)
    const wake = () => {
      waking.delete(name)
      for (const worker of boss.getWipData())
        if (worker.name === name && worker.count === 0) boss.notifyWorker(worker.id)
    }
    setTimeout(wake, commitMs).unref()
  }

  let heart: Awaited<ReturnType<typeof beat>> | undefined
  const health = atMostEvery(healthSeconds * 1000, () => jobHealth(database.db))

  return {
    async send(trx, name, data) {
      const { clientId } = data as { clientId?: string }
      const traceparent = tracer.traceparent()
      await boss.send(name, traceparent ? { ...data, traceparent } : data, {
        db: inTransaction(trx),
        ...(clientId && { priority: turnOf(clientId), group: { id: clientId } }),
      })
      wakeWorkers(name)
    },
    async work(handlers) {
      for (const [name, queue] of allQueues) await startWorkers(name, queue, handlers[name] as Handle)
      heart = await beat(database.db, (error) => log.warn({ err: error }, 'jobs'))
    },
    async waiting() {
      const all = await boss.getQueues(allQueues.map(([name]) => name))
      return all.map((queue) => ({
        name: queue.name,
        queued: queue.queuedCount ?? 0,
        active: queue.activeCount ?? 0,
        failed: (queue as { failedCount?: number }).failedCount ?? 0,
      }))
    },
    health: () => health(),
    async stop() {
      await heart?.stop()
      await boss.stop({ graceful: true, timeout: 5000, close: false })
    },
  }
}

// A job is sent with nearly every upload; its statement has one text for each queue.
const inTransaction = (trx: Trx): BossDb => ({
  executeSql: async (text, values = []) => ({ rows: await prepared(text)(trx, ...values) }),
})

const commitMs = 50

// Anybody may ask for the status, and it takes a look at every job.
const healthSeconds = 5

function atMostEvery<T>(milliseconds: number, look: () => Promise<T>): () => Promise<T> {
  let seen: { at: number; answer: Promise<T> } | undefined
  return () => {
    if (!seen || Date.now() - seen.at > milliseconds) {
      seen = { at: Date.now(), answer: look() }
      seen.answer.catch(() => {
        seen = undefined
      })
    }
    return seen.answer
  }
}

// A worker that dies is noticed long before its job would have run out.
const pulse = { heartbeatSeconds: 10 }

// A text of several statements answers with several results; the last one is what is asked for.
const lastResult = (result: { rows: unknown[] } | { rows: unknown[] }[]) =>
  Array.isArray(result) ? result.at(-1)! : result
