import { readFileSync } from 'node:fs'
import { canEncodeAudio, canEncodeVideo } from 'mediabunny'
import type { OcrLanguage } from '../../../contract/ocr-languages.ts'
import { nodeAvLoads } from '../films/frames.ts'
import { languagesInstalled, tesseractVersion } from '../ocr/engine.ts'
import { libheifVersion } from '../pictures/libheif.ts'
import { sharp } from '../pictures/sharp.ts'

export interface Versions {
  sharp: string
  libvips: string
  libwebp: string
  libheif: string
  /** Null where its binary does not load. */
  nodeAv: string | null
  /** Whether it can write what every browser plays. */
  nodeAvEncodes: boolean
  /** What reads words in pictures; null where it is not installed. */
  tesseract: string | null
  ocrLanguages: OcrLanguage[]
}

/** Asked of a decoding process, because nothing of this is ever loaded elsewhere. */
export async function versions(): Promise<Versions> {
  const { versions } = sharp
  return {
    sharp: versions.sharp ?? '',
    libvips: versions.vips,
    libwebp: versions.webp ?? '',
    libheif: libheifVersion(),
    nodeAv: (await nodeAvLoads()) ? nodeAvVersion() : null,
    nodeAvEncodes: (await nodeAvLoads()) && (await canEncodeVideo('avc')) && (await canEncodeAudio('aac')),
    tesseract: tesseractVersion(),
    ocrLanguages: languagesInstalled(),
  }
}

function nodeAvVersion(): string {
  const manifest = new URL('../../package.json', import.meta.resolve('@mediabunny/server'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
