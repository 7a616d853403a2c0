import { Type } from 'typebox'
import type { Collection } from '../../../contract/collections.ts'
import type { SavedSearch } from '../../../contract/saved-searches.ts'
import { Page, Strict } from '../../../contract/words.ts'
import { listCollections } from '../../collections/collections.ts'
import { listConnections } from '../../connections/connections.ts'
import { listDeliveries } from '../../deliveries/deliveries.ts'
import { listPullGrants } from '../../deliveries/pull-grants.ts'
import { folderPaths } from '../../folders/pages.ts'
import { isProtected } from '../../folders/protected.ts'
import type { Library } from '../../library.ts'
import { targets } from '../../publishing/targets.ts'
import { listUses } from '../../references/uses.ts'
import { listSavedSearches } from '../../saved-searches/saved-searches.ts'
import { type Agent, libraryFor } from '../agent.ts'
import { briefDelivery, briefGrant, briefUse, clipped } from '../brief.ts'
import { widthOf } from '../tokens.ts'
import { ClientId, demand, tool } from '../tool.ts'

const lists = [
  'folders',
  'collections',
  'saved_searches',
  'connections',
  'targets',
  'uses',
  'deliveries',
  'pull_grants',
] as const
/** As many as fit the budget, however long their words are. */
const pageSizes = { collections: 100, uses: 20, deliveries: 15, pull_grants: 25 }

interface Asked {
  what: (typeof lists)[number]
  assetId?: string
  cursor?: string
}

export const listLibrary = tool({
  name: 'list_library',
  title: 'List what a client has',
  description:
    'Lists folders (with paths), collections, saved_searches (both for search_assets), connections (systems that deliver_asset brings assets to), targets (names for the target argument), uses (recorded with record_use), deliveries or pull_grants. assetId: only those of one asset.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  budget: 12_000,
  input: Strict({
    clientId: ClientId,
    what: Type.Enum(lists),
    assetId: Type.Optional(Type.String({ maxLength: 100 })),
    cursor: Page.cursor,
  }),
  async run(agent, { clientId, ...asked }) {
    return { answer: await pageOf(agent, await libraryFor(agent, clientId), asked) }
  },
})

async function pageOf(agent: Agent, library: Library, { what, assetId, cursor }: Asked): Promise<object> {
  const page = { limit: pageSizes[what as keyof typeof pageSizes], ...(cursor && { cursor }) }
  switch (what) {
    case 'folders':
      return folders(library, cursor)
    case 'collections': {
      const { collections, nextCursor } = await listCollections(library, page)
      return { collections: collections.map(briefCollection), nextCursor }
    }
    case 'saved_searches':
      return { savedSearches: (await listSavedSearches(library)).savedSearches.map(briefSearch) }
    case 'connections':
      demand(agent, 'deliveries:read', 'list_library')
      return { connections: (await listConnections(library)).slice(0, 100).map(briefConnection) }
    case 'targets':
      return { targets: targets.map(({ id, name, surface }) => ({ target: id, name, surface })) }
    case 'uses': {
      const { uses, nextCursor } = await listUses(library, page, assetId)
      return {
        uses: uses.map((use) => ({ ...briefUse(use), assetRefs: use.assetRefs.slice(0, 10) })),
        nextCursor,
      }
    }
    case 'deliveries': {
      demand(agent, 'deliveries:read', 'list_library')
      const { deliveries, nextCursor } = await listDeliveries(library, {
        ...page,
        ...(assetId && { assetId }),
      })
      return { deliveries: deliveries.map(briefDelivery), nextCursor }
    }
    case 'pull_grants': {
      demand(agent, 'deliveries:read', 'list_library')
      const { pullGrants, nextCursor } = await listPullGrants(library, {
        ...page,
        ...(assetId && { assetId }),
      })
      return { pullGrants: pullGrants.map(briefGrant), nextCursor }
    }
  }
}

async function folders(library: Library, cursor: string | undefined) {
  const page = await folderPaths(library, { limit: 100, ...(cursor && { cursor }) })
  const listed = page.folders.map(({ id, path }) => ({
    folderId: id,
    path: endOf(path),
    ...(isProtected(path) && { protected: true }),
  }))
  listed.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { folders: listed, nextCursor: page.nextCursor }
}

/** A long path without its beginning: what it leads to counts. */
function endOf(path: string[]): string {
  const names = path.map((name) => clipped(name, 60))
  while (widthOf(names.join('/')) > 200) names.shift()
  return [...(names.length < path.length ? ['…'] : []), ...names].join('/')
}

const briefCollection = ({ collectionId, name, assetCount }: Collection) => ({
  collectionId,
  name: clipped(name, 60),
  assetCount,
})

const briefSearch = ({ savedSearchId, name, gone }: SavedSearch) => ({
  savedSearchId,
  name: clipped(name, 60),
  ...(gone.length > 0 && { gone }),
})

const briefConnection = ({
  connectionId,
  kind,
  name,
  status,
  lastError,
}: Awaited<ReturnType<typeof listConnections>>[number]) => ({
  connectionId,
  kind,
  name: clipped(name, 60),
  status,
  ...(lastError && { lastError: clipped(lastError, 120) }),
})
