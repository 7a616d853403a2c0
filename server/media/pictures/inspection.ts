import type { FileEvidence } from '../../../contract/evidence.ts'
import type { MediaType } from '../../../contract/media-types.ts'

/** What is known of a file from its header. Width and height are as seen: every rotation applied. */
export interface Header {
  mimeType: MediaType
  width: number
  height: number
  durationSeconds: number | null
  videoCodec: string | null
  audioCodec: string | null
  frameRate: number | null
  colourSpace: string | null
  hasAlpha: boolean
  isAnimated: boolean
  /** A mark in the file turns the picture that is stored: who leaves the mark out must turn it. */
  isTurned: boolean
  capturedAt: string | null
  hasGps: boolean
}

export interface Inspection extends Header {
  evidence: FileEvidence
}

export interface Limits {
  maxPixels: number
  maxSide: number
  /** Of a JPEG that is written line by line: it is shrunk while it is read, and never held whole. */
  maxLinePixels: number
}

export const defaultLimits: Limits = { maxPixels: 1e8, maxSide: 16_384, maxLinePixels: 2.2e8 }
