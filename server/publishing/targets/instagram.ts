import type { Target } from './target.ts'

export const instagram: Target = {
  id: 'instagram',
  name: 'Instagram',
  surface: 'social',
  takes: { images: 'url', videos: 'url' },
  image: {
    types: { 'image/jpeg': { maxBytes: 8_000_000 } },
    width: { min: 320, max: 1440 },
    ratio: { min: 4 / 5, max: 1.91 },
    altTextLength: 1000,
    convert: { format: 'jpeg', maxWidth: 1080, maxHeight: 1350, quality: 88 },
  },
  video: {
    videoCodecs: ['h264', 'hevc'],
    audioCodecs: ['aac'],
    seconds: { min: 3, max: 900 },
    bytes: { max: 300_000_000 },
    frameRate: { min: 23, max: 60 },
  },
  set: { most: 10, oneRatio: true, films: true },
  checked: { month: '2026-11', source: 'Instagram Platform, Content Publishing', quoted: ['video'] },
}
