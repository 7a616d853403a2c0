import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  genericGrantRequest,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { AccessToken } from '../../../contract/connection-kinds.ts'
import type { SignInProvider } from '../../../contract/sign-in.ts'
import type { Parts } from '../../library.ts'
import { outboundError } from '../../outbound/errors.ts'
import { openidFetch } from '../../outbound/openid-fetch.ts'
import { OutboundFailure } from '../../outbound/outbound.ts'
import { readIfThere } from '../targets/answers.ts'
import { SignInNeeded } from '../targets/credentials.ts'
import { TargetFault, Unreadable } from '../targets/target.ts'
import { providers } from './providers.ts'

/** What a vendor gave. */
export interface Tokens {
  accessToken: string
  refreshToken?: string
  /** How long the access token is good, and for how long the vendor lets us renew it; undefined: it does not say. */
  tokenSeconds: number | undefined
  signInSeconds: number | undefined
  /** What was allowed, where the vendor says. */
  scopes: string[] | undefined
}

export interface Begun {
  state: string
  verifier: string
}

export const redirectUrl = ({ config }: Parts, provider: SignInProvider) =>
  `${config.publicUrl}/app/connect/${provider}`

/** Where a person is sent to sign in. */
export async function authorizationUrl(
  parts: Parts,
  provider: SignInProvider,
  scopes: string[],
  { state, verifier }: Begun,
): Promise<string> {
  const { parameters, provesKey } = providers[provider]
  return buildAuthorizationUrl(vendor(parts, provider), {
    redirect_uri: redirectUrl(parts, provider),
    response_type: 'code',
    scope: scopes.join(' '),
    state,
    ...(provesKey && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
    ...parameters,
  }).href
}

/** What the vendor gives for the code that a person came back with. */
export async function tokensFor(
  parts: Parts,
  provider: SignInProvider,
  returned: Record<string, string>,
  { state, verifier }: Begun,
): Promise<Tokens> {
  const came = new URL(`${redirectUrl(parts, provider)}?${new URLSearchParams({ ...returned, state })}`)
  const checks = {
    expectedState: state,
    ...(providers[provider].provesKey && { pkceCodeVerifier: verifier }),
  }
  return toTokens(provider, await authorizationCodeGrant(vendor(parts, provider), came, checks))
}

/** A token of sixty days for one of hours: Meta's way. */
export const longLived = async (parts: Parts, shortLived: string): Promise<Tokens> =>
  toTokens(
    'meta',
    await genericGrantRequest(vendor(parts, 'meta'), 'fb_exchange_token', { fb_exchange_token: shortLived }),
  )

/** Renews. What keeps it from doing so says nothing about what the token was wanted for. */
export async function renewedTokens(
  parts: Parts,
  provider: SignInProvider,
  refreshToken: string,
): Promise<Tokens> {
  try {
    const { refreshToken: rotated = refreshToken, ...tokens } = toTokens(
      provider,
      await refreshTokenGrant(vendor(parts, provider), refreshToken),
    )
    return { ...tokens, refreshToken: rotated }
  } catch (error) {
    throw whyNot(provider, error)
  }
}

/** Tells the vendor that a token, and all that was given with it, is not used any more (RFC 7009). Its no is final. */
export async function withdrawnToken(parts: Parts, provider: SignInProvider, token: string): Promise<void> {
  try {
    await tokenRevocation(vendor(parts, provider), token)
  } catch (error) {
    if (!refusalIn(error)) throw failureIn(error) ?? error
  }
}

function whyNot(provider: SignInProvider, error: unknown): Error {
  const { name, answerer: who } = providers[provider]
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return new SignInNeeded(who)
  if (isAboutApp(error))
    return new TargetFault('busy', 'app-not-known', `${name} does not know our app. ${appFix(provider)}`, {
      who,
    })
  const failure = failureIn(error)
  const known = failure && outboundError(failure)
  if (known) return new TargetFault('busy', known.reason.code, known.text, known.reason.values)
  return new TargetFault('busy', 'failed', `${name} did not renew the sign-in.`, { who })
}

export const isAboutApp = (error: unknown) =>
  error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)

export const appFix = (provider: SignInProvider) => {
  const vendor = provider.toUpperCase()
  return `Correct ${vendor}_CLIENT_ID and ${vendor}_CLIENT_SECRET.`
}

/** What the vendor said no with, when the person came back or when the code was shown to it. */
export const refusalIn = (error: unknown): string | undefined =>
  error instanceof ResponseBodyError || error instanceof AuthorizationResponseError ? error.error : undefined

/** What went wrong on the line, wherever it was wrapped. */
export function failureIn(error: unknown): OutboundFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundFailure) return cause
  return undefined
}

function vendor({ config, outbound }: Parts, provider: SignInProvider): Configuration {
  const { clientId, clientSecret, issuer, authorizationUrl, tokenUrl, revocationUrl } =
    config.signIn[provider]
  const server = {
    issuer,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl && { revocation_endpoint: revocationUrl }),
  }
  const configuration = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret))
  configuration[customFetch] = openidFetch(outbound, inStandardForm)
  // Settings admit http for hosts that were opened by name only.
  if (!tokenUrl.startsWith('https:')) allowInsecureRequests(configuration)
  return configuration
}

/**
 * As the standard has it: LinkedIn leaves out the type of a token, Meta's errors have a form of their own
 * (190: the token has ended). Nobody's identity is asked for, so an ID token is not looked at.
 */
function inStandardForm(text: string): string {
  const said = readIfThere(Type.Record(Type.String(), Type.Unknown()), { text, status: 200, headers: {} })
  if (!said) return text
  const { id_token: _, ...rest } = said
  const { error } = rest
  if (typeof error === 'object' && error !== null)
    return JSON.stringify({ error: (error as { code?: unknown }).code === 190 ? 'invalid_grant' : 'refused' })
  if (!('access_token' in rest)) return JSON.stringify(rest)
  return JSON.stringify({
    token_type: 'bearer',
    ...rest,
    expires_in: secondsIn(rest.expires_in),
    refresh_token_expires_in: secondsIn(rest.refresh_token_expires_in),
  })
}

const tenYears = 10 * 365 * 86_400

/** How long something lasts, if that can be meant: anything else is as good as not said. */
function secondsIn(said: unknown): number | undefined {
  const seconds = typeof said === 'string' ? Number(said) : said
  const canBeMeant = typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0
  return canBeMeant && seconds <= tenYears ? seconds : undefined
}

function toTokens(provider: SignInProvider, answer: TokenEndpointResponse): Tokens {
  const { access_token, refresh_token, expires_in, scope } = answer
  if (!Value.Check(AccessToken, access_token)) throw new Unreadable(providers[provider].answerer)
  const renewSeconds = answer.refresh_token_expires_in as number | undefined
  return {
    accessToken: access_token,
    ...(refresh_token && { refreshToken: refresh_token }),
    tokenSeconds: expires_in,
    signInSeconds: refresh_token ? renewSeconds : expires_in,
    // LinkedIn puts commas between them.
    scopes: scope?.split(/[\s,]+/),
  }
}
