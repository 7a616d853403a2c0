import type { PreviewQuery, PreviewSize } from '../../contract/assets.ts'
import { assetRow, originalKey, type VersionRow, versionRow } from '../assets/asset.ts'
import type { FileAnswer } from '../file-answers.ts'
import type { Library } from '../library.ts'
import type { PreviewFormat } from '../media/preview-sizes.ts'
import type { MediaType } from '../media/true-type.ts'
import { notFound, Problem } from '../problems.ts'
import { asSource } from '../storage/as-source.ts'
import { type DerivedFile, derivedFile, derivedKey, isMade } from './derived.ts'

export const previewName = (size: PreviewSize, format: PreviewFormat, frame?: number) =>
  `preview-${size}${frame === undefined ? '' : `-at-${frame}`}.${format}`
export const storyboardName = 'storyboard'

/** A small picture of the asset, made now if nobody has asked for it before. */
export async function previewFile(
  library: Library,
  assetId: string,
  query: PreviewQuery,
  accept: string | undefined,
): Promise<FileAnswer> {
  const { title, version, pending, failure, durationSeconds } = await shown(library, assetId, query.version)
  const wanted = { size: query.size ?? 'card', format: bestFormat(accept) }
  const atSeconds = frameOf(version, query, durationSeconds)
  if (failure) throw cannotBeShown(failure)

  const name = previewName(wanted.size, wanted.format, atSeconds)
  const instant =
    pending &&
    wanted.size === 'thumb' &&
    version.mime_type === 'image/heic' &&
    !(await isMade(library, version, name))
  const file = await derivedFile(library, version, instant ? instantName(wanted.format) : name, async () => {
    const mimeType = version.mime_type as MediaType
    const { pictures } = await library.media.previews(sourceOf(library, version), mimeType, [wanted], {
      instant,
      atSeconds,
    })
    return { ...pictures[0]!, mimeType: `image/${wanted.format}` }
  })
  return derivedAnswer(library, version, file, title, query.version !== undefined && !instant)
}

// A HEIC takes seconds to decode but carries a small picture of itself: shown until the true one is made.
const instantName = (format: PreviewFormat) => `instant.${format}`

// Whole seconds within the video, so that nobody can have more pictures made of it than it lasts.
function frameOf(version: VersionRow, { frame }: PreviewQuery, durationSeconds: number): number | undefined {
  if (frame === undefined) return undefined
  if (version.mime_type !== 'video/mp4' || frame > durationSeconds) throw notFound('No such frame')
  return frame
}

/** The frames of a film in one picture, for scrubbing through it. */
export async function storyboardFile(library: Library, assetId: string): Promise<FileAnswer> {
  const { title, version } = await shown(library, assetId, undefined)
  if (version.mime_type !== 'video/mp4') throw notFound('No storyboard')
  const file = await derivedFile(library, version, storyboardName, async () => {
    const storyboard = await library.media.storyboard(sourceOf(library, version))
    if (!storyboard) throw notFound('No storyboard')
    const { columns, rows, frameWidth, frameHeight } = storyboard
    return {
      bytes: storyboard.bytes,
      mimeType: storyboard.mimeType,
      width: columns * frameWidth,
      height: rows * frameHeight,
    }
  })
  return derivedAnswer(library, version, file, title, false)
}

export const sourceOf = (library: Library, version: VersionRow) =>
  asSource(library.storage, originalKey(version), version.size_bytes)

/**
 * The format to answer in. WebP goes before AVIF where both are taken: an AVIF costs half a second of CPU to
 * make and saves a few kilobytes.
 */
export function bestFormat(accept = '*/*'): PreviewFormat {
  const takes = (type: string) =>
    new RegExp(`(^|[\\s,])image/${type}\\s*(;(?!\\s*q=0(\\.0*)?\\s*(,|$))[^,]*)?(,|$)`, 'i').test(accept)
  return takes('webp') ? 'webp' : takes('avif') ? 'avif' : 'jpeg'
}

export function derivedAnswer(
  library: Library,
  version: VersionRow,
  file: DerivedFile,
  title: string,
  pinned: boolean,
): FileAnswer {
  return {
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    // A derived file is made once, so where it lies tells all states of it apart.
    etag: `"${version.upload_id}-${file.name}"`,
    filename: `${title}.${file.mimeType.split('/')[1]}`,
    disposition: 'inline',
    ...(pinned && { freshSeconds: 3600 }),
    open: (range) => library.storage.read(derivedKey(version, file.name), range),
  }
}

async function shown(library: Library, assetId: string, wanted: number | undefined) {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, wanted ?? asset.version)
  const current = version.version === asset.version
  return {
    title: asset.title,
    version,
    durationSeconds: version.duration_seconds ?? 0,
    pending: current && asset.media_state === 'pending',
    failure: current && asset.media_state === 'failed' ? asset.media_problem : null,
  }
}

const cannotBeShown = (why: string) =>
  new Problem('unreadable-media', `No preview can be made: ${why} The original can be downloaded.`)
