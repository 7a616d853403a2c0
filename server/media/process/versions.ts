import { readFileSync } from 'node:fs'
import { canEncodeAudio, canEncodeVideo } from 'mediabunny'
import { nodeAvLoads } from '../films/frames.ts'
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
  }
}

function nodeAvVersion(): string {
  const manifest = new URL('../../package.json', import.meta.resolve('@mediabunny/server'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
