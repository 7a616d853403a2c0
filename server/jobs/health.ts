import { sql } from 'kysely'
import type { Reader } from '../db/reader.ts'
import { allQueues, type JobName, type Queue, queues } from './queues.ts'

/** What is wrong with the jobs, a sentence each, and when each scheduled one last did its work. */
export interface JobHealth {
  troubles: string[]
  lastRuns: LastRun[]
}

export interface LastRun {
  name: string
  lastSucceededAt: Date | null
  lastError: string | null
}

/** Read from the database alone: of all processes, whichever asks. */
export async function jobHealth(db: Reader): Promise<JobHealth> {
  const runs = await scheduledRuns(db)
  return {
    troubles: [...runs.flatMap(troubleOf), ...(await troubleOfWorkers(db))],
    lastRuns: runs.map(({ name, succeeded, error }) => ({
      name,
      lastSucceededAt: succeeded,
      lastError: error,
    })),
  }
}

interface Run {
  name: JobName
  succeeded: Date | null
  failed: Date | null
  error: string | null
  quiet_minutes: number
}

const scheduledRuns = async (db: Reader): Promise<Run[]> =>
  (
    await sql<Run>`
      select name, last_succeeded_at as succeeded, last_failed_at as failed, last_error as error,
        extract(epoch from now() - greatest(known_since, last_succeeded_at)) / 60 as quiet_minutes
      from scheduled_runs where name = any(${Object.keys(queues)}::text[]) order by name`.execute(db)
  ).rows

function troubleOf({ name, succeeded, failed, error, quiet_minutes }: Run): string[] {
  const { overdueMinutes = Number.POSITIVE_INFINITY } = queues[name] as { overdueMinutes?: number }
  const last = succeeded ? `last done ${when(succeeded)}` : 'never done'
  if (error !== null && failed)
    return [`The scheduled ${name} failed ${when(failed)} (${last}). See the log.`]
  return quiet_minutes > overdueMinutes ? [`The scheduled ${name} is overdue (${last}).`] : []
}

export const when = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

interface Load {
  name: JobName
  waiting: number
  late: number
  failed: number
}

async function troubleOfWorkers(db: Reader): Promise<string[]> {
  const loads = await loadsOf(db)
  const waiting = loads.filter((load) => load.waiting > 0)
  if (waiting.length > 0 && !(await isWorkerAlive(db)))
    return [
      `No worker takes jobs: ${listed(waiting, 'waiting')} wait. Start one with ROLE=worker or ROLE=all.`,
    ]
  const late = loads.filter((load) => (load.late > 0 || load.waiting > mostWaiting) && !mayWait(load.name))
  // Of a job that is scheduled, or whose failure somebody is told of, it is said elsewhere.
  const failed = loads.filter((load) => load.failed > 0 && !hasItsOwnWord(load.name))
  return [
    ...(late.length > 0 ? [`Jobs are waiting: ${listed(late, 'waiting')}. Start more workers.`] : []),
    ...(failed.length > 0
      ? [
          `Jobs have failed in the last ${failedWithinMinutes} minutes: ${listed(failed, 'failed')}. See the log.`,
        ]
      : []),
  ]
}

const mayWait = (name: JobName) => (queues[name] as Queue).mayWait === true

const mostWaiting = 1000
const lateAfterMinutes = 30
const failedWithinMinutes = 15
/** A worker is not missed at the moment it is replaced. */
const dueForSeconds = 15
const silentAfterSeconds = 60

const loadsOf = async (db: Reader): Promise<Load[]> =>
  (
    await sql<Load>`
      select name,
        count(*) filter (where state < 'active' and start_after < now() - make_interval(secs => ${dueForSeconds})) as waiting,
        count(*) filter (where state < 'active' and start_after < now() - make_interval(mins => ${lateAfterMinutes})) as late,
        count(*) filter (where state = 'failed' and completed_on > now() - make_interval(mins => ${failedWithinMinutes})) as failed
      from jobs.job where name = any(${Object.keys(queues)}::text[]) group by name order by name`.execute(db)
  ).rows

async function isWorkerAlive(db: Reader): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job_workers where beat_at > now() - make_interval(secs => ${silentAfterSeconds}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

const hasItsOwnWord = (name: JobName) =>
  allQueues.some(([other, { cron, deadLetter }]) => other === name && (cron || deadLetter))

const listed = (loads: Load[], of: 'waiting' | 'failed') =>
  loads.map((load) => `${load.name} ${load[of]}`).join(', ')
