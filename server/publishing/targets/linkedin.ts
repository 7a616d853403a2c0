import type { Target } from './target.ts'

export const linkedin: Target = {
  id: 'linkedin',
  name: 'LinkedIn',
  surface: 'social',
  takes: { images: 'bytes', videos: 'bytes' },
  image: {
    types: { 'image/jpeg': {}, 'image/png': {} },
    maxPixels: 36_152_319,
    altTextLength: 4086,
    convert: { format: 'jpeg', maxWidth: 2048, maxHeight: 2048, quality: 88, transparent: 'png' },
  },
  video: {
    seconds: { min: 3, max: 1800 },
    bytes: { min: 75_000, max: 500_000_000 },
  },
  set: { most: 20 },
  checked: {
    month: '2026-11',
    source: 'LinkedIn Marketing API, Images and Videos',
    quoted: ['image', 'video'],
  },
}
