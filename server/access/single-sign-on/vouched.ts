import { fetchUserInfo, type TokenEndpointResponse, type TokenEndpointResponseHelpers } from 'openid-client'
import { Value } from 'typebox/value'
import { NewUser } from '../../../contract/access.ts'
import type { OidcProvider, OidcRole } from '../../oidc-providers.ts'
import type { Provider } from './providers.ts'

/** What a provider says of somebody, as far as it counts here. */
export interface Vouched {
  subject: string
  /** Only if the provider has verified it. */
  email: string | undefined
  name: string | undefined
  role: OidcRole | undefined
  /** Whether it has asked for a second factor, or what stands for one. */
  isStrong: boolean
}

/** Somebody, with nothing in it that a database refuses, or keeps as something else. */
const subjects = /^(?=.*\S)[^\p{Cc}\p{Cs}]{1,255}$/u

type Claims = Record<string, unknown> & { sub: string }

/** Some put all of it into the ID token, some tell the rest when asked. */
export async function vouchedFor(
  { settings, discovered }: Provider,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<Vouched> {
  const said: Claims = { ...tokens.claims()! }
  if (!subjects.test(said.sub)) throw new Error('The ID token names nobody who could be kept.')
  // OpenID Connect Core 3.1.3.7: the library asks for it only where there are several audiences.
  if (said.azp !== undefined && said.azp !== settings.clientId)
    throw new Error('The ID token was given to another party.')
  const isAll = said.email !== undefined && claimAt(said, settings.roleClaim) !== undefined
  const configuration = await discovered()
  if (isAll || !configuration.serverMetadata().userinfo_endpoint) return read(settings, said)
  const more = await fetchUserInfo(configuration, tokens.access_token, said.sub)
  return read(settings, { ...more, ...said })
}

function read({ roleClaim, roles, secondFactor }: OidcProvider, claims: Claims): Vouched {
  const { sub, email, email_verified, name, amr } = claims
  const isVerified = email_verified === true || email_verified === 'true'
  const { properties } = NewUser
  const given = roleClaim === 'email' && !isVerified ? [] : textsIn(claimAt(claims, roleClaim))
  return {
    subject: sub,
    email: isVerified && Value.Check(properties.email, email) ? email : undefined,
    name: Value.Check(properties.name, name) ? name : undefined,
    role: roles.find(({ value }) => given.includes(value)),
    isStrong: secondFactor === 'theirs' || (secondFactor === 'amr' && textsIn(amr).includes('mfa')),
  }
}

/** By its whole name, which may hold dots itself, or within others: `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((inside, step) => {
    const isThere = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, step)
    return isThere ? (inside as Record<string, unknown>)[step] : undefined
  }, claims)
}

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')
