import type { MediaDetails } from '../contract/assets.ts'

/** What is known of the media of an asset that was put straight into the database. */
export const plainDetails = JSON.stringify({
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  colourSpace: null,
  hasAlpha: false,
  isAnimated: false,
  capturedAt: null,
  hasGps: false,
} satisfies MediaDetails)
