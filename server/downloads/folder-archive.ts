import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { originalKey } from '../assets/asset.ts'
import { filenameOf } from '../assets/filenames.ts'
import { type FolderRow, folderPath, foldersBelow } from '../folders/tree.ts'
import type { LongFile } from '../http/file-answers.ts'
import type { Library } from '../library.ts'
import { planZip } from './zip.ts'
import { safeEntryNames } from './zip-names.ts'

/** The folder with all below it as one zip. Its length and every byte are known before the first is read. */
export async function folderArchive(library: Library, folderId: string): Promise<LongFile> {
  const folder = (await folderPath(library.db, library, folderId)).at(-1)!
  const contents = await contentsOf(library, await foldersBelow(library.db, library, folder.id))
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
    filename: `${folder.name}.zip`,
    disposition: 'attachment',
    scan: (range, signal) =>
      plan.bytes((index, part) => library.storage.scan(contents[index]!.key!, part, signal), range),
  }
}

interface Content {
  path: string[]
  directory: boolean
  key: string | null
  sizeBytes: number
  crc32: number | null
  modifiedAt: Date
}

async function contentsOf(library: Library, folders: FolderRow[]): Promise<Content[]> {
  const paths = new Map<string, string[]>()
  for (const { id, parent_id, name } of folders) paths.set(id, [...(paths.get(parent_id ?? '') ?? []), name])
  const directories = folders.map(({ id, created_at }) => ({
    path: paths.get(id)!,
    directory: true,
    key: null,
    sizeBytes: 0,
    crc32: 0,
    modifiedAt: created_at,
  }))
  const files = await filesIn(library, [...paths.keys()])
  return [
    ...directories,
    ...files.map((file) => ({
      path: [...paths.get(file.folder_id!)!, filenameOf(file.title, file.mime_type)],
      directory: false,
      key: originalKey(file),
      sizeBytes: file.size_bytes,
      crc32: file.crc32,
      modifiedAt: file.created_at,
    })),
  ]
}

const filesIn = (library: Library, folderIds: string[]) =>
  library.db
    .selectFrom('assets')
    .innerJoin('asset_versions', (join) =>
      join
        .onRef('asset_versions.client_id', '=', 'assets.client_id')
        .onRef('asset_versions.asset_id', '=', 'assets.id')
        .onRef('asset_versions.version', '=', 'assets.version'),
    )
    .select(['assets.folder_id', 'assets.title', 'asset_versions.mime_type', 'asset_versions.size_bytes'])
    .select(['asset_versions.crc32', 'asset_versions.object_prefix', 'asset_versions.created_at'])
    .where('assets.client_id', '=', library.clientId)
    .where(sql<boolean>`assets.folder_id = any(${folderIds}::text[])`)
    .where('assets.trashed_at', 'is', null)
    .orderBy('assets.folder_id')
    .orderBy('assets.id')
    .execute()

/** Changes with anything that changes a byte, so that a download is only resumed on the archive it was begun on. */
function archiveETag(names: string[], contents: Content[]): string {
  const hash = createHash('sha256')
  contents.forEach(({ key, sizeBytes, crc32 }, index) => {
    hash.update(`${names[index]}\0${key}\0${sizeBytes}\0${crc32}\n`)
  })
  return `"${hash.digest('hex').slice(0, 32)}"`
}
