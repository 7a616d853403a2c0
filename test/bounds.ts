/** A schema of a request, as plain JSON Schema. */
interface Bounded {
  type?: string
  properties?: Record<string, Bounded>
  patternProperties?: Record<string, Bounded>
  additionalProperties?: boolean | Bounded
  items?: Bounded
  anyOf?: Bounded[]
  allOf?: Bounded[]
  oneOf?: Bounded[]
  enum?: unknown[]
  const?: unknown
  format?: string
  maxLength?: number
  maxItems?: number
  maxProperties?: number
}

/** Where a schema takes as much as somebody cares to send: text without a length, lists without an end, unknown members. */
export function unbounded(schema: Bounded, at = ''): string[] {
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? [])
  if (alternatives.length > 0) return alternatives.flatMap((each) => unbounded(each, at))
  if (schema.enum || 'const' in schema) return []
  switch (schema.type) {
    case 'string':
      return schema.maxLength !== undefined || schema.format !== undefined
        ? []
        : [`${at}: text of any length`]
    case 'array':
      return [
        ...(schema.maxItems === undefined ? [`${at}: a list of any length`] : []),
        ...unbounded(schema.items ?? {}, `${at}[]`),
      ]
    case 'object':
      return inObject(schema, at)
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return []
    default:
      return [`${at}: anything`]
  }
}

function inObject(schema: Bounded, at: string): string[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    unbounded(each, `${at}/${name}`),
  )
  const record = Object.values(schema.patternProperties ?? {})
  if (record.length > 0)
    return [
      ...(schema.maxProperties === undefined ? [`${at}: any number of members`] : []),
      ...record.flatMap((each) => unbounded(each, `${at}/*`)),
    ]
  return [...(schema.additionalProperties === false ? [] : [`${at}: unknown members`]), ...named]
}
