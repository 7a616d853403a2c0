import type { MimeType } from '../../contract/words.ts'

const headBytes = 512

/** What a file is by its first bytes: browsers call a `.heic` nothing or `application/octet-stream`. */
export async function trueType(file: Blob & { name?: string }): Promise<MimeType | { other: string }> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const found = typeOf(head)
  if (found === 'MOV' && isMp4Ending(endingOf(file.name ?? ''))) return 'video/mp4'
  if (found === undefined) return { other: endingOf(file.name ?? '') }
  return isTaken(found) ? found : { other: found }
}

const signatures: [at: number, text: string, type: MimeType | Other][] = [
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [8, 'WEBP', 'image/webp'],
  [0, 'GIF8', 'GIF'],
  [0, '%PDF-', 'PDF'],
  [0, '8BPS', 'PSD'],
  [0, 'II*\0', 'TIFF'],
  [0, 'MM\0*', 'TIFF'],
  [0, 'PK\x03\x04', 'ZIP'],
  [0, '\x1aE\xdf\xa3', 'WebM'],
  [8, 'AVI ', 'AVI'],
]

type Other = 'GIF' | 'PDF' | 'PSD' | 'TIFF' | 'ZIP' | 'WebM' | 'AVI' | 'AVIF' | 'MOV' | 'M4A' | 'SVG' | 'HTML'

function typeOf(head: Uint8Array): MimeType | Other | undefined {
  const text = String.fromCharCode(...head)
  if (text.slice(4, 8) === 'ftyp') return typeOfBrands(head, text)
  if (/^(\xef\xbb\xbf)?\s*<(\?xml|!doctype|html|svg|!--)/i.test(text))
    return /<svg/i.test(text) ? 'SVG' : 'HTML'
  return signatures.find(([at, start]) => text.startsWith(start, at))?.[2]
}

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']
const avifBrands = ['avif', 'avis']
const imageBrands = ['mif1', 'mif2', 'msf1', 'miaf']
const mp4Brands = /^(iso[2-9m]|mp4[12]|avc1|hvc1|hev1|M4V[ HP]?|mmp4|MSNV|dash|msdh|3g[2ps])/

// The server decides by the same brands, so that what starts to travel is also taken.
function typeOfBrands(head: Uint8Array, text: string): MimeType | Other | undefined {
  const end = Math.min(new DataView(head.buffer).getUint32(0), head.length)
  const major = text.slice(8, 12)
  const compatible = Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, i) =>
    text.slice(16 + i * 4, 20 + i * 4),
  )
  const any = (brands: string[]) => compatible.some((brand) => brands.includes(brand))

  if (heicBrands.includes(major)) return 'image/heic'
  if (avifBrands.includes(major)) return 'AVIF'
  if (imageBrands.includes(major)) return any(avifBrands) && !any(heicBrands) ? 'AVIF' : 'image/heic'
  if (major === 'qt  ') return 'MOV'
  if (major.startsWith('M4A') || major.startsWith('M4B')) return 'M4A'
  if (mp4Brands.test(major) || compatible.some((brand) => mp4Brands.test(brand))) return 'video/mp4'
  return undefined
}

const isTaken = (type: MimeType | Other): type is MimeType => type.includes('/')

/** `JPG` of `beach.jpg`; empty without a plain ending. */
export const endingOf = (name: string) => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

const takenEndings = ['JPG', 'JPEG', 'PNG', 'WEBP', 'HEIC', 'HEIF', 'MP4', 'M4V']

/** Some phones and cameras write MP4 under QuickTime's brand; the server looks at what is in it. */
const isMp4Ending = (ending: string) => ['MP4', 'M4V'].includes(ending)

/** The ending promises a type that is taken; what is in the file is something else. */
export const isTakenEnding = (ending: string) => takenEndings.includes(ending.toUpperCase())
