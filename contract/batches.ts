import { type Static, Type } from 'typebox'
import { batchActions, batchChange, mostIds } from './assets.ts'
import { AssetSearch } from './search.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

export const NewBatch = Strict({
  search: AssetSearch,
  except: Type.Optional(
    Type.Array(Id('asset'), { maxItems: mostIds, description: 'What of `search` is left out.' }),
  ),
  ...batchChange,
})
export type NewBatch = Static<typeof NewBatch>

export const SummaryRequest = Strict(
  {
    assetIds: Type.Optional(Type.Array(Id('asset'), { minItems: 1, maxItems: mostIds })),
    search: Type.Optional(AssetSearch),
    except: NewBatch.properties.except,
  },
  { minProperties: 1, description: 'Either `assetIds`, or a `search`.' },
)
export type SummaryRequest = Static<typeof SummaryRequest>

export const BatchRefusal = Type.Object({
  assetId: Id('asset'),
  code: Type.String(),
  detail: Type.String(),
})
export type BatchRefusal = Static<typeof BatchRefusal>

export const batchStates = ['running', 'done', 'cancelled'] as const

export const BatchJob = Type.Object({
  batchId: Id('batch'),
  action: Type.Enum(batchActions),
  state: Type.Enum(batchStates, {
    description:
      '`cancelled`: by somebody, or because whoever asked may no longer. What was done stays done.',
  }),
  total: Type.Integer({ description: 'What the search found when it was asked for.' }),
  done: Type.Integer({ description: 'How many of them it has come to.' }),
  changed: Type.Integer(),
  refused: Type.Integer(),
  refusals: Type.Array(BatchRefusal, { description: 'The first of them, and why.' }),
  undoes: Nullable(Id('batch')),
  undoneBy: Nullable(Id('batch')),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
})
export type BatchJob = Static<typeof BatchJob>

export const BatchQuery = Strict({
  ...Page,
  open: Type.Optional(Type.Boolean({ description: 'Only those that are running.' })),
})
export type BatchQuery = Static<typeof BatchQuery>

export const BatchPage = Type.Object({ batches: Type.Array(BatchJob), nextCursor: NextCursor })
export type BatchPage = Static<typeof BatchPage>
