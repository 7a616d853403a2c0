import type { MediaType } from '../../contract/media-types.ts'

/** What one target system accepts, as its maker says, on the day it was looked up. */
export interface Target {
  id: string
  name: string
  surface: 'website' | 'social' | 'gbp'
  /** Whether we send the bytes, or it fetches them from an address that we give. */
  takes: { images: 'bytes' | 'url' | 'either'; videos: 'bytes' | 'url' | 'either' }
  image: ImageRules
  video: VideoRules
  /** Where a post can hold several. */
  set?: SetRules
  /** Pictures that the target does not want whatever their format. */
  refusesOrigins?: { origins: Origin[]; reason: string }
  checked: Checked
}

export type Origin = 'camera' | 'generated' | 'stock'

/** `quoted`: read in a note that quotes the maker's page, not on the page itself. */
export interface Checked {
  month: string
  source: string
  quoted: ('image' | 'video' | 'policy')[]
}

export interface Range {
  min?: number
  max?: number
}

export interface ImageRules {
  /** Taken as they are, within these sizes. */
  types: Partial<Record<MediaType, { maxBytes?: number }>>
  minBytes?: number
  width?: Range
  height?: Range
  shortEdge?: Range
  maxPixels?: number
  /** Width by height. */
  ratio?: Range
  altTextLength?: number
  /** What we make of a picture that cannot go as it is. */
  convert: {
    format: 'jpeg' | 'webp' | 'png'
    maxWidth: number
    maxHeight: number
    quality: number
    transparent?: 'png' | 'webp'
  }
}

export interface VideoRules {
  /** Where the maker names them. */
  videoCodecs?: string[]
  audioCodecs?: string[]
  seconds?: Range
  bytes?: Range
  /** Of the whole file. */
  bitRate?: Range
  frameRate?: Range
  /** The index must come before what it points to. */
  indexFirst?: true
  ratio?: Range
  width?: Range
  height?: Range
  shortEdge?: Range
}

export interface SetRules {
  most: number
  /** All are cropped to the ratio of the first, whether that suits them or not. */
  oneRatio?: true
  /** Without it, a film goes alone. */
  films?: true
}
