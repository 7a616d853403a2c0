import { buffer } from 'node:stream/consumers'
import type { Library } from '../library.ts'
import { previewFile } from './preview.ts'

const side = 1024

/**
 * What a model is shown of a version: its preview, of a film its poster, made smaller, as the pixels alone. The original
 * is not read, and whatever its file says of camera, place and people is in none of its previews.
 */
export async function modelPicture(library: Library, assetId: string, version: number) {
  const preview = await previewFile(library, assetId, { size: 'large', version }, 'image/webp')
  const bytes = (await preview.whole?.()) ?? (await buffer(await preview.open(undefined)))
  const source = {
    sizeBytes: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  }
  const { pictures } = await library.media.previews(source, 'image/webp', [
    { size: 'large', format: 'jpeg', side },
  ])
  return { mimeType: 'image/jpeg', bytes: pictures[0]!.bytes }
}
