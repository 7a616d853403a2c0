import { sql, type UpdateObject } from 'kysely'
import {
  allPreviewSizes,
  isFilm,
  type MediaType,
  mediaVerdicts,
  type PreviewSize,
} from '../../contract/media-types.ts'
import { type VersionRow, versionIfThere, versionRow } from '../assets/asset.ts'
import { lostChecksums, lostMedia } from '../assets/lost-work.ts'
import type { Trx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { isOutage } from '../http/answers.ts'
import type { Attempt, JobData } from '../jobs/jobs.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { Problem } from '../problems.ts'
import { derivedFile, leaseFree } from './derived.ts'
import { previewName, sourceOf, storyboardName } from './preview.ts'
import { wantsProxy } from './wants-proxy.ts'

/** Makes everything a version is shown by, and says on the asset how it went. Done twice, it makes the same. */
export async function makeMedia(
  parts: Parts,
  { clientId, assetId, version: number }: JobData['media'],
  { last }: Attempt,
): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  const version = await versionIfThere(library.db, library, assetId, number)
  if (!version) return
  try {
    await say(library, version, { media_state: 'ready', ...(await makeAll(library, version)) })
  } catch (error) {
    if (isVerdict(error))
      return void (await say(library, version, { media_state: 'failed', media_problem: error.message }))
    // In an outage it goes on waiting: the sweep queues it again.
    if (last && !isOutage(error))
      await say(library, version, { media_state: 'failed', media_problem: notOurFile(error) })
    throw error
  } finally {
    sourceOf(library, version).release()
  }
}

export const notOurFile = (error: unknown) =>
  error instanceof Problem
    ? error.message
    : 'Something went wrong on our side while it was looked at. Try again, and tell your administrator if it stays.'

/** Gives an asset another chance: one that failed, say after a decoder was updated, or that waits for a job that is gone. */
export async function retryMedia(library: Library, assetId: string): Promise<void> {
  const version = await versionRow(library.db, library, assetId)
  await refuseOtherFile(library, version)
  await change(library, async (its) => {
    const failed = await its.trx
      .updateTable('assets')
      .set({ media_state: 'pending', media_problem: null, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('id', '=', version.asset_id)
      .where('media_state', '=', 'failed')
      .returning('id')
      .executeTakeFirst()
    if (failed) {
      await saidOfVersion(its.trx, version, { media_problem: null })
      its.tell('asset.media', failed.id, { version: version.version, state: 'pending' })
    }
    const it = { clientId: library.clientId, assetId: version.asset_id }
    for (const data of await lostMedia(its.trx, it)) await library.jobs.send(its.trx, 'media', data)
    for (const data of await lostChecksums(its.trx, it)) await library.jobs.send(its.trx, 'checksum', data)
  })
}

/** No decoder mends a file that is not the one that was announced. */
async function refuseOtherFile(library: Library, { upload_id, sha256 }: VersionRow): Promise<void> {
  const announced = await library.db
    .selectFrom('upload_sessions')
    .select('expected_sha256')
    .where('client_id', '=', library.clientId)
    .where('id', '=', upload_id)
    .executeTakeFirst()
  if (sha256 && announced?.expected_sha256 && announced.expected_sha256 !== sha256)
    throw new Problem(
      'checksum-mismatch',
      'The stored file is not the one that was announced: its SHA-256 differs. Upload it again.',
    )
}

type Columns = UpdateObject<Schema, 'assets'>

async function makeAll(library: Library, version: VersionRow): Promise<Columns> {
  const sizes = allPreviewSizes
  const nameOf = (size: PreviewSize) => previewName(size, 'webp')
  const mimeType = version.mime_type as MediaType
  const source = sourceOf(library, version)
  const inWebp = (some: PreviewSize[]) => some.map((size) => ({ size, format: 'webp' as const }))

  await using leased = await leaseFree(library, version, sizes.map(nameOf))
  const ours = sizes.filter((size) => leased.names.has(nameOf(size)))
  // One decoding serves all; even with every size there, placeholder and hash still want it.
  const { pictures, placeholder, perceptualHash, attention } = await library.media.looks(
    source,
    mimeType,
    inWebp(ours.length > 0 ? ours : ['thumb']),
  )
  const there = new Set(leased.made.keys())
  for (const picture of pictures) {
    const name = nameOf(picture.size)
    if (ours.includes(picture.size) && (await leased.keep(name, { ...picture, ...webp }))) there.add(name)
  }
  // What somebody else was making meanwhile is waited for, and made if nothing comes of it.
  for (const size of sizes.filter((size) => !there.has(nameOf(size))))
    await derivedFile(library, version, nameOf(size), async () => ({
      ...(await library.media.previews(source, mimeType, inWebp([size]))).pictures[0]!,
      ...webp,
    }))
  return {
    placeholder,
    focal_guess: attention && JSON.stringify(attention),
    perceptual_hash: perceptualHash && sql<string>`${`x${perceptualHash}`}::bit(64)`,
    ...(isFilm(mimeType) && (await makeStoryboard(library, version))),
    ...(wantsProxy(version) && {
      proxy_state: sql<'waiting'>`case when proxy_state = 'ready' then proxy_state else 'waiting' end`,
      proxy_problem: null,
    }),
  }
}

const webp = { mimeType: 'image/webp' }

async function makeStoryboard(library: Library, version: VersionRow): Promise<Columns> {
  const storyboard = await library.media.storyboard(sourceOf(library, version))
  if (!storyboard) return { storyboard: null }
  const { bytes, mimeType, ...layout } = storyboard
  const { columns, rows, frameWidth, frameHeight } = layout
  await derivedFile(library, version, storyboardName, async () => ({
    bytes,
    mimeType,
    width: columns * frameWidth,
    height: rows * frameHeight,
  }))
  return { storyboard: JSON.stringify(layout) }
}

/**
 * On the asset only of its current version; whether a pinned one can be used, and what draws the eye in it, stays with the version. That a file
 * can be shown does not undo that its checksum was wrong.
 */
export const say = (library: Library, version: VersionRow, columns: Columns) =>
  change(library, async (its) => {
    const row = await its.trx
      .updateTable('assets')
      .set(columns)
      .set({ revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('id', '=', version.asset_id)
      .where('version', '=', version.version)
      .where('media_state', '!=', 'failed')
      .returning([
        'id',
        'media_state',
        'placeholder',
        'media_problem',
        'focal_guess',
        'focal_point',
        'proxy_state',
      ])
      .executeTakeFirst()
    // After the asset: that is the order in which everybody locks them.
    if (columns.media_state === 'failed')
      await saidOfVersion(its.trx, version, { media_problem: columns.media_problem as string })
    else
      await saidOfVersion(its.trx, version, {
        focal_guess: columns.focal_guess as string | null,
        focal_tried: true,
      })
    if (row && columns.proxy_state !== undefined && row.proxy_state === 'waiting')
      await library.jobs.send(its.trx, 'proxy', {
        clientId: library.clientId,
        assetId: row.id,
        version: version.version,
      })
    if (row)
      its.tell('asset.media', row.id, {
        version: version.version,
        state: row.media_state,
        placeholder: row.placeholder,
        problem: row.media_problem,
        focalPoint: row.focal_point ?? row.focal_guess,
        ...(row.proxy_state && { proxy: row.proxy_state }),
      })
  })

const saidOfVersion = (
  trx: Trx,
  version: VersionRow,
  said: { media_problem: string | null } | { focal_guess: string | null; focal_tried: true },
) =>
  trx
    .updateTable('asset_versions')
    .set(said)
    .where('client_id', '=', version.client_id)
    .where('asset_id', '=', version.asset_id)
    .where('version', '=', version.version)
    .execute()

export const isVerdict = (error: unknown): error is Problem =>
  error instanceof Problem && (mediaVerdicts as readonly string[]).includes(error.code)
