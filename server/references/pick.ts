import { sql } from 'kysely'
import type { Asset } from '../../contract/assets.ts'
import { searchedWords } from '../../contract/folding.ts'
import type { Ratio } from '../../contract/ratios.ts'
import type { Surface } from '../../contract/words.ts'
import { type AssetRow, assetColumns, toAsset } from '../assets/asset.ts'
import { conditionsOf, containing } from '../assets/search.ts'
import type { Library } from '../library.ts'
import { rank } from './ranking.ts'
import { resolveRefs } from './resolve.ts'

/** Of more, the newest: a library may have any number, and each is looked at. */
const mostMatched = 2000
const mostCandidates = 200
/** How many more than are wanted are tried on the target: some it will not take. */
const triedPerWanted = 3

export interface Wish {
  q?: string | undefined
  surface: Surface
  target?: string | undefined
  ratio?: Ratio | undefined
  kind?: 'image' | 'video' | undefined
  /** Leave out what some use points to. */
  unused?: boolean | undefined
  limit: number
}

export interface Pick {
  asset: Asset
  pinnedRef: string
  score: number
  why: string[]
}

/** The best assets for a purpose that may be used for it now, each with why; the best first. */
export async function pickAssets(library: Library, wish: Wish): Promise<Pick[]> {
  const { surface, target, ratio, limit } = wish
  const words = searchedWords(wish.q)
  const now = new Date()
  const ranked = (await candidates(library, wish, words))
    .map((row) => ({ row, ...rank(factsOf(row, words.length), { ratio, words: words.length }, now) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit * triedPerWanted)
  const resolved = await resolveRefs(
    library,
    ranked.map(({ row }) => row.id),
    { surface, target, ratio },
  )
  return ranked
    .flatMap(({ row, score, why }, place) => {
      const its = resolved[place]!
      if (!its.ok) return []
      const sent = its.sending.fits === 'as-is' ? 'is sent as it is' : 'is converted for it'
      const asset = toAsset(row)
      return [{ asset, pinnedRef: `${row.id}@${row.version}`, score, why: [...why, sent] }]
    })
    .slice(0, limit)
}

type Row = AssetRow & { had: number; named: number; last_used_at: Date | null }

async function candidates(library: Library, wish: Wish, words: string[]): Promise<Row[]> {
  const mimeType = wish.kind === 'video' ? 'video/*' : 'image/*'
  const conditions = conditionsOf(library, {
    surface: wish.surface,
    mimeType,
    everywhere: true,
    ...(wish.unused && { used: false }),
  })
  const has = (column: ReturnType<typeof sql>) =>
    words.map((word) => sql`(${column} like ${containing(word)})::int`)
  const sum = (terms: ReturnType<typeof sql>[]) => (terms.length > 0 ? sql.join(terms, sql` + `) : sql`0`)
  if (words.length > 0)
    conditions.push(
      sql`(${sql.join(
        words.map((word) => sql`search_text like ${containing(word)}`),
        sql` or `,
      )})`,
    )
  const { rows } = await sql<Row>`
    select ${sql.raw(assetColumns.join(', '))}, had, named,
      (select max(u.updated_at) from use_refs r join uses u
        on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
        where r.client_id = best.client_id and r.asset_id = best.id and u.status <> 'cancelled') as last_used_at
    from (
      select *, ${sum(has(sql`search_text`))} as had,
        ${sum(has(sql`folded(title || ' ' || array_to_string(tags, ' '))`))} as named
      from (
        select * from assets where ${sql.join(conditions, sql` and `)}
        order by created_at desc limit ${mostMatched}
      ) matched
      order by had desc, named desc, created_at desc limit ${mostCandidates}
    ) best`.execute(library.db)
  return rows
}

const factsOf = (row: Row, words: number) => ({
  wordShare: words > 0 ? row.had / words : 0,
  namedShare: words > 0 ? row.named / words : 0,
  width: row.width,
  height: row.height,
  approval: row.approval,
  rightsExpireAt: row.rights_expire_at,
  lastUsedAt: row.last_used_at,
})
