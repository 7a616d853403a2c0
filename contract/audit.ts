import { type Static, Type } from 'typebox'
import { eventTypes } from './events.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

/** What can be done: every change that is told as an event, and what is told to nobody but kept. */
export const auditActions = [
  ...eventTypes,
  'asset.downloaded',
  'folder.downloaded',
  'delivery.retry-asked',
  'delivery.cancel-asked',
  'delivery.settled',
  'client.created',
  'client.updated',
  'client.removal-asked',
  'client.removed',
  'client.imported',
  'client.suggestions-set',
  'suggestion.asked',
  'suggestion.accepted',
  'suggestion.declined',
  'suggestion.reopened',
  'saved-search.created',
  'saved-search.updated',
  'saved-search.deleted',
  'user.created',
  'user.updated',
  'user.invited',
  'user.invitation-accepted',
  'user.reset-asked',
  'user.password-reset',
  'user.email-asked',
  'user.email-confirmed',
  'user.second-factor-added',
  'user.second-factor-removed',
  'user.second-factor-reset',
  'user.recovery-codes-made',
  'user.identity-linked',
  'user.identity-unlinked',
  'user.deleted',
  'key.created',
  'key.deleted',
  'agent.connected',
  'agent.disconnected',
  'agent.stopped',
  'login.succeeded',
  'login.failed',
  'login.ended',
  'login.picker-opened',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.tested',
  'webhook.replayed',
  'webhook.secret-rotated',
  'ads-connection.created',
  'ads-connection.updated',
  'landing-page.set',
] as const
export type AuditAction = (typeof auditActions)[number]

export const principalKinds = ['user', 'key', 'system', 'nobody'] as const
export type PrincipalKind = (typeof principalKinds)[number]

export const AuditEntry = Type.Object({
  entryId: Type.Integer(),
  at: Timestamp,
  clientId: Nullable(Type.String({ description: 'Null for what belongs to no client, such as a user.' })),
  principal: Type.Object(
    {
      kind: Type.Enum(principalKinds),
      id: Nullable(Type.String()),
      name: Nullable(Type.String({ description: 'As it was then.' })),
    },
    { description: '`system` for jobs and the command line, `nobody` for a login that failed.' },
  ),
  action: Type.Enum(auditActions),
  thing: Nullable(Type.String({ description: 'The id of what it was done to.' })),
  name: Nullable(Type.String({ description: 'What the thing was called then.' })),
  details: Type.Record(Type.String(), Type.Unknown()),
  address: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  requestId: Nullable(Type.String({ description: 'As in the log.' })),
})
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  principalId: Type.Optional(Type.String({ maxLength: 200, description: 'A user, a key, or `system`.' })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z-]+(\\.[a-z-]+)?$',
      maxLength: 50,
      description: 'One action (`asset.trashed`), or all of a kind (`asset`).',
    }),
  ),
  thing: Type.Optional(Type.String({ maxLength: 300, description: 'The id of what it was done to.' })),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Up to, and not with, this moment.' })),
  ...Page,
}

export const ClientAuditQuery = Strict(filters)
export type ClientAuditQuery = Static<typeof ClientAuditQuery>

export const AuditQuery = Strict({ clientId: Type.Optional(Id('client')), ...filters })
export type AuditQuery = Static<typeof AuditQuery>

export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: NextCursor })
export type AuditPage = Static<typeof AuditPage>
