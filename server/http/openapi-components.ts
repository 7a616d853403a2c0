import * as access from '../../contract/access.ts'
import * as assets from '../../contract/assets.ts'
import * as audit from '../../contract/audit.ts'
import * as clients from '../../contract/clients.ts'
import * as deliveries from '../../contract/deliveries.ts'
import * as diagnostics from '../../contract/diagnostics.ts'
import * as events from '../../contract/events.ts'
import * as folders from '../../contract/folders.ts'
import { ProblemBody } from '../../contract/problems.ts'
import * as references from '../../contract/references.ts'
import * as uploads from '../../contract/uploads.ts'
import * as webhooks from '../../contract/webhooks.ts'

/** `AssetCreatedEvent` and its like. */
const eventSchemas = Object.fromEntries(
  events.eventTypes.map((type) => [
    `${type.replace(/(^|[.-])(\w)/g, (_, __, letter) => letter.toUpperCase())}Event`,
    events.eventSchema(type),
  ]),
)

const contract: object[] = [
  ...[access, assets, audit, clients, deliveries, diagnostics, events, folders],
  ...[{ Problem: ProblemBody }, references, uploads, webhooks, eventSchemas],
]

export type Json = { [name: string]: Json }

/** Schemas that the contract exports become components, so that generated clients have names for them. */
export function nameSchemas(document: Json): Json {
  const schemas: Record<string, unknown> = {}
  const walk = (node: unknown, within = ''): unknown => {
    if (Array.isArray(node)) return node.map((each) => walk(each))
    if (typeof node !== 'object' || node === null) return node
    const { 'x-codes': codes, ...schema } = node as Json
    const name = contractNames.get(JSON.stringify(schema))
    if (!name || name === within) return mapValues(node, (value) => walk(value))
    schemas[name] ??= walk(schema, name)
    const $ref = `#/components/schemas/${name}`
    return codes ? { allOf: [{ $ref }, { properties: { code: { enum: codes } } }] } : { $ref }
  }
  const { info, ...rest } = document
  const walked = walk(rest) as Json
  return { info, ...walked, components: { ...walked.components, schemas } } as unknown as Json
}

const mapValues = (object: object, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))

/** What the contract calls its objects, by what they look like when written down. */
const contractNames = new Map(
  contract
    .flatMap((module) => Object.entries(module))
    .filter(([, schema]) => typeof schema === 'object' && 'properties' in schema)
    .map(([name, schema]) => [JSON.stringify(schema), name]),
)
