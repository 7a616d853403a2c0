/** What makes two names of folders the same. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

/** The order people count in: “Shoot 2” before “Shoot 10”. The database has the same rule as `counted()`. */
export const nameOrder = (name: string) =>
  nameKey(name).replace(/[0-9]+/g, (number) => number.padStart(12, '0'))

/** By code points, as the database compares. JavaScript's own order goes by halves of characters: 🍎 before ｚ. */
export function compareText(a: string, b: string): number {
  const at = firstDifference(a, b)
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
  if (Number.isNaN(left) || Number.isNaN(right)) return a.length - b.length
  return isHalf(left) === isHalf(right) ? left - right : isHalf(left) ? 1 : -1
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const letters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** How words are compared in a search: without case and accents. The database has the same rule as `folded()`. */
export const folded = (words: string) =>
  words
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđħıŧßæœ]/g, (letter) => letters[letter]!)

/** Where a text has a word, from its first character to behind its last, in the text as it is written. */
export function placesOf(text: string, word: string): [from: number, to: number][] {
  const wanted = folded(word)
  const plain = folded(text)
  let found = wanted ? plain.indexOf(wanted) : -1
  if (found < 0) return []
  const origins = originsOf(text)
  const places: [number, number][] = []
  while (found >= 0) {
    const end = found + wanted.length
    let behind = end
    while (origins[behind] === origins[end - 1]) behind++
    places.push([origins[found]!, origins[behind] ?? text.length])
    found = plain.indexOf(wanted, end)
  }
  return places
}

/** Where each character of the folded text comes from: one may have become two, and an accent of its own none. */
function originsOf(text: string): number[] {
  const origins: number[] = []
  let at = 0
  for (const letter of text) {
    for (let unit = folded(letter).length; unit > 0; unit--) origins.push(at)
    at += letter.length
  }
  return origins
}

/** Whether a word is in a text, however either of them writes an umlaut: Köln, Koeln and Koln. */
export const hasWord = (text: string, word: string) =>
  folded(text).includes(folded(word)) || withoutPairs(text).includes(withoutPairs(word))

const withoutPairs = (words: string) => folded(words).replace(/([aou])e|aa/g, (_, letter = 'a') => letter)
