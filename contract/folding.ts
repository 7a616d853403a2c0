/** What makes two names of folders the same. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

/** The order people count in: “Shoot 2” before “Shoot 10”. The database has the same rule as `counted()`. */
export const nameOrder = (name: string) =>
  nameKey(name).replace(/[0-9]+/g, (number) => number.padStart(12, '0'))

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

const mostWords = 10

/** What is searched for: each of these words. */
export const searchedWords = (q = '') =>
  q.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords)
