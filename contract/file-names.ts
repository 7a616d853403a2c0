// Control characters, marks that reorder or hide text, and what has a meaning in a path on some system.
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu
const meaningful = /[<>:"/\\|?*]/g
const edges = /^\s+|[\s.]+$/gu

/** Without what has no place in the name of a file on some system. */
export const harmlessName = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(invisible, '').replace(meaningful, '_').replace(edges, '')

const longestBytes = 255

/** The name of a file as it is kept: of a path the last part, without what turns it or cannot be seen, and as short as on any disk. */
export function keptName(given: string): string {
  const last = given.split(/[/\\]/).at(-1)!
  const name = last.toWellFormed().normalize('NFC').replace(invisible, '').trim()
  return /^\.*$/.test(name) ? 'file' : shortened(name)
}

/** Cut before its ending, by which its type is known. */
function shortened(name: string): string {
  if (utf8.encode(name).length <= longestBytes) return name
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.\s]{1,16})?$/su.exec(name) ?? []
  return cutName(stem, longestBytes - utf8.encode(ending).length) + ending
}

const characters = new Intl.Segmenter()
const utf8 = new TextEncoder()

/** No longer than so many bytes, and cut between characters. */
export function cutName(name: string, mostBytes: number): string {
  let kept = ''
  let room = mostBytes
  for (const { segment } of characters.segment(name)) {
    room -= utf8.encode(segment).length
    if (room < 0) break
    kept += segment
  }
  return kept.replace(edges, '')
}
