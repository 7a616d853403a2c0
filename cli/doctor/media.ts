import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../server/config.ts'
import { type Capabilities, openMedia } from '../../server/media/media.ts'
import { networkIsOpen } from '../../server/media/process/confinement.ts'
import type { Finding } from './finding.ts'

export async function media(config: Config): Promise<Finding[]> {
  const { dataDir, ffmpeg, c2pa } = config
  const decoders = openMedia({ scratchFolder: join(dataDir, 'scratch'), ffmpeg, c2pa })
  try {
    const { sharp, libheif, libwebp, video, encoder, confined, signatures, fix, ...found } =
      await decoders.capabilities()
    const walls = Object.entries(confined)
      .filter(([, stands]) => !stands)
      .map(([name]) => name)
    return [
      { part: 'pictures', ok: true, says: `sharp ${sharp}, libwebp ${libwebp}, libheif ${libheif}` },
      (await wrongFfmpeg(config)) ?? {
        part: 'videos',
        ok: video !== 'none',
        says: video === 'none' ? `posters are drawn tiles. ${fix ?? ''}`.trim() : `posters by ${video}`,
      },
      {
        part: 'playable copies',
        ok: encoder !== 'none',
        says: encoder === 'none' ? `none can be made. ${fix ?? ''}`.trim() : `made by ${encoder}`,
      },
      { part: 'words in pictures', ok: true, says: wordsRead(config, found) },
      {
        part: 'walls',
        ok: confined.network,
        says: !confined.network
          ? networkIsOpen
          : walls.length === 0
            ? 'decoders have no network and little memory'
            : `not had on this machine: ${walls.join(', ')}`,
      },
      {
        part: 'signing',
        ok: signatures.problems.length === 0,
        says:
          signatures.problems.join(' ') ||
          (signatures.signs ?? 'no certificate: nothing that goes out is signed'),
      },
    ]
  } catch (error) {
    return [
      {
        part: 'pictures',
        ok: false,
        says: `No decoder starts: ${(error as Error).message} Run npm ci again.`,
      },
    ]
  } finally {
    await decoders.close()
  }
}

/** Everything else works without them. */
const wordsRead = (
  { ocr }: Config,
  { tesseract, ocrLanguages, ocrFix }: Pick<Capabilities, 'tesseract' | 'ocrLanguages' | 'ocrFix'>,
): string =>
  ocr ? (ocrFix ?? `tesseract-wasm ${tesseract}: ${ocrLanguages.join(', ')}`) : 'not read (MEDIA_OCR=off)'

async function wrongFfmpeg({ ffmpeg }: Config): Promise<Finding | undefined> {
  if (['auto', 'off'].includes(ffmpeg)) return undefined
  return access(ffmpeg, constants.X_OK).then(
    () => undefined,
    () => ({
      part: 'videos',
      ok: false,
      says: `There is no program at ${ffmpeg}. Install ffmpeg 5 or later, or correct MEDIA_FFMPEG (auto, off, or a path).`,
    }),
  )
}
