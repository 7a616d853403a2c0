import { buffer } from 'node:stream/consumers'
import type { PreviewQuery } from '../../contract/assets.ts'
import { allPreviewSizes } from '../../contract/media-types.ts'
import type { Library } from '../library.ts'
import { previewFile } from '../previews/preview.ts'
import { tokensOf } from './tokens.ts'
import type { Picture } from './tool.ts'

/** A picture of the asset that costs no more than so many tokens as base64: of the size asked for, or a smaller one. */
export async function pictureWithin(
  library: Library,
  assetId: string,
  query: PreviewQuery,
  tokens: number,
): Promise<Picture | undefined> {
  const largest = allPreviewSizes.indexOf(query.size ?? 'card')
  for (const size of allPreviewSizes.slice(0, largest + 1).reverse()) {
    const preview = await previewFile(library, assetId, { ...query, size }, 'image/jpeg')
    const bytes = await buffer(await preview.open(undefined))
    if (costOf(bytes) <= tokens) return { bytes, mimeType: preview.mimeType }
  }
  return undefined
}

export const costOf = (bytes: Buffer) => tokensOf(bytes.toString('base64'))
