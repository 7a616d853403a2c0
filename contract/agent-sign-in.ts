import { type Static, Type } from 'typebox'
import type { Permission } from './access.ts'
import { Id, Nullable, Strict, Timestamp } from './words.ts'

/** What a person can allow an agent that signs in, as far as they may do it themselves. OAuth's scopes. */
export const agentPermissions = [
  'assets:read',
  'assets:write',
  'folders:write',
  'references:write',
  'deliveries:read',
  'deliveries:write',
] as const satisfies readonly Permission[]
const AgentPermission = Type.Enum(agentPermissions)
export type AgentPermission = Static<typeof AgentPermission>

const Address = Type.String({ minLength: 1, maxLength: 500 })

/** What an agent sends a person's browser with to `/oauth/authorize`, in OAuth's own words. */
export const AuthorizationRequest = Strict({
  response_type: Type.Literal('code'),
  client_id: Address,
  redirect_uri: Address,
  code_challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 }),
  code_challenge_method: Type.Literal('S256'),
  state: Type.Optional(Type.String({ maxLength: 1000 })),
  scope: Type.Optional(Type.String({ maxLength: 1000 })),
  resource: Type.Optional(Address),
})
export type AuthorizationRequest = Static<typeof AuthorizationRequest>

/** What a person is asked before an agent gets in. */
export const ConsentQuestion = Type.Object({
  agent: Type.Object({
    name: Type.String({ description: 'As it calls itself.' }),
    host: Nullable(
      Type.String({ description: 'Who says so: the host of its document. Null: anybody may have.' }),
    ),
    redirectHost: Type.String({ description: 'Where the answer goes.' }),
    isOnThisDevice: Type.Boolean({ description: 'The answer goes to a program on the device itself.' }),
  }),
  clients: Type.Array(Type.Object({ clientId: Id('client'), name: Type.String() }), {
    description: 'Those that the person may choose from; at most 1,000.',
  }),
  permissions: Type.Array(AgentPermission, { description: 'What the person may allow.' }),
  asked: Type.Array(AgentPermission, { description: 'What of that the agent asks for.' }),
})
export type ConsentQuestion = Static<typeof ConsentQuestion>

export const ConsentAnswer = Strict({
  request: AuthorizationRequest,
  allow: Type.Boolean(),
  clientIds: Type.Array(Id('client'), { maxItems: 1000, description: 'At least one, to allow.' }),
  permissions: Type.Array(AgentPermission, {
    maxItems: agentPermissions.length,
    description: '`assets:read` is always among them.',
  }),
})
export type ConsentAnswer = Static<typeof ConsentAnswer>

export const Consented = Type.Object({
  redirectTo: Type.String({
    description: 'Where the browser goes next. What it carries is good for a minute.',
  }),
})
export type Consented = Static<typeof Consented>

export const ConnectedAgent = Type.Object({
  agentId: Id('key'),
  name: Type.String(),
  host: Type.String({ description: 'Where it was sent its access.' }),
  isVerified: Type.Boolean({ description: 'Its host vouches for its name.' }),
  person: Type.Object({ userId: Id('user'), name: Type.String() }),
  clientIds: Type.Array(Type.String()),
  permissions: Type.Array(AgentPermission, {
    description: 'What was allowed, as far as the person may do it now.',
  }),
  connectedAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})
export type ConnectedAgent = Static<typeof ConnectedAgent>

export const ConnectedAgents = Type.Object({ agents: Type.Array(ConnectedAgent) })
export type ConnectedAgents = Static<typeof ConnectedAgents>
