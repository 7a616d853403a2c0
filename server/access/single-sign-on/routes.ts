import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { SecondStep } from '../../../contract/second-factor.ts'
import { Strict } from '../../../contract/words.ts'
import type { App } from '../../http/app.ts'
import { Problem } from '../../problems.ts'
import { originOf, recognise } from '../door.ts'
import { enter } from '../enter.ts'
import { rememberBrowser, rememberedBrowser } from './browser-cookie.ts'
import { identityRoutes } from './identity-routes.ts'
import { openProviders } from './providers.ts'
import { beginSignOn, finishLink, finishSignOn, over, takeSignOn } from './sign-on.ts'

const params = Strict({ provider: Type.String({ maxLength: 100 }) })

/** Addresses for browsers: whatever happens, they end on a page. */
export async function singleSignOnRoutes(app: App) {
  const { parts } = app
  const providerNamed = openProviders(parts)
  await identityRoutes(app, providerNamed)

  app.get(
    '/auth/oidc/:provider',
    {
      schema: {
        hide: true,
        summary: 'Go to a provider to sign in',
        params,
        querystring: Type.Object({ to: Type.Optional(Type.String({ maxLength: 6000 })) }),
      },
      config: { permission: 'public', refuses: ['not-found'], waitsElsewhere: true },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const provider = providerNamed(request.params.provider)
      const to = withinApp(request.query.to)
      try {
        const { url, browser } = await beginSignOn(parts, provider, { to })
        rememberBrowser(parts, reply, browser)
        return reply.redirect(url)
      } catch (error) {
        return backTo('/app/login', request, reply, error, to)
      }
    },
  )
  app.get(
    '/auth/oidc/:provider/callback',
    {
      schema: {
        hide: true,
        summary: 'Come back from a provider',
        params,
        querystring: Type.Object({ state: Type.Optional(Type.String({ maxLength: 200 })) }),
      },
      config: { permission: 'public', refuses: ['not-found'], waitsElsewhere: true },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const provider = providerNamed(request.params.provider)
      const browser = rememberedBrowser(parts, request)
      rememberBrowser(parts, reply, '')
      let to: string | undefined
      let page: Page = '/app/login'
      try {
        if (!request.query.state) throw over()
        const begun = await takeSignOn(parts, provider, request.query.state, browser)
        to = begun.to
        const search = request.url.split('?')[1]!
        if (begun.linkTo) {
          page = '/app/account'
          await finishLink(parts, provider, search, begun, await recognise(request))
          return reply.redirect(said(page, { linked: provider.settings.id }))
        }
        const session = await finishSignOn(parts, provider, search, begun, originOf(request))
        if ('step' in session) return reply.redirect(`${loginPage({ to })}#step=${inAddress(session)}`)
        await enter(request, reply, session)
        return reply.redirect(loginPage({ to }))
      } catch (error) {
        return backTo(page, request, reply, error, to)
      }
    },
  )
}

type Page = '/app/login' | '/app/account'
type Said = Record<string, string | undefined>

/** The page says it in words. Who has come in is led on from there, to a door that is theirs. */
const loginPage = (what: Said) => said('/app/login', what)

function said(page: Page, what: Said): string {
  const all = Object.entries(what).filter((one): one is [string, string] => one[1] !== undefined)
  return all.length > 0 ? `${page}?${new URLSearchParams(all)}` : page
}

function backTo(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  to: string | undefined,
) {
  if (!(error instanceof Problem)) throw error
  const { provider } = request.params as { provider: string }
  // Of what a provider said, no more than the kind of fault: the rest may be anything.
  const { message: why } = (error.cause ?? error) as Error
  request.log.warn({ provider, code: error.code, why }, 'single sign-on')
  return reply.redirect(said(page, { refused: error.code, provider, to }))
}

/** What stands behind # is sent to no server. */
const inAddress = (step: SecondStep) => Buffer.from(JSON.stringify(step)).toString('base64url')

/** An address within the app; any other is forgotten. */
const withinApp = (to: string | undefined) => {
  if (!to?.startsWith('/') || !URL.canParse(to, here)) return undefined
  const { origin, pathname, search } = new URL(to, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : undefined
}

const here = 'http://here'
