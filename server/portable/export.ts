import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AssetRow, assetColumns, originalKey, toAsset, type VersionRow } from '../assets/asset.ts'
import { filenameOf } from '../assets/filenames.ts'
import { safeEntryNames } from '../downloads/zip-names.ts'
import type { Library } from '../library.ts'
import { objectMissing, Problem } from '../problems.ts'
import { atOnce } from './at-once.ts'
import { folderPaths } from './folder-paths.ts'
import { type PortableAsset, type PortableVersion, writeManifest } from './manifest.ts'

export interface Exported {
  assets: number
  /** Files written now, and files an earlier run had written. */
  written: number
  there: number
  faults: { file: string; code: string; detail: string }[]
}

interface Watch {
  begins(sizeBytes: number): void
  advances(sizeBytes: number): void
}

/** Writes a client's whole library out. What an interrupted run has written stays, and is not fetched again. */
export async function exportLibrary(library: Library, dir: string, watch: Watch): Promise<Exported> {
  const plan = await planOf(library)
  const result: Exported = { assets: 0, written: 0, there: 0, faults: [] }
  watch.begins(plan.files.reduce((sum, { version }) => sum + version.sizeBytes, 0))
  for (const folder of plan.directories) await mkdir(join(dir, folder), { recursive: true })

  const broken = new Set<PortableVersion>()
  await atOnce(4, plan.files, async (file) => {
    try {
      result[await fetchFile(library, dir, file)]++
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 503) throw error
      broken.add(file.version)
      result.faults.push({ file: file.version.file, code: error.code, detail: error.message })
    }
    watch.advances(file.version.sizeBytes)
  })

  const assets = plan.assets.flatMap((asset) => withoutBroken(asset, broken))
  await writeManifest(dir, { folders: plan.folders, assets })
  return { ...result, assets: assets.length }
}

interface PlannedFile {
  key: string
  version: PortableVersion
}

interface Plan {
  folders: string[][]
  directories: string[]
  assets: PortableAsset[]
  files: PlannedFile[]
}

/** Ordered by what is written, not by ids: the same library under another client makes the same plan. */
async function planOf(library: Library): Promise<Plan> {
  const paths = await folderPaths(library)
  const folders = [...paths.values()].sort((a, b) => byText(a.join('\0'), b.join('\0')))
  const versions = Map.groupBy(await versionRows(library), (row) => row.asset_id)
  const all = (await assetRows(library)).map((row) => {
    const rows = versions.get(row.id) ?? []
    return { asset: portable(row, rows, paths.get(row.folder_id ?? '') ?? []), rows }
  })
  all.sort((a, b) => byText(orderOf(a.asset), orderOf(b.asset)))

  const entries = [
    ...folders.map((folder) => ({ path: ['files', ...folder], directory: true })),
    ...all.flatMap(({ asset }) => entriesOf(asset)),
  ]
  const names = safeEntryNames(entries)
  const files: PlannedFile[] = []
  let next = folders.length
  for (const { asset, rows } of all)
    asset.versions.forEach((version, index) => {
      version.file = names[next++]!
      files.push({ key: originalKey(rows[index]!), version })
    })
  return {
    folders,
    directories: names.slice(0, folders.length),
    assets: all.map(({ asset }) => asset),
    files,
  }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const orderOf = (asset: PortableAsset) =>
  `${asset.folder.join('\0')}\0\0${asset.title}\0${JSON.stringify(asset)}`

/** The file that counts now among the others; those before it out of the way. */
function entriesOf({ folder, title = '', versions }: PortableAsset): { path: string[] }[] {
  const name = filenameOf(title, versions.at(-1)!.mimeType)
  return versions.map(({ mimeType }, index) =>
    index === versions.length - 1
      ? { path: ['files', ...folder, name] }
      : { path: ['versions', ...folder, name, filenameOf(String(index + 1), mimeType)] },
  )
}

const assetRows = (library: Library): Promise<AssetRow[]> =>
  library.db
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', library.clientId)
    .where('trashed_at', 'is', null)
    .execute()

const versionRows = (library: Library): Promise<VersionRow[]> =>
  library.db
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .orderBy('version')
    .execute()

function portable(row: AssetRow, versions: VersionRow[], folder: string[]): PortableAsset {
  const asset = toAsset(row)
  const { title, description, altText, tags, allowedSurfaces, provenance, rightsExpireAt, updatedAt } = asset
  return {
    folder,
    ...{ title, description, altText, tags, allowedSurfaces, provenance, rightsExpireAt, updatedAt },
    versions: versions.map((version) => ({
      file: '',
      originalFilename: version.original_filename,
      mimeType: version.mime_type,
      sizeBytes: version.size_bytes,
      sha256: version.sha256,
      createdAt: version.created_at.toISOString(),
      ...(version.focal_point && { focalPoint: version.focal_point }),
      ...(Object.keys(version.crops).length > 0 && { crops: version.crops }),
    })),
  }
}

/** Under its name only when all of it is there and is what was verified. */
async function fetchFile(
  library: Library,
  dir: string,
  { key, version }: PlannedFile,
): Promise<'written' | 'there'> {
  const path = join(dir, version.file)
  const earlier = await stat(path).catch(() => undefined)
  if (earlier?.size === version.sizeBytes) {
    const sha256 = await hashOf(createReadStream(path))
    if (sha256 === version.sha256) return 'there'
  }
  await mkdir(dirname(path), { recursive: true })
  try {
    const hash = createHash('sha256')
    await pipeline(
      await library.storage.read(key),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(`${path}.part`, { flush: true }),
    )
    const sha256 = hash.digest('hex')
    if (version.sha256 !== null && sha256 !== version.sha256)
      throw new Problem('checksum-mismatch', 'The stored file has other bytes than those that were verified.')
    if ((await stat(`${path}.part`)).size !== version.sizeBytes) throw objectMissing()
    version.sha256 = sha256
    await rename(`${path}.part`, path)
    const modified = new Date(version.createdAt ?? Date.now())
    await utimes(path, modified, modified)
    return 'written'
  } finally {
    await rm(`${path}.part`, { force: true })
  }
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

function withoutBroken(asset: PortableAsset, broken: Set<PortableVersion>): PortableAsset[] {
  const whole = asset.versions.filter((version) => !broken.has(version))
  return whole.at(-1) === asset.versions.at(-1) && whole.length > 0 ? [{ ...asset, versions: whole }] : []
}
