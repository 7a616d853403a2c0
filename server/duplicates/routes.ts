import {
  DuplicatePage,
  DuplicateQuery,
  KeepAll,
  KeepOne,
  KeptGroup,
  KeptGroupPage,
  KeptGroupQuery,
  KeptOne,
} from '../../contract/duplicates.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { listDuplicates } from './groups.ts'
import { keepOne } from './keep.ts'
import { keepAll, listKeptGroups, reopenGroup } from './kept-groups.ts'

export async function duplicateRoutes(app: App) {
  const params = inLibrary(app)
  const ofGroup = inLibrary(app, { keptGroupId: PathId('group') })

  app.get(
    '/',
    {
      schema: {
        summary: 'List duplicates',
        description:
          'Assets that were kept as one group make none by themselves; with another that is a duplicate of them they do.',
        params,
        querystring: DuplicateQuery,
        response: { 200: DuplicatePage },
      },
      config: { permission: 'assets:read', largeAnswer: true },
    },
    async (request) => listDuplicates(libraryOf(request), request.query),
  )
  app.post(
    '/keep',
    {
      schema: {
        summary: 'Keep one of some duplicates',
        description:
          'The others go to the trash. Their refs, open uses, collections and shared selections lead to the one that is kept, and so do an alt text, a description and tags that it lacks. What limits one of them limits the one that is kept: its surfaces, the end of its rights, where it is from. A restored asset has its own ref again.',
        params,
        body: KeepOne,
        response: { 200: KeptOne },
      },
      config: {
        permission: 'assets:delete',
        refuses: [
          'not-found',
          'in-use',
          'no-surface-in-common',
          'refs-not-allowed',
          'idempotency-key-reused',
        ],
      },
    },
    async (request) => keepOne(libraryOf(request), request.body),
  )
  app.post(
    '/kept-groups',
    {
      schema: {
        summary: 'Keep all of some duplicates',
        description:
          'They are no duplicates of each other: none of them goes, and they are listed again only with another that is a duplicate of them. This is about their files: an asset with a new version is looked at anew. The filter `duplicates` of lists, which is about the same bytes alone, finds them as before.',
        params,
        body: KeepAll,
        response: { 200: KeptGroup },
      },
      config: { permission: 'assets:delete', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request) => keepAll(libraryOf(request), request.body),
  )
  app.get(
    '/kept-groups',
    {
      schema: {
        summary: 'List duplicates that were all kept',
        params,
        querystring: KeptGroupQuery,
        response: { 200: KeptGroupPage },
      },
      config: { permission: 'assets:read', largeAnswer: true },
    },
    async (request) => listKeptGroups(libraryOf(request), request.query),
  )
  app.delete(
    '/kept-groups/:keptGroupId',
    {
      schema: {
        summary: 'Look at kept duplicates again',
        description:
          'Its assets are duplicates of each other again, but for those that were kept in another group, too.',
        params: ofGroup,
        response: { 200: KeptGroup },
      },
      config: { permission: 'assets:delete', refuses: ['not-found'] },
    },
    async (request) => reopenGroup(libraryOf(request), request.params.keptGroupId),
  )
}
