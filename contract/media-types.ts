/**
 * Every type that is taken, and all that is known of it without decoding it. A new type is a row here and its decoder:
 * tables by `MediaType` elsewhere do not compile without it. No schemas: decoding processes load this, too.
 */
export const mediaTypes = {
  'image/jpeg': {
    name: 'JPG',
    inFull: 'JPEG',
    kind: 'image',
    endings: ['jpg', 'jpeg'],
    starts: ['\xff\xd8\xff'],
  },
  'image/png': { name: 'PNG', kind: 'image', endings: ['png'], starts: ['\x89PNG\r\n\x1a\n'] },
  'image/webp': { name: 'WebP', kind: 'image', endings: ['webp'], starts: ['RIFF????WEBP'] },
  'image/heic': { name: 'HEIC', kind: 'image', endings: ['heic', 'heif'], brands: /^he[iv][cxms]$/ },
  'video/mp4': {
    name: 'MP4',
    kind: 'video',
    endings: ['mp4', 'm4v'],
    brands: /^(iso[2-9m]|mp4[12]|avc1|hvc1|hev1|M4V|mmp4|MSNV|dash|msdh|3g[2ps])/,
    // Some phones and cameras write MP4 under QuickTime's brand; what is in it is told by its header.
    mayLookLike: 'video/quicktime',
  },
} as const satisfies Record<string, MediaTypeRow>

/** What is not taken, known so that it can be called by its name. */
const otherTypes = {
  'image/jls': { name: 'JPEG-LS', starts: ['\xff\xd8\xff\xf7'] },
  'image/gif': { name: 'GIF', starts: ['GIF8'] },
  'application/pdf': { name: 'PDF', starts: ['%PDF-'] },
  'image/vnd.adobe.photoshop': { name: 'PSD', starts: ['8BPS'] },
  'image/tiff': { name: 'TIFF', starts: ['II*\0', 'MM\0*'] },
  'application/zip': { name: 'ZIP', starts: ['PK\x03\x04'] },
  'video/webm': { name: 'WebM', starts: ['\x1aE\xdf\xa3'] },
  'video/vnd.avi': { name: 'AVI', starts: ['RIFF????AVI '] },
  'image/avif': { name: 'AVIF', brands: /^avi[fs]$/ },
  'video/quicktime': { name: 'MOV', inFull: 'a QuickTime movie', brands: /^qt {2}$/ },
  'image/x-canon-cr3': { name: 'CR3', brands: /^crx $/ }, // a raw photo, though it says that it is like MP4
  'audio/mp4': { name: 'M4A', brands: /^M4[AB]/ },
  'image/svg+xml': { name: 'SVG' },
  'text/html': { name: 'HTML', inFull: 'HTML text' },
} as const satisfies Record<string, Marks>

interface Marks {
  /** As people call it. */
  name: string
  /** In technical text, where that differs. */
  inFull?: string
  /** The first bytes as Latin-1; `?` is any. */
  starts?: readonly string[]
  /** In the `ftyp` box of an ISO media file. */
  brands?: RegExp
}

interface MediaTypeRow extends Marks {
  kind: 'image' | 'video'
  /** The first is the one we give. */
  endings: readonly [string, ...string[]]
  mayLookLike?: OtherType
}

/** Those that are not taken first: some are a special case of one that is. */
const known = { ...otherTypes, ...mediaTypes }

export type MediaType = keyof typeof mediaTypes
export type FilmType = OfKind<'video'>
export type StillType = OfKind<'image'>
type OtherType = keyof typeof otherTypes
type KnownType = MediaType | OtherType
type OfKind<Kind> = {
  [T in MediaType]: (typeof mediaTypes)[T]['kind'] extends Kind ? T : never
}[MediaType]

export const allMediaTypes = Object.keys(mediaTypes) as MediaType[]
export const isMediaType = (type: string): type is MediaType => Object.hasOwn(mediaTypes, type)
export const isFilm = (type: string): type is FilmType => isMediaType(type) && rowOf(type).kind === 'video'

const rowOf = (type: MediaType): MediaTypeRow => mediaTypes[type]

/** The shown name; of an unknown type, the MIME type itself. */
export const nameOfType = (type: string): string => marksOf(type)?.name ?? type
export const fullNameOfType = (type: string): string => marksOf(type)?.inFull ?? nameOfType(type)

const marksOf = (type: string) => (known as Record<string, Marks>)[type]

export const namesOfTypes = (kind?: MediaTypeRow['kind']): string[] =>
  allMediaTypes.filter((type) => !kind || rowOf(type).kind === kind).map((type) => rowOf(type).name)

export const endingsOf = (type: string): readonly string[] => (isMediaType(type) ? rowOf(type).endings : [])

/** The type that an ending promises. */
export const typeOfEnding = (ending: string): MediaType | undefined =>
  allMediaTypes.find((type) => endingsOf(type).includes(ending.toLowerCase()))

/** Whether bytes that look like `found` may be what was announced. */
export const bearsOut = (found: string, announced: MediaType): boolean =>
  found === announced || found === rowOf(announced).mayLookLike

/** So many first bytes are enough to tell. */
export const headBytes = 4100

/** What a file is by its first bytes; undefined when they say nothing that is known here. */
export function typeOfHead(head: Uint8Array): KnownType | undefined {
  const text = latin1(head.subarray(0, mostBrands))
  if (text.startsWith('ftyp', 4)) return typeOfBrands(head, text)
  if (/^(\xef\xbb\xbf)?\s*<(\?xml|!doctype|html|svg|!--)/i.test(text.slice(0, 256)))
    return /<svg/i.test(latin1(head)) ? 'image/svg+xml' : 'text/html'
  return find(({ starts }) => starts?.some((start) => startsLike(text, start)))
}

const startsLike = (text: string, start: string) =>
  text.length >= start.length && [...start].every((letter, at) => letter === '?' || letter === text[at])

const mostBrands = 512

/** Any unknown brand would otherwise pass for MP4, and `mif1` may carry AVIF: so the brands decide. */
function typeOfBrands(head: Uint8Array, text: string): KnownType | undefined {
  const size = new DataView(head.buffer, head.byteOffset).getUint32(0)
  const end = Math.min(size, head.length, mostBrands)
  const compatible = Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, i) =>
    text.slice(16 + i * 4, 20 + i * 4),
  )
  const major = text.slice(8, 12)
  const isLike = (type: 'image/heic' | 'video/mp4' | 'image/avif') =>
    compatible.some((brand) => known[type].brands.test(brand))

  const exact = find(({ brands }) => brands?.test(major))
  if (exact) return exact
  if (imageBrands.includes(major))
    return isLike('image/avif') && !isLike('image/heic') ? 'image/avif' : 'image/heic'
  return isLike('video/mp4') ? 'video/mp4' : undefined
}

/** Of pictures in general: HEIC or AVIF. */
const imageBrands = ['mif1', 'mif2', 'msf1', 'miaf']

const find = (is: (row: Marks) => boolean | undefined) =>
  (Object.keys(known) as KnownType[]).find((type) => is(known[type]))

/** Character by character: a few thousand arguments are too many for some browsers. */
const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

/** Verdicts on the bytes of a file: the same file would get the same one again. */
export const mediaVerdicts = [
  'unsupported-type',
  'type-mismatch',
  'unreadable-media',
  'too-many-pixels',
  'no-pictures',
  'encrypted-media',
] as const
export type MediaVerdict = (typeof mediaVerdicts)[number]

/** On an upload: these and what was announced of it. */
export const uploadVerdicts = [
  ...mediaVerdicts,
  'size-mismatch',
  'checksum-mismatch',
  'too-large',
  'infected',
  'source-failed',
] as const
export type UploadVerdict = (typeof uploadVerdicts)[number]
export const isUploadVerdict = (code: string): code is UploadVerdict =>
  (uploadVerdicts as readonly string[]).includes(code)

/** The longest side of each preview, in pixels. A smaller original is never enlarged. */
export const previewSizes = { thumb: 320, card: 640, large: 1600 } as const
export type PreviewSize = keyof typeof previewSizes
export const allPreviewSizes = Object.keys(previewSizes) as PreviewSize[]

export const previewFormats = ['webp', 'avif', 'jpeg'] as const
export type PreviewFormat = (typeof previewFormats)[number]
