import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What is known of somebody there: the claims of the ID token and of the userinfo endpoint. */
export type Claims = Record<string, unknown>

const clientSecret = 'canary-secret-of-the-provider'

/** A real OpenID provider. People log in on its own pages under the name that they are known by there. */
export async function identityProvider() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Claims>()
  let beforeTokens: (answer: Record<string, string>) => unknown = () => undefined

  return {
    url,
    people,
    /** An entry of the settings of a library whose people come from here. */
    entry: (id: string, more: object) => ({
      ...{ id, name: 'Agency Login', issuer: url, clientId: 'library', clientSecret },
      ...{ scope: 'openid email profile', roleClaim: 'groups' },
      ...more,
    }),
    /** From now on people are sent back to that library. */
    serves(libraryUrl: string, ids: string[]) {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: 'library',
            client_secret: clientSecret,
            redirect_uris: ids.map((id) => `${libraryUrl}/auth/oidc/${id}/callback`),
            response_types: ['code'],
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'groups', 'realm', 'amr'],
        },
        findAccount: (_: unknown, sub: string) => ({
          accountId: sub,
          claims: async () => ({ sub, ...people.get(sub) }),
        }),
        cookies: { keys: ['tests'] },
        ttl: { AccessToken: 60, IdToken: 60, Grant: 600, Session: 600, Interaction: 600 },
        pkce: { required: () => true },
      })
      provider.use(async (ctx, next) => {
        await next()
        if (ctx.path === '/token') await beforeTokens(ctx.body as Record<string, string>)
      })
      server.on('request', provider.callback())
    },
    /** What happens to the next answer with tokens. */
    tampers(with_: typeof beforeTokens) {
      beforeTokens = async (answer) => {
        beforeTokens = () => undefined
        await with_(answer)
      }
    },
  }
}
