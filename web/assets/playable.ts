import type { Asset } from '../../contract/assets.ts'

/** How a browser is asked for each; what stands here under no name is tried rather than refused. */
const asked: Record<string, string> = {
  h264: 'avc1.42E01E',
  hevc: 'hvc1.1.6.L93.B0',
  av1: 'av01.0.01M.08',
  vp9: 'vp09.00.10.08',
}

/** False for a film whose pictures this browser surely cannot show: it would play the sound over a still. */
export function playsHere({ details }: Pick<Asset, 'details'>): boolean {
  const codecs = asked[details.videoCodec ?? '']
  return !codecs || document.createElement('video').canPlayType(`video/mp4; codecs="${codecs}"`) !== ''
}
