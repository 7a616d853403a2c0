import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { VersionRow } from '../assets/asset.ts'
import { askPrepared } from '../db/prepared.ts'
import type { DerivedFilesTable } from '../db/schema.ts'
import { leaseOn, newOwner } from '../jobs/lease.ts'
import type { Library } from '../library.ts'

export interface Made {
  /** Or where they lie, if they are too many to be held. */
  bytes: Uint8Array | LargeFile
  mimeType: string
  width: number
  height: number
}

export interface LargeFile {
  sizeBytes: number
  open(): AsyncIterable<Uint8Array>
}

export interface DerivedFile {
  name: string
  /** Who made it; each maker puts an object of its own, so that no other can change what the row promises. */
  maker: string | null
  mimeType: string
  sizeBytes: number
  width: number
  height: number
}

/** A version, and where it lies. */
export type Stored = Pick<VersionRow, 'asset_id' | 'version' | 'object_prefix'>

const leases = leaseOn('derived_files', { owner: 'maker', until: 'leased_until', seconds: 15 })

export const derivedKey = (
  version: Pick<VersionRow, 'object_prefix'>,
  { name, maker }: Pick<DerivedFile, 'name' | 'maker'>,
) => `${version.object_prefix}/${maker ? `${name}.${maker}` : name}`

/**
 * A file made of a version, made once: callers of this process share one making, and a lease in the database
 * keeps other nodes from making it too. A maker that dies loses its lease and the next caller takes over.
 */
export function derivedFile(
  library: Library,
  version: Stored,
  name: string,
  make: () => Promise<Made>,
): Promise<DerivedFile> {
  const key = `${library.clientId}/${version.object_prefix}/${name}`
  const running = underWay.get(key)
  if (running) return running
  const making = findOrMake(library, version, name, make).finally(() => underWay.delete(key))
  underWay.set(key, making)
  return making
}

const underWay = new Map<string, Promise<DerivedFile>>()

async function findOrMake(
  library: Library,
  version: Stored,
  name: string,
  make: () => Promise<Made>,
): Promise<DerivedFile> {
  for (;;) {
    await using leased = await leaseFree(library, version, [name])
    const there = leased.made.get(name)
    const file = there ?? (leased.names.has(name) && (await leased.keep(name, await make())))
    if (file) return file
    await pause(50)
  }
}

export interface Leased extends AsyncDisposable {
  /** Those that are there already. */
  made: ReadonlyMap<string, DerivedFile>
  /** Those that are ours to make. */
  names: ReadonlySet<string>
  /** Undefined when the lease was lost meanwhile, and the file is somebody else's to make. */
  keep(name: string, made: Made): Promise<DerivedFile | undefined>
}

/** Makes this caller the maker of those files that are neither made nor being made; held until it is disposed of. */
export async function leaseFree(library: Library, version: Stored, names: string[]): Promise<Leased> {
  const maker = newOwner()
  const found = await lookAndLease(library, version, names, maker)
  const taken = found.filter(({ is_taken }) => is_taken)
  const toMake = new Set(taken.map(({ name }) => name))
  const renewal = leases.keepRenewed(() => renew(library, version, maker))
  let mayHaveLeft = false
  await clearUp(library, version, taken)
  return {
    made: new Map(found.filter(({ made_at }) => made_at).map((row) => [row.name, toFile(row)])),
    names: new Set(toMake),
    async keep(name, made) {
      mayHaveLeft = true
      const file = await keep(library, version, name, maker, made)
      mayHaveLeft = false
      if (file) toMake.delete(name)
      return file
    },
    async [Symbol.asyncDispose]() {
      renewal[Symbol.dispose]()
      if (toMake.size === 0) return
      // What may have been stored is remembered by its maker's name, for the next one to clear up.
      await (mayHaveLeft ? giveBack : release)(library, version, maker).catch(() => {}) // the lease expires
    },
  }
}

/** What earlier makers stored and never came to say so. One that was only slow removes its own. */
async function clearUp(library: Library, version: Stored, taken: Found[]): Promise<void> {
  const left = taken.filter(({ maker }) => maker !== null)
  if (left.length === 0) return
  const keys = left.map((row) => derivedKey(version, row))
  await library.storage.delete(keys).catch(() => {}) // the sweep will
}

/** Stores the file first and says so second: what the row promises is there. */
async function keep(
  library: Library,
  version: Stored,
  name: string,
  maker: string,
  made: Made,
): Promise<DerivedFile | undefined> {
  const key = derivedKey(version, { name, maker })
  const { bytes } = made
  const isHeld = bytes instanceof Uint8Array
  const sizeBytes = isHeld ? bytes.length : bytes.sizeBytes
  await library.storage.put(key, isHeld ? bytes : Readable.from(bytes.open()), { sizeBytes })
  const [row] = await askPrepared(
    library.db,
    library.db
      .updateTable('derived_files')
      .set({
        mime_type: made.mimeType,
        size_bytes: sizeBytes,
        width: made.width,
        height: made.height,
        made_at: new Date(),
      })
      .where(named(library, version, name))
      .where(leases.isHeldBy(maker))
      .where('made_at', 'is', null)
      .returning(['name', 'maker', 'mime_type', 'size_bytes', 'width', 'height']),
  )
  if (row) return toFile(row)
  await library.storage.delete([key]).catch(() => {}) // the sweep will
  return undefined
}

/** For what takes minutes: how much of it is made, for those who wait. */
export const noteProgress = (library: Library, version: Stored, name: string, percent: number) =>
  library.db
    .updateTable('derived_files')
    .set({ progress: percent })
    .where(named(library, version, name))
    .where('made_at', 'is', null)
    .execute()

export const progressOf = async (library: Library, version: Stored, name: string) =>
  (
    await library.db
      .selectFrom('derived_files')
      .select('progress')
      .where(named(library, version, name))
      .where('made_at', 'is', null)
      .executeTakeFirst()
  )?.progress ?? null

/** Its object is not what the row promises: the next who asks makes it anew. */
export async function forgetDerived(
  library: Library,
  version: Stored,
  { name, maker }: DerivedFile,
): Promise<void> {
  await library.db
    .deleteFrom('derived_files')
    .where(named(library, version, name))
    .where(sql<boolean>`maker is not distinct from ${maker}`)
    .execute()
}

const columns = sql`name, maker, mime_type, size_bytes, width, height, made_at`

/** As it was before: one that is taken has the maker whose lease had run out. */
interface Found extends FileRow {
  made_at: Date | null
  is_taken: boolean
}

/** In one question, for it is asked before anything is made, and whenever a file that is there is wanted. */
async function lookAndLease(
  library: Library,
  version: Stored,
  names: string[],
  by: string,
): Promise<Found[]> {
  if (names.length === 0) return []
  const { maker, leased_until } = leases.takenBy(by)
  return askPrepared(
    library.db,
    sql<Found>`with found as materialized (
      select ${columns} from derived_files where ${ofVersion(library, version)} and name = any(${names}::text[])),
    taken as (insert into derived_files (client_id, asset_id, version, name, maker, leased_until)
      select ${library.clientId}, ${version.asset_id}, ${version.version}::int, name, ${maker}, ${leased_until}
      from unnest(${names}::text[]) as wanted (name) where name not in (select name from found where made_at is not null)
      on conflict (client_id, asset_id, version, name) do update
        set maker = excluded.maker, leased_until = excluded.leased_until, problem = null
        where derived_files.made_at is null and ${leases.isFree}
      returning name)
    select ${columns}, taken.name is not null as is_taken from found full join taken using (name)`,
  )
}

const renew = (library: Library, version: Stored, maker: string) =>
  library.db
    .updateTable('derived_files')
    .set(leases.takenBy(maker))
    .where(leasedBy(library, version, maker))
    .execute()

const giveBack = (library: Library, version: Stored, maker: string) =>
  library.db
    .updateTable('derived_files')
    .set({ leased_until: sql<Date>`now() - interval '1 second'` })
    .where(leasedBy(library, version, maker))
    .execute()

const release = (library: Library, version: Stored, maker: string) =>
  library.db
    .deleteFrom('derived_files')
    .where(leasedBy(library, version, maker))
    .execute()

const leasedBy = (library: Library, version: Stored, maker: string) =>
  sql<boolean>`${ofVersion(library, version)} and ${leases.isHeldBy(maker)} and made_at is null`

export type Numbered = Pick<VersionRow, 'asset_id' | 'version'>

export const named = (library: Library, version: Numbered, name: string) =>
  sql<boolean>`${ofVersion(library, version)} and name = ${name}`

const ofVersion = (library: Library, version: Numbered) =>
  sql`client_id = ${library.clientId} and asset_id = ${version.asset_id} and version = ${version.version}`

type FileRow = Pick<
  Selectable<DerivedFilesTable>,
  'name' | 'maker' | 'mime_type' | 'size_bytes' | 'width' | 'height'
>

export const toFile = (row: FileRow): DerivedFile => ({
  name: row.name,
  maker: row.maker,
  mimeType: row.mime_type!,
  sizeBytes: row.size_bytes!,
  width: row.width!,
  height: row.height!,
})
