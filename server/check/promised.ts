import { sql } from 'kysely'
import { originalKey } from '../assets/asset.ts'
import type { Library } from '../library.ts'
import { derivedKey } from '../previews/derived.ts'

/** A file that a row says is in the store. */
export interface Promised {
  key: string
  sizeBytes: number
  /** Null for what is made of an original, and for a large one whose checksum is still being taken. */
  sha256: string | null
  original: boolean
}

export type Promises = Map<string, Promised>

/** All files promised for the assets after one id and up to another. */
export async function promisedBetween(
  library: Library,
  after: string,
  upTo: string | null,
): Promise<Promises> {
  const range = sql<boolean>`asset_id > ${after} and (${upTo}::text is null or asset_id <= ${upTo})`
  const versions = await library.db
    .selectFrom('asset_versions')
    .select(['asset_id', 'version', 'object_prefix', 'size_bytes', 'sha256'])
    .where('client_id', '=', library.clientId)
    .where(range)
    .execute()
  const derived = await library.db
    .selectFrom('derived_files')
    .select(['asset_id', 'version', 'name', 'maker', 'size_bytes'])
    .where('client_id', '=', library.clientId)
    .where(range)
    .where('made_at', 'is not', null)
    .execute()

  const files: Promises = new Map()
  const places = new Map<string, { object_prefix: string }>()
  for (const version of versions) {
    const { size_bytes: sizeBytes, sha256 } = version
    const key = originalKey(version)
    files.set(key, { key, sizeBytes, sha256, original: true })
    places.set(`${version.asset_id}@${version.version}`, version)
  }
  for (const { asset_id, version, size_bytes, ...file } of derived) {
    const key = derivedKey(places.get(`${asset_id}@${version}`)!, file)
    files.set(key, { key, sizeBytes: size_bytes ?? 0, sha256: null, original: false })
  }
  return files
}
