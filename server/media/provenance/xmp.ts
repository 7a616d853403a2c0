/** The first value of a property: as an attribute, an element, a resource, or the first of a list. */
export function propertyOf(packet: string, name: string): string | undefined {
  patterns[name] ??= patternOf(name)
  const found = patterns[name].exec(packet)
  const value = found?.slice(1).find((group) => group !== undefined)
  return value === undefined ? undefined : plain(value) || undefined
}

const patterns: Record<string, RegExp> = {}

// Every part is bounded: a packet is a stranger's.
const patternOf = (name: string) =>
  new RegExp(
    `[\\s<][\\w.-]{1,40}:${name}(?:` +
      [
        `\\s{0,20}=\\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})')`,
        `\\s[^<>]{0,400}?resource\\s{0,20}=\\s{0,20}["']([^"']{0,2000})["']`,
        `(?:\\s[^<>]{0,400})?>\\s{0,200}(?:<rdf:(?:Alt|Seq|Bag)>\\s{0,200}<rdf:li[^<>]{0,200}>)?([^<]{1,2000})<`,
      ].join('|') +
      ')',
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (value: string) =>
  value
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (_, decimal, hex, name) =>
      name ? entities[name.toLowerCase()]! : character(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .trim()

const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
