/** What a camera wrote beside the picture, as far as people in the library need it. */
export interface CameraNotes {
  /** RFC 3339. A camera that knows no time zone is taken at its word, as if it stood in UTC. */
  capturedAt: string | null
  hasGps: boolean
  isTurned: boolean
}

const tags = {
  orientation: 0x0112,
  exifPointer: 0x8769,
  gpsPointer: 0x8825,
  dateTime: 0x0132,
  dateTimeOriginal: 0x9003,
  offsetTimeOriginal: 0x9011,
  gpsLatitude: 0x0002,
}

/** Of the camera, of the place and between programs. */
const pointers = [tags.exifPointer, tags.gpsPointer, 0xa005]

export function readCameraNotes(exif?: Uint8Array, xmp?: Uint8Array): CameraNotes {
  const inXmp = xmp ? Buffer.from(xmp).includes('GPSLatitude') : false
  const tiff = exif && tiffOf(exif)
  if (!tiff) return { capturedAt: null, hasGps: inXmp, isTurned: false }

  const main = entries(tiff, tiff.long(4))
  const camera = pointedTo(tiff, main, tags.exifPointer)
  const gps = pointedTo(tiff, main, tags.gpsPointer)
  return {
    capturedAt: isoTime(
      text(tiff, camera.get(tags.dateTimeOriginal)) ?? text(tiff, main.get(tags.dateTime)),
      text(tiff, camera.get(tags.offsetTimeOriginal)),
    ),
    hasGps: gps.has(tags.gpsLatitude) || inXmp,
    isTurned: orientationIn(tiff, main) > 1,
  }
}

const mostEntries = 1000

/** Cameras write some hundred entries; decoders go through more of them for minutes. */
export function isShort(exif: Uint8Array): boolean {
  const tiff = tiffOf(exif)
  if (!tiff) return true
  const directories = new Set([tiff.long(4)])
  let count = 0
  for (const directory of directories) {
    const room = Math.max(0, Math.floor((tiff.bytes.length - directory - 2) / 12))
    const its = directory === 0 ? 0 : Math.min(tiff.short(directory), room)
    count += its
    if (count > mostEntries) return false
    for (let i = 0; i < its; i++) {
      const at = directory + 2 + i * 12
      if (pointers.includes(tiff.short(at))) directories.add(tiff.long(at + 8))
    }
    directories.add(tiff.long(directory + 2 + its * 12))
  }
  return true
}

/** What else is written there in words, by the names of its fields. */
export function exifWords(exif: Uint8Array): { place: 'exif'; name: string; words: string }[] {
  const tiff = tiffOf(exif)
  if (!tiff) return []
  const main = entries(tiff, tiff.long(4))
  const camera = pointedTo(tiff, main, tags.exifPointer)
  return Object.entries(wordTags).flatMap(([name, tag]) => {
    const words = longText(tiff, main.get(tag) ?? camera.get(tag))
    return words ? [{ place: 'exif' as const, name, words }] : []
  })
}

const wordTags = {
  ...{ ImageDescription: 0x010e, Make: 0x010f, Model: 0x0110, Software: 0x0131, Artist: 0x013b },
  ...{ Copyright: 0x8298, UserComment: 0x9286 },
}

const mostCharacters = 100_000
const encodings: Record<string, (bytes: Buffer, little: boolean) => string> = {
  'ASCII\0\0\0': (bytes) => bytes.toString('utf8'),
  'UNICODE\0': (bytes, little) => (little ? bytes : swapped(bytes)).toString('utf16le'),
}

/** A comment begins with how it is written. Some programs write wide letters in the other order than all else. */
function longText(tiff: Tiff, entry: Entry | undefined): string | undefined {
  if (!entry) return undefined
  const start = entry.count > 4 ? tiff.long(entry.at + 8) : entry.at + 8
  const bytes = tiff.bytes.subarray(start, start + Math.min(entry.count, mostCharacters))
  const written = encodings[bytes.toString('latin1', 0, 8)]
  const rest = bytes.subarray(8)
  return (written?.(rest, rest[0] !== 0) ?? bytes.toString('utf8')).replace(/\0.*$/s, '').trim() || undefined
}

const swapped = (bytes: Buffer) => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()

/** 1 to 8, as EXIF numbers them; 1 stands upright. */
export function readOrientation(exif: Uint8Array): number {
  const tiff = tiffOf(exif)
  return tiff ? orientationIn(tiff, entries(tiff, tiff.long(4))) : 1
}

function orientationIn(tiff: Tiff, main: Map<number, Entry>): number {
  const entry = main.get(tags.orientation)
  const value = entry ? tiff.short(entry.at + 8) : 1
  return value >= 1 && value <= 8 ? value : 1
}

interface Tiff {
  bytes: Buffer
  short(at: number): number
  long(at: number): number
}

interface Entry {
  at: number
  count: number
}

/** Reads past the end give 0: a hostile block then simply has no entries there. */
function tiffOf(exif: Uint8Array): Tiff | undefined {
  const raw = Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength)
  const bytes = raw.toString('latin1', 0, 6) === 'Exif\0\0' ? raw.subarray(6) : raw
  const order = bytes.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const little = order === 'II'
  const within = (at: number, size: number) => at >= 0 && at + size <= bytes.length
  return {
    bytes,
    short: (at) => (within(at, 2) ? (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)) : 0),
    long: (at) => (within(at, 4) ? (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) : 0),
  }
}

function entries(tiff: Tiff, directory: number): Map<number, Entry> {
  const count = Math.min(tiff.short(directory), 512)
  const found = new Map<number, Entry>()
  for (let i = 0; i < count; i++) {
    const at = directory + 2 + i * 12
    found.set(tiff.short(at), { at, count: tiff.long(at + 4) })
  }
  return found
}

function pointedTo(tiff: Tiff, directory: Map<number, Entry>, pointer: number): Map<number, Entry> {
  const entry = directory.get(pointer)
  return entry ? entries(tiff, tiff.long(entry.at + 8)) : new Map()
}

function text(tiff: Tiff, entry: Entry | undefined): string | undefined {
  if (!entry || entry.count > 64) return undefined
  const start = entry.count > 4 ? tiff.long(entry.at + 8) : entry.at + 8
  return tiff.bytes.toString('latin1', start, start + entry.count).replace(/\0.*$/s, '')
}

function isoTime(dateTime: string | undefined, offset: string | undefined): string | null {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(dateTime ?? '')
  if (!parts) return null
  const zone = /^[+-]\d\d:\d\d$/.test(offset ?? '') ? offset : 'Z'
  const time = new Date(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}${zone}`)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
