import { createHash } from 'node:crypto'
import type { LongFile } from '../http/file-answers.ts'
import { openLane } from '../jobs/lane.ts'
import type { Library } from '../library.ts'
import { type ByteRange, planZip } from './zip.ts'
import { safeEntryNames } from './zip-names.ts'

export interface ArchiveEntry {
  /** Folders from the top, then the name. */
  path: string[]
  directory: boolean
  sizeBytes: number
  /** Null where nobody knows it yet. */
  crc32: number | null
  modifiedAt: Date
  /** Another one for other bytes; for a folder, nothing. */
  bytesId: string | null
  scan(range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** All files of an archive are gone through for one archive after another: what else is asked comes between. */
const lane = openLane(1)
export const inTurn = <T>({ caller, signal }: Library, work: () => Promise<T>): Promise<T> =>
  lane(work, { name: caller.id, signal })

/** All of it as one zip. Its length and every byte are known before the first is read. */
export function archiveOf(filename: string, contents: ArchiveEntry[]): LongFile {
  const names = safeEntryNames(contents)
  const entries = contents.map(({ directory, sizeBytes, crc32, modifiedAt }, index) => ({
    name: names[index]!,
    directory,
    sizeBytes,
    crc32,
    modifiedAt,
  }))
  const plan = planZip(entries)
  return {
    sizeBytes: plan.length,
    mimeType: 'application/zip',
    etag: archiveETag(names, contents),
    filename,
    disposition: 'attachment',
    scan: (range, signal) => plan.bytes((index, part) => contents[index]!.scan(part, signal), range),
  }
}

/** Changes with anything that changes a byte, so that a download is only resumed on the archive it was begun on. */
function archiveETag(names: string[], contents: ArchiveEntry[]): string {
  const hash = createHash('sha256')
  contents.forEach(({ bytesId, sizeBytes, crc32 }, index) => {
    hash.update(`${names[index]}\0${bytesId}\0${sizeBytes}\0${crc32}\n`)
  })
  return `"${hash.digest('hex').slice(0, 32)}"`
}
