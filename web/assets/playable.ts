import type { Asset } from '../../contract/assets.ts'

/** How a browser is asked for each; what stands here under no name is tried rather than refused. */
const asked: Record<string, string> = {
  h264: 'avc1.42E01E',
  hevc: 'hvc1.1.6.L93.B0',
  av1: 'av01.0.01M.08',
  vp9: 'vp09.00.10.08',
  mp4v: 'mp4v.20.9',
}

const askedSound: Record<string, string> = { ac3: 'ac-3', eac3: 'ec-3' }

/** False for a film whose pictures this browser surely cannot show: it would play the sound over a still. */
export function playsHere({ details }: Pick<Asset, 'details'>): boolean {
  const codecs = [asked[details.videoCodec ?? ''], askedSound[details.audioCodec ?? '']]
  const player = document.createElement('video')
  return codecs.every((codec) => !codec || player.canPlayType(`video/mp4; codecs="${codec}"`) !== '')
}
