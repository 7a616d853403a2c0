import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Asset, AssetRecord } from '../../contract/assets.ts'
import { Folder } from '../../contract/folders.ts'
import { ProblemBody, type ProblemCode, problems } from '../../contract/problems.ts'
import { FinalizedAsset } from '../../contract/uploads.ts'
import { version } from '../version.ts'
import { madeOnce } from './made-once.ts'
import { NotModified } from './not-modified.ts'
import { type Json, nameSchemas } from './openapi-components.ts'
import { webhookPosts } from './openapi-webhooks.ts'
import { problemsPage } from './problems-page.ts'
import { publicly } from './publicly.ts'
import { cookieName } from './session-cookie.ts'

/** OpenAPI at /openapi.json, made of the very schemas that check requests; browsable at /docs. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
    route.schema = {
      ...route.schema,
      tags: [tagOf(route.url)],
      response: { ...(route.schema?.response as object), ...refusals(route) },
    }
  })

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Client Asset Library',
        version,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
        description:
          "Images and videos of an agency's clients. Every answer has `X-Request-Id`, which the log has too, and `RateLimit` and `RateLimit-Policy` where the caller is held to a rate. What is read of a library has `Last-Event-ID`: its events from there on are all that the answer does not know of.",
      },
      servers: [{ url: app.parts.config.publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: cookieName(app.parts),
            description: 'Set by POST /auth/login.',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key made by an admin.' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      url: url.replace(/(?<=.)\/$/, ''),
      schema: {
        ...schema,
        headers: { type: 'object', properties: requestHeaders(route) },
        response: responses(schema, route),
        operationId: operationId(String(route.method), url),
        description: `Permission: \`${route.config?.permission}\`.`,
        security: route.config?.permission === 'public' ? [] : signedIn,
      },
    }),
    transformObject: (document) =>
      ('openapiObject' in document
        ? nameSchemas({ ...document.openapiObject, webhooks: webhookPosts() } as unknown as Json)
        : document) as never,
  })
  const description = madeOnce('application/json; charset=utf-8', () => JSON.stringify(app.swagger()))
  await publicly(app, async (docs) => {
    // The page's own ways to it would write it anew for each who asks. What is JSON is YAML, too.
    docs.addHook('onRoute', (route) => {
      if (['/docs/json', '/docs/yaml'].includes(route.url)) route.handler = description
    })
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: {
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self' data:",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
      },
      // Otherwise the page would send the description to validator.swagger.io.
      uiConfig: { validatorUrl: null },
    })
    await docs.register(problemsPage)
    docs.get('/openapi.json', description)
  })
}

const signedIn: Record<string, string[]>[] = [{ session: [] }, { apiKey: [] }]

function refusals({ config, schema, url }: RouteOptions) {
  const open = config?.permission === 'public'
  const codes: ProblemCode[] = [
    'invalid-request',
    ...(schema?.body ? (['unsupported-content-type', 'body-too-large'] as const) : []),
    ...(open ? [] : (['unauthenticated', 'forbidden', 'cross-site'] as const)),
    ...(open || config?.whilePending?.includes('password') ? [] : (['password-change-needed'] as const)),
    ...(open || config?.whilePending?.includes('second-factor') ? [] : (['second-factor-needed'] as const)),
    ...(url.includes(':clientId') ? (['not-found'] as const) : []),
    ...(config?.refuses ?? []),
    'rate-limited',
    'internal-error',
    'database-unavailable',
  ]
  const byStatus = Map.groupBy(new Set(codes), (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      {
        description: these.map((code) => `${code}: ${problems[code].title}`).join('; '),
        content: { 'application/problem+json': { schema: { ...ProblemBody, 'x-codes': these } } },
      },
    ]),
  )
}

/** The headers a route honours follow from what it refuses and what it answers. */
function requestHeaders({ config, schema, method }: RouteOptions) {
  const refuses = new Set<ProblemCode>(config?.refuses)
  const isFile = schema?.produces !== undefined
  const isStream = schema?.produces?.includes('text/event-stream')
  return {
    ...(refuses.has('idempotency-key-reused') && {
      'Idempotency-Key': text('The same key with the same body gives the same answer, made once.', {
        pattern: '^[\\x21-\\x7e]{1,200}$',
      }),
    }),
    ...(refuses.has('changed-meanwhile') &&
      ['PATCH', 'DELETE'].includes(String(method)) && {
        'If-Match': text(
          'The ETag the change is made on; it is refused if that is no longer the current one.',
        ),
      }),
    ...(refuses.has('range-not-satisfiable') && { Range: text('One range of bytes.') }),
    ...(((isFile && !isStream) || mayBeAtHand(schema)) && {
      'If-None-Match': text('The ETag at hand: 304 if it is still the one.'),
    }),
    ...(isStream && { 'Last-Event-ID': text('Goes on after this event.') }),
  }
}

function responses(schema: FastifySchema = {}, { config }: RouteOptions) {
  const all = { ...success(schema), ...(schema.response as object) } as Record<string, object>
  if (config?.refuses?.includes('range-not-satisfiable'))
    all[206] = { ...all[200], description: 'The range asked for.' }
  if (isFile(schema)) all[304] = NotModified
  return Object.fromEntries(
    Object.entries(all).map(([status, answer]) => {
      const headers = responseHeaders(schema, Number(status))
      return [status, Object.keys(headers).length > 0 ? { ...answer, headers } : answer]
    }),
  )
}

const isFile = ({ produces }: FastifySchema) =>
  produces !== undefined && !produces.includes('text/event-stream')

const mayBeAtHand = (schema: FastifySchema | undefined) => 304 in ((schema?.response as object) ?? {})

/** Beside those that every answer has. */
export function responseHeaders(schema: FastifySchema, status: number): Record<string, object> {
  const answer = (schema.response as Record<number, unknown> | undefined)?.[status]
  const isGiven = status >= 200 && status < 300
  return {
    ...((revised.includes(answer) || ((isFile(schema) || mayBeAtHand(schema)) && status < 400)) && {
      ETag: text('Names this state of it.'),
    }),
    ...(isFile(schema) && status < 400 && { 'Accept-Ranges': text('bytes') }),
    ...(isFile(schema) &&
      isGiven && { 'Content-Disposition': text('The name to keep it under (RFC 6266).') }),
    ...([206, 416].includes(status) && { 'Content-Range': text('Which bytes of how many.') }),
    ...(([429, 503].includes(status) || canWait(answer)) && {
      'Retry-After': text('After so many seconds.'),
    }),
  }
}

const canWait = (answer: unknown) => JSON.stringify(answer)?.includes('"finalize-in-progress"')

/** What can be changed with `If-Match`. */
const revised: unknown[] = [Asset, AssetRecord, FinalizedAsset, Folder]

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more })

/** What a route answers that has no schema for it: a file, or nothing. */
function success({ produces, response }: FastifySchema) {
  if (Object.keys(response ?? {}).some((status) => status.startsWith('2'))) return {}
  if (!produces) return { 204: { type: 'null', description: 'Done.' } }
  const file = { schema: { type: 'string', format: 'binary' } }
  return {
    200: { description: 'The file.', content: Object.fromEntries(produces.map((type) => [type, file])) },
  }
}

const tagOf = (url: string) =>
  url.startsWith('/portal')
    ? 'portal'
    : (/^\/admin\/clients\/:clientId\/([\w-]+)/.exec(url)?.[1] ?? 'platform')

const operationId = (method: string, url: string) =>
  `${method.toLowerCase()}${url
    .replace(/[:{}]/g, '')
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`
