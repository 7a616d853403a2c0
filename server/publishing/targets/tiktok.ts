import type { Target } from './target.ts'

/** Photos are fetched only from a domain that was verified with TikTok. */
export const tiktok: Target = {
  id: 'tiktok',
  name: 'TikTok',
  surface: 'social',
  takes: { images: 'url', videos: 'bytes' },
  image: {
    types: { 'image/jpeg': { maxBytes: 20_000_000 }, 'image/webp': { maxBytes: 20_000_000 } },
    shortEdge: { max: 1080 },
    convert: { format: 'jpeg', maxWidth: 1080, maxHeight: 1920, quality: 88, transparent: 'webp' },
  },
  video: {
    videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'],
    frameRate: { min: 23, max: 60 },
  },
  set: { most: 35 },
  checked: {
    month: '2026-11',
    source: 'TikTok Content Posting API, media transfer guide',
    quoted: ['image', 'video'],
  },
}
