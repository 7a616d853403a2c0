import type { ConnectionKind, connectionKinds } from '../../contract/connection-kinds.ts'
import type { Target } from './target.ts'

/** What Google asks of both, wherever on a profile they are shown. */
const googleBusinessProfile: Pick<Target, 'surface' | 'image' | 'video' | 'refusesOrigins' | 'checked'> = {
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

/** The rules that connections name, and those of systems that a person posts to by hand. */
const rules = {
  /** HEIC is converted by some sites only (6.7 and newer, where Imagick can), so we always do it. */
  wordpress: {
    name: 'WordPress media library',
    surface: 'website',
    takes: { images: 'bytes', videos: 'bytes' },
    image: {
      types: { 'image/jpeg': {}, 'image/png': {}, 'image/webp': {} }, // the size cap is each site's own
      convert: { format: 'jpeg', maxWidth: 2560, maxHeight: 2560, quality: 85, transparent: 'webp' },
    },
    // It takes any; these are what the browsers of a site's visitors play.
    video: { videoCodecs: ['h264', 'vp9', 'av1'], audioCodecs: ['aac', 'mp3', 'opus', 'flac'] },
    checked: {
      month: '2026-11',
      source:
        'WordPress REST API handbook, Media; WordPress 6.7 release notes; MDN, Media container formats, MPEG-4 (read on 2026-11-16)',
      quoted: [],
    },
  },

  instagram: {
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
      bitRate: { max: 25_000_000 },
      frameRate: { min: 23, max: 60 },
      width: { max: 1920 },
      // It asks for no edit lists, too. That is not looked at: where picture and sound begin at different times, one stays.
      indexFirst: true,
    },
    set: { most: 10, oneRatio: true, films: true },
    checked: {
      month: '2026-11',
      source: 'Instagram Platform, Content Publishing; IG User Media, Reel specifications',
      quoted: ['video'],
    },
  },

  'facebook-page': {
    name: 'Facebook Page',
    surface: 'social',
    takes: { images: 'either', videos: 'either' },
    image: {
      types: { 'image/jpeg': { maxBytes: 10_000_000 }, 'image/png': { maxBytes: 1_000_000 } }, // a larger PNG is blurred
      convert: { format: 'jpeg', maxWidth: 2048, maxHeight: 2048, quality: 88 },
    },
    video: {
      videoCodecs: ['h264', 'hevc', 'vp9', 'av1'],
      audioCodecs: ['aac'],
      frameRate: { min: 24, max: 60 },
      seconds: { min: 3, max: 90 },
      ratio: { min: 0.55, max: 0.575 },
      width: { min: 540 },
      height: { min: 960 },
    },
    set: { most: 10 },
    checked: {
      month: '2026-11',
      source: 'Graph API, Page Photos; Video API, Reels Publishing (video specifications)',
      quoted: ['image'],
    },
  },

  linkedin: {
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
  },

  x: {
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
  },

  /** Photos are fetched only from a domain that was verified with TikTok. */
  tiktok: {
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
      seconds: { max: 600 },
      bytes: { max: 4_000_000_000 },
      frameRate: { min: 23, max: 60 },
      width: { min: 360, max: 4096 },
      height: { min: 360, max: 4096 },
    },
    set: { most: 35 },
    checked: {
      month: '2026-11',
      source: 'TikTok Content Posting API, media transfer guide',
      quoted: ['image', 'video'],
    },
  },

  'google-business-profile-gallery': {
    name: 'Google Business Profile gallery',
    takes: { images: 'either', videos: 'either' },
    ...googleBusinessProfile,
  },

  'google-business-profile-posts': {
    name: 'Google Business Profile posts',
    takes: { images: 'url', videos: 'url' },
    set: { most: 1 },
    ...googleBusinessProfile,
  },
} satisfies Record<Rules | 'x' | 'tiktok', Omit<Target, 'id'>>

type Rules = NonNullable<(typeof connectionKinds)[ConnectionKind]['rules']>

export const targets: Target[] = Object.entries(rules).map(([id, rule]) => ({ id, ...rule }))

const inCommon: Target['checked'] = {
  month: '2026-11',
  source: 'What all targets of the surface have in common',
  quoted: [],
}

/** What goes out where only the surface is known, and not the system behind it. */
export const anyOf: Record<Target['surface'], Target> = {
  website: { ...rules.wordpress, id: 'website', name: 'Websites', checked: inCommon },
  social: {
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
    checked: inCommon,
  },
  gbp: { ...rules['google-business-profile-posts'], id: 'gbp', name: 'Business profiles' },
}

export const targetById = (id: string) =>
  [...targets, ...Object.values(anyOf)].find((target) => target.id === id)
