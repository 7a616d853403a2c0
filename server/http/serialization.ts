import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

/** Answers are written by their schemas: a member that the schema of a route does not name cannot leave. */
export function serializeAnswers(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    // Only problems may say more than their schema does.
    if ((schema as Schema).additionalProperties === true) return JSON.stringify
    let writer: Writer | undefined
    return (answer) => {
      writer ??= writerOf(schema as Schema)
      return writer(answer)
    }
  })
}

type Writer = (answer: unknown) => string

/** Made when first needed, and once: both doors, and many routes, share their schemas. */
const writers = new WeakMap<Schema, Writer>()

function writerOf(schema: Schema): Writer {
  const writer = writers.get(schema) ?? fastJson(shapeOf(schema) as fastJson.AnySchema)
  writers.set(schema, writer)
  return writer
}

interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: unknown
  nullable?: boolean
}

/** The members and their types alone: answers are not validated here. */
function shapeOf(schema: Schema): Schema {
  const { type, const: value, anyOf, items, properties, patternProperties, additionalProperties } = schema
  if (anyOf) return shapeOfUnion(anyOf)
  return {
    ...(type && { type }),
    ...(value !== undefined && { const: value }),
    ...(items && { items: shapeOf(items) }),
    ...(properties && { properties: shapesOf(properties) }),
    ...(patternProperties && { patternProperties: shapesOf(patternProperties) }),
    ...(isSchema(additionalProperties) && { additionalProperties: shapeOf(additionalProperties) }),
  }
}

const isSchema = (some: unknown): some is Schema => typeof some === 'object' && some !== null

// What is something or null is written at once; of other unions, each alternative has to be tried.
function shapeOfUnion(anyOf: Schema[]): Schema {
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null').map(shapeOf)
  if (!only || others.length > 0) return { anyOf: anyOf.map(shapeOf) }
  return only.type ? { ...only, nullable: true } : only
}

const shapesOf = (schemas: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shapeOf(schema)]))
