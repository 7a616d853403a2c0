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
  const points = words.map((word) => {
    const begins = `\\m${escaped(word)}`
    const whole = `${begins}\\M`
    return sql`case when its.title ~ ${whole} then 12 when its.title ~ ${begins} then 8 when strpos(its.title, ${word}) > 0 then 5 else 0 end
      + case when its.tags ~ ${whole} then 6 when its.tags ~ ${begins} then 4 when strpos(its.tags, ${word}) > 0 then 2 else 0 end
      + case when its.words ~ ${whole} then 3 when its.words ~ ${begins} then 2 when strpos(its.words, ${word}) > 0 then 1 else 0 end`
  })
  const phrase = words.join(' ')
  points.push(
    sql`case when its.title = ${phrase} then 10 when strpos(its.title, ${phrase}) > 0 then 5 else 0 end`,
  )
  const ofWords = sql<number>`(select ${sql.join(points, sql` + `)}
    from (values (folded(title), folded(array_to_string(tags, ' ')), split_part(search_text, e'\\x1e', 1))) as its (title, tags, words))`
  return query.near?.ids.length ? behindWords(query, query.near, ofWords) : ofWords
}

const behindWords = (query: Search, near: Near, ofWords: RawBuilder<number>) =>
  sql<number>`case when ${sql.join(havingWords(query), sql` and `)} then ${ofWords}
    else -1 - (${near.distances}::int[])[array_position(${near.ids}::text[], id)] end`

export const isByMeaning = ({ relevance = 0 }: { relevance?: number }) => relevance < 0

const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')
