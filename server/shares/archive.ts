import { assetColumns } from '../assets/asset.ts'
import { type ArchiveEntry, archiveOf } from '../downloads/archive.ts'
import { originalsIn, pathsOf } from '../downloads/folder-archive.ts'
import { foldersBelow } from '../folders/tree.ts'
import type { FileAnswer, LongFile } from '../http/file-answers.ts'
import { FilmInTheMaking } from '../previews/film-renditions.ts'
import { notFound, Problem } from '../problems.ts'
import { downloadOf } from './files.ts'
import { isShared } from './share.ts'
import { mostInArchive, type OpenedShare } from './share-link.ts'

const madeAtOnce = 4

/** All that is shared as one zip, in the form in which it is shared. */
export async function sharedArchive(share: OpenedShare): Promise<LongFile> {
  const { link, library } = share
  if (link.allows !== 'download') throw notFound('No download')
  const folders = link.folder_id === null ? [] : await foldersBelow(library.db, library, link.folder_id)
  const paths = pathsOf(folders)
  const entries =
    link.files === 'original'
      ? await originalsIn(library, paths, isShared(share))
      : await renditions(share, paths)
  return archiveOf(`${link.title}.zip`, entries)
}

async function renditions(share: OpenedShare, paths: Map<string, string[]>): Promise<ArchiveEntry[]> {
  const assets = await share.library.db
    .selectFrom('assets')
    .select(assetColumns)
    .where(isShared(share))
    .orderBy('folder_id')
    .orderBy('id')
    .limit(mostInArchive + 1)
    .execute()
  if (assets.length > mostInArchive) throw tooMany()
  const entries = new Array<ArchiveEntry | undefined>(assets.length)
  const leftOut: string[] = []
  const waiting = assets.entries()
  const makeNext = async () => {
    for (const [at, asset] of waiting) {
      try {
        const file = (await downloadOf(share, asset)) as FileAnswer
        const path = [...(paths.get(asset.folder_id ?? '') ?? []), file.filename]
        entries[at] = { ...entryOf(file), path, modifiedAt: asset.created_at }
      } catch (error) {
        // What cannot be made at all, or takes minutes, is named in the archive; anything else may go better next time.
        const isMissing =
          error instanceof FilmInTheMaking || (error instanceof Problem && error.status === 422)
        if (!isMissing) throw error
        leftOut.push(asset.title)
      }
    }
  }
  await Promise.all(Array.from({ length: madeAtOnce }, makeNext))
  const made = entries.filter((entry) => entry !== undefined)
  return leftOut.length > 0 ? [...made, noteOf(leftOut)] : made
}

const entryOf = (file: FileAnswer) => ({
  directory: false,
  sizeBytes: file.sizeBytes,
  crc32: null,
  bytesId: file.etag,
  async *scan(range: { start: number; end: number }, signal: AbortSignal) {
    const body = await file.open(range)
    signal.addEventListener('abort', () => body.destroy(), { once: true })
    yield* body
  },
})

/** An archive never tacitly holds less than was asked for. */
function noteOf(titles: string[]): ArchiveEntry {
  const bytes = Buffer.from(
    `Not included, because there is no copy of it yet, or none can be made:\n${titles.sort().join('\n')}\n`,
  )
  return {
    path: ['not included.txt'],
    directory: false,
    sizeBytes: bytes.length,
    crc32: null,
    modifiedAt: new Date(0),
    bytesId: titles.join('\n'),
    async *scan({ start, end }) {
      yield bytes.subarray(start, end + 1)
    },
  }
}

const tooMany = () =>
  new Problem(
    'too-large',
    `Of more than ${mostInArchive} files there is no archive of copies. Download them one by one.`,
    { extra: { params: { most: mostInArchive } } },
  )
