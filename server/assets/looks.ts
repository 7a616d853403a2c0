import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import type { Library } from '../library.ts'

const hourMs = 3_600_000
const keptDays = 90
/** Noted by this process already: most looks are at what was looked at a moment ago. */
const noted = new LRUCache<string, true>({ max: 20_000 })

/** Notes which assets an agent looked at, once an hour each, by itself and in no transaction of what it does. */
export async function noteLooks({ db, clientId, caller }: Library, assetIds: string[]): Promise<void> {
  if (caller.kind !== 'key' || assetIds.length === 0) return
  const hour = new Date(Math.floor(Date.now() / hourMs) * hourMs)
  const mark = (assetId: string) => `${caller.id} ${hour.getTime()} ${assetId}`
  const fresh = assetIds.filter((assetId) => !noted.has(mark(assetId)))
  if (fresh.length === 0) return
  await sql`insert into asset_looks (client_id, key_id, asset_id, hour)
    select client_id, ${caller.id}, id, ${hour}::timestamptz from assets
    where client_id = ${clientId} and id = any(${fresh}::text[])
    on conflict do nothing`.execute(db)
  for (const assetId of fresh) noted.set(mark(assetId), true)
}

export const forgetOldLooks = (db: Db) =>
  db
    .deleteFrom('asset_looks')
    .where('hour', '<', new Date(Date.now() - keptDays * 86_400_000))
    .execute()
