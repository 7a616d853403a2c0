// The format: APPNOTE.TXT 6.3, sections 4.3 and 4.4. A number that does not fit its field is written as all
// ones there, and in full in the ZIP64 extra field.

export interface ZipEntry {
  /** With slashes between folders, already safe and unique: see `safeEntryNames`. */
  name: string
  sizeBytes: number
  /** Null while nobody has read the bytes yet; then it is computed on the way. */
  crc32: number | null
  modifiedAt: Date
  directory?: boolean
}

const max16 = 0xffff
const max32 = 0xffffffff

const flags = { descriptor: 1 << 3, utf8: 1 << 11 }
const versions = { plain: 20, zip64: 45, madeByUnix: (3 << 8) | 45 }
const unixModes = { file: 0o100644, directory: 0o40755 }
const msdosDirectory = 0x10

const isLarge = (entry: ZipEntry) => entry.sizeBytes >= max32
const nameOf = (entry: ZipEntry) =>
  entry.directory && !entry.name.endsWith('/') ? `${entry.name}/` : entry.name
export const knownCrc = (entry: ZipEntry) =>
  entry.sizeBytes === 0 ? 0 : entry.crc32 === null ? undefined : entry.crc32 >>> 0
export const hasDescriptor = (entry: ZipEntry) => knownCrc(entry) === undefined
const flagsOf = (entry: ZipEntry) => flags.utf8 | (hasDescriptor(entry) ? flags.descriptor : 0)

const timeExtraLength = 9
const zip64ExtraLength = (numbers: number) => (numbers === 0 ? 0 : 4 + 8 * numbers)

export const localLength = (entry: ZipEntry) =>
  30 + Buffer.byteLength(nameOf(entry)) + timeExtraLength + zip64ExtraLength(isLarge(entry) ? 2 : 0)
export const descriptorLength = (entry: ZipEntry) => (hasDescriptor(entry) ? (isLarge(entry) ? 24 : 16) : 0)
export const recordLength = (entry: ZipEntry, offset: number) =>
  46 +
  Buffer.byteLength(nameOf(entry)) +
  timeExtraLength +
  zip64ExtraLength(largeNumbers(entry, offset).length)

const largeNumbers = (entry: ZipEntry, offset: number) => [
  ...(isLarge(entry) ? [entry.sizeBytes, entry.sizeBytes] : []),
  ...(offset >= max32 ? [offset] : []),
]

export function localHeader(entry: ZipEntry): Buffer {
  // With a descriptor, the header has zeros (APPNOTE 4.4.4).
  const size = hasDescriptor(entry) ? 0 : entry.sizeBytes
  const name = Buffer.from(nameOf(entry))
  const extra = Buffer.concat([timeExtra(entry), zip64Extra(isLarge(entry) ? [size, size] : [])])
  return packed(
    u32(0x04034b50),
    u16(isLarge(entry) ? versions.zip64 : versions.plain),
    u16(flagsOf(entry)),
    u16(0),
    ...msdosTime(entry.modifiedAt),
    u32(knownCrc(entry) ?? 0),
    u32(isLarge(entry) ? max32 : size),
    u32(isLarge(entry) ? max32 : size),
    u16(name.length),
    u16(extra.length),
    name,
    extra,
  )
}

export function descriptor(entry: ZipEntry, crc: number): Buffer {
  const size = isLarge(entry) ? u64(entry.sizeBytes) : u32(entry.sizeBytes)
  return packed(u32(0x08074b50), u32(crc), size, size)
}

export function directoryRecord(entry: ZipEntry, offset: number, crc: number): Buffer {
  const name = Buffer.from(nameOf(entry))
  const large = largeNumbers(entry, offset)
  const extra = Buffer.concat([timeExtra(entry), zip64Extra(large)])
  const mode = entry.directory ? unixModes.directory : unixModes.file
  return packed(
    u32(0x02014b50),
    u16(versions.madeByUnix),
    u16(large.length > 0 ? versions.zip64 : versions.plain),
    u16(flagsOf(entry)),
    u16(0),
    ...msdosTime(entry.modifiedAt),
    u32(crc),
    u32(Math.min(entry.sizeBytes, max32)),
    u32(Math.min(entry.sizeBytes, max32)),
    u16(name.length),
    u16(extra.length),
    u16(0),
    u16(0),
    u16(0),
    u32(((mode << 16) | (entry.directory ? msdosDirectory : 0)) >>> 0),
    u32(Math.min(offset, max32)),
    name,
    extra,
  )
}

export function endOfDirectory(count: number, start: number, length: number): Buffer {
  const plain = packed(
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(Math.min(count, max16)),
    u16(Math.min(count, max16)),
    u32(Math.min(length, max32)),
    u32(Math.min(start, max32)),
    u16(0),
  )
  if (count < max16 && length < max32 && start < max32) return plain
  const zip64End = packed(
    u32(0x06064b50),
    u64(44),
    u16(versions.madeByUnix),
    u16(versions.zip64),
    u32(0),
    u32(0),
    u64(count),
    u64(count),
    u64(length),
    u64(start),
  )
  const locator = packed(u32(0x07064b50), u32(0), u64(start + length), u32(1))
  return Buffer.concat([zip64End, locator, plain])
}

const zip64Extra = (numbers: number[]) =>
  numbers.length === 0 ? Buffer.alloc(0) : packed(u16(0x0001), u16(8 * numbers.length), ...numbers.map(u64))

/** Seconds since 1970, because the MS-DOS time has no zone. */
const timeExtra = ({ modifiedAt }: ZipEntry) =>
  packed(
    u16(0x5455),
    u16(5),
    Buffer.of(1),
    u32(clamped(Math.floor(modifiedAt.getTime() / 1000), 0, 0x7fffffff)),
  )

function msdosTime(date: Date) {
  const year = clamped(date.getUTCFullYear(), 1980, 2107)
  return [
    u16((date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)),
    u16(((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()),
  ]
}

const clamped = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

type Field = { bytes: 2 | 4 | 8; value: number }
const u16 = (value: number): Field => ({ bytes: 2, value })
const u32 = (value: number): Field => ({ bytes: 4, value })
const u64 = (value: number): Field => ({ bytes: 8, value })

function packed(...fields: (Field | Buffer)[]): Buffer {
  const length = fields.reduce((sum, field) => sum + (Buffer.isBuffer(field) ? field.length : field.bytes), 0)
  const target = Buffer.allocUnsafe(length)
  let at = 0
  for (const field of fields) {
    if (Buffer.isBuffer(field)) at += field.copy(target, at)
    else if (field.bytes === 8) at = target.writeBigUInt64LE(BigInt(field.value), at)
    else at = target.writeUIntLE(field.value, at, field.bytes)
  }
  return target
}
