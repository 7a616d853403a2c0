import { type Static, Type } from 'typebox'
import { AuditEntry, auditActions, ClientAuditQuery } from './audit.ts'
import { NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

/** `agency`: somebody of the agency or one of its programs, whose name is not for the client's people. */
export const actorKinds = ['user', 'key', 'system', 'nobody', 'agency'] as const
export type ActorKind = (typeof actorKinds)[number]

/** What somebody did in a library, as far as whoever asks may know. */
export const Activity = Type.Object({
  activityId: Type.String(),
  at: Timestamp,
  by: Type.Object({
    kind: Type.Enum(actorKinds),
    id: Nullable(Type.String()),
    name: Nullable(Type.String({ description: 'As it was then.' })),
  }),
  action: Type.Enum(auditActions),
  thing: AuditEntry.properties.thing,
  name: AuditEntry.properties.name,
  into: Type.Optional(
    Type.Object(
      { thing: Type.String(), name: AuditEntry.properties.name },
      { description: 'What a duplicate was merged into, as it was called last.' },
    ),
  ),
  changed: Type.Array(Type.String(), { description: 'Which members were set, where it says.' }),
  decision: Type.Optional(
    Type.Object(
      { version: Type.Integer(), note: Type.String() },
      { description: 'Of a review: what was said, and of which version.' },
    ),
  ),
  together: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'How many entries it stands for.' }),
        names: Type.Array(Type.String(), { description: 'What some of them were done to.' }),
        more: Type.Boolean({ description: 'They go on with the next page.' }),
        cursor: Type.String({ description: 'Where they begin: asked for without `together`, each is told.' }),
      },
      { description: 'The last of several entries in a row by the same person about the same.' },
    ),
  ),
})
export type Activity = Static<typeof Activity>

export const ActivityQuery = Strict({
  thing: Type.Optional(Type.String({ maxLength: 300, description: 'The id of what it was done to.' })),
  action: ClientAuditQuery.properties.action,
  together: Type.Optional(
    Type.Boolean({ description: 'What one person did in a row, such as to all of a batch, as one entry.' }),
  ),
  ...Page,
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const ActivityPage = Type.Object({ activity: Type.Array(Activity), nextCursor: NextCursor })
export type ActivityPage = Static<typeof ActivityPage>
