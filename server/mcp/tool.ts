import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { type Static, type TObject, Type } from 'typebox'
import type { Permission } from '../../contract/access.ts'
import { isHttpUrl } from '../../contract/http-url.ts'
import { Problem } from '../problems.ts'
import { type Agent, toldTo } from './agent.ts'
import type { Purpose } from './ask.ts'
import { tokensOf } from './tokens.ts'

export interface Tool {
  name: string
  title: string
  description: string
  permission: Permission
  input: TObject
  annotations: ToolAnnotations
  /** What a chat shows people beside its answer. */
  ui?: string
  /** How many tokens an answer may take, pictures apart. */
  budget: number
  call(agent: Agent, args: unknown): Promise<Answer>
  /** What the refs in its arguments are for: where some are refused, people are asked which others to use. */
  purpose?(agent: Agent, args: object): Promise<Purpose>
}

export interface Answer {
  answer: object
  /** Pictures to look at, beside it. */
  pictures?: Picture[]
  /** What it was asked for goes on after it: a client that can is given a task instead. */
  goesOn?: GoingOn
}

export interface Picture {
  bytes: Buffer
  mimeType: string
}

export interface GoingOn {
  clientId: string
  /** Of a delivery or an upload. */
  id: string
}

interface Definition<Input extends TObject> extends Omit<Tool, 'call' | 'input' | 'purpose'> {
  input: Input
  purpose?(agent: Agent, input: Static<Input>): Promise<Purpose>
  run(agent: Agent, input: Static<Input>): Promise<Answer>
}

/** Something an agent can have done: its arguments are checked before, the length of its answer after. */
export function tool<Input extends TObject>({ run, purpose, ...about }: Definition<Input>): Tool {
  const check = ajv.compile<Static<Input>>(about.input)
  return {
    ...about,
    ...(purpose && { purpose: (agent, args) => purpose(agent, args as Static<Input>) }),
    async call(agent, args) {
      demand(agent, about.permission, about.name)
      if (!check(args)) throw badArguments(check)
      const answer = await run(agent, args)
      if (tokensOf(JSON.stringify(answer.answer)) > about.budget) throw tooMuch(about)
      return { ...answer, answer: toldTo(agent, answer.answer) }
    },
  }
}

/** For a tool that does several things, of which some need more. */
export function demand({ caller }: Agent, permission: Permission, name: string): void {
  if (!caller.permissions.has(permission)) throw forbidden(name, permission)
}

/** An argument that one of a tool's actions cannot do without. */
export function needed<Input extends object, Name extends keyof Input & string>(
  input: Input,
  name: Name,
): NonNullable<Input[Name]> {
  const value = input[name]
  if (value !== undefined && value !== null) return value as NonNullable<Input[Name]>
  const { action } = input as { action?: string }
  const message = action ? `is needed to ${action}` : 'is needed'
  throw new Problem('invalid-request', `Correct the arguments: /${name} ${message}.`, {
    extra: { errors: [{ path: `/${name}`, message }] },
  })
}

/** What an answer becomes on the line. It travels once, as text: the one form that every client shows its model. */
export const asResult = ({ answer, pictures = [] }: Answer): CallToolResult => ({
  content: [
    { type: 'text', text: JSON.stringify(answer) },
    ...pictures.map(({ bytes, mimeType }) => ({
      type: 'image' as const,
      data: bytes.toString('base64'),
      mimeType,
    })),
  ],
})

export const ClientId = Type.Optional(
  Type.String({ maxLength: 100, description: 'Needed if your key is for several clients.' }),
)

/** What a model has to know of a schema; what it may get wrong in detail, a refusal says. */
export function listed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(listed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf } = schema as { anyOf?: { type?: string }[] }
  const only = anyOf?.filter(({ type }) => type !== 'null')
  const orNull = only?.length === 1 && { ...only[0], type: [only[0]!.type, 'null'] }
  return Object.fromEntries(
    Object.entries(orNull || (schema as object))
      .filter(([name, value]) => !unlisted.includes(name) || typeof value === 'object')
      .map(([name, value]) => [name, listed(value)]),
  )
}

const unlisted = ['pattern', 'format', 'minLength', 'maxLength', 'uniqueItems', 'minItems', 'minProperties']

const ajv = new Ajv({ useDefaults: true, strict: false })
;(formats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('http-url', isHttpUrl)

function badArguments({ errors }: ValidateFunction): Problem {
  const [{ instancePath, message = 'is not valid', keyword, params }] = errors as [
    NonNullable<ValidateFunction['errors']>[number],
  ]
  const path = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath || '/'
  const wrong =
    keyword === 'additionalProperties'
      ? `does not know ${params.additionalProperty}`
      : keyword === 'enum'
        ? `${message}: ${params.allowedValues.join(', ')}`
        : message
  return new Problem('invalid-request', `Correct the arguments: ${path} ${wrong}.`, {
    extra: { errors: [{ path, message: wrong }] },
  })
}

const forbidden = (name: string, permission: Permission) =>
  new Problem('forbidden', `Your key lacks ${permission}, which ${name} needs for this.`)

const tooMuch = ({ name, budget }: Pick<Tool, 'name' | 'budget'>) =>
  new Problem(
    'too-large',
    `The answer of ${name} would take more than ${budget} tokens. Ask for less at once.`,
  )
