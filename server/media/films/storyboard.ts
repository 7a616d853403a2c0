import { encodable, type Pixels, toPixels } from '../pictures/pixels.ts'
import { sharp } from '../pictures/sharp.ts'
import type { Frames } from './frames.ts'

/** Small pictures of a video, evenly spaced, in one file; read row by row. */
export interface Storyboard {
  bytes: Uint8Array
  mimeType: 'image/webp'
  columns: number
  rows: number
  frameWidth: number
  frameHeight: number
  frameCount: number
  intervalSeconds: number
}

export const storyboardSide = 240
const mostFrames = 20
const columns = 5

export async function drawStoryboard(frames: Frames, durationSeconds: number): Promise<Storyboard> {
  const frameCount = Math.max(1, Math.min(mostFrames, Math.floor(durationSeconds * 2)))
  const intervalSeconds = durationSeconds / frameCount
  const stills = await stillsAt(
    frames,
    Array.from({ length: frameCount }, (_, i) => (i + 0.5) * intervalSeconds),
    durationSeconds,
  )
  const { width: frameWidth, height: frameHeight } = stills[0]!
  const rows = Math.ceil(frameCount / columns)
  const used = Math.min(columns, frameCount)
  const bytes = await sharp({
    create: { width: used * frameWidth, height: rows * frameHeight, channels: 3, background: '#000' },
  })
    .composite(
      await Promise.all(
        stills.map(async (still, i) => ({
          ...(await asLayer(still, frameWidth, frameHeight)),
          left: (i % columns) * frameWidth,
          top: Math.floor(i / columns) * frameHeight,
        })),
      ),
    )
    .webp({ quality: 70 })
    .toBuffer()
  return {
    bytes,
    mimeType: 'image/webp',
    columns: used,
    rows,
    frameWidth,
    frameHeight,
    frameCount,
    intervalSeconds,
  }
}

/** Key frames are cheap, but a short video has few: where nearly all would be the same, the exact ones are decoded. */
async function stillsAt(frames: Frames, seconds: number[], durationSeconds: number): Promise<Pixels[]> {
  const keys = await Promise.all(seconds.map((second) => frames.keyBefore(second)))
  const isEnough = new Set(keys).size >= Math.min(5, seconds.length)
  const wanted = isEnough || durationSeconds > 120 ? keys : seconds

  const stills = new Map<number, Pixels>()
  const once = [...new Set(wanted)]
  try {
    for await (const { pixels } of frames.at(once)) stills.set(once[stills.size]!, pixels)
  } catch (error) {
    if (stills.size === 0) throw error // damaged from here on: the last good one stands for the rest
  }
  const last = [...stills.values()].at(-1)!
  return wanted.map((second) => stills.get(second) ?? last)
}

async function asLayer(still: Pixels, width: number, height: number) {
  const same = still.width === width && still.height === height
  const pixels = same ? still : await toPixels(encodable(still).resize({ width, height, fit: 'cover' }))
  return { input: Buffer.from(pixels.data), raw: { width, height, channels: pixels.channels } }
}
