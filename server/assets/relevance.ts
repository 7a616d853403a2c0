import { type RawBuilder, sql } from 'kysely'
import { folded, searchedWords } from '../../contract/folding.ts'

/**
 * How well an asset answers the words: titles count most, then tags, then the rest; a whole word more than the beginning
 * of one, and that more than its inside.
 */
export function relevance(q: string | undefined): RawBuilder<number> {
  const words = searchedWords(q).map(folded)
  const points = words.map((word) => {
    const begins = `\\m${escaped(word)}`
    const whole = `${begins}\\M`
    return sql`case when its.title ~ ${whole} then 12 when its.title ~ ${begins} then 8 when strpos(its.title, ${word}) > 0 then 5 else 0 end
      + case when its.tags ~ ${whole} then 6 when its.tags ~ ${begins} then 4 when strpos(its.tags, ${word}) > 0 then 2 else 0 end
      + case when search_text ~ ${whole} then 3 when search_text ~ ${begins} then 1 else 0 end`
  })
  const phrase = words.join(' ')
  points.push(
    sql`case when its.title = ${phrase} then 10 when strpos(its.title, ${phrase}) > 0 then 5 else 0 end`,
  )
  return sql<number>`(select ${sql.join(points, sql` + `)}
    from (values (folded(title), folded(array_to_string(tags, ' ')))) as its (title, tags))`
}

const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')
