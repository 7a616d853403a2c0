import type { FastifyInstance } from 'fastify'

const KiB = 1024
const [least, most] = [64 * KiB, 1024 * KiB]
/** For spaces and line breaks between the members. */
const spaces = 16 * KiB

/** No route takes more bytes than a body by its schema can have. */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const body = (route.schema as { body?: Schema } | undefined)?.body
    if (body) route.bodyLimit ??= Math.min(most, Math.max(least, largestJson(body) + spaces))
  })
}

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  format?: string
  maxLength?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
}

/** The bytes of the longest JSON that fits, without spaces; infinite where nothing bounds it. */
function largestJson(schema: Schema): number {
  if (schema.const !== undefined) return bytesOf(schema.const)
  if (schema.enum) return Math.max(...schema.enum.map(bytesOf))
  if (schema.anyOf) return Math.max(...schema.anyOf.map(largestJson))
  if (schema.type === 'string') return largestText(schema)
  if (schema.type === 'array') return (schema.maxItems ?? Infinity) * (largestJson(schema.items ?? {}) + 1)
  if (schema.type === 'object' && schema.additionalProperties === false)
    return Object.entries(schema.properties ?? {}).reduce(
      (sum, [name, value]) => sum + bytesOf(name) + 2 + largestJson(value),
      2,
    )
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '') ? 32 : Infinity
}

// A character outside the first plane may be written as two escapes of six.
const largestText = ({ maxLength, format }: Schema) =>
  maxLength !== undefined ? 12 * maxLength + 2 : format === 'date-time' ? 100 : Infinity

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
