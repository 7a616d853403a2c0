import { createReadStream, existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { nameKey } from '../../contract/folding.ts'
import { uploadVerdicts } from '../../contract/media-types.ts'
import { createFolder } from '../folders/folders.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { finalizeSession, refuseUnsupported } from '../uploads/finalize.ts'
import { stagingKey } from '../uploads/session.ts'
import { openSession } from '../uploads/sessions.ts'
import { atOnce } from './at-once.ts'
import { readFolder } from './folder-of-files.ts'
import { folderPaths } from './folder-paths.ts'
import type { Entry, Journal } from './journal.ts'
import { manifestName, type PortableAsset, type PortableLibrary, readManifest } from './manifest.ts'

export interface Imported {
  /** Assets made now, and assets an earlier run had made. */
  made: number
  there: number
  refused: { file: string; code: string; detail: string }[]
}

interface Watch {
  begins(sizeBytes: number): void
  advances(sizeBytes: number): void
  refuses(file: string, why: string): void
}

/**
 * Takes a folder of files in, by its manifest or, without one, as it lies there. Every file goes the way of any
 * upload, so every rule holds; one that is refused is told, and the rest goes on.
 */
export async function importLibrary(
  library: Library,
  dir: string,
  journal: Journal,
  watch: Watch,
): Promise<Imported> {
  const given = existsSync(join(dir, manifestName)) ? await readManifest(dir) : await readFolder(dir)
  watch.begins(given.assets.reduce((sum, asset) => sum + sizeOf(asset), 0))
  const folders = await makeFolders(library, given)
  const result: Imported = { made: 0, there: 0, refused: [] }
  await atOnce(4, given.assets, async (asset) => {
    const { file } = asset.versions.at(-1)!
    try {
      const folderId = folders.get(keyOf(asset.folder))
      if (folderId instanceof Problem) throw folderId
      result[await importAsset(library, dir, asset, folderId ?? null, journal)]++
    } catch (error) {
      // A store or a database out of reach is no verdict on the file: run again, and it goes on from here.
      if (!isRefusal(error)) throw error
      result.refused.push({ file, code: error.code, detail: error.message })
      watch.refuses(file, error.message)
    }
    watch.advances(sizeOf(asset))
  })
  return result
}

const sizeOf = ({ versions }: PortableAsset) => versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

const keyOf = (path: string[]) => JSON.stringify(path.map(nameKey))

/** Folders of the same name are taken as they are. Where one cannot be made, what lies in it is refused for the same reason. */
async function makeFolders(
  library: Library,
  { folders, assets }: PortableLibrary,
): Promise<Map<string, string | Problem>> {
  const made = await knownFolders(library)
  const wanted = [...folders, ...assets.map(({ folder }) => folder)].flatMap((path) =>
    path.map((_, depth) => path.slice(0, depth + 1)),
  )
  for (const path of wanted) {
    if (made.has(keyOf(path))) continue
    const parent = path.length > 1 ? made.get(keyOf(path.slice(0, -1)))! : null
    if (parent instanceof Problem) made.set(keyOf(path), parent)
    else
      try {
        const { folder } = await createFolder(library, { name: path.at(-1)!, parentId: parent })
        made.set(keyOf(path), folder.folderId)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        made.set(keyOf(path), error)
      }
  }
  return made
}

const knownFolders = async (library: Library): Promise<Map<string, string | Problem>> =>
  new Map([...(await folderPaths(library))].map(([folderId, path]) => [keyOf(path), folderId]))

/** Its versions in their order: the first makes the asset, the others replace its file. */
async function importAsset(
  library: Library,
  dir: string,
  asset: PortableAsset,
  folderId: string | null,
  journal: Journal,
): Promise<'made' | 'there'> {
  const { folder: _, versions, updatedAt, ...words } = asset
  let assetId: string | undefined
  let outcome: 'made' | 'there' = 'there'
  for (const [index, version] of versions.entries()) {
    const { file, originalFilename, mimeType, sha256, createdAt, focalPoint, crops } = version
    const known = journal.of(file)
    if (known?.assetId) {
      assetId = known.assetId
      continue
    }
    refuseUnsupported({ mime_type: mimeType })
    const path = await pathOf(dir, file)
    const last = index === versions.length - 1
    const past = {
      ...(createdAt && {
        createdAt: new Date(createdAt),
        updatedAt: new Date((last && updatedAt) || createdAt),
      }),
      framing: { ...(focalPoint && { focalPoint }), ...(crops && { crops }) },
    }
    const upload = {
      originalFilename,
      mimeType,
      expectedSizeBytes: path.sizeBytes,
      ...(sha256 && { sha256 }),
      ...(assetId ? { replacesAssetId: assetId } : { folderId }),
    }
    assetId = await uploadFile(library, { file, path: path.path, upload, words, past }, journal)
    outcome = 'made'
  }
  return outcome
}

interface OneUpload {
  file: string
  path: string
  upload: Parameters<typeof openSession>[1]
  words: object
  past: Parameters<typeof finalizeSession>[2]
}

async function uploadFile(library: Library, its: OneUpload, journal: Journal): Promise<string> {
  const { file, path, upload, words, past } = its
  const put = ({ uploadSessionId: id }: Entry) =>
    library.storage.put(stagingKey({ id }), createReadStream(path), { sizeBytes: upload.expectedSizeBytes })
  const finalize = async (entry: Entry) => {
    const { uploadToken } = entry
    const { asset } = await finalizeSession(library, { uploadToken, ...words }, past)
    await journal.note(file, { ...entry, assetId: asset.assetId })
    return asset.assetId
  }

  const begun = journal.of(file)
  if (begun)
    try {
      return await finalize(begun).catch(async (error) => {
        if (!isRefusal(error) || error.code !== 'file-not-uploaded') throw error
        await put(begun)
        return finalize(begun)
      })
    } catch (error) {
      if (!isRefusal(error) || !endings.includes(error.code)) throw error // else from the start
    }
  const { uploadSessionId, uploadToken } = await openSession(library, upload)
  const entry = { uploadSessionId, uploadToken }
  await journal.note(file, entry)
  await put(entry)
  return finalize(entry)
}

/** After these nothing will come of a session any more. After any other something may, and a second one could double it. */
const endings: string[] = ['upload-expired', 'upload-not-found', ...uploadVerdicts]

const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500

/** A manifest may come from anywhere: it names files below its own folder, and nothing else. */
async function pathOf(dir: string, file: string): Promise<{ path: string; sizeBytes: number }> {
  const path = file.includes('\0') ? '' : await realpath(join(dir, file)).catch(() => '')
  const inside = path.startsWith((await realpath(dir)) + sep)
  const found = inside ? await stat(path) : undefined
  if (!found?.isFile()) throw new Problem('not-found', `There is no file ${file} in the folder.`)
  if (found.size === 0) throw new Problem('unreadable-media', 'The file is empty.')
  return { path, sizeBytes: found.size }
}
