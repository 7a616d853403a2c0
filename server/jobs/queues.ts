import type { SignInProvider } from '../../contract/sign-in.ts'

/** Every kind of job, and what happens when it fails. A job may run twice. */
export const queues = {
  sweep: {
    cron: '*/5 * * * *',
    overdueMinutes: 20,
    expireInSeconds: 900,
    retryLimit: 0,
    policy: 'exclusive',
  },
  purge: {
    cron: '17 * * * *',
    overdueMinutes: 180,
    expireInSeconds: 3600,
    retryLimit: 0,
    policy: 'exclusive',
  },
  renew: {
    cron: '*/5 * * * *',
    overdueMinutes: 20,
    expireInSeconds: 900,
    retryLimit: 0,
    policy: 'exclusive',
  },
  digest: {
    cron: '0 6 * * *',
    overdueMinutes: 26 * 60,
    expireInSeconds: 3600,
    retryLimit: 0,
    policy: 'exclusive',
  },
  focal: {
    cron: '*/10 * * * *',
    overdueMinutes: 60,
    expireInSeconds: 3600,
    retryLimit: 0,
    policy: 'exclusive',
  },
  'ocr-backlog': {
    cron: '*/10 * * * *',
    overdueMinutes: 60,
    expireInSeconds: 3600,
    retryLimit: 0,
    policy: 'exclusive',
  },
  media: { expireInSeconds: 600, retryLimit: 6, retryDelay: 5, retryBackoff: true, workers: 2 },
  // Minutes of encoding that nobody's preview is to wait for: one at a time, in a process that yields to all others.
  proxy: { expireInSeconds: 3 * 3600, retryLimit: 3, retryDelay: 30, retryBackoff: true, inTurn: true },
  // The same for a film that somebody wants to send, who is not to wait for all playable copies before.
  film: {
    expireInSeconds: 3 * 3600,
    retryLimit: 3,
    retryDelay: 10,
    retryBackoff: true,
    inTurn: true,
    workers: 2,
    perClient: 1,
  },
  // One at a time, in a process that yields to all others; what is given up is found by the backlog.
  ocr: {
    expireInSeconds: 300,
    retryLimit: 3,
    retryDelay: 30,
    retryBackoff: true,
    inTurn: true,
    mayWait: true,
  },
  checksum: { expireInSeconds: 3600, retryLimit: 8, retryDelay: 5, retryBackoff: true },
  // A few seconds of many; a client's next turn waits for those of all others.
  batch: {
    expireInSeconds: 900,
    retryLimit: 20,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    inTurn: true,
    workers: 2,
    perClient: 1,
  },
  // Each takes a model seconds; one that is away for longer than this ends the run, and says so.
  suggest: {
    expireInSeconds: 900,
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 300,
    inTurn: true,
    workers: 2,
    perClient: 1,
  },
  'delivery-failed': { expireInSeconds: 60, retryLimit: 10, retryDelay: 10 },
  deliver: {
    expireInSeconds: 4 * 3600,
    retryLimit: 12,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 1800,
    deadLetter: 'delivery-failed',
    // A target may take an hour for each: whoever has a slow one leaves room for the others, and so do several.
    workers: 12,
    perClient: 2,
  },
  // A vendor may be away for a day.
  withdraw: {
    expireInSeconds: 120,
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 7200,
  },
  forgotten: { expireInSeconds: 60, retryLimit: 5, retryDelay: 5 },
  // A mail server may be away for a day.
  mail: {
    expireInSeconds: 180,
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 7200,
    workers: 2,
  },
  // No row remembers what is to be removed, so this job goes on for as long as the store is away.
  'remove-objects': {
    expireInSeconds: 900,
    retryLimit: 10_000,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3600,
    retentionSeconds: 365 * 86_400,
  },
  // Each run goes on where the last one stopped.
  'remove-client': {
    expireInSeconds: 3600,
    retryLimit: 10_000,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3600,
    retentionSeconds: 365 * 86_400,
  },
} as const satisfies Record<string, Queue>

export interface Queue {
  /** When it is queued without anybody asking; every such job says in `scheduled_runs` how it went. */
  cron?: string
  /** How long after its last success something must be wrong. */
  overdueMinutes?: number
  expireInSeconds: number
  retryLimit: number
  retryDelay?: number
  retryBackoff?: boolean
  policy?: string
  /** How many run at once, per process. */
  workers?: number
  /** How many of those may be of one client. */
  perClient?: number
  /** Each takes so long that a client's next one waits for those of all others. */
  inTurn?: boolean
  /** Nobody misses it for a day. */
  mayWait?: boolean
  /** Who is told when it has failed for good. */
  deadLetter?: string
  [option: string]: unknown
}

export interface JobData {
  sweep: object
  purge: object
  renew: object
  digest: object
  focal: object
  'ocr-backlog': object
  media: { clientId: string; assetId: string; version: number }
  proxy: { clientId: string; assetId: string; version: number }
  // By its name a delivery knows it, by its file it is kept: one that is signed is another file.
  film: { clientId: string; assetId: string; version: number; name: string; file?: string; recipe: object }
  ocr: { clientId: string; assetId: string; version: number }
  checksum: { clientId: string; assetId: string; version: number }
  batch: { clientId: string; batchId: string }
  suggest: { clientId: string; runId: string }
  deliver: { clientId: string; deliveryId: string }
  'delivery-failed': { clientId: string; deliveryId: string }
  /** What opens the account of a connection that was removed. */
  withdraw: { clientId: string; provider: SignInProvider; sealed: string }
  /** Who forgot a password, if it is anybody. */
  forgotten: { sealed: string }
  /** What is said, to whom and until when. */
  mail: { mailId: string; sealed: string }
  'remove-objects': { clientId: string; prefix: string }
  'remove-client': { clientId: string }
}
export type JobName = keyof JobData & keyof typeof queues

export const allQueues = Object.entries(queues) as [JobName, Queue][]

export const isScheduled = (name: JobName) => (queues[name] as Queue).cron !== undefined
