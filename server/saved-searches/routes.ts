import {
  NewSavedSearch,
  SavedSearch,
  SavedSearchChange,
  SavedSearches,
} from '../../contract/saved-searches.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { changeSavedSearch, deleteSavedSearch, listSavedSearches, saveSearch } from './saved-searches.ts'

export async function savedSearchRoutes(app: App) {
  const params = inLibrary(app)
  const ofOne = inLibrary(app, { savedSearchId: PathId('search') })

  app.get(
    '/',
    {
      schema: { summary: 'List saved searches', params, response: { 200: SavedSearches } },
      config: { permission: 'assets:read' },
    },
    async (request) => listSavedSearches(libraryOf(request)),
  )
  app.post(
    '/',
    {
      schema: { summary: 'Save a search', params, body: NewSavedSearch, response: { 201: SavedSearch } },
      config: {
        permission: 'assets:read',
        refuses: ['search-name-taken', 'too-many-searches', 'idempotency-key-reused'],
      },
    },
    async (request, reply) => reply.code(201).send(await saveSearch(libraryOf(request), request.body)),
  )
  app.patch(
    '/:savedSearchId',
    {
      schema: {
        summary: 'Change a saved search',
        description: 'One’s own. What all who see the client find, only its maker and operators change.',
        params: ofOne,
        body: SavedSearchChange,
        response: { 200: SavedSearch },
      },
      config: { permission: 'assets:read', refuses: ['not-found', 'search-name-taken', 'too-many-searches'] },
    },
    async (request) => changeSavedSearch(libraryOf(request), request.params.savedSearchId, request.body),
  )
  app.delete(
    '/:savedSearchId',
    {
      schema: {
        summary: 'Delete a saved search',
        description: 'One’s own. What all who see the client find, only its maker and operators delete.',
        params: ofOne,
        response: { 200: SavedSearch },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => deleteSavedSearch(libraryOf(request), request.params.savedSearchId),
  )
}
