import { boxes } from '../pictures/boxes.ts'
import { type Source, windowed } from '../pictures/source.ts'

/** What a track's samples are called once they are encrypted: by Common Encryption, and by Apple's older way. */
const encryptedSamples = ['encv', 'enca', 'drmi', 'drms']

const within = ['moov', 'trak', 'mdia', 'minf', 'stbl']
const mostBoxes = 4_000

/** Whether an MP4 names a track that only plays with a key. */
export function isEncrypted(source: Source): Promise<boolean> {
  return namesEncrypted(windowed(source), 0, source.sizeBytes)
}

async function namesEncrypted(source: Source, from: number, to: number): Promise<boolean> {
  for await (const { type, start, end, headerBytes } of boxes(source, from, to, mostBoxes)) {
    const body = start + headerBytes
    if (type === 'stsd')
      for await (const sample of boxes(source, body + 8, end))
        if (encryptedSamples.includes(sample.type)) return true
    if (within.includes(type) && (await namesEncrypted(source, body, end))) return true
    if (type === 'moov') return false
  }
  return false
}
