import { type RawBuilder, sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'
import { havingWords, type Near, type Search } from './search.ts'

/**
 * How well an asset answers the words: titles count most, then tags, then the rest; a whole word more than the beginning
 * of one, and that more than its inside. Text in the picture counts for nothing: it is behind all that people said. What is
 * only near in its meaning comes behind all of these, with less than 0.
 */
export function relevance(query: Search): RawBuilder<number> {
  const words = searchedWords(query.q).map(folded)
  const begins = words.map((word) => `\\m${escaped(word)}`)
  const wholes = begins.map((begin) => `${begin}\\M`)
  const phrase = words.join(' ')
  // `offset 0` keeps the planner from folding the texts anew wherever one is looked at.
  const ofWords = sql<number>`(select sum(${points('title', 12, 8, 5)} + ${points('tags', 6, 4, 2)} + ${points('words', 3, 2, 1)})::int
      + max(case when its.title = ${phrase} then 10 when strpos(its.title, ${phrase}) > 0 then 5 else 0 end)
    from (select folded(title) as title, folded(array_to_string(tags, ' ')) as tags,
        split_part(search_text, e'\\x1e', 1) as words offset 0) as its,
      unnest(${words}::text[], ${begins}::text[], ${wholes}::text[]) as sought (word, begins, whole))`
  return query.near?.ids.length ? behindWords(query, query.near, ofWords) : ofWords
}

const points = (text: string, whole: number, begins: number, inside: number) =>
  sql.raw(`case when strpos(its.${text}, sought.word) = 0 then 0
    when its.${text} ~ sought.whole then ${whole} when its.${text} ~ sought.begins then ${begins} else ${inside} end`)

const behindWords = (query: Search, near: Near, ofWords: RawBuilder<number>) =>
  sql<number>`case when ${sql.join(havingWords(query), sql` and `)} then ${ofWords}
    else -1 - (${near.distances}::int[])[array_position(${near.ids}::text[], id)] end`

export const isByMeaning = ({ relevance = 0 }: { relevance?: number }) => relevance < 0

const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')
