import { Type } from 'typebox'
import { Identities, IdentityLinkBegun } from '../../../contract/access.ts'
import { Proof } from '../../../contract/second-factor.ts'
import { Strict } from '../../../contract/words.ts'
import type { App } from '../../http/app.ts'
import { ownerOf, proveOwner } from '../account.ts'
import { callerOf } from '../door.ts'
import { rememberBrowser } from './browser-cookie.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import type { Provider } from './providers.ts'
import { beginSignOn } from './sign-on.ts'

const params = Strict({ provider: Type.String({ maxLength: 100 }) })
const asksPassword = ['wrong-password', 'too-many-attempts', 'not-found'] as const

/** Who else lets a person in, as the person wants it. */
export async function identityRoutes(app: App, providerNamed: (id: string) => Provider) {
  const { parts } = app
  const { oidcProviders } = parts.config

  app.get(
    '/auth/identities',
    {
      schema: { summary: 'Which providers let you in', response: { 200: Identities } },
      config: { permission: 'account' },
    },
    async (request) => listIdentities(parts.db, oidcProviders, callerOf(request).id),
  )
  app.post(
    '/auth/identities/:provider',
    {
      schema: {
        summary: 'Begin to link your account to a provider',
        description: 'Send the browser that asked to `url`; it comes back to the account page.',
        params,
        body: Proof,
        response: { 200: IdentityLinkBegun },
      },
      config: {
        permission: 'account',
        waitsElsewhere: true,
        refuses: [...asksPassword, 'sign-in-failed'],
      },
    },
    async (request, reply) => {
      const provider = providerNamed(request.params.provider)
      await proveOwner(request, request.body.password)
      const { caller, sessionId } = ownerOf(request)
      const { url, browser } = await beginSignOn(parts, provider, {
        linkTo: { userId: caller.id, sessionId },
      })
      rememberBrowser(parts, reply, browser)
      return { url }
    },
  )
  app.delete(
    '/auth/identities/:provider',
    {
      schema: { summary: 'Unlink your account from a provider', params, body: Proof },
      config: { permission: 'account', refuses: [...asksPassword, 'last-way-in'] },
    },
    async (request, reply) => {
      const { settings } = providerNamed(request.params.provider)
      const owner = await proveOwner(request, request.body.password)
      await unlinkIdentity(parts.db, owner, oidcProviders, settings)
      return reply.code(204).send()
    },
  )
}
