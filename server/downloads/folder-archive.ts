import { type ExpressionBuilder, sql } from 'kysely'
import { originalKey } from '../assets/asset.ts'
import { filenameOf } from '../assets/filenames.ts'
import type { Schema } from '../db/schema.ts'
import { type FolderRow, folderPath, foldersBelow } from '../folders/tree.ts'
import type { LongFile } from '../http/file-answers.ts'
import { downloaded, type Library } from '../library.ts'
import { type ArchiveEntry, archiveOf, inTurn } from './archive.ts'

/** The folder with all below it as one zip. */
export async function folderArchive(library: Library, folderId: string): Promise<LongFile> {
  const folder = (await folderPath(library.db, library, folderId)).at(-1)!
  const folders = await foldersBelow(library.db, library, folder.id)
  const paths = pathsOf(folders)
  const directories = folders.map(({ id, created_at }) => ({
    path: paths.get(id)!,
    directory: true,
    sizeBytes: 0,
    crc32: 0,
    modifiedAt: created_at,
    bytesId: null,
    scan: nothing,
  }))
  const files = await originalsIn(library, paths, (eb) =>
    eb.and([
      sql<boolean>`assets.folder_id = any(${[...paths.keys()]}::text[])`,
      eb('assets.trashed_at', 'is', null),
    ]),
  )
  return {
    ...archiveOf(`${folder.name}.zip`, [...directories, ...files]),
    begins: () => downloaded(library, { action: 'folder.downloaded', thing: folder.id, name: folder.name }),
  }
}

/** Each folder's names from the one on top down to itself. */
export function pathsOf(folders: Pick<FolderRow, 'id' | 'parent_id' | 'name'>[]): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { id, parent_id, name } of folders) paths.set(id, [...(paths.get(parent_id ?? '') ?? []), name])
  return paths
}

/** The originals of these assets, each in its folder if that has a path here. */
export async function originalsIn(
  library: Library,
  paths: Map<string, string[]>,
  which: (eb: ExpressionBuilder<Schema, 'assets'>) => ReturnType<typeof eb.and>,
): Promise<ArchiveEntry[]> {
  const files = await inTurn(library, () =>
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
      .where((eb) => which(eb as unknown as ExpressionBuilder<Schema, 'assets'>))
      .orderBy('assets.folder_id')
      .orderBy('assets.id')
      .execute(),
  )
  return files.map((file) => {
    const path = [...(paths.get(file.folder_id ?? '') ?? []), filenameOf(file.title, file.mime_type)]
    return originalEntry(library, { ...file, path })
  })
}

export interface Original {
  path: string[]
  size_bytes: number
  crc32: number | null
  object_prefix: string
  created_at: Date
}

/** An original under the name it has in an archive. */
export function originalEntry({ storage }: Library, original: Original): ArchiveEntry {
  const key = originalKey(original)
  return {
    path: original.path,
    directory: false,
    sizeBytes: original.size_bytes,
    crc32: original.crc32,
    modifiedAt: original.created_at,
    bytesId: key,
    scan: (range, signal) => storage.scan(key, range, signal),
  }
}

async function* nothing() {}
