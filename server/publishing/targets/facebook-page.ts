import type { Target } from './target.ts'

export const facebookPage: Target = {
  id: 'facebook-page',
  name: 'Facebook Page',
  surface: 'social',
  takes: { images: 'either', videos: 'either' },
  image: {
    types: { 'image/jpeg': { maxBytes: 10_000_000 }, 'image/png': { maxBytes: 1_000_000 } }, // a larger PNG is blurred
    convert: { format: 'jpeg', maxWidth: 2048, maxHeight: 2048, quality: 88 },
  },
  video: {
    seconds: { min: 3, max: 90 },
    ratio: { min: 0.55, max: 0.575 },
    width: { min: 540 },
    height: { min: 960 },
  },
  set: { most: 10 },
  checked: {
    month: '2026-11',
    source: 'Graph API, Page Photos and Page Video Reels',
    quoted: ['image', 'video'],
  },
}
