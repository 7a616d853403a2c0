import { fileTypeFromBuffer } from 'file-type'
import { Refusal, unreadable } from './refusal.ts'
import type { Source } from './source.ts'

export const mediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4'] as const
export type MediaType = (typeof mediaTypes)[number]

const names: Record<MediaType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/heic': 'HEIC',
  'video/mp4': 'MP4',
}

const isMediaType = (type: string): type is MediaType => (mediaTypes as readonly string[]).includes(type)

/** The declared type, once the first bytes bear it out. Decoders must agree later on. */
export async function agreedType(source: Source, declaredType: string): Promise<MediaType> {
  if (!isMediaType(declaredType)) {
    throw new Refusal(
      'unsupported-type',
      `${declaredType || 'A file without a type'} is not taken. Upload a JPEG, PNG, WebP, HEIC or MP4 file.`,
    )
  }
  if (source.sizeBytes === 0) throw unreadable('The file is empty. Choose it again and upload it once more.')

  const found = await typeOf(await source.read(0, Math.min(source.sizeBytes, 4100)))
  if (found === declaredType) return declaredType
  // Whether it holds what an MP4 holds is told by its header.
  if (found === quickTime && declaredType === 'video/mp4') return declaredType

  if (found) throw isAnother(declaredType, found)
  throw new Refusal(
    'type-mismatch',
    `The file was announced as ${names[declaredType]}, but its bytes are something else. Export it again as ${names[declaredType]}.`,
  )
}

export const isAnother = (declared: MediaType, found: string) =>
  new Refusal(
    'type-mismatch',
    `The file was announced as ${names[declared]}, but it is ${described(found)}. ${advice(found)}`,
  )

export const quickTime = 'video/quicktime'

export async function typeOf(head: Uint8Array): Promise<string | undefined> {
  if (ascii(head, 4, 8) === 'ftyp') return typeOfBrands(head)
  if (/^\s*<(\?xml|!doctype|html|svg|!--)/i.test(ascii(head, 0, 256).replace(/^\xEF\xBB\xBF/, ''))) {
    return ascii(head, 0, 4100).toLowerCase().includes('<svg') ? 'image/svg+xml' : 'text/html'
  }
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png' // animated or not
  return (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
}

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']
const avifBrands = ['avif', 'avis']
const imageBrands = ['mif1', 'mif2', 'msf1', 'miaf']
const mp4Brands = /^(iso[2-9m]|mp4[12]|avc1|hvc1|hev1|M4V[ HP]?|mmp4|MSNV|dash|msdh|3g[2ps])/

/** Any unknown brand would otherwise pass for MP4, and `mif1` may carry AVIF: so the brands decide here. */
function typeOfBrands(head: Uint8Array): string | undefined {
  const end = Math.min(new DataView(head.buffer, head.byteOffset).getUint32(0), head.length, 512)
  const major = ascii(head, 8, 12)
  const compatible = Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, i) =>
    ascii(head, 16 + i * 4, 20 + i * 4),
  )
  const any = (brands: string[]) => compatible.some((brand) => brands.includes(brand))

  if (heicBrands.includes(major)) return 'image/heic'
  if (avifBrands.includes(major)) return 'image/avif'
  if (imageBrands.includes(major)) return any(avifBrands) && !any(heicBrands) ? 'image/avif' : 'image/heic'
  if (major === 'qt  ') return quickTime
  if (major === 'crx ') return 'image/x-canon-cr3' // a raw photo, though it says that it is like MP4
  if (major.startsWith('M4A') || major.startsWith('M4B')) return 'audio/mp4'
  if (mp4Brands.test(major) || compatible.some((brand) => mp4Brands.test(brand))) return 'video/mp4'
  return undefined
}

function described(type: string): string {
  if (isMediaType(type)) return names[type]
  return otherNames[type] ?? type
}

const otherNames: Record<string, string> = {
  'image/svg+xml': 'SVG',
  'text/html': 'HTML text',
  'image/avif': 'AVIF',
  'image/gif': 'GIF',
  [quickTime]: 'a QuickTime movie',
  'application/pdf': 'PDF',
}

const advice = (found: string) =>
  isMediaType(found)
    ? `Upload it as ${found}.`
    : 'That type is not taken: export it as JPEG, PNG, WebP, HEIC or MP4.'

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end)
}
