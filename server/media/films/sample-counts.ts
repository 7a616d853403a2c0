import { boxes } from '../pictures/boxes.ts'
import { type Source, windowed } from '../pictures/source.ts'

const holders = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']
const mostBoxes = 100_000
/** The fragments of a film are sought in one of this size: in a larger one they lie far from each other. */
const mostSearched = 64 * 1024 ** 2
const pieceBytes = 1024 ** 2

/**
 * Whether an MP4 tells of no more samples than it has bytes; its tables may count each of them twice. A few bytes can tell of
 * thousands of millions, and whoever reads it sets up every one.
 */
export async function samplesFit(original: Source): Promise<boolean> {
  const source = windowed(original)
  let left = 2 * source.sizeBytes
  const count = async (from: number, to: number): Promise<void> => {
    for await (const { type, start, end, headerBytes } of boxes(source, from, to, mostBoxes)) {
      const body = start + headerBytes
      if (type === 'moof' && source.sizeBytes > mostSearched) return
      if (holders.includes(type)) await count(body, end)
      if (type === 'trun') left -= await wordAt(source, body + 4)
      if (type === 'stts' || type === 'ctts') left -= await countedIn(source, body)
      if (left < 0) return
    }
  }
  await count(0, source.sizeBytes)
  return left >= 0
}

/** What the runs of a table come to: of each it tells how many samples it has, and what is the same for all of them. */
async function countedIn(source: Source, body: number): Promise<number> {
  const first = body + 8
  const end = Math.min(first + 8 * (await wordAt(source, body + 4)), source.sizeBytes - 7)
  let samples = 0
  for (let from = first; from < end; from += pieceBytes) {
    const piece = Buffer.from(await source.read(from, Math.min(end, from + pieceBytes)))
    for (let at = 0; at + 8 <= piece.length; at += 8) samples += piece.readUInt32BE(at)
  }
  return samples
}

async function wordAt(source: Source, at: number): Promise<number> {
  const word = Buffer.from(await source.read(at, Math.min(at + 4, source.sizeBytes)))
  return word.length === 4 ? word.readUInt32BE() : 0
}
