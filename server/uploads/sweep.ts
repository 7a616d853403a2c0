import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import type { StoredObject } from '../storage/storage.ts'
import { claims } from './claims.ts'
import { finalPrefix, type SessionRow, stagingPrefix, tellUpload } from './session.ts'

const slack = 60_000

// A bucket takes a PUT that began before its URL expired to its end, however long that is.
const longestPut = 24 * 60 * 60 * 1000

export interface Swept {
  /** Sessions whose time was over. */
  expired: number
  /** Sessions that are done with. */
  swept: number
  /** What was removed of them. */
  objects: number
  bytes: number
}

/**
 * Ends sessions whose time is over and removes what uploads left behind: bytes nobody finalized, copies of
 * attempts that died, what a URL brought after its session was over. A session is done with a day after its last URL
 * expired.
 */
export async function sweepUploads(parts: Parts): Promise<Swept> {
  const done: Swept = { expired: 0, swept: 0, objects: 0, bytes: 0 }
  // First what needs no store: while it is away, announced bytes are given back all the same.
  await eachDue(parts, 'open', async (library, session) => {
    done.expired += await expire(library, session)
  })
  const failures: Error[] = []
  await eachDue(parts, 'ended', (library, session) =>
    sweepSession(library, session, done).catch((error) => {
      failures.push(error)
      if (failures.length === mostFailures) throw notSwept(failures)
      return postpone(library, session)
    }),
  )
  if (failures.length > 0) throw notSwept(failures)
  return done
}

const mostFailures = 10

async function eachDue(
  parts: Parts,
  which: 'open' | 'ended',
  work: (library: Library, session: SessionRow) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const due = await parts.db
      .selectFrom('upload_sessions')
      .selectAll()
      .where('swept', '=', false)
      .where('sweep_at', '<=', new Date())
      .where('status', which === 'open' ? '=' : '!=', 'open')
      .orderBy('sweep_at')
      .limit(100)
      .execute()
    if (due.length === 0) return
    for (const session of due) await work(makeLibrary(parts, session.client_id, system), session)
  }
}

/** One that cannot be swept does not hold up the others. */
const postpone = (library: Library, session: SessionRow) =>
  library.db
    .updateTable('upload_sessions')
    .set({ sweep_at: new Date(Date.now() + slack) })
    .where('client_id', '=', session.client_id)
    .where('id', '=', session.id)
    .execute()

const notSwept = (failures: Error[]) =>
  new AggregateError(failures, `Uploads that could not be swept: ${failures.length}. ${failures[0]!.message}`)

/** What a sweep would end and remove now, and which sessions it would be done with. Changes nothing. */
export async function wouldSweep(
  parts: Parts,
): Promise<Swept & { sessions: Set<string>; keys: Set<string> }> {
  const would = {
    expired: 0,
    swept: 0,
    objects: 0,
    bytes: 0,
    sessions: new Set<string>(),
    keys: new Set<string>(),
  }
  const due = await parts.db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('swept', '=', false)
    .where('sweep_at', '<=', new Date())
    .where((eb) => eb.or([eb('status', '!=', 'open'), claims.isFree]))
    .execute()
  for (const session of due) {
    if (session.status === 'open') would.expired++
    for await (const { key, sizeBytes } of leftBehind(
      makeLibrary(parts, session.client_id, system),
      session,
    )) {
      would.keys.add(key)
      would.objects++
      would.bytes += sizeBytes
    }
    if (nextLook(session)) continue
    would.swept++
    would.sessions.add(session.id)
  }
  return would
}

async function expire(library: Library, session: SessionRow): Promise<number> {
  return change(library, async (its) => {
    // It may be being finalized now; then it is looked at again when the claim has run out.
    const row = await its.trx
      .selectFrom('upload_sessions')
      .select(['claimed_until', 'status', claims.isFree.as('isFree')])
      .where('client_id', '=', session.client_id)
      .where('id', '=', session.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.status !== 'open') return 0
    await its.trx
      .updateTable('upload_sessions')
      .set(row.isFree ? { status: 'expired', sweep_at: new Date() } : { sweep_at: row.claimed_until! })
      .where('client_id', '=', session.client_id)
      .where('id', '=', session.id)
      .execute()
    if (!row.isFree) return 0
    tellUpload(its, session, 'upload.expired', { originalFilename: session.original_filename })
    its.count({ reserved: -session.expected_size_bytes })
    return 1
  })
}

async function sweepSession(library: Library, session: SessionRow, done: Swept): Promise<void> {
  const next = nextLook(session)
  const removed = await remove(library, leftBehind(library, session))
  done.objects += removed.objects
  done.bytes += removed.bytes
  await library.db
    .updateTable('upload_sessions')
    .set(next ? { sweep_at: new Date(next) } : { swept: true })
    .where('client_id', '=', session.client_id)
    .where('id', '=', session.id)
    .execute()
  if (!next) done.swept++
}

/** When to come back for what a late URL may bring; undefined when none can any more. */
function nextLook({ urls_expire_at }: SessionRow): number | undefined {
  const lastUrl = urls_expire_at.getTime() + slack
  return [lastUrl, lastUrl + longestPut].find((time) => time > Date.now())
}

/** What is still in staging, and copies that finalization made and did not keep. */
async function* leftBehind(library: Library, session: SessionRow): AsyncGenerator<StoredObject> {
  yield* library.storage.list(stagingPrefix(session))
  // What an asset stands on is told by its version's row.
  const kept = await library.db
    .selectFrom('asset_versions')
    .select('object_prefix')
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', session.asset_id)
    .where('upload_id', '=', session.id)
    .executeTakeFirst()
  for await (const object of library.storage.list(finalPrefix(session)))
    if (!kept || !object.key.startsWith(`${kept.object_prefix}/`)) yield object
}

export const clearStaging = (library: Library, session: { id: string }) =>
  removeBelow(library, stagingPrefix(session))

type Removed = Pick<Swept, 'objects' | 'bytes'>

export const removeBelow = (library: Library, prefix: string): Promise<Removed> =>
  remove(library, library.storage.list(prefix))

async function remove(library: Library, objects: AsyncIterable<StoredObject>): Promise<Removed> {
  const all = await Array.fromAsync(objects)
  if (all.length > 0) await library.storage.delete(all.map(({ key }) => key))
  return { objects: all.length, bytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

/** A finalized session stays: repeating its finalization must find its asset. */
export const forgetSweptSessions = (db: Db) =>
  db
    .deleteFrom('upload_sessions')
    .where('swept', '=', true)
    .where('status', '!=', 'finalized')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
