/** A name for people: the embedded profile's own description, or else the kind of pixels. */
export function colourSpaceOf(space: string | undefined, icc?: Uint8Array): string | null {
  const name = icc && profileName(icc)
  return (name && (compactNames[name] ?? name)) || space || null
}

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
  if (bytes.length < 132) return undefined
  const count = Math.min(bytes.readUInt32BE(128), 100)
  for (let at = 132; at < 132 + count * 12 && at + 12 <= bytes.length; at += 12) {
    if (bytes.toString('latin1', at, at + 4) !== 'desc') continue
    return textAt(bytes, bytes.readUInt32BE(at + 4))
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
