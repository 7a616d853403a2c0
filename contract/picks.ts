import { type Static, Type } from 'typebox'
import { Asset } from './assets.ts'
import { RefResolution, Resolve } from './references.ts'
import { AssetQuery } from './search.ts'
import { Strict } from './words.ts'

/** What speaks for an asset or against it; whoever shows it has a sentence of their own for each. */
export const pickCodes = [
  'all-words',
  'some-words',
  'no-words',
  'whole-shape',
  'cropped-shape',
  'not-used',
  'used-before',
  'approved',
  'approval-pending',
  'approval-none',
  'changes-requested',
  'enough-pixels',
  'few-pixels',
  'rights-do-not-end',
  'rights-end',
  'sent-as-is',
  'converted',
] as const
export type PickCode = (typeof pickCodes)[number]

export const PickReason = Type.Object({
  code: Type.Enum(pickCodes),
  detail: Type.String({ description: 'The reason in plain English.' }),
  points: Type.Number({ description: 'How much it adds to the score; none for how it would be sent.' }),
  of: Type.Number({ description: 'How much it could have added.' }),
})
export type PickReason = Static<typeof PickReason>

export const PickQuery = Strict({
  q: Type.Optional({
    ...AssetQuery.properties.q,
    description:
      'Words in title, description, alt text, tags or file name: what has all of them comes before what has some. With a minus before it (`-draft`) not there. As they are written: none is mended.',
  }),
  surface: Resolve.properties.surface,
  target: Resolve.properties.target,
  ratio: Resolve.properties.ratio,
  kind: Type.Optional(Type.Enum(['image', 'video'], { default: 'image' })),
  unused: Type.Optional(Type.Boolean({ description: 'Leave out what some use points to.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
})
export type PickQuery = Static<typeof PickQuery>

export const Pick = Type.Object({
  asset: Asset,
  pinnedRef: RefResolution.properties.pinnedRef,
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  why: Type.Array(PickReason),
})
export type Pick = Static<typeof Pick>

export const Picks = Type.Object({ picks: Type.Array(Pick, { description: 'The best first.' }) })
export type Picks = Static<typeof Picks>
