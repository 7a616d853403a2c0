import { type Static, Type } from 'typebox'
import { ApprovalState, mostIds } from './assets.ts'
import { RatioName } from './crops.ts'
import { orientations } from './ratios.ts'
import { Id, Page, Strict, Surface } from './words.ts'

export const sorts = ['relevance', 'newest', 'oldest', 'title', 'title-desc', 'size', 'size-asc'] as const
/** Those of the trash alone: by when things were deleted. */
export const trashSorts = ['trashed', 'trashed-asc'] as const
export type Sort = (typeof sorts)[number] | (typeof trashSorts)[number]

/** How soon rights end for people to be told. */
export const rightsEndingDays = 14

export const mostTagsSearched = 10
const Tag = Type.String({ maxLength: 60 })
const day = { format: 'date', pattern: '^[1-9]' }
const Bytes = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

/** Which assets, and in which order. */
const filters = {
  folderId: Type.Optional(Id('folder')),
  collectionId: Type.Optional({
    ...Id('collection'),
    description: 'Only what stands in the collection, from whatever folder.',
  }),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words in title, description, alt text, tags or file name, whatever their case, accents and apostrophes, `"in quotation marks"` just so, with a minus before it (`-draft`) not there; or an assetRef. Where no asset has all of them, some may be in the names of the folders it is in; small misspellings are mended. Blank is as good as left out.',
    }),
  ),
  byFolder: Type.Optional(
    Type.Boolean({
      description:
        'The words may also be in the names of the folders it is in: each is in one of these, or its own. A page that says so is what this asks for.',
    }),
  ),
  tag: Type.Optional(
    Type.Union([Tag, Type.Array(Tag, { minItems: 1, maxItems: mostTagsSearched })], {
      description: 'May be repeated: it has all of them.',
    }),
  ),
  surface: Type.Optional({
    ...Surface,
    description: 'Usable there. Agents and pickers get only what may be used there now.',
  }),
  mimeType: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'A type, or all of a kind: `image/*`, `video/*`.',
    }),
  ),
  uploader: Type.Optional(
    Type.String({ maxLength: 100, description: 'The id of the user or key that uploaded it.' }),
  ),
  from: Type.Optional(Type.String({ ...day, description: 'Uploaded on this day (UTC) or later.' })),
  to: Type.Optional(Type.String({ ...day, description: 'Uploaded on this day (UTC) or before.' })),
  orientation: Type.Optional(Type.Enum(orientations)),
  ratio: Type.Optional({ ...RatioName, description: 'Width by height, within a hundredth.' }),
  minBytes: Bytes,
  maxBytes: Bytes,
  minWidth: Pixels,
  minHeight: Pixels,
  missingAltText: Type.Optional(Type.Boolean({ description: '`false`: only what has one.' })),
  approval: Type.Optional(ApprovalState),
  rights: Type.Optional(
    Type.Enum(['ending', 'ended'], {
      description: `\`ending\`: within the next ${rightsEndingDays} days. \`ended\`: not used or delivered any more.`,
    }),
  ),
  used: Type.Optional(Type.Boolean({ description: 'Whether some use that was not cancelled points to it.' })),
  duplicates: Type.Optional(
    Type.Boolean({
      description:
        'Whether there is another asset with the very same bytes, be it that both were kept as duplicates.',
    }),
  ),
  meaning: Type.Optional(
    Type.Boolean({
      description:
        '`false`: only what has the words. Otherwise what is similar to them in meaning comes behind it, where the client consents and the server has a model for that. What is done to all of a search with `true` is refused while that cannot be found out.',
    }),
  ),
  everywhere: Type.Optional(Type.Boolean({ description: 'Ignore folders.' })),
  below: Type.Optional(
    Type.Boolean({
      description: 'Also look into all folders below `folderId`; without one, into all there are.',
    }),
  ),
  trashed: Type.Optional(
    Type.Boolean({
      description:
        'What lies in the trash instead: what was deleted by itself; with `folderId` what went with that folder, with `everywhere` all of it.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...sorts, ...trashSorts], {
      description:
        '`title` from A to Z, `size` the largest first; `trashed` what was deleted last, only with `trashed`. By default `relevance` with words, else `newest`, in the trash `trashed`; a collection as it was put in order.',
    }),
  ),
}

export const AssetSearch = Strict(filters)
export type AssetSearch = Static<typeof AssetSearch>

export const AssetQuery = Strict({
  ...filters,
  count: Type.Optional(Type.Boolean({ description: 'Also say how many there are on all pages.' })),
  countUpTo: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'The same, but nothing is counted beyond this many: a `total` of as many says that there may be more. Quick however many there are.',
    }),
  ),
  ...Page,
  until: Type.Optional(
    Type.String({ maxLength: 2000, description: 'A cursor to stop at: only what stands before it.' }),
  ),
})
export type AssetQuery = Static<typeof AssetQuery>

export const AssetCursorQuery = Strict({
  ...filters,
  ...Page,
  assetId: Type.Optional(Type.String({ maxLength: 100, description: 'Also say where this asset stands.' })),
})
export type AssetCursorQuery = Static<typeof AssetCursorQuery>

export const AssetIdQuery = Strict({
  ...filters,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostIds, default: mostIds })),
  cursor: Page.cursor,
})
export type AssetIdQuery = Static<typeof AssetIdQuery>
