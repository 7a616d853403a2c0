import type { Point } from '../../../contract/ratios.ts'
import { encodable, type Pixels } from './pixels.ts'

/** Below this the picture is all but one colour. */
const faintest = 2

/** What draws the eye first (edges, skin, strong colours), 0 to 1 each way; null where nothing stands out. */
export async function attentionOf(pixels: Pixels): Promise<Point | null> {
  const { width, height } = pixels
  const opaque = encodable(pixels).flatten({ background: '#fff' })
  const { channels } = await opaque.clone().stats()
  if (Math.max(...channels.map(({ stdev }) => stdev)) < faintest) return null
  // It is only looked for where something is to be cut off, so half of the longer side is.
  const half =
    width >= height ? { width: Math.ceil(height / 2), height } : { width, height: Math.ceil(width / 2) }
  const { info } = await opaque
    .resize({ ...half, fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { attentionX, attentionY } = info
  if (attentionX === undefined || attentionY === undefined) return null
  return { x: share(attentionX, width), y: share(attentionY, height) }
}

const share = (at: number, of: number) => Math.round(Math.min(1, Math.max(0, at / of)) * 1000) / 1000
