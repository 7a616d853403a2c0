/** A JSON Schema, as far as the contract uses it. */
interface Schema {
  type?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

/** Prints schemas as TypeScript that needs no schema library. A schema with a name is called by it wherever it stands. */
export function plainTypes(named: Record<string, object>) {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

  const typeOf = (schema: object): string => names.get(schema) ?? spelledOut(schema)

  function spelledOut(schema: Schema): string {
    if (schema.enum) return literals(schema.enum)
    if (schema.const !== undefined) return literals([schema.const])
    if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
    if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ')
    switch (schema.type) {
      case 'object':
        return objectOf(schema)
      case 'array':
        return `(${typeOf(schema.items!)})[]`
      case 'integer':
        return 'number'
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return schema.type
      case undefined:
        if (Object.keys(schema).every((key) => key === 'description')) return 'unknown'
    }
    throw new Error(`There is no plain type for ${JSON.stringify(schema)}.`)
  }

  function objectOf({ properties, required = [], patternProperties, additionalProperties }: Schema): string {
    const members = Object.entries(properties ?? {})
    if (members.length > 0)
      return `{\n${members.map(([name, schema]) => member(name, schema, required.includes(name))).join('\n')}\n}`
    const [any] = Object.values(patternProperties ?? {})
    const values = any ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
    return `Record<string, ${typeOf(values)}>`
  }

  const member = (name: string, schema: Schema, isRequired: boolean) =>
    `${commentOf(schema)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`

  return {
    typeOf,
    declarations: () =>
      Object.entries(named).map(
        ([name, schema]) => `${commentOf(schema)}export type ${name} = ${spelledOut(schema)}`,
      ),
  }
}

export const literals = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join(' | ')

// Of what may be null, the other half says what it is.
function commentOf({ description, anyOf }: Schema): string {
  const said = description ?? anyOf?.find((one) => one.description)?.description
  return said ? `/** ${said.replaceAll('*/', '*\\/')} */\n` : ''
}
