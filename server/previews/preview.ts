import type { PreviewQuery } from '../../contract/assets.ts'
import { isFilm, type MediaType, type PreviewFormat, type PreviewSize } from '../../contract/media-types.ts'
import { originalKey, type VersionRow } from '../assets/asset.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import type { Library } from '../library.ts'
import { notFound, objectMissing, Problem } from '../problems.ts'
import { asSource } from '../storage/as-source.ts'
import { type DerivedFile, derivedFile, derivedKey, forgetDerived, type Stored } from './derived.ts'
import { recentBytes } from './recent-bytes.ts'
import { type Shown, shown, shownNoMore } from './shown.ts'

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
  const wanted = { size: query.size ?? 'card', format: bestFormat(accept) }
  const name = previewName(wanted.size, wanted.format, query.frame)
  const { title, version, pending, failure, made } = await shown(library, assetId, query.version, name)
  if (failure) throw cannotBeShown(failure)
  if (made) return derivedAnswer(library, version, made, title)

  const atSeconds = frameOf(version, query)
  const instant = pending && wanted.size === 'thumb' && version.mime_type === 'image/heic'
  const file = await derivedFile(library, version, instant ? instantName(wanted.format) : name, async () => {
    const mimeType = version.mime_type as MediaType
    const { pictures } = await library.media.previews(sourceOf(library, version), mimeType, [wanted], {
      instant,
      atSeconds,
    })
    return { ...pictures[0]!, mimeType: `image/${wanted.format}` }
  })
  return derivedAnswer(library, version, file, title)
}

// A HEIC takes seconds to decode but carries a small picture of itself: shown until the true one is made.
const instantName = (format: PreviewFormat) => `instant.${format}`

// Whole seconds within the video, so that nobody can have more pictures made of it than it lasts.
function frameOf(version: Shown, { frame }: PreviewQuery): number | undefined {
  if (frame === undefined) return undefined
  if (!isFilm(version.mime_type) || frame > (version.duration_seconds ?? 0)) throw notFound('No such frame')
  return frame
}

/** The frames of a film in one picture, for scrubbing through it. */
export async function storyboardFile(library: Library, assetId: string): Promise<FileAnswer> {
  const { title, version, made } = await shown(library, assetId, undefined, storyboardName)
  if (!isFilm(version.mime_type)) throw notFound('No storyboard')
  if (made) return derivedAnswer(library, version, made, title)
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
  return derivedAnswer(library, version, file, title)
}

export const sourceOf = (library: Library, version: Pick<VersionRow, 'object_prefix' | 'size_bytes'>) =>
  asSource(library, originalKey(version), version.size_bytes)

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
  version: Stored & Pick<VersionRow, 'upload_id'>,
  file: DerivedFile,
  title: string,
): FileAnswer {
  const key = derivedKey(version, file)
  return {
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    // A derived file is made once by each maker, so both tell all states of it apart.
    etag: `"${version.upload_id}-${file.name}${file.maker ? `-${file.maker}` : ''}"`,
    filename: `${title}.${file.mimeType.split('/')[1]}`,
    disposition: 'inline',
    open: (range) =>
      orMadeAnew(library, version, file, async () => {
        const stored = await library.storage.head(key)
        if (stored?.sizeBytes !== file.sizeBytes) throw objectMissing()
        return library.storage.read(key, range)
      }),
    whole: () => orMadeAnew(library, version, file, () => recentBytes(library, key, file.sizeBytes)),
  }
}

/** What is said of a file is true of its object, or the file is no more, and the next who asks has it made anew. */
async function orMadeAnew<T>(
  library: Library,
  version: Stored,
  file: DerivedFile,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'object-missing')) throw error
    shownNoMore(library, version, file.name)
    await forgetDerived(library, version, file)
    throw new Problem(
      'media-busy',
      'The stored picture was damaged and is made anew. Ask again in a moment.',
      {
        headers: { 'retry-after': '1' },
        cause: error,
      },
    )
  }
}

const cannotBeShown = (why: string) =>
  new Problem('unreadable-media', `No preview can be made: ${why} The original can be downloaded.`)
