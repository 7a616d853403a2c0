import { sql } from 'kysely'
import type { Permission } from '../contract/access.ts'
import { type EventData, type EventType, nameInEvent } from '../contract/events.ts'
import type { Ai } from './ai/ai.ts'
import type { Meaning } from './ai/meaning.ts'
import { type AuditEntry, type Principal, record, writingEntries } from './changes/audit-trail.ts'
import { type IdempotencyKey, idempotently } from './changes/idempotency.ts'
import { eventChannel, type NewEvents } from './changes/new-events.ts'
import type { Config } from './config.ts'
import type { Database, Db, Trx } from './db/database.ts'
import { askPrepared } from './db/prepared.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MalwareScanner } from './malware/scanner.ts'
import type { Media } from './media/media.ts'
import type { Outbound } from './outbound/outbound.ts'
import { notFound, Problem } from './problems.ts'
import type { Sealer } from './secrets.ts'
import type { Scratch } from './storage/scratch.ts'
import type { ObjectStore, Storage } from './storage/storage.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Tracer } from './telemetry/tracing.ts'

/** What the server is made of; opened in `parts.ts`. */
export interface Parts {
  config: Config
  database: Database
  db: Db
  store: ObjectStore
  scratch: Scratch
  jobs: Jobs
  media: Media
  malware: MalwareScanner
  /** Undefined: none is set, and nothing speaks of it. */
  ai: Ai | undefined
  /** Undefined: it makes no vectors, or the database cannot keep them. */
  meaning: Meaning | undefined
  /** What to do so that the database can keep vectors; undefined: nothing. */
  lacksVectors: string | undefined
  newEvents: NewEvents
  sealer: Sealer
  outbound: Outbound
  mailer: Mailer
  metrics: Metrics
  tracer: Tracer
}

export interface Caller extends Principal {
  /** `nobody`: without an account, known by the address they were given. */
  kind: 'user' | 'key' | 'system' | 'nobody'
  id: string
  name: string
  email: string | null
  role: string
  permissions: ReadonlySet<Permission>
  /** A portal user's own client. */
  clientId: string | null
  allClients: boolean
  /** At work in a picker on another site: to choose what can be used. */
  isPicking?: boolean
}

/** One client's library as one caller may see it. */
export interface Library {
  clientId: string
  caller: Caller
  db: Db
  storage: Storage
  scratch: Scratch
  jobs: Jobs
  /** Decoders, in the client's own turn. */
  readonly media: Media
  malware: MalwareScanner
  meaning: Meaning | undefined
  /** The request by which a guest sends files: the only uploads that there are for them. */
  uploadRequestId?: string | undefined
  limits: Config['limits']
  /** Who has to have a second factor. */
  config: Pick<Config, 'secondFactorRoles'>
  idempotencyKey?: IdempotencyKey | undefined
  /** The client's last event as the caller was recognised: whatever was read at the same one is true still. */
  lastEventId?: number | null | undefined
  /** Ends what has not begun once nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

export const makeLibrary = (
  parts: Parts,
  clientId: string,
  caller: Caller,
  asked: Pick<Library, 'idempotencyKey' | 'lastEventId' | 'signal'> = {},
): Library => ({
  clientId,
  caller,
  db: parts.db,
  storage: parts.store.storageOf(clientId),
  scratch: parts.scratch,
  jobs: parts.jobs,
  get media() {
    // Whoever has no account is not to hold up those who have.
    return parts.media.of(caller.kind === 'nobody' ? `${clientId} nobody` : clientId)
  },
  malware: parts.malware,
  meaning: parts.meaning,
  limits: parts.config.limits,
  config: parts.config,
  idempotencyKey: asked.idempotencyKey,
  lastEventId: asked.lastEventId,
  get signal() {
    return asked.signal
  },
})

/** The caller of jobs: what the library does to itself. */
export const system: Caller = {
  kind: 'system',
  id: 'system',
  name: 'system',
  email: null,
  role: 'system',
  permissions: new Set(),
  clientId: null,
  allClients: true,
  origin: null,
}

export interface Change {
  trx: Trx
  /** Puts an event into the outbox; it is published, and kept in the audit trail, if and only if the change is committed. */
  tell<T extends EventType>(type: T, subject: string, data: EventData<T>): void
  /** Adds to the audit trail what is no event. */
  note(entry: AuditEntry): void
  /** Counts bytes for or against the client's quota. */
  count(bytes: { stored?: number; reserved?: number }): void
}

/**
 * The only way to write to a library: one transaction that ends with its events and its bytes. The client's
 * counters are locked last, so events are numbered in the order in which changes become visible.
 */
export function change<T>(library: Library, work: (change: Change) => Promise<T>): Promise<T> {
  return library.db.transaction().execute(async (trx) => {
    const events: Item[] = []
    const entries: AuditEntry[] = []
    const bytes = { stored: 0, reserved: 0 }
    const result = await work({
      trx,
      tell(type, subject, data) {
        events.push({ type, subject, data })
        if (!isProgress(library, type)) entries.push(entryOf(library, type, subject, data))
      },
      note: (entry) => entries.push({ clientId: library.clientId, ...entry }),
      count({ stored = 0, reserved = 0 }) {
        bytes.stored += stored
        bytes.reserved += reserved
      },
    })
    await publish(trx, library, { events, entries, bytes })
    return result
  })
}

/** Keeps that somebody took a copy: it changes nothing, and tells nobody. */
export const downloaded = ({ db, caller, clientId }: Library, entry: AuditEntry) =>
  record(db, caller, { clientId, ...entry })

/** A change that makes something: asked for twice under one Idempotency-Key, it is made once. */
export const changeOnce = <T>(library: Library, work: (change: Change) => Promise<T>): Promise<T> =>
  change(library, (its) =>
    idempotently(
      its.trx,
      library.idempotencyKey,
      () => work(its),
      () => library.clientId,
    ),
  )

interface Item {
  type: EventType
  subject: string
  data: EventData
}

/** What a job finds out about a file is the end of somebody's upload and no entry of its own. */
const isProgress = ({ caller }: Library, type: EventType) =>
  caller.kind === 'system' && type === 'asset.media'

/** Whole records stay in the event; the trail keeps what the thing was called. */
function entryOf<T extends EventType>(
  { clientId }: Library,
  type: T,
  subject: string,
  data: EventData<T>,
): AuditEntry {
  const { asset, folder, use, name, title, originalFilename, ...details } = data as Record<string, unknown>
  return { action: type, thing: subject, clientId, name: nameInEvent(type, data), details }
}

interface Outcome {
  events: Item[]
  entries: AuditEntry[]
  bytes: { stored: number; reserved: number }
}

async function publish(trx: Trx, library: Library, { events, entries, bytes }: Outcome) {
  if (events.length + entries.length === 0 && bytes.stored === 0 && bytes.reserved === 0) return
  const counted = await askPrepared(
    trx,
    sql`
    with counted as (
      update client_counters set
        last_event = last_event + ${events.length}::bigint,
        stored_bytes = stored_bytes + ${bytes.stored}::bigint,
        reserved_bytes = reserved_bytes + ${bytes.reserved}::bigint
      where client_id = ${library.clientId} and ${withinQuota(bytes)}
      returning last_event
    ), published as (
      insert into events (client_id, id, type, subject, actor, data)
      select ${library.clientId}, counted.last_event - ${events.length}::bigint + events.ordinality,
        events.item ->> 'type', events.item ->> 'subject', ${library.caller.id}, events.item -> 'data'
      from counted, jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as events (item, ordinality)
    ), done as (${writingEntries(library.caller, entries)})
    select pg_notify(${eventChannel}, ${library.clientId}) from counted`,
  )
  if (counted.length === 0) throw await whyNotCounted(trx, library)
}

// A session may be opened while stored and announced bytes fit; what was announced may be stored while it fits.
function withinQuota({ stored, reserved }: { stored: number; reserved: number }) {
  const quota = sql`(select quota_bytes from clients where id = client_counters.client_id)`
  if (reserved > 0) return sql`stored_bytes + reserved_bytes + ${reserved}::bigint <= ${quota}`
  if (stored > 0) return sql`stored_bytes + ${stored}::bigint <= ${quota}`
  return sql`true`
}

/** A client without counters is being removed. */
async function whyNotCounted(trx: Trx, { clientId }: Library): Promise<Problem> {
  const params = await trx
    .selectFrom('client_counters')
    .innerJoin('clients', 'clients.id', 'client_counters.client_id')
    .select(['quota_bytes as quotaBytes', sql<number>`stored_bytes + reserved_bytes`.as('usedBytes')])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (!params) return notFound()
  const detail = 'The client has no room left. Ask your administrator for a larger quota.'
  return new Problem('quota-exceeded', detail, { extra: { params } })
}
