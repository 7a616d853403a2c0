import { Type } from 'typebox'
import { Attribution, LandingPage, LandingPageInput, LandingPages } from '../../contract/diagnostics.ts'
import { Strict } from '../../contract/words.ts'
import { callerOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { attributionOf, listLandingPages, putLandingPage } from './landing-pages.ts'

export async function landingPageRoutes(app: App) {
  const { db } = app.parts
  const params = Strict({ slug: Type.String({ maxLength: 200 }) })

  app.get(
    '/admin/landing-pages',
    {
      schema: { summary: 'List landing pages', response: { 200: LandingPages } },
      config: { permission: 'diagnostics:write' },
    },
    async () => ({ landingPages: await listLandingPages(db) }),
  )
  app.put(
    '/admin/landing-pages/:slug',
    {
      schema: {
        summary: 'Create or change a landing page',
        params,
        body: LandingPageInput,
        response: { 200: LandingPage },
      },
      config: { permission: 'diagnostics:write', refuses: ['not-found'] },
    },
    async (request) => putLandingPage(db, callerOf(request), request.params.slug, request.body),
  )
  app.get(
    '/lp-api/:slug',
    {
      schema: { summary: 'Read the attribution of a landing page', params, response: { 200: Attribution } },
      config: { permission: 'public', refuses: ['not-found'] },
    },
    async (request) =>
      attributionOf(
        db,
        request.params.slug,
        request.query as Record<string, unknown>,
        request.headers.referer,
      ),
  )
}
