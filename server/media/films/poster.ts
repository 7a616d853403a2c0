import { encodable, type Pixels } from '../pictures/pixels.ts'
import type { Frames, Still } from './frames.ts'

/** A picture that stands for the video: the first of a few that is neither black, white nor blank. */
export async function pickPoster(frames: Frames, durationSeconds: number): Promise<Pixels> {
  let best: (Still & { spread: number }) | undefined
  try {
    for await (const still of candidates(frames, durationSeconds)) {
      const { mean, spread } = await brightness(still.pixels)
      if (mean > 30 && mean < 230 && spread > 20) return still.pixels
      if (!best || spread > best.spread) best = { ...still, spread }
    }
  } catch (error) {
    if (!best) throw error // a dull picture is better than none
  }
  return best!.pixels
}

const places = [0.1, 0.3, 0.5, 0.7]

/** Key frames first, for they are cheap; a short video may have one only, and that one may be a fade from black. */
async function* candidates(frames: Frames, durationSeconds: number): AsyncGenerator<Still> {
  const keys = await Promise.all(places.map((place) => frames.keyBefore(durationSeconds * place)))
  for (const key of new Set(keys)) yield* frames.at([key])
  if (durationSeconds <= 120) yield* frames.at([0.5, 0.9].map((place) => durationSeconds * place))
}

async function brightness(pixels: Pixels) {
  const { channels } = await encodable(pixels).resize(64, 64, { fit: 'fill' }).toColourspace('b-w').stats()
  return { mean: channels[0]!.mean, spread: channels[0]!.stdev }
}
