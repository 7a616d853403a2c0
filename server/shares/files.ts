import { createHash } from 'node:crypto'
import { isFilm, type MediaType, type PreviewSize } from '../../contract/media-types.ts'
import { type AssetRow, versionRow } from '../assets/asset.ts'
import { originalFile } from '../assets/content.ts'
import { filenameOf } from '../assets/filenames.ts'
import type { FileAnswer, LongFile } from '../http/file-answers.ts'
import { derivedFile } from '../previews/derived.ts'
import { filmRendition } from '../previews/film-renditions.ts'
import { filmWithoutNotes, rendition } from '../previews/outgoing.ts'
import { bestFormat, derivedAnswer, previewFile, previewName, sourceOf } from '../previews/preview.ts'
import { proxyFile } from '../previews/proxies.ts'
import { filmFacts } from '../previews/wants-proxy.ts'
import { notFound, Problem } from '../problems.ts'
import { marking } from '../publishing/film-recipe.ts'
import type { Recipe } from '../publishing/recipe.ts'
import { sharedAsset } from './share.ts'
import type { OpenedShare } from './share-link.ts'

const largestSide = 2560

/** A small picture of a shared asset, under the watermark if there is one. */
export async function sharedPreview(
  share: OpenedShare,
  assetId: string,
  size: PreviewSize,
  accept: string | undefined,
): Promise<FileAnswer> {
  const { link, library } = share
  const asset = await sharedAsset(share, assetId)
  const { watermark } = link
  if (watermark === null) return previewFile(library, asset.id, { size }, accept)

  const version = await versionRow(library.db, library, asset.id, asset.version)
  const wanted = { size, format: bestFormat(accept) }
  const name = `marked-${nameOf(watermark)}-${previewName(size, wanted.format)}`
  const file = await derivedFile(library, version, name, async () => {
    const mimeType = version.mime_type as MediaType
    const { pictures } = await library.media.previews(sourceOf(library, version), mimeType, [wanted], {
      watermark,
    })
    return { ...pictures[0]!, mimeType: `image/${wanted.format}` }
  })
  return derivedAnswer(library, version, file, asset.title)
}

const nameOf = (watermark: string) => createHash('sha256').update(watermark).digest('hex').slice(0, 16)

/** A shared film, to be played: the copy that every browser plays, or else the film itself without its notes. */
export async function sharedFilm(share: OpenedShare, assetId: string): Promise<FileAnswer | LongFile> {
  const asset = await sharedAsset(share, assetId)
  if (!isFilm(asset.mime_type)) throw notFound('No film')
  return { ...(await filmOf(share, asset)), disposition: 'inline' }
}

/** Whether a film can be played. Under a watermark it is its poster until a marked copy is there, which the first look asks for. */
export async function canPlay(share: OpenedShare, asset: SharedFilm): Promise<boolean> {
  if (!isFilm(asset.mime_type)) return false
  if (share.link.watermark === null) return true
  try {
    await markedFilm(share, asset, share.link.watermark)
    return true
  } catch (error) {
    if (error instanceof Problem && ['media-busy', 'target-refuses'].includes(error.code)) return false
    throw error
  }
}

type SharedFilm = Pick<AssetRow, 'id' | 'version' | 'title' | 'mime_type'>

/** The file that a guest takes away. Where they may only look, there is none. */
export async function sharedDownload(share: OpenedShare, assetId: string): Promise<FileAnswer | LongFile> {
  if (share.link.allows !== 'download') throw notFound('No download')
  return downloadOf(share, await sharedAsset(share, assetId))
}

export async function downloadOf(share: OpenedShare, asset: AssetRow): Promise<FileAnswer | LongFile> {
  const { link, library } = share
  if (link.files === 'original') return originalFile(library, asset.id, { download: true })
  if (isFilm(asset.mime_type)) {
    const film = await filmOf(share, asset)
    return { ...film, filename: filenameOf(asset.title, film.mimeType), disposition: 'attachment' }
  }
  const version = await versionRow(library.db, library, asset.id, asset.version)
  const file = await rendition(library, version, recipeFor(asset, link.watermark))
  return {
    ...derivedAnswer(library, version, file, asset.title),
    filename: filenameOf(asset.title, file.mimeType),
    disposition: 'attachment',
  }
}

async function filmOf(share: OpenedShare, asset: AssetRow): Promise<FileAnswer> {
  const { library, link } = share
  if (link.watermark !== null) return markedFilm(share, asset, link.watermark)
  if (asset.proxy_state === 'ready') return proxyFile(library, asset.id, undefined)
  const version = await versionRow(library.db, library, asset.id, asset.version)
  return filmWithoutNotes(library, asset, version)
}

/** Made by a job; never the film as it is. */
async function markedFilm(
  { library }: OpenedShare,
  asset: SharedFilm,
  watermark: string,
): Promise<FileAnswer> {
  const version = await versionRow(library.db, library, asset.id, asset.version)
  try {
    const file = await filmRendition(library, version, marking(filmFacts(version), watermark))
    return derivedAnswer(library, version, file, asset.title)
  } catch (error) {
    throw error instanceof Problem && error.code === 'target-refuses' ? withoutWatermark() : error
  }
}

const recipeFor = ({ details }: AssetRow, watermark: string | null): Recipe => ({
  format: details.hasAlpha ? 'png' : 'jpeg',
  maxWidth: largestSide,
  maxHeight: largestSide,
  ...(watermark !== null && { watermark }),
})

const withoutWatermark = () =>
  new Problem(
    'target-refuses',
    'This film cannot be marked here, and leaves only where no watermark is wanted.',
  )
