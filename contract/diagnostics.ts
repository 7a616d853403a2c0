import { type Static, Type } from 'typebox'
import { HttpUrl } from './http-url.ts'
import { Id, Nullable, Strict, Timestamp } from './words.ts'

const Check = Type.Object({ status: Type.Enum(['ok', 'degraded']), detail: Type.Optional(Type.String()) })

export const Status = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  checks: Type.Object({
    database: Check,
    storage: Check,
    media: Check,
    malware: Check,
    ai: Type.Optional(Check),
    jobs: Check,
    secrets: Check,
  }),
})
export type Status = Static<typeof Status>

export const AgentRun = Strict({
  job: Type.String({ maxLength: 200 }),
  status: Type.Enum(['succeeded', 'failed']),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  error: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type AgentRun = Static<typeof AgentRun>

export const AgentRuntimeQuery = Strict({
  clientId: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Whose agent: agents of several clients may go by one id. Without it, the one heard of last.',
    }),
  ),
})
export type AgentRuntimeQuery = Static<typeof AgentRuntimeQuery>

export const AgentRuntime = Type.Object({
  agentId: Type.String(),
  clientId: Id('client'),
  state: Type.Enum(['running', 'idle', 'stale', 'stopped']),
  lastHeartbeatAt: Timestamp,
  currentJob: Nullable(Type.String()),
  recentRuns: Type.Array(AgentRun),
})
export type AgentRuntime = Static<typeof AgentRuntime>

export const AgentHeartbeat = Strict({
  clientId: Id('client'),
  state: Type.Enum(['running', 'idle', 'stopped']),
  currentJob: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  finishedRun: Type.Optional(AgentRun),
})
export type AgentHeartbeat = Static<typeof AgentHeartbeat>

const adsFields = {
  status: Type.Enum(['connected', 'expired', 'error', 'disconnected']),
  account: Nullable(Type.String({ maxLength: 200 })),
  scopes: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }),
  expiresAt: Nullable(Timestamp),
  lastSyncAt: Nullable(Timestamp),
  lastError: Nullable(Type.String({ maxLength: 2000 })),
}

export const AdsConnection = Type.Object({
  connectionId: Id('connection'),
  clientId: Id('client'),
  provider: Type.String(),
  ...adsFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type AdsConnection = Static<typeof AdsConnection>

export const NewAdsConnection = Strict({
  clientId: Id('client'),
  status: adsFields.status,
  account: Type.Optional(adsFields.account),
  scopes: Type.Optional(adsFields.scopes),
  expiresAt: Type.Optional(adsFields.expiresAt),
  lastSyncAt: Type.Optional(adsFields.lastSyncAt),
  lastError: Type.Optional(adsFields.lastError),
})
export type NewAdsConnection = Static<typeof NewAdsConnection>

export const AdsConnectionChange = Strict(
  {
    status: Type.Optional(adsFields.status),
    account: Type.Optional(adsFields.account),
    scopes: Type.Optional(adsFields.scopes),
    expiresAt: Type.Optional(adsFields.expiresAt),
    lastSyncAt: Type.Optional(adsFields.lastSyncAt),
    lastError: Type.Optional(adsFields.lastError),
  },
  { minProperties: 1 },
)
export type AdsConnectionChange = Static<typeof AdsConnectionChange>

export const LandingPageInput = Strict({
  clientId: Id('client'),
  url: HttpUrl,
  title: Type.String({ minLength: 1, maxLength: 200 }),
})
export type LandingPageInput = Static<typeof LandingPageInput>

export const LandingPage = Type.Object({
  slug: Type.String(),
  clientId: Id('client'),
  url: Type.String(),
  title: Type.String(),
  updatedAt: Timestamp,
})
export type LandingPage = Static<typeof LandingPage>

export const LandingPages = Type.Object({ landingPages: Type.Array(LandingPage) })

export const Attribution = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  url: Type.String(),
  attribution: Type.Object({
    utmSource: Nullable(Type.String()),
    utmMedium: Nullable(Type.String()),
    utmCampaign: Nullable(Type.String()),
    utmTerm: Nullable(Type.String()),
    utmContent: Nullable(Type.String()),
    gclid: Nullable(Type.String()),
    fbclid: Nullable(Type.String()),
    referrer: Nullable(Type.String()),
  }),
  creditedTo: Type.Object({
    channel: Type.String(),
    source: Nullable(Type.String()),
    campaign: Nullable(Type.String()),
    because: Type.String(),
  }),
})
export type Attribution = Static<typeof Attribution>
