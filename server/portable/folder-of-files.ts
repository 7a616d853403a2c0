import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { mimeTypeOf } from '../assets/filenames.ts'
import { typeOf } from '../media/pictures/true-type.ts'
import type { PortableLibrary } from './manifest.ts'
import type { PortableAsset } from './portable-asset.ts'
import { PathsAsIds } from './without-ids.ts'

/** A plain folder as a library: its folders, and each file under its own name. Hidden ones and links are left out. */
export async function readFolder(dir: string): Promise<PortableLibrary> {
  const paths = new PathsAsIds()
  const assets = await Array.fromAsync(assetsIn(dir, dir, paths))
  return { assets, sections: { folder: paths.folders } }
}

async function* assetsIn(root: string, dir: string, paths: PathsAsIds): AsyncIterable<PortableAsset> {
  const folder = relative(root, dir).split(sep).filter(Boolean)
  paths.folder(folder)
  const entries = await readdir(dir, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(dir, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* assetsIn(root, path, paths)
    if (entry.isFile())
      yield paths.asset({
        folder,
        updatedAt: null,
        versions: [
          {
            file: [...folder, entry.name].join('/'),
            originalFilename: entry.name,
            mimeType: mimeTypeOf(entry.name) ?? (await typeByBytes(path)),
            sizeBytes: (await stat(path)).size,
            sha256: null,
            createdAt: null,
          },
        ],
      })
  }
}

/** So that a refusal can say what the file is. */
async function typeByBytes(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4100), 0, 4100, 0)
  return (await typeOf(buffer.subarray(0, bytesRead))) ?? 'application/octet-stream'
}
