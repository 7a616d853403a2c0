// Control characters, marks that reorder or hide text, and what has a meaning in a path on some system.
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu
const meaningful = /[<>:"/\\|?*]/g
const edges = /^\s+|[\s.]+$/gu

/** Without what has no place in the name of a file on some system. */
export const harmlessName = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(invisible, '').replace(meaningful, '_').replace(edges, '')

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
