import type { Target } from './target.ts'

export const x: Target = {
  id: 'x',
  name: 'X',
  surface: 'social',
  takes: { images: 'bytes', videos: 'bytes' },
  image: {
    types: {
      'image/jpeg': { maxBytes: 5_000_000 },
      'image/png': { maxBytes: 5_000_000 },
      'image/webp': { maxBytes: 5_000_000 },
    },
    convert: { format: 'jpeg', maxWidth: 2048, maxHeight: 2048, quality: 88, transparent: 'png' },
  },
  video: {
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    seconds: { min: 0.5, max: 1200 },
    bytes: { max: 512_000_000 }, // its pages disagree on the cap; this is the safe one
    frameRate: { max: 60 },
  },
  set: { most: 4 },
  checked: { month: '2026-11', source: 'X API, Media upload and best practices', quoted: [] },
}
