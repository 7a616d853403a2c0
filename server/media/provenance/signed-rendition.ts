import type { Missed, Rendition, Transformation } from '../pictures/rendition.ts'
import { type Action, type Original, type Signing, signed } from './sign.ts'

/** A rendition with a manifest. Where both do not fit into the bytes that its target takes, it goes without. */
export async function signedRendition(
  original: Original,
  order: Transformation,
  make: (order: Transformation) => Promise<Rendition | Missed>,
  signing: Signing,
): Promise<Rendition | Missed> {
  const { maxBytes = Infinity } = order
  const sign = async (made: Rendition): Promise<Rendition> => {
    const { bytes, mimeType } = made
    return {
      ...made,
      bytes: await signed(original, { bytes, mimeType, actions: done(order, made) }, signing),
    }
  }
  const first = await make(order)
  if ('missed' in first) return first
  const whole = await sign(first)
  const excess = whole.bytes.length - first.bytes.length
  if (whole.bytes.length <= maxBytes) return whole
  if (maxBytes <= excess) return first
  const smaller = await make({ ...order, maxBytes: maxBytes - excess })
  if ('missed' in smaller) return first
  const fitting = await sign(smaller)
  return fitting.bytes.length <= maxBytes ? fitting : first
}

const done = ({ original, cut, watermark }: Transformation, made: Rendition): Action[] => [
  ...(cut.width < original.width || cut.height < original.height ? ['c2pa.cropped' as const] : []),
  ...(made.width !== cut.width || made.height !== cut.height ? ['c2pa.resized' as const] : []),
  ...(watermark === undefined ? [] : ['c2pa.edited' as const]),
  'c2pa.transcoded',
]
