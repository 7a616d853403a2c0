import { cutName, harmlessName } from '../../contract/file-names.ts'

/** Of each part: together they stay below the 255 bytes that file systems take. */
const mostBytes = 60

/** What a file of texts is called on any system: what it has, of whom and of what, and from which day. */
export function csvName(parts: (string | undefined)[], at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((number) =>
    String(number).padStart(2, '0'),
  )
  const said = parts.map((part = '') => cutName(harmlessName(part), mostBytes)).filter(Boolean)
  return `${[...said, day.join('-')].join(' – ')}.csv`
}
