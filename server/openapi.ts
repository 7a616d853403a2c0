import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { ProblemBody, type ProblemCode, problems } from '../contract/problems.ts'
import { publicly } from './access/door.ts'
import { version } from './version.ts'

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
        description: "Images and videos of an agency's clients.",
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by POST /auth/login.' },
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key made by an admin.' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      url: url.replace(/(?<=.)\/$/, ''),
      schema: {
        ...schema,
        response: { ...success(schema), ...(schema?.response as object) },
        operationId: operationId(String(route.method), url),
        description: `Permission: \`${route.config?.permission}\`.`,
        security: route.config?.permission === 'public' ? [] : signedIn,
      },
    }),
    transformObject: (document) =>
      ('openapiObject' in document ? nameSchemas(document.openapiObject as Json) : document) as never,
  })
  await publicly(app, async (docs) => {
    await docs.register(swaggerUi, { routePrefix: '/docs' })
    docs.get('/openapi.json', async () => app.swagger())
  })
}

const signedIn: Record<string, string[]>[] = [{ session: [] }, { apiKey: [] }]

function refusals({ config, schema, url }: RouteOptions) {
  const open = config?.permission === 'public'
  const codes: ProblemCode[] = [
    ...(schema?.body || schema?.querystring ? (['invalid-request'] as const) : []),
    ...(schema?.body ? (['unsupported-content-type', 'body-too-large'] as const) : []),
    ...(open ? [] : (['unauthenticated', 'forbidden', 'cross-site'] as const)),
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

/** What a route answers that has no schema for it: a file, or nothing. */
function success({ produces, response }: FastifySchema = {}) {
  if (Object.keys(response ?? {}).some((status) => status.startsWith('2'))) return {}
  if (!produces) return { 204: { type: 'null', description: 'Done.' } }
  const file = { schema: { type: 'string', format: 'binary' } }
  return {
    200: { description: 'The file.', content: Object.fromEntries(produces.map((type) => [type, file])) },
  }
}

const tagOf = (url: string) =>
  url.startsWith('/portal') ? 'portal' : (/^\/admin\/clients\/:clientId\/(\w+)/.exec(url)?.[1] ?? 'platform')

const operationId = (method: string, url: string) =>
  `${method.toLowerCase()}${url
    .replace(/[:{}]/g, '')
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

type Json = { [name: string]: Json } & { title?: string; properties?: object }

/** Schemas with a title become components, so that generated clients have names for them. */
function nameSchemas(document: Json): Json {
  const schemas: Record<string, Json> = {}
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const walked = Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, walk(value)]),
    ) as Json
    if (typeof walked.title !== 'string' || !walked.properties) return walked
    const { 'x-codes': codes, ...schema } = walked
    schemas[walked.title as string] = schema as Json
    return codes
      ? { allOf: [reference(walked.title), { properties: { code: { enum: codes } } }] }
      : reference(walked.title)
  }
  const { info, ...rest } = document
  const walked = walk(rest) as Json
  return { info, ...walked, components: { ...walked.components, schemas } } as unknown as Json
}

const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` })
