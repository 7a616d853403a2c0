import type { Db } from '../server/db/database.ts'
import { derivedKey } from '../server/previews/derived.ts'
import type { ObjectStore } from '../server/storage/storage.ts'

/** What rows and objects of all clients disagree about: objects that no row names, and named ones that are not there. */
export async function strays(db: Db, store: ObjectStore): Promise<{ orphans: string[]; missing: string[] }> {
  const versions = await db.selectFrom('asset_versions').selectAll().execute()
  const derived = await db.selectFrom('derived_files').selectAll().where('made_at', 'is not', null).execute()
  const named = new Set(versions.map((row) => `${row.client_id}/${row.object_prefix}/original`))
  for (const row of derived) {
    const version = versions.find(
      ({ asset_id, version }) => asset_id === row.asset_id && version === row.version,
    )
    named.add(`${row.client_id}/${derivedKey(version!, row)}`)
  }
  const open = await db.selectFrom('upload_sessions').selectAll().where('status', '=', 'open').execute()
  const awaited = open.map((row) => `${row.client_id}/staging/${row.id}/`)

  const there = new Set<string>()
  for (const { id } of await db.selectFrom('clients').select('id').execute())
    for await (const { key } of store.storageOf(id).list('')) there.add(`${id}/${key}`)
  return {
    orphans: [...there].filter((key) => !named.has(key) && !awaited.some((prefix) => key.startsWith(prefix))),
    missing: [...named].filter((key) => !there.has(key)),
  }
}
