import { cutName, harmlessName } from '../../contract/file-names.ts'

export interface ArchivePath {
  /** Folders from the top, then the name. A slash inside one of them is only a character. */
  path: string[]
  directory?: boolean
}

/**
 * Names for an archive that any system can unpack, and none outside its target: every part is harmless alone,
 * and no two are the same where case does not count. A folder keeps one name for all that lies in it.
 */
export function safeEntryNames(entries: ArchivePath[]): string[] {
  const folders = new Map<string, string>()
  const taken = new Map<string, number>()

  const folderName = (path: string[]): string => {
    if (path.length === 0) return ''
    const original = JSON.stringify(path)
    const known = folders.get(original)
    if (known !== undefined) return known
    const name = `${freeName(taken, folderName(path.slice(0, -1)), path.at(-1)!)}/`
    folders.set(original, name)
    return name
  }

  return entries.map(({ path, directory }) =>
    directory ? folderName(path) : freeName(taken, folderName(path.slice(0, -1)), path.at(-1) ?? ''),
  )
}

/** The second “photo.jpg” of a folder becomes “photo (2).jpg”. */
function freeName(taken: Map<string, number>, folder: string, wanted: string): string {
  const name = harmless(wanted)
  const identity = (candidate: string) => (folder + candidate).normalize('NFC').toLowerCase()

  let number = taken.get(identity(name)) ?? 0
  let candidate = name
  do {
    number++
    candidate = number === 1 ? name : shortened(name, ` (${number})`)
  } while (number > 1 && taken.has(identity(candidate)))

  taken.set(identity(name), number)
  if (number > 1) taken.set(identity(candidate), 1)
  return folder + candidate
}

const reservedByWindows = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i

function harmless(text: string): string {
  const name = shortened(harmlessName(text) || 'unnamed')
  return reservedByWindows.test(name) ? `_${name}` : name
}

const mostBytes = 120

/** Cut before the extension, and between characters. */
function shortened(name: string, suffix = ''): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.\s]{1,16})?$/su.exec(name) ?? []
  const room = mostBytes - Buffer.byteLength(suffix + extension)
  if (Buffer.byteLength(stem) <= room) return stem + suffix + extension
  return (cutName(stem, room) || 'unnamed') + suffix + extension
}
