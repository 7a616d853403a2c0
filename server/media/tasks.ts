import { decodeHeic, inspectHeic } from './heic.ts'
import type { Inspection, Limits } from './inspection.ts'
import { decodePicture, inspectPicture } from './picture.ts'
import type { WantedPreview } from './preview-sizes.ts'
import { encodePreviews, hashOf, largestSide, type PreviewPicture, placeholder } from './previews.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'
import { agreedType, type MediaType } from './true-type.ts'

/** What a decoding process can be asked for. */
export const tasks = { inspect, previews }
export type Tasks = typeof tasks

async function inspect(
  source: Source,
  { declaredType }: { declaredType: string },
  limits: Limits,
): Promise<Inspection> {
  const type = await agreedType(source, declaredType)
  if (type === 'image/heic') return inspectHeic(source, limits)
  if (type === 'video/mp4') throw new Refusal('unsupported-type', 'Not yet.')
  return inspectPicture(source, type, limits)
}

export interface Previews {
  pictures: PreviewPicture[]
  /** ThumbHash, base64. */
  placeholder: string
  /** 64 bits in hexadecimal; null where there is nothing to compare. */
  perceptualHash: string | null
}

async function previews(
  source: Source,
  { mimeType, wanted, instant }: { mimeType: MediaType; wanted: WantedPreview[]; instant?: boolean },
  limits: Limits,
): Promise<Previews> {
  const side = largestSide(wanted)
  const pixels =
    mimeType === 'image/heic'
      ? await decodeHeic(source, side, limits, instant)
      : await decodePicture(source, side, limits)
  return {
    pictures: await encodePreviews(pixels, wanted),
    placeholder: await placeholder(pixels),
    perceptualHash: await hashOf(pixels),
  }
}
