import { type ColourMark, type Hdr, hdrOf } from './hdr.ts'

/** What a file says of its colours: in a profile, by a mark of four numbers, or both. */
export interface Colours {
  icc?: Uint8Array | undefined
  mark?: ColourMark | undefined
}

/** A name for people: HDR as films name it, the embedded profile's own description, or else the kind of pixels. */
export function colourSpaceOf(space: string | undefined, colours: Colours): string | null {
  const hdr = hdrIn(colours)
  if (hdr) return `${hdr.primaries} ${hdr.transfer}`
  const name = colours.icc && profileName(colours.icc)
  if (name) return compactNames[name] ?? name
  return isDisplayP3(colours.mark) ? 'Display P3' : (space ?? null)
}

export const hdrIn = ({ icc, mark }: Colours): Hdr | undefined => hdrOf(mark) ?? hdrOf(icc && markIn(icc))

export const isDisplayP3 = (mark: ColourMark | undefined) => mark?.primaries === 12

/** Profiles stripped to fit into a few hundred bytes have names that say nothing to people. */
const compactNames: Record<string, string> = {
  sP3C: 'Display P3',
  nP3C: 'Display P3',
  sRGBc: 'sRGB',
  nRGB: 'sRGB',
}

/** The `desc` tag of an ICC profile, in its old (ASCII) and new (UTF-16) form. */
function profileName(icc: Uint8Array): string | undefined {
  const bytes = Buffer.from(icc.buffer, icc.byteOffset, icc.byteLength)
  const at = tagIn(bytes, 'desc')
  return at === undefined ? undefined : textAt(bytes, at)
}

/** The `cicp` tag: newer profiles for HDR repeat the mark. */
function markIn(icc: Uint8Array): ColourMark | undefined {
  const bytes = Buffer.from(icc.buffer, icc.byteOffset, icc.byteLength)
  const at = tagIn(bytes, 'cicp')
  if (at === undefined || at + 12 > bytes.length) return undefined
  return { primaries: bytes[at + 8]!, transfer: bytes[at + 9]! }
}

function tagIn(bytes: Buffer, tag: string): number | undefined {
  if (bytes.length < 132) return undefined
  const count = Math.min(bytes.readUInt32BE(128), 100)
  for (let at = 132; at < 132 + count * 12 && at + 12 <= bytes.length; at += 12) {
    if (bytes.toString('latin1', at, at + 4) === tag) return bytes.readUInt32BE(at + 4)
  }
  return undefined
}

function textAt(bytes: Buffer, at: number): string | undefined {
  if (at + 28 > bytes.length) return undefined
  const kind = bytes.toString('latin1', at, at + 4)
  const name = kind === 'mluc' ? firstTranslation(bytes, at) : kind === 'desc' ? oldForm(bytes, at) : ''
  return (
    name
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, 60) || undefined
  )
}

const oldForm = (bytes: Buffer, at: number) =>
  bytes.toString('latin1', at + 12, at + 12 + Math.min(bytes.readUInt32BE(at + 8), 200))

function firstTranslation(bytes: Buffer, at: number): string {
  const length = Math.min(bytes.readUInt32BE(at + 20), 200) & ~1
  const start = at + bytes.readUInt32BE(at + 24)
  return Buffer.from(bytes.subarray(start, start + length))
    .swap16()
    .toString('utf16le')
}
