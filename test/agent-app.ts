import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  dynamicClientRegistration,
  None,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { ConsentAnswer } from '../contract/agent-sign-in.ts'
import type { Answer, Person } from './person.ts'

export const redirectUri = 'https://agent.example/callback'

/** A program that asks people for access, by an independent library. */
export async function registeredApp(url: string, name = 'Helper') {
  const config = await dynamicClientRegistration(
    new URL(url),
    { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    None(),
    { execute: [allowInsecureRequests], algorithm: 'oauth2' },
  )
  return agentApp(config)
}

export function agentApp(config: Configuration) {
  const resource = `${config.serverMetadata().issuer}/mcp`
  return {
    config,
    resource,
    id: config.clientMetadata().client_id,
    /** Where it sends a person's browser, and what it keeps for when that comes back. */
    async asks(more: Record<string, string> = {}) {
      const verifier = randomPKCECodeVerifier()
      const state = randomState()
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource,
        ...more,
      })
      return { url, verifier, state }
    },
    takes: (redirectTo: string, { verifier, state }: { verifier: string; state: string }) =>
      authorizationCodeGrant(
        config,
        new URL(redirectTo),
        { pkceCodeVerifier: verifier, expectedState: state },
        { resource },
      ),
  }
}

export type AgentApp = ReturnType<typeof agentApp>

/** The page that a browser is led to, with what the program asked for in its address. */
export async function leadsTo(url: URL): Promise<URL> {
  const { headers, status } = await fetch(url, { redirect: 'manual' })
  if (status !== 302) throw new Error(`${status} at ${url.pathname}`)
  const page = new URL(headers.get('location')!, url)
  page.search = Buffer.from(page.searchParams.get('request')!, 'base64url').toString()
  return page
}

/** What somebody says on that page. */
export async function answers(
  person: Person,
  url: URL,
  said: Partial<ConsentAnswer> & { clientIds: string[] },
): Promise<Answer> {
  const { searchParams } = await leadsTo(url)
  return person.post('/oauth/consent', {
    request: Object.fromEntries(searchParams),
    allow: true,
    permissions: ['assets:read'],
    ...said,
  })
}

/** The whole way, from a program that asks to one that has its tokens. */
export async function connects(
  app: AgentApp,
  person: Person,
  said: Partial<ConsentAnswer> & { clientIds: string[] },
) {
  const asked = await app.asks()
  const { body } = await answers(person, asked.url, said)
  return app.takes(body.redirectTo, asked)
}
