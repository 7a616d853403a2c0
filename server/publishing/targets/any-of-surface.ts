import { googleBusinessProfilePosts } from './google-business-profile.ts'
import type { Target } from './target.ts'
import { wordpress } from './wordpress.ts'

const checked: Target['checked'] = {
  month: '2026-11',
  source: 'What all targets of the surface have in common',
  quoted: [],
}

/** What goes out where only the surface is known, and not the system behind it. */
export const anyWebsite: Target = { ...wordpress, id: 'website', name: 'Websites', checked }

export const anySocial: Target = {
  id: 'social',
  name: 'Social media',
  surface: 'social',
  takes: { images: 'either', videos: 'either' },
  image: {
    types: { 'image/jpeg': { maxBytes: 5_000_000 } },
    width: { max: 1440 },
    convert: { format: 'jpeg', maxWidth: 1080, maxHeight: 1350, quality: 88 },
  },
  video: {},
  checked,
}

export const anyGbp: Target = { ...googleBusinessProfilePosts, id: 'gbp', name: 'Business profiles' }
