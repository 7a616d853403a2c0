import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Environment } from '../server/config.ts'
import { json, type Peer, peer, type Received } from './delivery-peers.ts'

export const vendorSecret = 'canary-app-secret-4711'
const apps = ['google', 'linkedin'] as const

/** Whether a vendor's API takes this token, for this. */
export type TokenCheck = (token: string, scope: string) => Promise<'good' | 'ended' | 'lacks-scope'>

/**
 * A real authorization server, as two vendors use one: tokens of seconds, refresh tokens that rotate and of which one used
 * twice ends the whole grant. People sign in and consent on its own pages.
 */
export async function authorizationServer() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let provider: Provider
  let tokenSeconds = 3600
  let grantsRefreshTokens = true
  const issued = new Set<string>()
  const grants = new Set<string>()
  const renewals = { done: 0, refused: 0 }

  return {
    url,
    issued,
    renewals,
    /** The settings of a library that people sign in to here. */
    environment: Object.fromEntries(
      apps.flatMap((app) =>
        Object.entries({
          CLIENT_ID: `${app}-app`,
          CLIENT_SECRET: vendorSecret,
          ISSUER: url,
          AUTHORIZATION_URL: `${url}/auth`,
          TOKEN_URL: `${url}/token`,
        }).map(([name, value]) => [`${app.toUpperCase()}_${name}`, value]),
      ),
    ) as Environment,
    /** From now on people are sent back to that library. */
    serves(libraryUrl: string) {
      provider = new Provider(url, {
        clients: apps.map((app) => ({
          client_id: `${app}-app`,
          client_secret: vendorSecret,
          redirect_uris: [`${libraryUrl}/app/connect/${app}`],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        })),
        scopes: [
          ...['openid', 'profile', 'https://www.googleapis.com/auth/business.manage'],
          ...['w_organization_social', 'r_organization_social', 'w_member_social'],
        ],
        claims: { openid: ['sub'], profile: ['name'] },
        cookies: { keys: ['tests'] },
        pkce: { required: (_: unknown, { clientId }: { clientId: string }) => clientId === 'google-app' },
        issueRefreshToken: async () => grantsRefreshTokens,
        rotateRefreshToken: true,
        ttl: {
          AccessToken: () => tokenSeconds,
          RefreshToken: () => 86_400,
          IdToken: 60,
          Grant: 86_400,
          Session: 86_400,
          Interaction: 600,
        },
      })
      provider.use(async (ctx, next) => {
        await next()
        if (ctx.path !== '/token') return
        const { params = {}, client } = ctx.oidc ?? {}
        const answer = ctx.body as Record<string, string>
        // As LinkedIn has it with apps that have a secret.
        if (client?.clientId === 'linkedin-app' && params.code_verifier) {
          ctx.status = 401
          ctx.body = { error: 'invalid_client', error_description: 'Client authentication failed' }
        }
        if (params.grant_type === 'refresh_token') renewals[ctx.status === 200 ? 'done' : 'refused']++
        for (const name of ['access_token', 'refresh_token']) if (answer[name]) issued.add(answer[name])
        const stored = answer.access_token ? await provider.AccessToken.find(answer.access_token) : undefined
        if (stored) grants.add(stored.grantId)
      })
      server.on('request', provider.callback())
    },
    tokensLive: (seconds: number) => {
      tokenSeconds = seconds
    },
    refreshTokens: (are: 'given' | 'not given') => {
      grantsRefreshTokens = are === 'given'
    },
    /** Everybody's access is withdrawn, as a person does at the vendor. */
    async revokesAll() {
      for (const grantId of grants) {
        await provider.AccessToken.revokeByGrantId(grantId)
        await provider.RefreshToken.revokeByGrantId(grantId)
      }
      grants.clear()
    },
    /** This token ends, though nobody was told that it would. */
    endsToken: async (token: string) => (await provider.AccessToken.find(token))?.destroy(),
    check: (async (token, scope) => {
      const stored = await provider.AccessToken.find(token)
      if (!stored) return 'ended'
      return stored.scopes.has(scope) ? 'good' : 'lacks-scope'
    }) satisfies TokenCheck,
  }
}

const tokenOf = ({ headers }: Received) => headers.authorization?.replace(/^Bearer /, '') ?? ''

/** The gallery of a business profile at Google, which looks at tokens and scopes as Google does. */
export async function googlePeer(check: TokenCheck, before?: (received: Received) => unknown) {
  const items: { name: string; description: string; createTime: string; googleUrl: string }[] = []
  const tokens: string[] = []
  const it: Peer = await peer(async (received, response) => {
    const { method, path, body } = received
    await before?.(received)
    const token = tokenOf(received)
    tokens.push(token)
    const is = await check(token, 'https://www.googleapis.com/auth/business.manage')
    if (is !== 'good') return googleRefuses(response, is)
    if (path.endsWith(':startUpload')) return json(response, { resourceName: 'upload-1' })
    if (path.startsWith('/upload/')) return json(response, {})
    if (method === 'GET') return json(response, { mediaItems: items })
    const { description } = JSON.parse(body.toString())
    const name = `accounts/1/locations/2/media/${items.length}`
    items.push({
      name,
      description,
      createTime: new Date().toISOString(),
      googleUrl: 'https://lh3.example/1',
    })
    return json(response, items.at(-1))
  })
  return { ...it, items, tokens }
}

const googleRefuses = (response: ServerResponse, why: 'ended' | 'lacks-scope') =>
  why === 'ended'
    ? json(
        response,
        {
          error: {
            code: 401,
            message:
              'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
            status: 'UNAUTHENTICATED',
          },
        },
        401,
      )
    : json(
        response,
        {
          error: {
            code: 403,
            message: 'Request had insufficient authentication scopes.',
            status: 'PERMISSION_DENIED',
            details: [
              {
                '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
                domain: 'googleapis.com',
              },
            ],
          },
        },
        403,
      )

/** LinkedIn's API, as far as a connection is tested: it looks at the token and at the version. */
export const linkedinPeer = (check: TokenCheck, version: string) =>
  peer(async (received, response) => {
    if (received.headers['linkedin-version'] !== version)
      return json(
        response,
        { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version is not active' },
        426,
      )
    const is = await check(tokenOf(received), 'w_organization_social')
    if (is === 'ended')
      return json(
        response,
        {
          status: 401,
          serviceErrorCode: 65601,
          code: 'REVOKED_ACCESS_TOKEN',
          message: 'The token used in the request has been revoked by the user',
        },
        401,
      )
    if (is === 'lacks-scope')
      return json(
        response,
        {
          status: 403,
          serviceErrorCode: 100,
          code: 'ACCESS_DENIED',
          message: 'Not enough permissions to access',
        },
        403,
      )
    return json(response, { sub: 'member' })
  })
