import { setTimeout as pause } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { VersionRow } from '../assets/asset.ts'
import type { DerivedFilesTable } from '../db/schema.ts'
import type { Library } from '../library.ts'

export interface Made {
  bytes: Uint8Array
  mimeType: string
  width: number
  height: number
}

export interface DerivedFile {
  name: string
  mimeType: string
  sizeBytes: number
  width: number
  height: number
}

const leaseSeconds = 60

export const derivedKey = (version: Pick<VersionRow, 'object_prefix'>, name: string) =>
  `${version.object_prefix}/${name}`

/**
 * A file made of a version, made once: callers of this process share one making, and a lease in the database
 * keeps other nodes from making it too. A maker that dies loses its lease and the next caller takes over.
 */
export function derivedFile(
  library: Library,
  version: VersionRow,
  name: string,
  make: () => Promise<Made>,
): Promise<DerivedFile> {
  const key = `${library.clientId}/${derivedKey(version, name)}`
  const running = underWay.get(key)
  if (running) return running
  const making = findOrMake(library, version, name, make).finally(() => underWay.delete(key))
  underWay.set(key, making)
  return making
}

const underWay = new Map<string, Promise<DerivedFile>>()

async function findOrMake(
  library: Library,
  version: VersionRow,
  name: string,
  make: () => Promise<Made>,
): Promise<DerivedFile> {
  for (;;) {
    const row = await library.db
      .selectFrom('derived_files')
      .selectAll()
      .where(named(library, version, name))
      .executeTakeFirst()
    if (row?.made_at) return toFile(row)
    if (await lease(library, version, name)) return makeLeased(library, version, name, make)
    await pause(50)
  }
}

async function makeLeased(
  library: Library,
  version: VersionRow,
  name: string,
  make: () => Promise<Made>,
): Promise<DerivedFile> {
  try {
    return await keepDerived(library, version, name, await make())
  } catch (error) {
    await library.db
      .deleteFrom('derived_files')
      .where(named(library, version, name))
      .where('made_at', 'is', null)
      .execute()
    throw error
  }
}

/** Stores the file first and says so second: what the row promises is there. */
export async function keepDerived(
  library: Library,
  version: VersionRow,
  name: string,
  made: Made,
): Promise<DerivedFile> {
  await library.storage.put(derivedKey(version, name), made.bytes, { sizeBytes: made.bytes.length })
  const columns = {
    mime_type: made.mimeType,
    size_bytes: made.bytes.length,
    width: made.width,
    height: made.height,
    leased_until: new Date(),
    made_at: new Date(),
  }
  const row = await library.db
    .insertInto('derived_files')
    .values({
      client_id: library.clientId,
      asset_id: version.asset_id,
      version: version.version,
      name,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'asset_id', 'version', 'name']).doUpdateSet(columns),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFile(row)
}

export async function madeNames(library: Library, version: VersionRow): Promise<Set<string>> {
  const rows = await library.db
    .selectFrom('derived_files')
    .select('name')
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', version.asset_id)
    .where('version', '=', version.version)
    .where('made_at', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.name))
}

async function lease(library: Library, version: VersionRow, name: string): Promise<boolean> {
  const until = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`
  const leased = await library.db
    .insertInto('derived_files')
    .values({
      client_id: library.clientId,
      asset_id: version.asset_id,
      version: version.version,
      name,
      leased_until: until,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'asset_id', 'version', 'name'])
        .doUpdateSet({ leased_until: until })
        .where('derived_files.made_at', 'is', null)
        .where('derived_files.leased_until', '<', sql<Date>`now()`),
    )
    .returning('name')
    .executeTakeFirst()
  return leased !== undefined
}

const named = (library: Library, version: VersionRow, name: string) =>
  sql<boolean>`client_id = ${library.clientId} and asset_id = ${version.asset_id} and version = ${version.version} and name = ${name}`

export const toFile = (row: Selectable<DerivedFilesTable>): DerivedFile => ({
  name: row.name,
  mimeType: row.mime_type!,
  sizeBytes: row.size_bytes!,
  width: row.width!,
  height: row.height!,
})
