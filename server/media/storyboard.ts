import type { Frames } from './frames.ts'
import { encodable, type Pixels, toPixels } from './pixels.ts'
import { sharp } from './sharp.ts'

/** Small pictures of a film, evenly spaced, in one file; read row by row. */
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

/** Key frames are cheap, but a short film has few: where most would be the same picture, the exact ones are decoded. */
async function stillsAt(frames: Frames, seconds: number[], durationSeconds: number): Promise<Pixels[]> {
  const near = []
  for (const second of seconds) near.push(await frames.near(second))
  const different = new Set(near.map((still) => still.seconds)).size
  if (different * 2 > seconds.length || durationSeconds > 120) return near.map((still) => still.pixels)

  const exact = []
  for await (const still of frames.at(seconds)) exact.push(still.pixels)
  return exact
}

async function asLayer(still: Pixels, width: number, height: number) {
  const same = still.width === width && still.height === height
  const pixels = same ? still : await toPixels(encodable(still).resize({ width, height, fit: 'cover' }))
  return { input: Buffer.from(pixels.data), raw: { width, height, channels: pixels.channels } }
}
