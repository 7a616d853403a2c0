import { sql } from 'kysely'
import type { AssetSummary } from '../../contract/assets.ts'
import type { SummaryRequest } from '../../contract/batches.ts'
import type { Surface } from '../../contract/words.ts'
import { isId } from '../ids.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { conditionsOf } from './search.ts'
import { searchExactly } from './spelling.ts'

/** What many assets have in common: what a person who is about to change all of them has to know. */
export async function summarize(library: Library, request: SummaryRequest): Promise<AssetSummary> {
  const chosen = sql`assets where ${sql.join(await chosenBy(library, request), sql` and `)}`
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

async function chosenBy(library: Library, { assetIds, search, except = [] }: SummaryRequest) {
  if ((assetIds === undefined) === (search === undefined))
    throw new Problem('invalid-request', 'Name the assets by assetIds, or by a search.')
  if (search)
    return [...conditionsOf(library, await searchExactly(library, search)), sql`id <> all(${except}::text[])`]
  const ids = [...new Set(assetIds)].filter((id) => isId('asset', id))
  return [sql`client_id = ${library.clientId}`, sql`id = any(${ids}::text[])`]
}
