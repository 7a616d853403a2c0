import { type Static, Type } from 'typebox'
import { type EventOf, type EventType, eventSchema, eventTypes } from './events.ts'
import { HttpUrl } from './http-url.ts'
import { disabledCodes, OutboundReason } from './outbound-reasons.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

const ClientIds = Nullable(
  Type.Array(Id('client'), { minItems: 1, maxItems: 1000, description: 'Null: every client.' }),
)
const EventTypes = Type.Array(Type.Enum(eventTypes), {
  maxItems: eventTypes.length,
  description: 'Empty: every type.',
})

export const Webhook = Type.Object({
  webhookId: Id('webhook'),
  url: Type.String(),
  clientIds: Nullable(Type.Array(Type.String())),
  eventTypes: EventTypes,
  isEnabled: Type.Boolean(),
  failingSince: Nullable(Timestamp),
  lastError: Nullable(Type.String()),
  lastErrorReason: Nullable(OutboundReason),
  disabledReason: Nullable(Type.String()),
  disabledCode: Nullable(Type.Enum(disabledCodes)),
  setAside: Type.Array(
    Type.Object({
      clientId: Id('client'),
      eventId: Type.Integer(),
      error: Type.String(),
      reason: Nullable(OutboundReason),
      setAsideAt: Timestamp,
    }),
    {
      description: 'The newest events that the receiver refused again and again. Replay them from there on.',
    },
  ),
  setAsideCount: Type.Integer({ description: 'How many there are.' }),
  previousSecretEndsAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then messages are signed with the secret before this one, too.',
    }),
  ),
  lastSentAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Webhook = Static<typeof Webhook>
export const Webhooks = Type.Object({ webhooks: Type.Array(Webhook) })
export type Webhooks = Static<typeof Webhooks>

export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  secret: Type.String({ description: 'whsec_…, by the Standard Webhooks rules. Shown once.' }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const NewWebhook = Strict({
  url: HttpUrl,
  clientIds: ClientIds,
  eventTypes: Type.Optional(EventTypes),
})
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChange = Strict(
  {
    url: Type.Optional(HttpUrl),
    clientIds: Type.Optional(ClientIds),
    eventTypes: Type.Optional(EventTypes),
    isEnabled: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)
export type WebhookChange = Static<typeof WebhookChange>

export const WebhookTest = Type.Object({
  ok: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'What the receiver answered.' })),
  error: Nullable(Type.String()),
  reason: Nullable(OutboundReason),
  answer: Nullable(Type.String({ description: 'The beginning of what the receiver said.' })),
})
export type WebhookTest = Static<typeof WebhookTest>

export const RotateSecret = Strict({
  overlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      description: 'How long messages are signed with the old secret, too: a day unless said otherwise.',
    }),
  ),
})
export type RotateSecret = Static<typeof RotateSecret>

/** One message that was sent, or could not be. */
export const WebhookAttempt = Type.Object({
  attemptId: Type.Integer(),
  type: Type.String(),
  clientId: Nullable(Type.String({ description: 'Null: a test.' })),
  eventId: Nullable(Type.Integer()),
  attemptedAt: Timestamp,
  milliseconds: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'What the receiver answered.' })),
  error: Nullable(Type.String()),
  reason: Nullable(OutboundReason),
  answer: Nullable(Type.String({ description: 'The beginning of what the receiver said.' })),
})
export type WebhookAttempt = Static<typeof WebhookAttempt>
export const WebhookAttempts = Type.Object({
  attempts: Type.Array(WebhookAttempt, { description: 'The newest first. Kept for two weeks.' }),
  nextCursor: NextCursor,
})
export type WebhookAttempts = Static<typeof WebhookAttempts>

export const WebhookAttemptsQuery = Strict({
  failed: Type.Optional(Type.Boolean({ description: 'Only those that did not get through.' })),
  ...Page,
})
export type WebhookAttemptsQuery = Static<typeof WebhookAttemptsQuery>

/** What is posted for an event. */
export const webhookMessage = (type: EventType) =>
  Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data: eventSchema(type) })
export interface MessageOf<T extends EventType> {
  type: T
  timestamp: string
  data: EventOf<T>
}
/** Any of them: its `type` tells what its `data` is. */
export type WebhookMessage = { [T in EventType]: MessageOf<T> }[EventType]

export interface WebhookTestMessage {
  type: 'webhook.test'
  timestamp: string
  data: { webhookId: string }
}

export const Replay = Strict({
  clientId: Id('client'),
  fromEventId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
export type Replay = Static<typeof Replay>

export const Resend = Strict({
  clientId: Id('client'),
  eventId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
export type Resend = Static<typeof Resend>
