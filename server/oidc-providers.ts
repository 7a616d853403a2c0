import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { userRoles } from '../contract/access.ts'
import { Nullable, Strict } from '../contract/words.ts'

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Whom a value of the claim makes somebody. */
const OidcRole = Strict({
  value: Text(500),
  role: Type.Enum(userRoles),
  /** Null: all clients. Left out: those that an administrator names, none at first. */
  clientIds: Type.Optional(Nullable(Type.Array(Text(100), { maxItems: 1000 }))),
})
export type OidcRole = Static<typeof OidcRole>

const Provider = Strict({
  /** Part of the address that the provider sends people back to. */
  id: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
  name: Text(60),
  issuer: Text(500),
  clientId: Text(500),
  clientSecret: Text(1000),
  scope: Type.Optional(Text(500)),
  /** Its first value that `roles` knows decides, in the order of `roles`. */
  roleClaim: Text(200),
  roles: Type.Array(OidcRole, { minItems: 1, maxItems: 500 }),
  createsAccounts: Type.Optional(Type.Boolean()),
  trustsEmail: Type.Optional(Type.Boolean()),
  secondFactor: Type.Optional(Type.Enum(['amr', 'theirs', 'ours'])),
})

/** Somebody else who says who people are, and what that is worth here. */
export type OidcProvider = ReturnType<typeof withDefaults>

/** What `OIDC_PROVIDERS` says, or a reason why it cannot be meant. */
export function readOidcProviders(text: string, isSafe: (url: string) => boolean): OidcProvider[] | string {
  if (!text) return []
  const given = parsed(text)
  if (!Value.Check(Type.Array(Provider), given)) return `must be a list of providers${whereIn(given)}`
  const strange = given.find(({ issuer }) => !isSafe(issuer))
  if (strange) return `must name an https address as the issuer of ${strange.id}`
  if (new Set(given.map(({ id }) => id)).size < given.length) return 'must name each provider once'
  if (given.some(({ roles }) => roles.some(lacksItsClient)))
    return 'must name one client in the clientIds of the role client, or leave them out'
  return given.map(withDefaults)
}

const lacksItsClient = ({ role, clientIds }: OidcRole) =>
  role === 'client' && clientIds !== undefined && clientIds?.length !== 1

const withDefaults = (given: Static<typeof Provider>) => ({
  scope: 'openid email profile',
  createsAccounts: false,
  trustsEmail: false,
  secondFactor: 'amr' as const,
  ...given,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where it is wrong, and never what stands there: it may be a secret. */
function whereIn(given: unknown): string {
  if (given === undefined) return ' in JSON'
  const [first] = Value.Errors(Type.Array(Provider), given)
  return first ? `; ${first.instancePath || 'it'} ${first.message}` : ''
}
