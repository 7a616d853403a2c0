import type { Size } from '../../../contract/ratios.ts'
import { Problem } from '../../problems.ts'
import type { Source } from '../pictures/source.ts'
import type { FilmSink } from './decoding-process.ts'
import { scratchFile } from './scratch.ts'

/** A film that was made, in a scratch file that is gone when it is disposed of. */
export interface MadeFilm extends Size, AsyncDisposable {
  sizeBytes: number
  open(): AsyncIterable<Uint8Array>
  asSource(): Source
}

export interface FilmFile extends AsyncDisposable {
  sink: FilmSink
  asSource(): Source
  made(size: Size): MadeFilm
}

const chunkBytes = 1024 * 1024

/** Takes what an encoder makes, and no more of it than there can be. */
export async function openFilmFile(
  scratchFolder: string,
  mostBytes: number,
  progress: (share: number) => void = () => {},
): Promise<FilmFile> {
  const file = await scratchFile(scratchFolder)
  let sizeBytes = 0
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
  async function* open() {
    for (let at = 0; at < sizeBytes; at += chunkBytes)
      yield await read(at, Math.min(sizeBytes, at + chunkBytes))
  }
  const asSource = () => ({ sizeBytes, read })
  const close = () => file.close()
  return {
    sink: {
      async write(position, bytes) {
        if (position + bytes.length > mostBytes) throw tooLarge()
        await file.write(bytes, 0, bytes.length, position)
        sizeBytes = Math.max(sizeBytes, position + bytes.length)
      },
      progress: async (share) => progress(share),
    },
    asSource,
    made: ({ width, height }) => ({
      ...{ width, height, sizeBytes, open, asSource },
      [Symbol.asyncDispose]: close,
    }),
    [Symbol.asyncDispose]: close,
  }
}

const tooLarge = () =>
  new Problem('unreadable-media', 'What is made of it grows without end. Export it again as MP4 with H.264.')
