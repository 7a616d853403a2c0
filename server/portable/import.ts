import { createReadStream, existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { sql } from 'kysely'
import { uploadVerdicts } from '../../contract/media-types.ts'
import { restoreVersion } from '../assets/versions.ts'
import { prefixesToRemove } from '../jobs/gone.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'
import type { MovedIds, Section, TakenIn } from '../section.ts'
import type { Past } from '../uploads/become-asset.ts'
import { finalizeSession, refuseUnsupported } from '../uploads/finalize.ts'
import { stagingKey } from '../uploads/session.ts'
import { openSession } from '../uploads/sessions.ts'
import { atOnce } from './at-once.ts'
import { readFolder } from './folder-of-files.ts'
import type { Entry, Journal, Renamed } from './journal.ts'
import { manifestName, readManifest } from './manifest.ts'
import { movedIds } from './moved-ids.ts'
import type { PortableAsset, PortableVersion } from './portable-asset.ts'
import { afterAssets, beforeAssets } from './sections.ts'

export interface Imported {
  /** Assets made now, and assets an earlier run had made. */
  made: number
  there: number
  refused: TakenIn['refused']
  /** What could not keep its id, which is in use here. */
  renamed: Renamed[]
  /** The same for everything else, by its name in the manifest. */
  sections: Record<string, Omit<TakenIn, 'refused'>>
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
  const ids = movedIds(library, journal)
  const result: Imported = { made: 0, there: 0, refused: [], renamed: ids.renamed, sections: {} }
  const refuse = (file: string, { code, message }: Problem) => {
    result.refused.push({ file, code, detail: message })
    watch.refuses(file, message)
  }
  const takeIn = async ({ name, read }: Section) => {
    const { refused, ...counts } = await read(library, given.sections[name] ?? [], ids)
    for (const { file, code, detail } of refused) refuse(file, new Problem(code as Problem['code'], detail))
    result.sections[name] = counts
  }

  for (const section of beforeAssets) await takeIn(section)
  await settleAssets(library, given.assets, ids)
  await atOnce(4, given.assets, async (asset) => {
    try {
      result[await importAsset(library, dir, asset, ids, journal)]++
    } catch (error) {
      // A store or a database out of reach is no verdict on the file: run again, and it goes on from here.
      if (!isRefusal(error)) throw error
      refuse(asset.versions.at(-1)!.file, error)
    }
    watch.advances(sizeOf(asset))
  })
  for (const section of afterAssets) await takeIn(section)
  return result
}

const sizeOf = ({ versions }: PortableAsset) => versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** An id is not free either while a job is about to remove what was stored under it. */
const settleAssets = ({ db, clientId }: Library, assets: PortableAsset[], ids: MovedIds) =>
  ids.settle(
    'asset',
    assets.map(({ assetId }) => assetId),
    async (some) => [
      ...(await db
        .selectFrom('assets')
        .select(['id', 'client_id'])
        .where(sql<boolean>`id = any(${some}::text[])`)
        .execute()),
      ...(await prefixesToRemove(db, clientId)).map((prefix) => ({
        id: prefix.split('/')[1]!,
        client_id: '',
      })),
    ],
  )

/** Its versions in their order: the first makes the asset, the others replace its file. Those that are there stay. */
async function importAsset(
  library: Library,
  dir: string,
  asset: PortableAsset,
  ids: MovedIds,
  journal: Journal,
): Promise<'made' | 'there'> {
  const { assetId: _a, folderId, versions, createdAt: _c, updatedAt, trash, hold, ...words } = asset
  const assetId = ids.of(asset.assetId)
  let current = await currentVersion(library, assetId)
  const outcome = current >= versions.at(-1)!.version ? 'there' : 'made'
  for (const version of versions.filter((each) => each.version > current)) {
    refuseUnsupported({ mime_type: version.mimeType })
    const past = pastOf(asset, version, ids)
    const twin = versions.find((each) => each.file === version.file && each.version < version.version)
    if (twin) await restoreVersion(library, assetId, twin.version, restored(past, version))
    else {
      const { file, originalFilename, mimeType, sha256 } = version
      const path = await pathOf(dir, file)
      const upload = {
        originalFilename,
        mimeType,
        expectedSizeBytes: path.sizeBytes,
        ...(sha256 && { sha256 }),
        ...(current > 0
          ? { replacesAssetId: assetId }
          : !trash && { folderId: folderId && ids.of(folderId) }),
      }
      await uploadFile(library, { file, path: path.path, assetId, upload, words, past }, journal)
    }
    current = version.version
  }
  return outcome
}

async function currentVersion({ db, clientId }: Library, assetId: string): Promise<number> {
  const row = await db
    .selectFrom('assets')
    .select('version')
    .where('client_id', '=', clientId)
    .where('id', '=', assetId)
    .executeTakeFirst()
  return row?.version ?? 0
}

function pastOf({ versions, ...asset }: PortableAsset, its: PortableVersion, ids: MovedIds): Past {
  const { createdAt, focalPoint, crops, version } = its
  const { trash, hold, folderId } = asset
  const isLast = its === versions.at(-1)
  return {
    version,
    ...(createdAt && {
      createdAt: new Date(createdAt),
      updatedAt: new Date((isLast && asset.updatedAt) || createdAt),
    }),
    framing: { ...(focalPoint && { focalPoint }), ...(crops && { crops }) },
    asset: {
      ...(asset.createdAt && { created_at: asset.createdAt }),
      ...(trash && {
        folder_id: folderId && ids.of(folderId),
        trashed_at: trash.trashedAt,
        trashed_with: trash.trashedWith && ids.of(trash.trashedWith),
      }),
      ...(hold && { held_at: hold.heldAt, held_by: hold.heldBy, hold_reason: hold.reason }),
    },
  }
}

const restored = ({ createdAt, updatedAt }: Past, { version, focalPoint, crops }: PortableVersion) => ({
  version,
  createdAt,
  updatedAt,
  framing: { focal_point: focalPoint ?? null, crops: crops ?? {} },
})

interface OneUpload {
  file: string
  path: string
  assetId: string
  upload: Parameters<typeof openSession>[1]
  words: object
  past: Past
}

async function uploadFile(library: Library, its: OneUpload, journal: Journal): Promise<void> {
  const { file, path, assetId, upload, words, past } = its
  const put = ({ uploadSessionId: id }: Entry) =>
    library.storage.put(stagingKey({ id }), createReadStream(path), { sizeBytes: upload.expectedSizeBytes })
  const finalize = async ({ uploadToken }: Entry) => {
    await finalizeSession(library, { uploadToken, ...words }, past)
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
  const { uploadSessionId, uploadToken } = await openSession(library, upload, { moving: { assetId } })
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
