import { type FileEvidence, originOf, type SourceType, sourceTypes } from '../../../contract/evidence.ts'
import { generatorIn } from './generators.ts'
import type { Marks, Words } from './marks.ts'
import { propertyOf } from './xmp.ts'

/** What follows from a file's marks. A manifest is only seen here: whether it holds is told by who can read it. */
export function evidenceOf(marks: Marks): FileEvidence {
  const inManifest = marks.manifest ? sourceTypesIn(marks.manifest.toString('latin1')) : []
  const elsewhere = marks.xmp.some((packet) => propertyOf(packet, 'provenance')?.startsWith('http'))
  const hasManifest = marks.manifest !== undefined || elsewhere
  return {
    c2pa: hasManifest
      ? {
          claimGenerator: null,
          signer: null,
          signedAt: null,
          digitalSourceType: strongest(inManifest),
          isElsewhere: !marks.manifest,
        }
      : null,
    digitalSourceType: strongest([...inManifest, ...inXmp(marks)]),
    generator: generatorIn([...marks.words, ...wordsOfXmp(marks)]),
    signature: hasManifest ? 'unread' : null,
    credit: said(marks, 'Credit', iptc.credit, []),
    copyright: said(marks, 'rights', iptc.copyright, ['Copyright']),
  }
}

const inXmp = ({ xmp }: Marks) =>
  xmp.flatMap((packet) =>
    ['DigitalSourceType', 'DigitalSourcefileType'].flatMap((name) => codeOf(propertyOf(packet, name)) ?? []),
  )

/** A code stands alone, or at the end of its address. */
export function codeOf(value: string | undefined): SourceType | undefined {
  const last = /([a-z]{2,60})\/?$/i.exec(value?.trim() ?? '')?.[1]?.toLowerCase()
  return codes.find((code) => code.toLowerCase() === last)
}

const codes = Object.keys(sourceTypes) as SourceType[]

const sourceTypesIn = (text: string): SourceType[] =>
  [...text.matchAll(/digitalsourcetype\/([A-Za-z]{2,60})/gi)]
    .slice(0, 200)
    .flatMap((match) => codeOf(match[1]) ?? [])

/** One word for “generated” outweighs any number of others, but none of the camera's an edit. */
export const strongest = <Type extends string>(found: (Type | null)[]): Type | null => {
  const all = found.filter((type) => type !== null)
  return all.find((type) => originOf(type) === 'generated') ?? all[0] ?? null
}

const wordsOfXmp = ({ xmp }: Marks): Words[] =>
  xmp.flatMap((packet) =>
    ['CreatorTool', 'Credit', 'AIGC', 'parameters', 'UserComment', 'softwareAgent'].flatMap((name) => {
      const words = propertyOf(packet, name)
      return words ? [{ place: 'xmp' as const, name, words }] : []
    }),
  )

const iptc = { credit: 110, copyright: 116 }

function said({ xmp, iptc, words }: Marks, property: string, dataset: number, exif: string[]): string | null {
  const own = xmp.map((packet) => propertyOf(packet, property)).find((value) => value !== undefined)
  return tidy(
    own ??
      iptc.get(dataset) ??
      words.find(({ place, name }) => place === 'exif' && exif.includes(name))?.words,
  )
}

/** For people to read, and to be written into other files. */
export const tidy = (words: string | undefined): string | null =>
  words
    ?.normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Co}]+/gu, ' ')
    .trim()
    .slice(0, 300) || null
