import type { FileEvidence } from '../../../contract/evidence.ts'

/** What goes out with a picture or a film, whatever else stays here: how it came about, and whose it is. */
export type KeptMarks = Pick<FileEvidence, 'digitalSourceType' | 'credit' | 'copyright'>

/** The XMP packet that says so; undefined where there is nothing to say. */
export function packetOf(marks: KeptMarks | null): string | undefined {
  if (!marks) return undefined
  const { digitalSourceType, credit, copyright } = marks
  const said = [
    digitalSourceType &&
      `<Iptc4xmpExt:DigitalSourceType>${iptcCodes}${escaped(digitalSourceType)}</Iptc4xmpExt:DigitalSourceType>`,
    credit && `<photoshop:Credit>${escaped(credit)}</photoshop:Credit>`,
    copyright &&
      `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escaped(copyright)}</rdf:li></rdf:Alt></dc:rights>`,
  ].filter(Boolean)
  return said.length > 0 ? `${begin}${said.join('')}${end}` : undefined
}

/** What a manifest says of the original, where one is written. */
export interface Carried {
  /** It has a manifest that can be read: that goes along. */
  hasManifest: boolean
  /** How the original came about, as far as its file says. */
  digitalSourceType: string | null
}

/** What nobody could read is not carried on. */
export const carriedOf = (evidence: FileEvidence | null): Carried => ({
  hasManifest: evidence?.signature != null && evidence.signature !== 'unread',
  digitalSourceType: evidence?.digitalSourceType ?? null,
})

export const iptcCodes = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

const begin =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
const end = '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escaped = (words: string) => words.replace(/[&<>"']/g, (sign) => entities[sign]!)

const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')

/** What a film's box of XMP holds. */
export const boxBody = (packet: string) => Buffer.concat([xmpId, Buffer.from(packet)])

/** As a film holds it, in a box of its own. */
export function xmpBox(packet: string): Buffer {
  const body = boxBody(packet)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write('uuid', 4, 'latin1')
  return Buffer.concat([head, body])
}
