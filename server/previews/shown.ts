import { LRUCache } from 'lru-cache'
import type { AssetRow, VersionRow } from '../assets/asset.ts'
import type { Db } from '../db/database.ts'
import { pipelined } from '../db/prepared.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'
import type { DerivedFile, Stored } from './derived.ts'

/** Of its version only what a tile needs: what else is known of one may be long. */
const columns = [
  'asset_id',
  'version',
  'upload_id',
  'object_prefix',
  'mime_type',
  'size_bytes',
  'duration_seconds',
] as const

export interface Shown extends Pick<VersionRow, (typeof columns)[number]> {
  title: string
  asset_state: AssetRow['media_state']
  asset_problem: string | null
  current: boolean
  last_event: number
  made_type: string | null
  made_by: string | null
  made_bytes: number
  made_width: number
  made_height: number
}

const shownRow = pipelined<Shown>(`
  select a.title, a.media_state as asset_state, a.media_problem as asset_problem, v.version = a.version as current, c.last_event,
    ${columns.map((column) => `v.${column}`).join(', ')},
    d.mime_type as made_type, d.maker as made_by, d.size_bytes as made_bytes, d.width as made_width, d.height as made_height
  from assets a
  join client_counters c on c.client_id = a.client_id
  join asset_versions v on v.client_id = a.client_id and v.asset_id = a.id and v.version = coalesce($3, a.version)
  left join derived_files d on d.client_id = a.client_id and d.asset_id = a.id and d.version = v.version and d.name = $4
    and d.made_at is not null
  where a.client_id = $1 and a.id = $2`)

/**
 * What was shown last and is there for good, as long as nothing happens to its client: whoever is recognised is told the
 * last event, and what was read together with the same one has not changed since.
 */
const kept = new WeakMap<Db, LRUCache<string, Shown>>()

function keptOf({ db }: Library): LRUCache<string, Shown> {
  const its = kept.get(db) ?? new LRUCache({ max: 20_000 })
  kept.set(db, its)
  return its
}

const keyOf = ({ clientId }: Library, assetId: string, version: number | undefined, name: string) =>
  `${clientId}/${assetId}/${version ?? 'current'}/${name}`

/** What is to be shown, and the picture by that name if it is there already: in one question, for a page has many tiles. */
export async function shown(library: Library, assetId: string, wanted: number | undefined, name: string) {
  const row = await readOnce(library, knownId('asset', assetId), wanted, name)
  const { title, current, asset_state, asset_problem } = row
  return {
    title,
    version: row,
    made: madeOf(row, name),
    pending: current && asset_state === 'pending',
    failure: current && asset_state === 'failed' ? asset_problem : null,
  }
}

async function readOnce(
  library: Library,
  assetId: string,
  version: number | undefined,
  name: string,
): Promise<Shown> {
  const all = keptOf(library)
  const key = keyOf(library, assetId, version, name)
  const before = all.get(key)
  if (before && before.last_event === library.lastEventId) return before
  const [row] = await shownRow(library.db, library.clientId, assetId, version ?? null, name)
  if (!row) throw notFound('No asset')
  if (row.made_type !== null) all.set(key, row)
  return row
}

/** Its object was not what was said of it. */
export function shownNoMore(library: Library, { asset_id, version }: Stored, name: string): void {
  for (const wanted of [version, undefined]) keptOf(library).delete(keyOf(library, asset_id, wanted, name))
}

const madeOf = (row: Shown, name: string): DerivedFile | null =>
  row.made_type === null
    ? null
    : {
        name,
        maker: row.made_by,
        mimeType: row.made_type,
        sizeBytes: row.made_bytes,
        width: row.made_width,
        height: row.made_height,
      }
