import { useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  NewSavedSearch,
  SavedSearch,
  SavedSearchChange,
  SavedSearches,
} from '../../contract/saved-searches.ts'
import { api } from '../api.ts'
import { keys, reread } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { newKey } from '../new-key.ts'

export function useSavedSearches() {
  const library = useLibrary()
  return useQuery({
    queryKey: keys.savedSearches(library),
    queryFn: async ({ signal }) =>
      (await api.get<SavedSearches>(`${library.root}/saved-searches`, { signal })).savedSearches,
  })
}

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
