import { sql } from 'kysely'
import { inOtherWords, searchedWords } from '../../contract/searched-words.ts'
import type { Library } from '../library.ts'
import { orderNameFor } from './order-for.ts'
import { conditionsOf, idInRef, type Near, type Search } from './search.ts'

/** What words do not find is added up to here. */
const mostNear = 100
/** So few are compared one by one: the index, which has those of all clients, may pass some over. */
const mostCompared = 2_000

/**
 * What is near the words in its meaning, under all filters of the search; undefined where that is not looked for, or
 * cannot be found out now. Only a list that is ranked by words has it: in any other order it would stand among them.
 */
export async function nearTo(
  library: Library,
  query: Search & { cursor?: string },
): Promise<Near | undefined> {
  const { meaning, clientId, db } = library
  if (!meaning || query.meaning === false || !mayMean(query.q)) return undefined
  if ((await orderNameFor(library, query)) !== 'relevance' || !(await consents(library, meaning.host)))
    return undefined
  const sought = await meaning.sought(clientId, query.q!.trim())
  if (!sought) return undefined

  const { model, dimensions, vector, farthest } = sought
  const halfvec = sql`halfvec(${sql.lit(dimensions)})`
  const distance = sql`its.vector <=> ${JSON.stringify(vector)}::${halfvec}`
  const { placed: _, ...others } = query
  const filters = { ...others, q: inOtherWords(query.q, []) }
  const own = sql`asset_vectors where client_id = ${clientId} and model = ${model}`
  const { rows } = await db.transaction().execute(async (trx) => {
    const { rows: some } = await sql<{
      areFew: boolean
    }>`select set_config('hnsw.ef_search', ${String(mostNear)}, true),
      set_config('hnsw.iterative_scan', 'strict_order', true),
      (select count(*) <= ${sql.lit(mostCompared)} from (select from ${own} limit ${sql.lit(mostCompared + 1)}) as its) as "areFew"`.execute(
      trx,
    )
    // No index knows a sum.
    const order = some[0]!.areFew ? sql`(${distance}) + 0` : distance
    return sql<{ id: string; distance: number }>`
      select id, (distance * 1000000)::integer as distance from (
        select id, ${distance} as distance
        from assets join (select asset_id, vector::${halfvec} as vector from ${own} and vector_dims(vector) = ${sql.lit(dimensions)}
        ) as its on its.asset_id = id
        where ${sql.join(conditionsOf(library, filters), sql` and `)}
        order by ${order} limit ${sql.lit(mostNear)}) as nearest
      where distance <= ${farthest}`.execute(trx)
  })
  return { ids: rows.map(({ id }) => id), distances: rows.map(({ distance }) => distance) }
}

/** Letters, and no assetRef: of anything else no model knows what it means. */
const mayMean = (q: string | undefined) => {
  const words = searchedWords(q)
  return words.some((word) => /\p{L}{2}/u.test(word)) && !words.some(idInRef)
}

async function consents({ db, clientId }: Library, host: string): Promise<boolean> {
  const { rows } =
    await sql`select from ai_consents where client_id = ${clientId} and host = ${host}`.execute(db)
  return rows.length > 0
}
