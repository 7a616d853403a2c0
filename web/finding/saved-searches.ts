import { useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  NewSavedSearch,
  SavedSearch,
  SavedSearchChange,
  SavedSearches,
} from '../../contract/saved-searches.ts'
import type { AssetQuery, AssetSearch } from '../../contract/search.ts'
import { api } from '../api.ts'
import { keys, reread } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { isFiltered, type Place, placeOf, queryOf } from '../library/place.ts'
import { newKey } from '../new-key.ts'

export function useSavedSearches({ enabled = true, isList = false } = {}) {
  const library = useLibrary()
  // No event tells of what is saved elsewhere: whoever sees the list again, sees it as it is now.
  const again = isList && ('always' as const)
  return useQuery({
    queryKey: keys.savedSearches(library),
    queryFn: async ({ signal }) =>
      (await api.get<SavedSearches>(`${library.root}/saved-searches`, { signal })).savedSearches,
    enabled,
    ...(again && { refetchOnMount: again, refetchOnWindowFocus: again }),
  })
}

/** Those that ask for what is shown here and nothing else, in whichever order. */
export function useOpenSearches(place: Place): SavedSearch[] {
  const { data = [] } = useSavedSearches({ enabled: isFiltered(place) })
  const here = whatIsAsked(queryOf(place))
  return data.filter(({ search }) => whatIsAsked(queryOf(placeOf(search))) === here)
}

/** The one that was opened last, whatever is looked for since, if it may be changed. */
export function useOpenedSearch(place: Place): SavedSearch | undefined {
  const { data = [] } = useSavedSearches({ enabled: isFiltered(place) })
  return data.find(({ savedSearchId, mayChange }) => mayChange && savedSearchId === place.saved)
}

/** The same for the same search, however it was come to. */
const whatIsAsked = ({ sort: _, ...search }: AssetQuery) =>
  JSON.stringify(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )

/** What is shown here as the API takes it: without what is not set. */
export const searchOf = (place: Place): AssetSearch => JSON.parse(JSON.stringify(queryOf(place)))

/** What can be done to saved searches. */
export function useSavingSearches() {
  const library = useLibrary()
  const client = useQueryClient()
  const url = `${library.root}/saved-searches`
  async function then<T>(done: Promise<T>): Promise<T> {
    const result = await done
    reread(client, keys.savedSearches(library))
    return result
  }
  return {
    save: (search: NewSavedSearch) => then(api.post<SavedSearch>(url, search, { idempotencyKey: newKey() })),
    change: (id: string, change: SavedSearchChange) => then(api.patch<SavedSearch>(`${url}/${id}`, change)),
    remove: (id: string) => then(api.delete<SavedSearch>(`${url}/${id}`)),
  }
}
