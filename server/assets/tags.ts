import { sql } from 'kysely'
import { mostTagged, type TagList, type TagQuery } from '../../contract/assets.ts'
import type { Library } from '../library.ts'
import { escapeLike } from './search.ts'
import { tagKey } from './wording.ts'

/** Of these, the most frequent are offered. */
const mostLookedAt = 50

/** The tags that begin like this and that some asset has. Neither their number nor that of the assets makes it slow. */
export async function listTags(
  { db, clientId }: Library,
  { q = '', limit = 10 }: TagQuery,
): Promise<TagList> {
  const { rows } = await sql<TagList['tags'][number]>`
    with known as (
      select distinct on (tag_key) tag_key, tag from asset_tags
      where client_id = ${clientId} and tag_key like ${`${escapeLike(tagKey(q))}%`}
      order by tag_key limit ${sql.lit(mostLookedAt)})
    select tag, assets from known, lateral (
      select count(*)::int as assets from (
        select from tagged_assets t where t.client_id = ${clientId} and t.tag_key = known.tag_key
        limit ${sql.lit(mostTagged)}) as tagged) as counted
    where assets > 0
    order by assets desc, tag_key limit ${limit}`.execute(db)
  return { tags: rows }
}
