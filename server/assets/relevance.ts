import { type RawBuilder, sql } from 'kysely'
import { folded } from '../../contract/folding.ts'
import { weighedWords } from '../../contract/searched-words.ts'
import { havingWords, type Near, type Search } from './search.ts'

/**
 * How well an asset answers the words: titles count most, then tags, then the rest; a whole word more than the beginning
 * of one, and that more than its inside. Text in the picture counts for nothing: it is behind all that people said. What is
 * only near in its meaning comes behind all of these, with less than 0. The file of just that name counts as a title does.
 */
export function relevance(query: Search): RawBuilder<number> {
  const all = weighedWords(query.q).map(folded)
  const words = all.slice(0, mostWeighed)
  const phrase = all.join(' ')
  const isNamed = /\.[a-z0-9]{2,5}$/.test(phrase)
  const points = all.length <= mostLookedAtClosely ? pointsAmongSigns : pointsAmongSpaces
  const ofEach = words.map((_, at) =>
    [points('title', at, [12, 8, 5]), points('tags', at, [6, 4, 2]), pointsOfRest(at)].join(' + '),
  )
  // `offset 0` keeps the planner from folding the texts anew wherever one is looked at.
  const ofWords = sql<number>`(select ${sql.raw(ofEach.join(' + '))}
      + case when its.title = ' ' || its.phrase || ' ' then 10 when strpos(its.title, its.phrase || its.phrase_end) > 0 then 5 else 0 end
      ${isNamed ? sql`+ case when folded(original_filename) = ${phrase} then 10 else 0 end` : sql``}
    from (select ' ' || folded(title) || ' ' as title, ' ' || folded(array_to_string(tags, ' ')) || ' ' as tags,
        ' ' || split_part(search_text, e'\\x1e', 1) || ' ' as words, ${phrase}::text as phrase,
        ${isNumber(words.at(-1) ?? '') ? ' ' : ''}::text as phrase_end, ${sql.join(words.map(forms))} offset 0) as its)`
  return query.near?.ids.length ? behindWords(query, query.near, ofWords) : ofWords
}

/** Of more words than these the rest has to be there, and says no more about which asset is meant. */
const mostWeighed = 8
/** PostgreSQL keeps 32 patterns: of more words it would make each anew for each asset. */
const mostLookedAtClosely = 3

/** A word as it may stand there: anywhere, at the beginning of another, by itself; between other signs than spaces, too. */
const forms = (word: string, at: number) => {
  const [other, zeros] = isNumber(word) ? ['[^0-9]', '0*'] : ['[^[:alnum:]]', '']
  return sql`${word}::text as ${sql.raw(`in_${at}`)}, ${` ${word}`}::text as ${sql.raw(`first_${at}`)},
    ${` ${word} `}::text as ${sql.raw(`whole_${at}`)}, ${`${other}${zeros}${escaped(word)}`}::text as ${sql.raw(`begin_${at}`)},
    ${other}::text as ${sql.raw(`end_${at}`)}`
}

const isNumber = (word: string) => /^[0-9]+$/.test(word)

type Points = (text: string, at: number, points: [whole: number, begins: number, inside: number]) => string

/** Between spaces a word is whole, which takes far less to see than that it stands between a comma and a bracket. */
const pointsAmongSigns: Points = (text, at, [whole, begins, inside]) =>
  `case when strpos(its.${text}, its.whole_${at}) > 0 then ${whole} when strpos(its.${text}, its.in_${at}) = 0 then 0
    when strpos(its.${text}, its.first_${at}) = 0 and its.${text} !~ its.begin_${at} then ${inside}
    when its.${text} ~ (its.begin_${at} || its.end_${at}) then ${whole} else ${begins} end`

const pointsAmongSpaces: Points = (text, at, [whole, begins, inside]) =>
  `case when strpos(its.${text}, its.whole_${at}) > 0 then ${whole} when strpos(its.${text}, its.first_${at}) > 0 then ${begins}
    when strpos(its.${text}, its.in_${at}) > 0 then ${inside} else 0 end`

/** Of what counts least, no more is looked at than that. */
const pointsOfRest = (at: number) => pointsAmongSpaces('words', at, [3, 2, 1])

const behindWords = (query: Search, near: Near, ofWords: RawBuilder<number>) =>
  sql<number>`case when ${sql.join(havingWords(query), sql` and `)} then ${ofWords}
    else -1 - (${near.distances}::int[])[array_position(${near.ids}::text[], id)] end`

export const isByMeaning = ({ relevance = 0 }: { relevance?: number }) => relevance < 0

const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')
