import { type Static, Type } from 'typebox'
import { AssetSearch } from './search.ts'
import { Id, plainName, Strict, Timestamp } from './words.ts'

/** So many for oneself, and so many for the client. */
export const mostSavedSearches = 100

const Name = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })
const For = Type.Enum(['me', 'client'], {
  description: 'Who sees it. For all who see the client, `assets:write` is needed.',
})

export const SavedSearch = Type.Object({
  savedSearchId: Id('search'),
  name: Type.String(),
  search: AssetSearch,
  for: For,
  gone: Type.Array(Type.Enum(['folder', 'collection', 'tag', 'uploader']), {
    description: 'What the search names and is no longer there.',
  }),
  mayChange: Type.Boolean({
    description:
      'Whether the caller may change and delete it: it is their own; what all see is its maker’s and the operators’.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type SavedSearch = Static<typeof SavedSearch>

export const SavedSearches = Type.Object({
  savedSearches: Type.Array(SavedSearch, { description: 'By their names.' }),
})
export type SavedSearches = Static<typeof SavedSearches>

export const NewSavedSearch = Strict({ name: Name, search: AssetSearch, for: Type.Optional(For) })
export type NewSavedSearch = Static<typeof NewSavedSearch>

export const SavedSearchChange = Strict(
  { name: Type.Optional(Name), search: Type.Optional(AssetSearch), for: Type.Optional(For) },
  { minProperties: 1 },
)
export type SavedSearchChange = Static<typeof SavedSearchChange>
