import type { Point } from '../../../contract/ratios.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'

/** Below this the picture is all but one colour. */
const faintest = 2

/** What draws the eye first (edges, skin, strong colours), 0 to 1 each way; null where nothing stands out. */
export async function attentionOf(pixels: Pixels): Promise<Point | null> {
  const { width, height } = pixels
  const opaque = await toPixels(encodable(pixels).flatten({ background: '#fff' }))
  if (deviation(opaque) < faintest) return null
  // It is only looked for where something is to be cut off, so half of the longer side is.
  const half =
    width >= height ? { width: Math.ceil(height / 2), height } : { width, height: Math.ceil(width / 2) }
  const { info } = await encodable(opaque)
    .resize({ ...half, fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { attentionX, attentionY } = info
  if (attentionX === undefined || attentionY === undefined) return null
  return { x: share(attentionX, width), y: share(attentionY, height) }
}

/** Of the channel that has most of it. A decoder's own statistics would count edges and colours besides. */
function deviation({ data, channels }: Pixels): number {
  const each = Array.from({ length: channels }, (_, channel) => {
    let [sum, squares] = [0, 0]
    for (let at = channel; at < data.length; at += channels) {
      sum += data[at]!
      squares += data[at]! ** 2
    }
    const count = data.length / channels
    return Math.sqrt(squares / count - (sum / count) ** 2)
  })
  return Math.max(...each)
}

const share = (at: number, of: number) => Math.round(Math.min(1, Math.max(0, at / of)) * 1000) / 1000
