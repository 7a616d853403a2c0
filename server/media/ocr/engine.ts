import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { type OcrLanguage, ocrLanguages, ocrPackages } from '../../../contract/ocr-languages.ts'
import type { Pixels } from '../pictures/pixels.ts'

/** A word as it was recognised. */
export interface Recognised {
  text: string
  /** From 0 to 1. */
  confidence: number
  endsLine: boolean
}

export type Recogniser = (pixels: Pixels) => Recognised[]

// Optional dependencies: whatever is not installed, the library is whole without it.
const { resolve } = createRequire(import.meta.url)

/** Null where it is not installed. */
export function tesseractVersion(): string | null {
  const program = found('tesseract-wasm')
  if (!program) return null
  const manifest = new URL('../package.json', `file://${program}`)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Those whose data is installed. */
export const languagesInstalled = (): OcrLanguage[] => ocrLanguages.filter((language) => dataOf(language))

/** Tesseract with the words and letters of one language; undefined where one of both is not installed. */
export function recogniserOf(language: OcrLanguage): Promise<Recogniser | undefined> {
  const started = recognisers.get(language) ?? start(language)
  recognisers.set(language, started)
  return started
}

const recognisers = new Map<OcrLanguage, Promise<Recogniser | undefined>>()

async function start(language: OcrLanguage): Promise<Recogniser | undefined> {
  const [program, data] = [found('tesseract-wasm'), dataOf(language)]
  if (!program || !data) return undefined
  const { createOCREngine, supportsFastBuild, layoutFlags } = await import('tesseract-wasm')
  const build = supportsFastBuild() ? 'tesseract-core.wasm' : 'tesseract-core-fallback.wasm'
  const engine = await createOCREngine({ wasmBinary: await readFile(new URL(build, `file://${program}`)) })
  engine.loadModel(gunzipSync(await readFile(data)))
  return ({ data, width, height }) => {
    engine.loadImage({ data: new Uint8ClampedArray(data), width, height } as ImageData)
    try {
      return engine.getTextBoxes('word').map(({ text, confidence, flags }) => ({
        text,
        confidence,
        endsLine: (flags & layoutFlags.EndOfLine) !== 0,
      }))
    } finally {
      engine.clearImage()
    }
  }
}

function dataOf(language: OcrLanguage): string | undefined {
  const name = ocrPackages[language]
  return found(`@tesseract.js-data/${name}/4.0.0_best_int/${name}.traineddata.gz`)
}

function found(path: string): string | undefined {
  try {
    return resolve(path)
  } catch {
    return undefined
  }
}
