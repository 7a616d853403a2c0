import { subscribe } from 'node:diagnostics_channel'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isHttpUrl } from '../contract/http-url.ts'
import { responseHeaders } from '../server/http/openapi.ts'

const broken = new Set<string>()

/** What the servers of this process have answered since it was last asked that their routes do not promise. */
export function brokenPromises(): string[] {
  const all = [...broken]
  broken.clear()
  return all
}

// Before it is serialised: what the serialiser would have left out is seen too.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('preSerialization', async (request, reply, payload) => {
    const { method, routeOptions } = request
    const schema = routeOptions.schema as RouteSchema | undefined
    if (!schema || schema.hide) return payload
    for (const wrong of differences(schema, reply, payload))
      broken.add(`${method} ${routeOptions.url} ${reply.statusCode}: ${wrong}`)
    return payload
  })
  fastify.addHook('onSend', async ({ method, routeOptions }, reply, payload) => {
    const { url, schema } = routeOptions
    if (!schema || (schema as RouteSchema).hide) return payload
    const named = Object.keys(responseHeaders(schema, reply.statusCode))
    for (const wrong of headerDifferences(named, reply))
      broken.add(`${method} ${url} ${reply.statusCode}: ${wrong}`)
    return payload
  })
})

/** Of every answer, or of HTTP itself: said once for all, or for nobody to read but browsers and caches. */
const everywhere = [
  ...[
    'content-type',
    'content-length',
    'cache-control',
    'connection',
    'vary',
    'x-request-id',
    'last-event-id',
  ],
  ...['ratelimit', 'ratelimit-policy', 'strict-transport-security', 'referrer-policy', 'x-robots-tag'],
  ...['set-cookie', 'clear-site-data', 'x-accel-buffering'],
  ...['x-content-type-options', 'x-frame-options', 'content-security-policy'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'permissions-policy'],
]

/** Headers that /openapi.json does not name, and those it names that a good answer does not have. */
function headerDifferences(promised: string[], reply: FastifyReply): string[] {
  const named = promised.map((name) => name.toLowerCase())
  const sent = Object.keys(reply.getHeaders())
  return [
    ...sent
      .filter((name) => ![...everywhere, ...named].includes(name))
      .map((name) => `the header ${name} is not promised`),
    ...named
      .filter((name) => reply.statusCode < 400 && !sent.includes(name))
      .map((name) => `the header ${name} is missing`),
  ]
}

interface RouteSchema {
  hide?: boolean
  response?: Record<string, Json>
}

type Json = { [name: string]: Json }

function differences(
  { response = {} }: RouteSchema,
  { statusCode }: FastifyReply,
  payload: unknown,
): string[] {
  const promised = response[statusCode]
  const { code } = payload as { code?: string }
  if (!promised) return [`nothing of this status is promised (${code ?? 'no problem'})`]
  const problem = promised.content?.['application/problem+json']?.schema
  if (problem && !(problem['x-codes'] as unknown as string[]).includes(code!))
    return [`${code} is not promised`]
  const fits = (validators.get(promised) ?? compile(promised, problem ?? promised))!
  return fits(JSON.parse(JSON.stringify(payload)))
    ? []
    : fits.errors!.map(
        ({ instancePath, message, params }) =>
          `${instancePath.replace(/\/\d+/g, '/*')} ${message} ${params.additionalProperty ?? ''}`,
      )
}

const ajv = new Ajv({ allErrors: true, strict: false })
;(formats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('http-url', isHttpUrl)

const validators = new WeakMap<object, ReturnType<Ajv['compile']>>()

function compile(promised: object, schema: Json): ReturnType<Ajv['compile']> {
  const validator = ajv.compile(closed(schema) as object)
  validators.set(promised, validator)
  return validator
}

/** The same, with no room for members that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return inside.type === 'object' && inside.properties && !('patternProperties' in inside)
    ? { additionalProperties: false, ...inside }
    : inside
}
