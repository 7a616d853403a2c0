import { DuplicatePage, DuplicateQuery, KeepOne, KeptOne } from '../../contract/duplicates.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { listDuplicates } from './groups.ts'
import { keepOne } from './keep.ts'

export async function duplicateRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List duplicates',
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
          'The others go to the trash. Their refs, open uses, collections and shared selections lead to the one that is kept, and so do an alt text, a description and tags that it lacks; a restored asset has its own ref again.',
        params,
        body: KeepOne,
        response: { 200: KeptOne },
      },
      config: {
        permission: 'assets:delete',
        refuses: ['not-found', 'in-use', 'refs-not-allowed', 'idempotency-key-reused'],
      },
    },
    async (request) => keepOne(libraryOf(request), request.body),
  )
}
