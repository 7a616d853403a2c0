import { type Static, Type } from 'typebox'
import { Id, Language, Nullable, plainName, Strict, Timestamp } from './words.ts'

export const permissions = [
  'assets:read',
  'assets:write',
  'assets:delete',
  'assets:purge',
  'assets:hold',
  'folders:write',
  'folders:social',
  'references:write',
  'deliveries:read',
  'deliveries:write',
  'deliveries:settle',
  'shares:write',
  'reviews:write',
  'agents:read',
  'agents:stop',
  'clients:read',
  'clients:write',
  'users:write',
  'keys:write',
  'diagnostics:read',
  'diagnostics:write',
  'runtime:write',
  'webhooks:write',
  'audit:read',
] as const
export type Permission = (typeof permissions)[number]

const agent = [
  'assets:read',
  'assets:write',
  'references:write',
  'deliveries:read',
  'deliveries:write',
  'runtime:write',
] as const

export const rolePermissions = {
  admin: permissions.filter(
    (permission) => permission !== 'folders:social' && permission !== 'runtime:write',
  ),
  operator: [
    'assets:read',
    'assets:write',
    'assets:delete',
    'assets:purge',
    'folders:write',
    'references:write',
    'deliveries:read',
    'deliveries:write',
    'deliveries:settle',
    'shares:write',
    'reviews:write',
    'agents:read',
    'clients:read',
    'diagnostics:read',
  ],
  viewer: ['assets:read', 'deliveries:read', 'agents:read', 'clients:read', 'diagnostics:read'],
  client: [
    'assets:read',
    'assets:write',
    'assets:delete',
    'folders:write',
    'shares:write',
    'reviews:write',
    'agents:read',
    'agents:stop',
  ],
  agent,
  'social-agent': [...agent, 'folders:write', 'folders:social'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof rolePermissions
export const userRoles = ['admin', 'operator', 'viewer', 'client'] as const
export const keyRoles = ['agent', 'social-agent'] as const
/** Whether software acts: what people decide, it neither decides nor gets around. */
export const isAgent = ({ kind }: { kind: string }) => kind === 'key'

const hostLabel = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const UserRole = Type.Enum(userRoles)
const KeyRole = Type.Enum(keyRoles)
/** What a browser takes in a field for e-mail (HTML Standard, “valid email address”): a host needs no dot. */
const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${hostLabel}(\\.${hostLabel})*$`,
})
const Name = Type.String({ minLength: 1, maxLength: 120, pattern: plainName })
const Password = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'At least 12 characters, and not a well-known one.',
})
const ClientIds = Nullable(Type.Array(Id('client'), { maxItems: 1000 }))

export const Login = Strict({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
})
export type Login = Static<typeof Login>

export const User = Type.Object({
  userId: Id('user'),
  email: Type.String(),
  name: Type.String(),
  role: UserRole,
  isActive: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  clientIds: Nullable(Type.Array(Type.String(), { description: 'The clients the user sees.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type User = Static<typeof User>

export const UserWithPassword = Type.Object({
  ...User.properties,
  password: Type.Optional(Type.String({ description: 'Generated because none was given. Shown once.' })),
})
export type UserWithPassword = Static<typeof UserWithPassword>

export const NewUser = Strict({
  email: Email,
  name: Name,
  role: UserRole,
  clientIds: Type.Optional(ClientIds),
  password: Type.Optional(Password),
})
export type NewUser = Static<typeof NewUser>

export const UserChange = Strict(
  {
    name: Type.Optional(Name),
    role: Type.Optional(UserRole),
    isActive: Type.Optional(Type.Boolean()),
    clientIds: Type.Optional(ClientIds),
    password: Type.Optional(Password),
  },
  { minProperties: 1 },
)
export type UserChange = Static<typeof UserChange>

export const Users = Type.Object({ users: Type.Array(User) })
export type Users = Static<typeof Users>

export const ApiKey = Type.Object({
  keyId: Id('key'),
  name: Type.String(),
  role: KeyRole,
  clientIds: Type.Array(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Type.Object({
  ...ApiKey.properties,
  apiKey: Type.String({ description: 'Shown once.' }),
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Strict({
  name: Name,
  role: KeyRole,
  clientIds: Type.Array(Id('client'), { minItems: 1, maxItems: 1000 }),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeys = Type.Object({ apiKeys: Type.Array(ApiKey) })
export type ApiKeys = Static<typeof ApiKeys>

/** What a person has to do before anything else is open to them. */
export const pendingSteps = ['password', 'second-factor'] as const
export type PendingStep = (typeof pendingSteps)[number]

export const Me = Type.Object({
  kind: Type.Enum(['user', 'key']),
  id: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String()),
  role: Type.String(),
  permissions: Type.Array(Type.String(), { description: 'None while something is pending.' }),
  clientId: Nullable(Type.String({ description: "A portal user's client." })),
  clients: Type.Optional(
    Type.Array(Type.Object({ clientId: Id('client'), name: Type.String() }), {
      description: 'Of a key: the clients it is for.',
    }),
  ),
  language: Nullable(Language),
  pending: Nullable(
    Type.Enum(pendingSteps, {
      description:
        'What has to be done first: `password`, choose one of your own (`POST /auth/password`); `second-factor`, set one up.',
    }),
  ),
})
export type Me = Static<typeof Me>

const GivenPassword = Type.String({ maxLength: 1000, description: 'The present password, once more.' })

export const MeChange = Strict(
  {
    name: Type.Optional(Name),
    email: Type.Optional(Email),
    language: Type.Optional(Nullable(Language)),
    password: Type.Optional(GivenPassword),
  },
  { minProperties: 1, description: 'A new e-mail needs the password.' },
)
export type MeChange = Static<typeof MeChange>

export const ChangedMe = Type.Object({
  ...Me.properties,
  emailToConfirm: Nullable(
    Type.String({ description: 'A link was sent there; the e-mail changes when it is followed.' }),
  ),
})
export type ChangedMe = Static<typeof ChangedMe>

export const PasswordChange = Strict({ current: GivenPassword, next: Password })
export type PasswordChange = Static<typeof PasswordChange>

export const Session = Type.Object({
  sessionId: Id('session'),
  isCurrent: Type.Boolean({ description: 'The one that asks.' }),
  method: Type.String({ description: 'How it was opened.' }),
  address: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
})
export type Session = Static<typeof Session>

export const Sessions = Type.Object({ sessions: Type.Array(Session) })
export type Sessions = Static<typeof Sessions>

export const EndedSessions = Type.Object({ ended: Type.Integer() })
export type EndedSessions = Static<typeof EndedSessions>

/** What somebody who is not logged in can do here. */
export const SignInOptions = Type.Object({
  mail: Type.Boolean({ description: 'Whether a forgotten password can be mended by e-mail.' }),
  providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'Who else lets people in: send the browser to `/auth/oidc/<id>`.',
  }),
})
export type SignInOptions = Static<typeof SignInOptions>

/** Who else can let a person in. */
export const Identities = Type.Object({
  identities: Type.Array(
    Type.Object({
      provider: Type.String(),
      name: Type.String(),
      linkedAt: Nullable(Timestamp),
      lastUsedAt: Nullable(Timestamp),
    }),
    { description: 'All providers that there are; `linkedAt` is null for one that does not let you in.' },
  ),
})
export type Identities = Static<typeof Identities>

export const IdentityLinkBegun = Type.Object({ url: Type.String() })
export type IdentityLinkBegun = Static<typeof IdentityLinkBegun>

export const ForgottenPassword = Strict({ email: Type.String({ maxLength: 254 }) })
export type ForgottenPassword = Static<typeof ForgottenPassword>

export const Accepted = Type.Object({ accepted: Type.Literal(true) })

const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'What the link carries.' })

export const NewPassword = Strict({ token: LinkToken, password: Password })
export type NewPassword = Static<typeof NewPassword>

export const EmailConfirmation = Strict({ token: LinkToken })
export type EmailConfirmation = Static<typeof EmailConfirmation>

/** Whose link it was: the next step is to log in. */
export const LinkFollowed = Type.Object({ email: Type.String() })
export type LinkFollowed = Static<typeof LinkFollowed>

export const Invitation = Type.Object({
  sentTo: Nullable(Type.String({ description: 'Where the link was sent; null without a mail server.' })),
  link: Nullable(
    Type.String({ description: 'Without a mail server: to be handed over. Good for an hour, and once.' }),
  ),
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>
