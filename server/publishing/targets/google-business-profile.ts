import type { Target } from './target.ts'

const rules: Pick<Target, 'surface' | 'image' | 'video' | 'refusesOrigins' | 'checked'> = {
  surface: 'gbp',
  image: {
    types: { 'image/jpeg': { maxBytes: 5_000_000 }, 'image/png': { maxBytes: 5_000_000 } },
    minBytes: 10_000,
    shortEdge: { min: 250 }, // 720 × 720 is advised
    convert: { format: 'jpeg', maxWidth: 1080, maxHeight: 1350, quality: 88 },
  },
  video: { seconds: { max: 30 }, bytes: { max: 75_000_000 }, shortEdge: { min: 720 } },
  refusesOrigins: {
    origins: ['generated', 'stock'],
    reason:
      'Google asks for pictures taken with a camera and refuses stock or generated ones on business profiles. Choose a photo of the place.',
  },
  checked: {
    month: '2026-11',
    source: 'Business Profile APIs, media upload; Business Profile photo guidelines',
    quoted: ['image', 'video', 'policy'],
  },
}

export const googleBusinessProfileGallery: Target = {
  id: 'google-business-profile-gallery',
  name: 'Google Business Profile gallery',
  takes: { images: 'either', videos: 'either' },
  ...rules,
}

export const googleBusinessProfilePosts: Target = {
  id: 'google-business-profile-posts',
  name: 'Google Business Profile posts',
  takes: { images: 'url', videos: 'url' },
  set: { most: 1 },
  ...rules,
}
