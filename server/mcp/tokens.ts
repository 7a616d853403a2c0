/** A cautious guess: English has four characters a token, JSON and ids have fewer. */
export const tokensOf = (text: string) => Math.ceil((text.length + 2 * beyondAscii(text)) / 3)

/** How many characters of English a text costs as much as, once it stands in JSON. */
export const widthOf = (text: string) => JSON.stringify(text).length - 2 + 2 * beyondAscii(text)

/** Many a letter that is not of English is a token of its own, or two. */
const beyondAscii = (text: string) => text.match(/[^\0-\x7f]/g)?.length ?? 0

/** Leaves out the ends of lists, the longest first, until an answer takes no more than so many tokens. */
export function within<Answer extends object>(tokens: number, answer: Answer, lists: unknown[][]): Answer {
  while (tokensOf(JSON.stringify(answer)) > tokens) {
    const longest = lists.toSorted((a, b) => b.length - a.length)[0]
    if (!longest?.length) break
    longest.pop()
  }
  return answer
}
