const resourceHead = '8BIM'
const iptcResource = 0x0404
const mostFields = 2_000

/** The fields of IPTC's second record in what Photoshop keeps beside a picture, by their numbers. */
export function iptcIn(resources: Buffer): Map<number, string> {
  for (let at = 0; at + 12 <= resources.length; ) {
    if (resources.toString('latin1', at, at + 4) !== resourceHead) break
    const id = resources.readUInt16BE(at + 4)
    const nameBytes = even(1 + resources[at + 6]!)
    const start = at + 6 + nameBytes + 4
    if (start > resources.length) break
    const length = resources.readUInt32BE(start - 4)
    if (id === iptcResource) return fieldsOf(resources.subarray(start, start + length))
    at = start + even(length)
  }
  return new Map()
}

function fieldsOf(record: Buffer): Map<number, string> {
  const fields = new Map<number, string>()
  // 1:90 says that all is UTF-8.
  const encoding = record.includes(Buffer.from([0x1c, 1, 90, 0, 3, 0x1b, 0x25, 0x47])) ? 'utf8' : 'latin1'
  for (let at = 0, count = 0; at + 5 <= record.length && record[at] === 0x1c && count < mostFields; count++) {
    const length = record.readUInt16BE(at + 3)
    if (length > 0x7fff) break
    if (record[at + 1] === 2) fields.set(record[at + 2]!, record.toString(encoding, at + 5, at + 5 + length))
    at += 5 + length
  }
  return fields
}

const even = (length: number) => length + (length % 2)
