import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { type Environment, readConfig } from '../../server/config.ts'
import type { Db } from '../../server/db/database.ts'
import { openParts } from '../../server/parts.ts'
import { sweepUploads } from '../../server/uploads/sweep.ts'
import { strays } from '../strays.ts'

export interface Inventory {
  /** Objects that a row names and the store has not. */
  missing: string[]
  /** Objects that no row names. */
  orphans: string[]
  /** What the rows disagree about among themselves. */
  halves: string[]
}

/** Waits for the jobs that are due, sweeps once, then holds rows against rows and against objects. The settings are those of the server. */
export async function inventoryOf(environment: Environment): Promise<Inventory> {
  const parts = await openParts(readConfig(environment), pino({ level: 'silent' }))
  try {
    await mediaMade(parts.db)
    await sweepUploads(parts)
    return { ...(await strays(parts.db, parts.store)), halves: await halfRows(parts.db) }
  } finally {
    await parts.close()
  }
}

/** A preview is stored before its row says so: while it is being made, the two may differ. */
async function mediaMade(db: Db): Promise<void> {
  const pending = db.selectFrom('assets').select('id').where('media_state', '=', 'pending').limit(1)
  const deadline = Date.now() + 120_000
  while ((await pending.executeTakeFirst()) && Date.now() < deadline) await pause(500)
}

async function halfRows(db: Db): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(neverTrue).map(async ([name, query]) => {
      const { rows } = await query.execute(db)
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`)
    }),
  )
  return found.flat()
}

const neverTrue = {
  'an asset without its version': sql`
    select a.id from assets a left join asset_versions v
      on v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version
    where v.asset_id is null`,
  'a version of no asset': sql`
    select v.asset_id from asset_versions v left join assets a on a.client_id = v.client_id and a.id = v.asset_id
    where a.id is null`,
  'a finalized session without its version': sql`
    select s.id from upload_sessions s left join asset_versions v on v.client_id = s.client_id and v.upload_id = s.id
    where s.status = 'finalized' and v.upload_id is null`,
  'a version of a session that was not finalized': sql`
    select s.id from upload_sessions s join asset_versions v on v.client_id = s.client_id and v.upload_id = s.id
    where s.status <> 'finalized'`,
  'an asset that no event tells of': sql`
    select a.id from assets a where not exists (
      select from events e where e.client_id = a.client_id and e.type = 'asset.created' and e.subject = a.id)`,
  'a folder that no event tells of': sql`
    select f.id from folders f where not exists (
      select from events e where e.client_id = f.client_id and e.type = 'folder.created' and e.subject = f.id)`,
  'an event of an asset that is not there': sql`
    select e.subject from events e where e.type = 'asset.created' and not exists (
      select from assets a where a.client_id = e.client_id and a.id = e.subject)`,
  'events with a gap': sql`
    select c.client_id, c.last_event, count(e.id) from client_counters c
      left join events e on e.client_id = c.client_id
    group by c.client_id, c.last_event having count(e.id) <> c.last_event or coalesce(max(e.id), 0) <> c.last_event`,
  'stored bytes that were counted wrong': sql`
    select c.client_id, c.stored_bytes, sum(v.size_bytes) from client_counters c
      left join asset_versions v on v.client_id = c.client_id
    group by c.client_id, c.stored_bytes having coalesce(sum(v.size_bytes), 0) <> c.stored_bytes`,
  'reserved bytes that were counted wrong': sql`
    select c.client_id, c.reserved_bytes, sum(s.expected_size_bytes) from client_counters c
      left join upload_sessions s on s.client_id = c.client_id and s.status = 'open'
    group by c.client_id, c.reserved_bytes having coalesce(sum(s.expected_size_bytes), 0) <> c.reserved_bytes`,
  'an asset in a folder that is not there': sql`
    select a.id from assets a left join folders f on f.client_id = a.client_id and f.id = a.folder_id
    where a.folder_id is not null and f.id is null`,
}
