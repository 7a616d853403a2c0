import { ActivityPage, ActivityQuery } from '../../contract/activity.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { readActivity } from './activity.ts'

export async function activityRoutes(app: App) {
  app.get(
    '/',
    {
      schema: {
        summary: 'Read what was done in a library',
        params: inLibrary(app),
        querystring: ActivityQuery,
        response: { 200: ActivityPage },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => readActivity(libraryOf(request), app.parts.sealer, request.query),
  )
}
