// Control characters, marks that reorder or hide text, and what has a meaning in a path on some system.
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu
const meaningful = /[<>:"/\\|?*]/g
const edges = /^\s+|[\s.]+$/gu
/** Of each part: together they stay below the 255 bytes that file systems take. */
const mostBytes = 60

/** What a file of texts is called on any system: what it has, of whom and of what, and from which day. */
export function csvName(parts: (string | undefined)[], at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((number) =>
    String(number).padStart(2, '0'),
  )
  const said = [...parts.map((part = '') => harmless(part)).filter(Boolean), day.join('-')]
  return `${said.join(' – ')}.csv`
}

function harmless(text: string): string {
  const plain = text.toWellFormed().normalize('NFC').replace(invisible, '').replace(meaningful, '_')
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(plain)) {
    if (new TextEncoder().encode(kept + segment).length > mostBytes) break
    kept += segment
  }
  return kept.replace(edges, '')
}
