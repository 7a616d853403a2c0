import { mostPictureText, type OcrLanguage } from '../../../contract/ocr-languages.ts'
import type { Pixels } from '../pictures/pixels.ts'
import { sharp } from '../pictures/sharp.ts'
import { type Recognised, recogniserOf } from './engine.ts'

/**
 * The text in a picture, line by line; empty where there is none. Tried in one language after the other until one of
 * them reads it well: together they would read each other's letters into it.
 */
export async function textIn(picture: Uint8Array, languages: OcrLanguage[]): Promise<string> {
  const pixels = await asOnPaper(picture)
  let best: Recognised[] = []
  for (const language of languages) {
    const recognise = await recogniserOf(language)
    const words = recognise?.(pixels).filter(({ text }) => text.trim() !== '') ?? []
    if (surenessOf(words) > surenessOf(best)) best = words
    if (recognise && (words.length === 0 || surenessOf(best) >= wellRead)) break
  }
  return textOf(best.filter(({ confidence }) => confidence >= leastSure))
}

/** A photograph is full of shapes that could be letters, and hardly one of them is recognised as surely as these. */
const leastSure = 0.75
const wellRead = 0.88

const surenessOf = (words: Recognised[]): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / (words.length || 1)

/** What cannot be seen could say one thing to people and another to machines: it is left out. */
function textOf(words: Recognised[]): string {
  if (!words.some(({ text }) => /\p{L}{3}/u.test(text))) return ''
  return words
    .map(({ text, endsLine }) => text.normalize('NFC').replace(/\p{C}/gu, '') + (endsLine ? '\n' : ' '))
    .join('')
    .replace(/ *\n[ \n]*/g, '\n')
    .trim()
    .slice(0, mostPictureText)
    .replace(/[\ud800-\udbff]$/, '')
}

/** What shines through stands on white, or on black where the picture itself is light. */
async function asOnPaper(picture: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  let [light, seen] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    light += data[at + 1]! * data[at + 3]!
    seen += data[at + 3]!
  }
  const ground = seen < data.length * 60 && light > seen * 160 ? 0 : 255
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]! / 255
    for (let c = at; c < at + 3; c++) data[c] = data[c]! * alpha + ground * (1 - alpha)
    data[at + 3] = 255
  }
  return { data, width: info.width, height: info.height, channels: 4 }
}
