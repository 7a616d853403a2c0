import { sql } from 'kysely'
import type { AssetSummary, SummaryRequest } from '../../contract/assets.ts'
import type { Surface } from '../../contract/words.ts'
import { isId } from '../ids.ts'
import type { Library } from '../library.ts'

/** What many assets have in common: what a person who is about to change all of them has to know. */
export async function summarize(library: Library, { assetIds }: SummaryRequest): Promise<AssetSummary> {
  const ids = [...new Set(assetIds)].filter((id) => isId('asset', id))
  const chosen = sql`assets where client_id = ${library.clientId} and id = any(${ids}::text[])`
  const [tags, surfaces] = await Promise.all([
    sql<{ tag: string; assets: number }>`
      select min(tag) as tag, count(distinct id) as assets from (select id, unnest(tags) as tag from ${chosen}) as tagged
      group by lower(tag) order by assets desc, tag`.execute(library.db),
    sql<{ allowedSurfaces: Surface[]; assets: number }>`
      select allowed_surfaces as "allowedSurfaces", count(*) as assets from ${chosen}
      group by allowed_surfaces order by assets desc, allowed_surfaces`.execute(library.db),
  ])
  return {
    assets: surfaces.rows.reduce((sum, { assets }) => sum + assets, 0),
    tags: tags.rows,
    surfaces: surfaces.rows,
  }
}
