import { sql } from 'kysely'
import { checksumData, lostMedia } from '../assets/lost-work.ts'
import type { Db } from '../db/database.ts'
import { jobIsGone } from '../jobs/gone.ts'
import { type Library, makeLibrary, type Parts, system } from '../library.ts'
import { Problem } from '../problems.ts'
import type { StoredObject } from '../storage/storage.ts'
import { checksumsOf } from '../uploads/verify.ts'
import type { Fault } from './fault.ts'
import { orphansAmong } from './orphans.ts'
import { assetPages, stagedObjects } from './pages.ts'
import type { Promised } from './promised.ts'

export interface Wishes {
  /** Objects without a row that are younger than this (milliseconds) may be in the making. */
  grace: number
  /** The share of originals whose bytes are read and compared, from 0 to 1. */
  read: number
}

export interface Looked {
  files: number
  objects: number
  read: number
  readBytes: number
  /** Originals that could not be compared, for they have no checksum (yet). */
  withoutChecksum: number
}

/** Every row and every object of one client, compared. Whatever changes meanwhile is looked at twice before it is told. */
export async function* faultsOf(library: Library, wishes: Wishes, looked: Looked): AsyncGenerator<Fault> {
  const fault = (kind: Fault['kind'], subject: string, detail: string): Fault => ({
    kind,
    clientId: library.clientId,
    subject,
    detail,
  })

  for await (const { objects, promises } of assetPages(library)) {
    looked.files += promises.size
    looked.objects += objects.length
    const there = new Map(objects.map((object) => [object.key, object]))
    for (const promised of promises.values()) {
      const found = await compared(library, promised, there.get(promised.key), wishes.read, looked)
      if (found) yield fault(found[0], promised.key, found[1])
    }
    for (const { key, sizeBytes } of await orphansAmong(library, objects, promises, wishes.grace))
      if (await library.storage.head(key)) yield fault('orphan-object', key, `${sizeBytes} bytes`)
  }
  for await (const objects of stagedObjects(library)) {
    looked.objects += objects.length
    for (const { key, sizeBytes } of await orphansAmong(library, objects, new Map(), wishes.grace))
      if (await library.storage.head(key)) yield fault('orphan-object', key, `${sizeBytes} bytes`)
  }
  for (const { id, detail } of await contradictions(library)) yield fault('orphan-row', id, detail)
  for (const { assetId, version } of await lostMedia(library.db, library))
    yield fault('no-previews', assetId, `version ${version}`)
  for (const { id, version, waits } of await withoutChecksum(library)) {
    looked.withoutChecksum++
    if (!waits) yield fault('no-checksum', id, `version ${version}`)
  }
  for (const detail of await wrongCounts(library)) yield fault('wrong-count', library.clientId, detail)
}

/** Objects under clients that have no row: nothing of theirs can be told apart, so they are told as a whole. */
export async function* unknownClients({ db, store }: Pick<Parts, 'db' | 'store'>): AsyncGenerator<Fault> {
  for await (const clientId of store.clientIds()) {
    if (await isClient(db, clientId)) continue
    let [objects, bytes] = [0, 0]
    for await (const { sizeBytes } of store.storageOf(clientId).list('')) {
      objects++
      bytes += sizeBytes
    }
    if (objects > 0)
      yield {
        kind: 'unknown-client',
        clientId,
        subject: clientId,
        detail: `${objects} objects, ${bytes} bytes`,
      }
  }
}

export const libraryToCheck = (parts: Parts, clientId: string): Library =>
  makeLibrary(parts, clientId, system)

async function compared(
  library: Library,
  promised: Promised,
  listed: StoredObject | undefined,
  share: number,
  looked: Looked,
): Promise<[Fault['kind'], string] | undefined> {
  // A file made or purged since the list was taken is not missing.
  const found = listed ?? (await library.storage.head(promised.key))
  if (!found)
    return (await isStillPromised(library, promised)) ? ['missing-object', 'not in the store'] : undefined
  if (found.sizeBytes !== promised.sizeBytes)
    return ['wrong-size', `${found.sizeBytes} bytes instead of ${promised.sizeBytes}`]
  if (!promised.original || promised.sha256 === null || Math.random() >= share) return undefined
  return compareBytes(library, promised, looked)
}

async function compareBytes(
  library: Library,
  { key, sha256, sizeBytes }: Promised,
  looked: Looked,
): Promise<[Fault['kind'], string] | undefined> {
  try {
    const checksums = await checksumsOf(library.storage.scan(key))
    looked.read++
    looked.readBytes += sizeBytes
    if (checksums.sha256 !== sha256)
      return ['wrong-bytes', `SHA-256 ${checksums.sha256} instead of ${sha256}`]
  } catch (error) {
    if (error instanceof Problem && error.code === 'object-missing') return undefined // purged this moment
    throw error
  }
}

async function isStillPromised(library: Library, { key }: Promised): Promise<boolean> {
  const prefix = key.slice(0, key.lastIndexOf('/'))
  const row = await library.db
    .selectFrom('asset_versions')
    .select('version')
    .where('client_id', '=', library.clientId)
    .where('object_prefix', '=', prefix)
    .executeTakeFirst()
  return row !== undefined
}

async function contradictions(library: Library): Promise<{ id: string; detail: string }[]> {
  const { rows } = await sql<{ id: string; detail: string }>`
    select a.id, case when v.asset_id is null then 'version ' || a.version || ' has no row'
      else 'version ' || a.version || ' has another size or checksum' end as detail
    from assets a left join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
    where a.client_id = ${library.clientId} and (v.asset_id is null or v.size_bytes <> a.size_bytes
      or v.sha256 is distinct from a.sha256)
    order by a.id`.execute(library.db)
  return rows
}

/** All of them, also those whose job is still to come. */
async function withoutChecksum(library: Library): Promise<{ id: string; version: number; waits: boolean }[]> {
  return library.db
    .selectFrom('asset_versions')
    .select(['asset_id as id', 'version'])
    .select(sql<boolean>`not ${jobIsGone(['checksum'], checksumData)}`.as('waits'))
    .where('client_id', '=', library.clientId)
    .where('sha256', 'is', null)
    .orderBy('asset_id')
    .execute()
}

/** In one statement, so that all numbers are of one moment. */
async function wrongCounts(library: Library): Promise<string[]> {
  const { rows } = await sql<{ stored: number; reserved: number; counted: number; open: number }>`
    select stored_bytes as stored, reserved_bytes as reserved,
      (select coalesce(sum(size_bytes), 0)::bigint from
        (select distinct object_prefix, size_bytes from asset_versions where client_id = c.client_id) as files) as counted,
      (select coalesce(sum(expected_size_bytes), 0)::bigint from upload_sessions
        where client_id = c.client_id and status = 'open') as open
    from client_counters c where client_id = ${library.clientId}`.execute(library.db)
  return rows.flatMap(({ stored, reserved, counted, open }) => [
    ...(stored === counted ? [] : [`${stored} bytes counted as stored, ${counted} in its files`]),
    ...(reserved === open ? [] : [`${reserved} bytes counted as announced, ${open} in open uploads`]),
  ])
}

const isClient = async (db: Db, id: string) =>
  (await db.selectFrom('clients').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
