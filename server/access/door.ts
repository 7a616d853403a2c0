import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PendingStep, Permission } from '../../contract/access.ts'
import { agentPermissions } from '../../contract/agent-sign-in.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type { Origin } from '../changes/audit-trail.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import type { Config } from '../config.ts'
import { callerAddress } from '../http/caller-address.ts'
import { hungUp } from '../http/hung-up.ts'
import { clientOf, type Recognised } from '../http/recognised.ts'
import { sessionToken } from '../http/session-cookie.ts'
import { type Caller, type Library, makeLibrary } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { callerByKey, callerByPicker, callerBySession, isAccessToken, isPickerToken } from './callers.ts'
import { forClients } from './for-clients.ts'
import { shortened } from './network.ts'
import { givePlaces } from './places.ts'
import { openRateLimits, type RateLimits } from './rate-limits.ts'
import type { SlowTurns } from './slow-turns.ts'
import { Streams } from './streams.ts'
import { openTurns } from './throttle.ts'

declare module 'fastify' {
  interface FastifyInstance {
    rateLimits: RateLimits
    streams: Streams
    /** Where attempts to log in wait. */
    loginTurns: SlowTurns
  }
  interface FastifyContextConfig {
    /** What the caller must be allowed to do; `account`: only to be a person. Every route says so. */
    permission?: Permission | 'public' | 'login' | 'account'
    /** Open although this has to be done first. */
    whilePending?: readonly PendingStep[]
    /** Agents that people signed in may call it; their tokens are good for nothing else. */
    takesSignedInAgents?: boolean
    /** Open to a picker on another site too; its token is good for nothing else. */
    takesPickers?: boolean
    /** Refusals of this route beside the ones every route has. */
    refuses?: readonly ProblemCode[]
  }
}

/** Lets a request through to its route if its caller may use it. Runs before the body is read. */
export function guardDoors(app: FastifyInstance): void {
  app.decorateRequest('recognised', null)
  const limits = openRateLimits(app)
  app.decorate('rateLimits', limits)
  app.decorate('streams', new Streams(app.parts.config.streams))
  app.decorate('loginTurns', openTurns())
  givePlaces(app)

  app.addHook('preSerialization', ({ recognised, method }, reply, answer, done) => {
    if (!recognised) return done(null, answer)
    // Whoever goes on with the events from there misses nothing that the answer does not have.
    if (method === 'GET' && reply.statusCode < 300 && recognised.lastEventId !== null)
      reply.header('last-event-id', recognised.lastEventId)
    done(null, recognised.caller.role === 'client' ? forClients(answer) : answer)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { permission } = request.routeOptions.config
    if (permission === 'public' || request.is404) return limits.countStranger(request, reply)
    if (!permission)
      throw new Error(`${request.method} ${request.routeOptions.url} does not state its permission`)
    const recognised = await recognise(request)
    if (!recognised) {
      limits.countStranger(request, reply)
      throw request.routeOptions.config.takesSignedInAgents ? signInNeeded(request) : unauthenticated()
    }
    request.recognised = recognised
    limits.countCaller(reply, recognised.caller, clientOf(recognised))
    if (recognised.caller.kind !== 'key') refuseOtherSites(request)
    refuseWhilePending(request, recognised)
    if (permission === 'account' && !recognised.session) throw notAPerson()
    if (permission !== 'login' && permission !== 'account' && !recognised.caller.permissions.has(permission))
      throw forbidden(permission)
    refuseWrongDoor(request, recognised.caller)
    if (namedClient(request) !== undefined && !recognised.visibleClientId) throw notFound()
  })
}

function refuseWhilePending({ routeOptions }: FastifyRequest, { session }: Recognised): void {
  const pending = session?.pending
  if (!pending || routeOptions.config.whilePending?.includes(pending)) return
  if (pending === 'password')
    throw new Problem(
      'password-change-needed',
      'Somebody else has chosen your password. Choose one of your own first: POST /auth/password.',
    )
  throw new Problem(
    'second-factor-needed',
    'Your role has to have a second factor. Set one up first: POST /auth/totp, or a passkey.',
  )
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.recognised) throw unauthenticated()
  return request.recognised.caller
}

/** For the rare request whose body decides what it needs beside its route's permission. */
export function allow(request: FastifyRequest, permission: Permission): void {
  if (!callerOf(request).permissions.has(permission)) throw forbidden(permission)
}

/** The library the request is about: the portal's client comes from the login, the admin side's from the path. */
export function libraryOf(request: FastifyRequest): Library {
  const caller = callerOf(request)
  const clientId = isPortal(request) ? caller.clientId : request.recognised!.visibleClientId
  if (!clientId) throw notFound()
  return makeLibrary(request.server.parts, clientId, caller, {
    idempotencyKey: idempotencyKeyOf(request),
    lastEventId: request.recognised!.lastEventId,
    get signal() {
      return hungUp(request)
    },
  })
}

export function idempotencyKeyOf(
  request: FastifyRequest,
  callerId = callerOf(request).id,
): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || request.method !== 'POST') return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Problem('invalid-request', 'An Idempotency-Key has 1 to 200 visible ASCII characters.')
  const fingerprint = createHash('sha256')
    .update(`${request.url}\n${clientAsked(request)}${JSON.stringify(request.body ?? null)}`)
    .digest('hex')
  return { callerId, key, fingerprint, sealer: request.server.parts.sealer }
}

/** The portal's address is the same for each client: whoever comes to another asks for something else. */
const clientAsked = ({ recognised }: FastifyRequest) =>
  recognised?.caller.clientId ? `${recognised.caller.clientId}\n` : ''

/** Recognises the caller anew, for an answer that goes on for long. */
export async function recognise(request: FastifyRequest): Promise<Recognised | undefined> {
  const recognised = await byCredentials(request)
  if (recognised) recognised.caller.origin = originOf(request)
  return recognised
}

async function byCredentials(request: FastifyRequest): Promise<Recognised | undefined> {
  const { parts } = request.server
  const { takesSignedInAgents, takesPickers } = request.routeOptions.config
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')
  if (bearer && isAccessToken(bearer[1]!) && !takesSignedInAgents) return undefined
  if (bearer && isPickerToken(bearer[1]!))
    return takesPickers ? callerByPicker(parts, bearer[1]!, namedClient(request)) : undefined
  if (bearer) return callerByKey(parts, bearer[1]!, namedClient(request))
  const token = sessionToken(request)
  return token ? callerBySession(parts, token, namedClient(request)) : undefined
}

/** Whether it is worth a look at who this is. */
export const hasCredentials = (request: FastifyRequest) =>
  request.headers.authorization !== undefined || sessionToken(request) !== undefined

const longestUserAgent = 300

export const originOf = (request: FastifyRequest): Origin => ({
  address: callerAddress(request),
  userAgent: request.headers['user-agent']?.slice(0, longestUserAgent) ?? null,
  requestId: request.id,
})

/** Who comes by a link is known by their network alone. */
export function guestOriginOf(request: FastifyRequest): Origin {
  const origin = originOf(request)
  return { ...origin, address: shortened(origin.address) }
}

const namedClient = (request: FastifyRequest) => (request.params as { clientId?: string }).clientId

const isPortal = (request: FastifyRequest) => request.routeOptions.url!.startsWith('/portal/')

// The roles' permissions are the same on both sides; the doors are not.
function refuseWrongDoor(request: FastifyRequest, caller: Caller): void {
  const portalUser = caller.role === 'client'
  if (isPortal(request) && !portalUser)
    throw wrongDoor('The portal is for client users. Use the paths under /admin/clients/.')
  if (request.routeOptions.url!.startsWith('/admin/') && portalUser)
    throw wrongDoor('Client users work under /portal/.')
}

/**
 * A cookie is sent, and set, by the browser whoever asks for the request, so a write must come from our own pages.
 * Only a caller known by its key sent it on purpose: any other header of that name says nothing.
 */
export function refuseOtherSites(request: FastifyRequest): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreignOrigin = origin !== undefined && !ownOrigins(request).includes(origin)
  if (foreignOrigin || site === 'cross-site' || site === 'same-site')
    throw new Problem(
      'cross-site',
      `This request was sent from another site. Open the library at ${request.server.parts.config.publicUrl} and try again.`,
    )
}

/** Under any name it is opened by: a session belongs to the host that it was begun at, and to no other. */
const ownOrigins = ({ server, protocol, host }: FastifyRequest) => [
  new URL(server.parts.config.publicUrl).origin,
  `${protocol}://${host}`,
]

const notAPerson = () => new Problem('forbidden', 'This is about the login of a person. A key has none.')
export const unauthenticated = () =>
  new Problem('unauthenticated', 'Log in, or send a valid API key as a Bearer token.')

/** Tells an agent without a key where to ask a person for access (RFC 9728). */
function signInNeeded({ server, headers }: FastifyRequest): Problem {
  const said = {
    ...(headers.authorization !== undefined && { error: 'invalid_token' }),
    resource_metadata: resourceMetadataUrl(server.parts.config),
    scope: agentPermissions.join(' '),
  }
  const challenge = Object.entries(said).map(([name, value]) => `${name}="${value}"`)
  return new Problem(
    'unauthenticated',
    'Send a valid API key as a Bearer token, or sign in: WWW-Authenticate says where to begin.',
    { headers: { 'www-authenticate': `Bearer ${challenge.join(', ')}` } },
  )
}

export const resourceMetadataUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp`

const forbidden = (permission: string) =>
  new Problem('forbidden', `Your role lacks ${permission}. Ask an administrator for it.`)
const wrongDoor = (detail: string) => new Problem('forbidden', detail)
