import { anyGbp, anySocial, anyWebsite } from './any-of-surface.ts'
import { facebookPage } from './facebook-page.ts'
import { googleBusinessProfileGallery, googleBusinessProfilePosts } from './google-business-profile.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import type { Target } from './target.ts'
import { tiktok } from './tiktok.ts'
import { wordpress } from './wordpress.ts'
import { x } from './x.ts'

export type { Target } from './target.ts'

export const targets: Target[] = [
  wordpress,
  instagram,
  facebookPage,
  linkedin,
  x,
  tiktok,
  googleBusinessProfileGallery,
  googleBusinessProfilePosts,
]

/** Used where no target is named. */
export const anyOf: Record<Target['surface'], Target> = {
  website: anyWebsite,
  social: anySocial,
  gbp: anyGbp,
}

export const targetById = (id: string) =>
  [...targets, ...Object.values(anyOf)].find((target) => target.id === id)
