import { type RawBuilder, sql } from 'kysely'
import type { TrashContents, TrashEmptied } from '../../contract/trash.ts'
import { type AssetRow, assetETag } from '../assets/asset.ts'
import { heldRow } from '../assets/assets.ts'
import { refuseStale } from '../changes/revisions.ts'
import type { Reader } from '../db/database.ts'
import { type Change, change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { Problem } from '../problems.ts'
import { inUseAmong, refuseInUse } from '../uses/in-use.ts'
import { trashedRoot } from './folder-trash.ts'
import { refuseHeld } from './hold.ts'

const batch = 200

/** As many as one request takes out; the next one goes on. */
const mostAtOnce = 10_000

/** Empties the trash of what has lain there long enough. The files go with a job that cannot be forgotten. */
export async function purgeTrash(parts: Parts): Promise<{ assets: number; folders: number }> {
  const before = new Date(Date.now() - parts.config.limits.trashDays * 86_400_000)
  const done = { assets: 0, folders: 0 }
  for (const { client_id } of await clientsWithTrash(parts.db, before)) {
    const { deleted } = await purge(makeLibrary(parts, client_id, system), sql`trashed_at < ${before}`)
    done.assets += deleted.assets
    done.folders += deleted.folders
  }
  return done
}

/** Removes what is in the trash now, or what went there with one folder. */
export async function emptyTrash(library: Library, folderId?: string): Promise<TrashEmptied> {
  const now = new Date()
  const which = await trashed(library, folderId)
  const done = await purge(library, sql`trashed_at <= ${now} and ${which}`, mostAtOnce)
  return { ...done, kept: await keptOf(library, which) }
}

/** How much emptying the trash would remove. */
export async function trashContents(library: Library, folderId?: string): Promise<TrashContents> {
  const which = await trashed(library, folderId)
  const { rows } = await sql<{ assets: number; folders: number; bytes: number }>`
    with going as materialized (select id from assets where ${ofClient(library)} and ${which} and ${mayGo})
    select (select count(*)::int from going) as assets,
      (select count(*)::int from folders where ${ofClient(library)} and ${which}) as folders,
      (select coalesce(sum(size_bytes), 0)::bigint from (select distinct object_prefix, size_bytes from asset_versions
        where ${ofClient(library)} and asset_id in (select id from going)) as files) as bytes`.execute(
    library.db,
  )
  return { ...rows[0]!, kept: await keptOf(library, which) }
}

/** Only what is in the trash: nobody deletes for good in one step, or by a mistaken id. */
export const deleteForGood = (library: Library, assetId: string, ifMatch?: string): Promise<AssetRow> =>
  change(library, async (its) => {
    const row = await heldRow(its, library, assetId)
    refuseStale(assetETag(row), ifMatch)
    if (!row.trashed_at)
      throw new Problem('not-trashed', 'Only what is in the trash can be deleted for good. Trash it first.')
    refuseHeld(row)
    await refuseInUse(its.trx, library, [row.id])
    await purgeRows(its, library, [row])
    return row
  })

type Which = RawBuilder<unknown>

interface Purged {
  deleted: { assets: number; folders: number }
  freedBytes: number
  /** There was more to do than one request does. */
  more: boolean
}

async function purge(library: Library, which: Which, most = Number.POSITIVE_INFINITY): Promise<Purged> {
  const done: Purged = { deleted: { assets: 0, folders: 0 }, freedBytes: 0, more: false }
  let after = ''
  for (let looked = 0; ; looked += batch) {
    const due = await library.db
      .selectFrom('assets')
      .select('id')
      .where(sql<boolean>`${ofClient(library)} and ${which} and ${mayGo}`)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
    if (due.length === 0) break
    if (looked >= most) return { ...done, more: true }
    after = due.at(-1)!.id
    const { assets, bytes } = await purgeAssets(
      library,
      due.map(({ id }) => id),
      which,
    )
    done.deleted.assets += assets
    done.freedBytes += bytes
  }
  done.deleted.folders = await purgeFolders(library, which)
  return done
}

const purgeAssets = (library: Library, ids: string[], which: Which) =>
  change(library, async (its) => {
    // Locked first: whoever restores or holds one of them at this moment is either before us or too late.
    const rows = await its.trx
      .selectFrom('assets')
      .select(['id', 'title'])
      .where(sql<boolean>`${ofClient(library)} and id = any(${ids}::text[]) and ${which} and held_at is null`)
      .orderBy('id')
      .forUpdate()
      .execute()
    // Asked only now that they are locked: no use can take hold of one any more.
    const used = await inUseAmong(
      its.trx,
      library,
      rows.map(({ id }) => id),
    )
    const gone = rows.filter(({ id }) => !used.has(id))
    return { assets: gone.length, bytes: await purgeRows(its, library, gone) }
  })

/** Assets that are locked and may go: their rows and their bytes now, their objects by a job. */
async function purgeRows(its: Change, library: Library, rows: { id: string; title: string }[]) {
  const gone = rows.map((row) => row.id)
  const versions = await its.trx
    .deleteFrom('asset_versions')
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`asset_id = any(${gone}::text[])`)
    .returning(['object_prefix', 'size_bytes'])
    .execute()
  await its.trx
    .deleteFrom('assets')
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${gone}::text[])`)
    .execute()
  for (const { id, title } of rows) {
    const job = { clientId: library.clientId, prefix: `assets/${id}/` }
    await library.jobs.send(its.trx, 'remove-objects', job)
    its.tell('asset.purged', id, { title })
  }
  // Versions that stand on the same file were counted once.
  const files = new Map(versions.map(({ object_prefix, size_bytes }) => [object_prefix, size_bytes]))
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
  its.count({ stored: -bytes })
  return bytes
}

/** A folder stays for as long as something that went with it has to. */
async function purgeFolders(library: Library, which: Which): Promise<number> {
  const due = await library.db
    .selectFrom('folders')
    .select(['id', 'name'])
    .where(sql<boolean>`${ofClient(library)} and trashed_with = id and ${which} and trashed_with not in (
      select a.trashed_with from assets a where a.client_id = folders.client_id and a.trashed_at is not null
        and a.trashed_with is not null)`)
    .execute()
  let purged = 0
  for (const { id, name } of due)
    purged += await change(library, async (its) => {
      const gone = await its.trx
        .deleteFrom('folders')
        .where(sql<boolean>`${ofClient(library)} and trashed_with = ${id} and ${which}`)
        .returning('id')
        .execute()
      if (gone.length > 0) its.tell('folder.purged', id, { name, folders: gone.length })
      return gone.length
    })
  return purged
}

/** What lies in the trash, or in a folder there. */
async function trashed(library: Library, folderId: string | undefined): Promise<Which> {
  if (folderId === undefined) return sql`trashed_at is not null`
  const root = await trashedRoot(library.db, library, folderId)
  return sql`trashed_at is not null and trashed_with = ${root.id}`
}

const ofClient = ({ clientId }: Library) => sql`client_id = ${clientId}`

const isUsed = sql`exists (select from use_refs r join uses u on u.client_id = r.client_id and u.kind = r.kind
  and u.external_id = r.external_id where r.client_id = assets.client_id and r.asset_id = assets.id
  and u.status in ('scheduled', 'running'))`

const mayGo = sql`held_at is null and not ${isUsed}`

async function keptOf(library: Library, which: Which): Promise<TrashContents['kept']> {
  const { rows } = await sql<TrashContents['kept']>`
    select count(*) filter (where held_at is not null)::int as held,
      count(*) filter (where held_at is null and ${isUsed})::int as "inUse"
    from assets where ${ofClient(library)} and ${which}`.execute(library.db)
  return rows[0]!
}

const clientsWithTrash = (db: Reader, before: Date) =>
  db
    .selectFrom('assets')
    .select('client_id')
    .where('trashed_at', '<', before)
    .union(db.selectFrom('folders').select('client_id').where('trashed_at', '<', before))
    .orderBy('client_id')
    .execute()
