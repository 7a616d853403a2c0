import { createHash, randomBytes } from 'node:crypto'
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
  let beforeTokens: (answer: Record<string, unknown>) => unknown = () => undefined
  const issued = new Set<string>()
  const grants = new Set<string>()
  const renewals = { done: 0, refused: 0 }
  let away = 0

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
          REVOCATION_URL: `${url}/token/revocation`,
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
        features: { revocation: { enabled: true } },
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
        if (ctx.path === '/token/revocation' && away > 0) {
          away--
          ctx.status = 503
          return
        }
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
        await beforeTokens(answer)
      })
      server.on('request', provider.callback())
    },
    /** What happens before tokens are answered, also to the answer; nothing more without it. */
    beforeTokens: (happens: typeof beforeTokens = () => undefined) => {
      beforeTokens = happens
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
    /** Until that many requests to withdraw a token have failed. */
    isAwayFor: (requests: number) => {
      away = requests
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

const graphError = (response: ServerResponse, code: number, message: string, subcode?: number) =>
  json(
    response,
    {
      error: {
        message,
        type: 'OAuthException',
        code,
        ...(subcode && { error_subcode: subcode }),
        fbtrace_id: 'EJplcsCHuLu',
      },
    },
    400,
  )

/**
 * Meta's Graph API as far as people sign in to it: a token of hours for a code, one of sixty days for that, and of the pages
 * that the person manages, two at a time, a token each.
 */
export async function metaPeer(version: string, pages: { id: string; instagram?: string }[]) {
  const codes = new Map<string, string>()
  const tokens = new Map<string, string>()
  const issued = new Set<string>()
  const give = (kind: string) => {
    const token = `EAA${kind}-${randomBytes(18).toString('hex')}`
    tokens.set(token, kind)
    issued.add(token)
    return token
  }
  const it: Peer = await peer((received, response) => {
    const url = new URL(received.path, 'http://graph')
    const path = url.pathname.replace(`/${version}`, '')
    if (path === url.pathname) return graphError(response, 2635, 'You are calling a deprecated version.')
    const given = Object.fromEntries(new URLSearchParams(received.body.toString()))
    if (path === '/oauth/access_token') {
      if (given.client_secret !== vendorSecret)
        return graphError(response, 1, 'Error validating client secret.')
      const challenge = createHash('sha256')
        .update(given.code_verifier ?? '')
        .digest('base64url')
      if (given.grant_type === 'fb_exchange_token')
        return tokens.get(given.fb_exchange_token!) === 'hours'
          ? json(response, { access_token: give('days'), token_type: 'bearer', expires_in: 5_183_944 })
          : graphError(response, 190, 'Error validating access token.')
      if (codes.get(given.code!) !== challenge)
        return graphError(response, 100, 'Invalid verification code format.')
      codes.delete(given.code!)
      return json(response, { access_token: give('hours'), token_type: 'bearer', expires_in: 5400 })
    }
    const kind = tokens.get(tokenOf(received))
    if (path === '/me/accounts') {
      if (kind !== 'days') return graphError(response, 190, 'Error validating access token.')
      const from = Number(url.searchParams.get('after') ?? 0)
      const data = pages.slice(from, from + 2).map(({ id, instagram }) => ({
        id,
        access_token: give(id),
        ...(instagram && { instagram_business_account: { id: instagram } }),
      }))
      const isMore = from + 2 < pages.length
      return json(response, {
        data,
        paging: { cursors: { after: String(from + 2) }, ...(isMore && { next: `${it.url}/next` }) },
      })
    }
    const page = pages.find(({ id }) => id === kind)
    if (!page)
      return graphError(
        response,
        190,
        'Error validating access token: The user has not authorized application 4711.',
        458,
      )
    return json(response, { id: page.id, data: [] })
  })
  return {
    ...it,
    issued,
    environment: {
      META_CLIENT_ID: '4711',
      META_CLIENT_SECRET: vendorSecret,
      META_TOKEN_URL: `${it.url}/{version}/oauth/access_token`,
    } as Environment,
    /** The person allows it: what they are sent back with. */
    consents(authorizationUrl: string) {
      const { state, code_challenge } = Object.fromEntries(new URL(authorizationUrl).searchParams)
      const code = `AQ-${randomBytes(18).toString('hex')}`
      codes.set(code, code_challenge!)
      issued.add(code)
      return { state: state!, code }
    },
    withdraws: () => tokens.clear(),
  }
}
