import type { Target } from './target.ts'

/** HEIC is converted by some sites only (6.7 and newer, where Imagick can), so we always do it. */
export const wordpress: Target = {
  id: 'wordpress',
  name: 'WordPress media library',
  surface: 'website',
  takes: { images: 'bytes', videos: 'bytes' },
  image: {
    types: { 'image/jpeg': {}, 'image/png': {}, 'image/webp': {} }, // the size cap is each site's own
    convert: { format: 'jpeg', maxWidth: 2560, maxHeight: 2560, quality: 85, transparent: 'webp' },
  },
  video: {},
  checked: {
    month: '2026-11',
    source: 'WordPress REST API handbook, Media; WordPress 6.7 release notes',
    quoted: [],
  },
}
