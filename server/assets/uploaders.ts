import { sql } from 'kysely'
import type { Uploaders } from '../../contract/assets.ts'
import type { Library } from '../library.ts'

const most = 200

/**
 * Who uploaded what is there: one step in the index each, however many assets they have. The client's own people are told
 * of each other.
 */
export async function listUploaders({ db, clientId, caller }: Library): Promise<Uploaders> {
  const there = sql`client_id = ${clientId} and trashed_at is null`
  const { rows } = await sql<Uploaders['uploaders'][number]>`
    with recursive uploader as (
      (select created_by as id from assets where ${there} order by created_by limit 1)
      union all
      select (select created_by from assets where ${there} and created_by > uploader.id order by created_by limit 1)
      from uploader where uploader.id is not null
    ), known as (select id collate "C" as id from uploader where id is not null limit ${sql.lit(most)})
    select known.id as uploader, coalesce(users.name, api_keys.name) as name from known
    left join users on users.id = known.id left join api_keys on api_keys.id = known.id
    where ${caller.clientId === null ? sql`true` : sql`users.role = 'client'`}
    order by lower(coalesce(users.name, api_keys.name)), known.id`.execute(db)
  return { uploaders: rows }
}
