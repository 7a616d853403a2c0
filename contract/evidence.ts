import { type Static, Type } from 'typebox'
import { Nullable } from './words.ts'

/**
 * The IPTC's codes for how a picture came about (cv.iptc.org/newscodes/digitalsourcetype, read on 2026-11-16), and C2PA's own,
 * by what they say here. Null: neither.
 */
export const sourceTypes = {
  ...{ digitalCapture: 'camera', computationalCapture: 'camera', compositeCapture: 'camera' },
  ...{ negativeFilm: 'camera', positiveFilm: 'camera', print: 'camera' },
  ...{ trainedAlgorithmicMedia: 'generated', algorithmicMedia: 'generated' },
  ...{ compositeWithTrainedAlgorithmicMedia: 'generated', compositeSynthetic: 'generated' },
  trainedAlgorithmicData: 'generated',
  ...{ humanEdits: null, minorHumanEdits: null, algorithmicallyEnhanced: null, composite: null },
  ...{ digitalArt: null, digitalCreation: null, softwareImage: null, dataDrivenMedia: null },
  ...{ virtualRecording: null, screenCapture: null, empty: null },
} as const satisfies Record<string, 'camera' | 'generated' | null>
export type SourceType = keyof typeof sourceTypes

export const signatureStates = ['trusted', 'unknown-signer', 'broken', 'unread'] as const

/** What the bytes of a file say of it, whatever people say. */
export const FileEvidence = Type.Object({
  c2pa: Nullable(
    Type.Object({
      claimGenerator: Nullable(Type.String({ description: 'The program that wrote the manifest.' })),
      signer: Nullable(Type.String()),
      signedAt: Nullable(Type.String()),
      digitalSourceType: Nullable(Type.String({ description: 'What the manifest itself says.' })),
      isElsewhere: Type.Boolean({
        description: 'The file only says where its manifest is. It is not fetched.',
      }),
    }),
  ),
  digitalSourceType: Nullable(
    Type.String({
      description:
        'The IPTC’s code, e.g. `trainedAlgorithmicMedia`, of XMP or of the manifest: the one that says most.',
    }),
  ),
  generator: Nullable(
    Type.String({ description: 'The program that makes pictures by AI and left its mark in the file.' }),
  ),
  signature: Nullable(
    Type.Enum(signatureStates, {
      description:
        'Of the C2PA manifest. `trusted`: intact, by a signer on this server’s list. `unknown-signer`: intact. `broken`: the file or the manifest was changed after it was signed. `unread`: not checked. A large file’s is some minutes later; what is elsewhere, or cannot be read, never is.',
    }),
  ),
  credit: Nullable(Type.String()),
  copyright: Nullable(Type.String()),
})
export type FileEvidence = Static<typeof FileEvidence>

export const Evidence = Type.Object(
  {
    ...FileEvidence.properties,
    says: Nullable(
      Type.Enum(['camera', 'generated'], {
        description:
          'What follows from it. A file that says `generated` is treated as that, whatever `provenance` says.',
      }),
    ),
    contradicts: Type.Boolean({ description: 'It says another thing than `provenance`.' }),
  },
  { description: 'What the bytes of the current version say of how it came about.' },
)
export type Evidence = Static<typeof Evidence>

export function saysOf({ digitalSourceType, generator }: FileEvidence): Evidence['says'] {
  const byType = originOf(digitalSourceType)
  return byType === 'generated' || generator !== null ? 'generated' : byType
}

export const originOf = (type: string | null) =>
  type !== null && Object.hasOwn(sourceTypes, type) ? sourceTypes[type as SourceType] : null

/** The file has a manifest, and nobody has held it against its bytes yet. */
export const isUnchecked = ({ c2pa, signature }: FileEvidence): boolean =>
  signature === 'unread' && c2pa !== null && !c2pa.isElsewhere

/** Intact, whoever signed it: nobody has changed it since. */
export const isSignedGenerated = ({ c2pa, signature }: FileEvidence): boolean =>
  (signature === 'trusted' || signature === 'unknown-signer') &&
  originOf(c2pa?.digitalSourceType ?? null) === 'generated'
