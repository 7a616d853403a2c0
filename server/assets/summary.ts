import { sql } from 'kysely'
import type { AssetSummary, Provenance } from '../../contract/assets.ts'
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
  const [tags, alike] = await Promise.all([
    sql<{ tag: string; assets: number }>`
      select min(tag) as tag, count(distinct id) as assets from (select id, unnest(tags) as tag from ${chosen}) as tagged
      group by lower(tag) order by assets desc, tag`.execute(library.db),
    sql<Alike>`
      select allowed_surfaces as "allowedSurfaces", provenance, count(*) as assets,
        count(rights_expire_at) as ending, min(rights_expire_at) as first, max(rights_expire_at) as last
      from ${chosen} group by 1, 2 order by 1, 2`.execute(library.db),
  ])
  const ends = alike.rows.flatMap(({ first, last }) => (first && last ? [first, last] : [])).sort(earlier)
  return {
    assets: countOf(alike.rows),
    tags: tags.rows,
    surfaces: parted(alike.rows, ({ allowedSurfaces }) => ({ allowedSurfaces })),
    provenances: parted(alike.rows, ({ provenance }) => ({ provenance })),
    rights: {
      ending: alike.rows.reduce((sum, { ending }) => sum + ending, 0),
      first: ends[0]?.toISOString() ?? null,
      last: ends.at(-1)?.toISOString() ?? null,
    },
  }
}

/** Assets that may be used on the same surfaces, and came about in the same way. */
interface Alike {
  allowedSurfaces: Surface[]
  provenance: Provenance
  assets: number
  ending: number
  first: Date | null
  last: Date | null
}

const earlier = (one: Date, other: Date) => one.getTime() - other.getTime()

const countOf = (some: Alike[]) => some.reduce((sum, { assets }) => sum + assets, 0)

/** By what they have in common, the most first. */
const parted = <Common>(all: Alike[], common: (its: Alike) => Common): (Common & { assets: number })[] =>
  [...Map.groupBy(all, (each) => JSON.stringify(common(each))).values()]
    .map((some) => ({ ...common(some[0]!), assets: countOf(some) }))
    .sort((one, other) => other.assets - one.assets)

async function chosenBy(library: Library, { assetIds, search, except = [] }: SummaryRequest) {
  if ((assetIds === undefined) === (search === undefined))
    throw new Problem('invalid-request', 'Name the assets by assetIds, or by a search.')
  if (search)
    return [...conditionsOf(library, await searchExactly(library, search)), sql`id <> all(${except}::text[])`]
  const ids = [...new Set(assetIds)].filter((id) => isId('asset', id))
  return [sql`client_id = ${library.clientId}`, sql`id = any(${ids}::text[])`]
}
