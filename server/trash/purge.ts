import { sql } from 'kysely'
import { change, makeLibrary, type Parts, system } from '../library.ts'

const batch = 200

/** Empties the trash of what has lain there long enough. The files go with a job that cannot be forgotten. */
export async function purgeTrash(parts: Parts): Promise<{ assets: number; folders: number }> {
  const before = new Date(Date.now() - parts.config.limits.trashDays * 86_400_000)
  return { assets: await purgeAssets(parts, before), folders: await purgeFolders(parts, before) }
}

async function purgeAssets(parts: Parts, before: Date): Promise<number> {
  let purged = 0
  for (;;) {
    const due = await parts.db
      .selectFrom('assets')
      .select(['client_id', 'id'])
      .where('trashed_at', '<', before)
      .orderBy('client_id')
      .limit(batch)
      .execute()
    if (due.length === 0) return purged
    for (const [clientId, rows] of Map.groupBy(due, (row) => row.client_id))
      purged += await purgeOf(
        parts,
        clientId,
        rows.map((row) => row.id),
        before,
      )
  }
}

function purgeOf(parts: Parts, clientId: string, ids: string[], before: Date): Promise<number> {
  const library = makeLibrary(parts, clientId, system)
  return change(library, async (its) => {
    // Locked first: whoever restores one of them at this moment is either before us or too late.
    const rows = await its.trx
      .selectFrom('assets')
      .select(['id', 'title'])
      .where('client_id', '=', clientId)
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .where('trashed_at', '<', before)
      .orderBy('id')
      .forUpdate()
      .execute()
    const gone = rows.map((row) => row.id)
    const versions = await its.trx
      .deleteFrom('asset_versions')
      .where('client_id', '=', clientId)
      .where(sql<boolean>`asset_id = any(${gone}::text[])`)
      .returning(['object_prefix', 'size_bytes'])
      .execute()
    await its.trx
      .deleteFrom('assets')
      .where('client_id', '=', clientId)
      .where(sql<boolean>`id = any(${gone}::text[])`)
      .execute()
    for (const { id, title } of rows) {
      await library.jobs.send(its.trx, 'remove-objects', { clientId, prefix: `assets/${id}/` })
      its.tell('asset.purged', id, { title })
    }
    // Versions that stand on the same file were counted once.
    const files = new Map(versions.map(({ object_prefix, size_bytes }) => [object_prefix, size_bytes]))
    its.count({ stored: -[...files.values()].reduce((sum, bytes) => sum + bytes, 0) })
    return rows.length
  })
}

async function purgeFolders(parts: Parts, before: Date): Promise<number> {
  const due = await parts.db
    .selectFrom('folders')
    .select(['client_id', 'id', 'name'])
    .where('trashed_at', '<', before)
    .where(sql<boolean>`trashed_with = id`)
    .execute()
  let purged = 0
  for (const { client_id, id, name } of due)
    purged += await change(makeLibrary(parts, client_id, system), async (its) => {
      const gone = await its.trx
        .deleteFrom('folders')
        .where('client_id', '=', client_id)
        .where('trashed_with', '=', id)
        .where('trashed_at', '<', before)
        .returning('id')
        .execute()
      if (gone.length > 0) its.tell('folder.purged', id, { name, folders: gone.length })
      return gone.length
    })
  return purged
}
