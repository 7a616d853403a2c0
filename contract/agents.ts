import { type Static, Type } from 'typebox'
import { Activity } from './activity.ts'
import { Delivery } from './deliveries.ts'
import { AgentRuntime } from './diagnostics.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

/** An agent as one client sees it: nothing of what it does for others. */
export const Agent = Type.Object({
  keyId: Id('key'),
  name: Nullable(
    Type.String({ description: 'As it was called when it last did something, once it is stopped.' }),
  ),
  role: Nullable(Type.String()),
  isSignedIn: Type.Boolean({ description: 'A person let it in; else it has an API key.' }),
  isStopped: Type.Boolean({
    description: 'It may do nothing for this client any more; what it did stays here.',
  }),
  lastDidAt: Nullable(Timestamp),
})
export type Agent = Static<typeof Agent>

export const Agents = Type.Object({ agents: Type.Array(Agent) })
export type Agents = Static<typeof Agents>

export const AgentLook = Type.Object({
  assetId: Id('asset'),
  title: Type.String(),
  hour: Type.String({ format: 'date-time', description: 'In the hour that began then.' }),
})

export const AgentRecord = Type.Object({
  ...Agent.properties,
  runtimes: Type.Array(AgentRuntime, {
    description: 'What it writes about its runs, by the names it goes by.',
  }),
  looks: Type.Array(AgentLook, { description: 'What it resolved, read or looked at, the newest first.' }),
  deliveries: Type.Array(
    Type.Pick(Delivery, [
      'deliveryId',
      'assetId',
      'status',
      'remoteUrl',
      'lastError',
      'lastErrorReason',
      'createdAt',
    ]),
    { description: 'What it had delivered, the newest first.' },
  ),
  activity: Type.Array(Activity, { description: 'What it changed, the newest first.' }),
  nextCursor: NextCursor,
})
export type AgentRecord = Static<typeof AgentRecord>

export const AgentQuery = Strict(Page)
export type AgentQuery = Static<typeof AgentQuery>
