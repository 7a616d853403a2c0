import { longestFolderName } from '../../contract/folders.ts'
import { nameKey } from '../../contract/folding.ts'
import { turning, visible } from '../../contract/words.ts'
import { Problem } from '../problems.ts'

const isVisible = new RegExp(visible, 'u')
const breaksOut = new RegExp(`[/${turning}]`, 'u')

/** The name as it is kept: trimmed and composed. */
export function folderName(given: string): string {
  const name = given.normalize('NFC').trim()
  const wrong = !isVisible.test(name)
    ? 'must not be empty'
    : [...name].length > longestFolderName
      ? `must have at most ${longestFolderName} characters`
      : name === '.' || name === '..'
        ? 'must not be "." or ".."'
        : breaksOut.test(name)
          ? 'must not contain "/", control characters or characters that turn the text'
          : undefined
  if (wrong) throw badName(wrong)
  return name
}

/**
 * What a name looks like: without what cannot be seen, marks, dots and blanks, in plain letters, and letters of other
 * alphabets as the Latin ones they are taken for. Names that look alike count as the same.
 */
export const lookOf = (name: string) =>
  [
    ...name
      .normalize('NFKD')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{C}\p{M}\s\u2800.·․‧]/gu, '')
      .toLowerCase(),
  ]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')

// In small letters, also where only the capital is alike.
const lookAlikes = new Map(
  Object.entries({
    a: 'аɑαᴀꭺꓮ@',
    c: 'сςϲᴄꮯꓚⲥ',
    d: 'ԁđɗᴅꭰꓓ',
    e: 'еєҽεᴇꭼꓰ',
    l: 'iіıιɩӏǀ1|ɪłɫʟꙇןוا\u07caꭵꮮꓡꓲⲓ',
    o: 'оοօ0σᴏøסꓳⲟ',
    p: 'рρᴘꮲꓑⲣ',
    s: 'ѕꜱʂꮪꮥտꓢ5$',
    t: 'тτᴛŧꭲꓔⲧ',
    '/': '∕⁄⧸╱',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)

/** How it can be read: also backwards, where it says that its letters run the other way. */
export const looksOf = (name: string) => {
  const look = lookOf(name)
  return /[\u202d\u202e]/.test(name) ? [look, [...look].reverse().join('')] : [look]
}

/** The name itself, or the first of "name (2)", "name (3)"… that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(nameKey(free)); count++) {
    const suffix = ` (${count})`
    free =
      [...name]
        .slice(0, longestFolderName - suffix.length)
        .join('')
        .trimEnd() + suffix
  }
  return free
}

const badName = (wrong: string) =>
  new Problem('invalid-request', `A folder name ${wrong}.`, {
    extra: { errors: [{ path: '/name', message: wrong, rule: 'folderName' }] },
  })
