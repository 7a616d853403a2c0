import { type Static, Type } from 'typebox'

/** What a target limits; each can be too little (`below`) or too much (`above`). */
export const measures = [
  'seconds',
  'bytes',
  'bit-rate',
  'frame-rate',
  'width',
  'height',
  'short-edge',
  'pixels',
  'ratio',
] as const
export type Measure = (typeof measures)[number]

const measured = measures.flatMap((measure) => [`below-${measure}` as const, `above-${measure}` as const])

/** Why a target takes a file only converted, or not at all. Whoever shows a fit has a sentence for each. */
export const fitCodes = [
  ...measured,
  'type-not-taken',
  'codec-not-taken',
  'too-small',
  'alt-text-too-long',
  'cropped',
  'film-not-cropped',
  'film-converted',
  'film-repacked',
  'cut-out',
  'index-last',
  'notes-in-film',
  'range-needed',
  'range-outside',
  'no-encoder',
  'film-among-pictures',
  'too-many-pictures',
  'colours',
  'turned-upright',
  'camera-notes',
  'first-picture-only',
  'origin-not-taken',
  'surface-not-allowed',
  'rights-expired',
  'not-approved',
  'other',
] as const
export type FitCode = (typeof fitCodes)[number]

export const FitReason = Type.Object({
  code: Type.Enum(fitCodes),
  detail: Type.String({ description: 'The reason in an English sentence.' }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'What a sentence of your own may mention: `limit` and `value`, or what the code speaks of.',
  }),
})
export type FitReason = Static<typeof FitReason>
