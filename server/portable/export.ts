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
import type { Refused } from '../section.ts'
import { atOnce } from './at-once.ts'
import { folderPaths } from './folder-paths.ts'
import { writeManifest } from './manifest.ts'
import type { PortableAsset, PortableVersion } from './portable-asset.ts'
import { allSections } from './sections.ts'

export interface Exported {
  assets: number
  /** Files written now, and files an earlier run had written. */
  written: number
  there: number
  faults: Refused[]
}

interface Watch {
  begins(sizeBytes: number): void
  advances(sizeBytes: number): void
}

/** Writes a client's whole library out. What an interrupted run has written stays, and is not fetched again. */
export async function exportLibrary(library: Library, dir: string, watch: Watch): Promise<Exported> {
  const plan = await planOf(library)
  const result: Exported = { assets: 0, written: 0, there: 0, faults: [] }
  watch.begins(plan.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  for (const folder of plan.directories) await mkdir(join(dir, folder), { recursive: true })

  const broken = new Set<string>()
  await atOnce(4, plan.files, async (file) => {
    try {
      result[await fetchFile(library, dir, file)]++
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 503) throw error
      broken.add(file.file)
      result.faults.push({ file: file.file, code: error.code, detail: error.message })
    }
    watch.advances(file.sizeBytes)
  })

  const assets = plan.assets.flatMap((asset) => withoutBroken(asset, broken))
  const sections: Record<string, unknown[]> = {}
  for (const { name, write, leavesOut } of allSections) {
    sections[name] = await write(library)
    result.faults.push(...((await leavesOut?.(library)) ?? []))
  }
  await writeManifest(dir, { assets, sections })
  return { ...result, assets: assets.length }
}

/** A stored original, and the versions that stand on it. */
interface PlannedFile {
  key: string
  file: string
  sizeBytes: number
  versions: PortableVersion[]
}

interface Plan {
  directories: string[]
  assets: PortableAsset[]
  files: PlannedFile[]
}

/** In the order of ids: the same library on another server makes the same plan. */
async function planOf(library: Library): Promise<Plan> {
  const paths = await folderPaths(library)
  const folders = [...paths.values()].sort((a, b) => byText(a.join('\0'), b.join('\0')))
  const versions = Map.groupBy(await versionRows(library), (row) => row.asset_id)
  const assets: PortableAsset[] = []
  const files: (PlannedFile & { path: string[] })[] = []
  for (const row of await assetRows(library)) {
    const rows = versions.get(row.id) ?? []
    const asset = portable(row, rows)
    const place = row.trashed_at ? ['trash'] : ['files', ...(paths.get(row.folder_id ?? '') ?? [])]
    assets.push(asset)
    files.push(...filesOf(asset, rows, place))
  }
  const names = safeEntryNames([
    ...folders.map((folder) => ({ path: ['files', ...folder], directory: true })),
    ...files,
  ])
  files.forEach((file, index) => {
    file.file = names[folders.length + index]!
    for (const version of file.versions) version.file = file.file
  })
  return { directories: names.slice(0, folders.length), assets, files }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The file that counts now among the others; those before it out of the way. */
function filesOf({ title = '', versions }: PortableAsset, rows: VersionRow[], place: string[]) {
  const [top, ...folder] = place
  const name = filenameOf(title, versions.at(-1)!.mimeType)
  const old = (version: number, mimeType: string) => ({
    path: [
      'versions',
      ...(top === 'trash' ? ['trash'] : []),
      ...folder,
      name,
      filenameOf(String(version), mimeType),
    ],
  })
  const stored = Map.groupBy(versions, ({ version }) =>
    originalKey(rows.find((row) => row.version === version)!),
  )
  return [...stored].map(([key, its]) => {
    const { version, mimeType, sizeBytes } = its[0]!
    const isCurrent = its.at(-1) === versions.at(-1)
    const { path } = isCurrent ? { path: [...place, name] } : old(version, mimeType)
    return { key, file: '', sizeBytes, versions: its, path }
  })
}

const assetRows = (library: Library): Promise<AssetRow[]> =>
  library.db
    .selectFrom('assets')
    .select(assetColumns)
    .where('client_id', '=', library.clientId)
    .orderBy('id')
    .execute()

const versionRows = (library: Library): Promise<VersionRow[]> =>
  library.db
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .orderBy('version')
    .execute()

function portable(row: AssetRow, versions: VersionRow[]): PortableAsset {
  const { assetId, folderId, hold, trashedAt, createdAt, ...asset } = toAsset(row)
  const { hold_reason: reason } = row
  const { title, description, altText, tags, allowedSurfaces, provenance, rightsExpireAt, updatedAt } = asset
  return {
    assetId,
    folderId,
    ...{ title, description, altText, tags, allowedSurfaces, provenance, rightsExpireAt },
    ...{ createdAt, updatedAt },
    ...(trashedAt && { trash: { trashedAt, trashedWith: row.trashed_with } }),
    ...(hold && reason && { hold: { ...hold, reason } }),
    versions: versions.map((version) => ({
      version: version.version,
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
  { key, file, sizeBytes, versions }: PlannedFile,
): Promise<'written' | 'there'> {
  const path = join(dir, file)
  const [version] = versions as [PortableVersion]
  const earlier = await stat(path).catch(() => undefined)
  if (earlier?.size === sizeBytes) {
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
    if ((await stat(`${path}.part`)).size !== sizeBytes) throw objectMissing()
    for (const each of versions) each.sha256 = sha256
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

function withoutBroken(asset: PortableAsset, broken: Set<string>): PortableAsset[] {
  const whole = asset.versions.filter(({ file }) => !broken.has(file))
  return whole.at(-1) === asset.versions.at(-1) && whole.length > 0 ? [{ ...asset, versions: whole }] : []
}
