import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { type Static, type TObject, Type } from 'typebox'
import type { Permission } from '../../contract/access.ts'
import { isHttpUrl } from '../../contract/http-url.ts'
import { Problem } from '../problems.ts'
import type { Agent } from './agent.ts'

export interface Tool {
  name: string
  title: string
  description: string
  permission: Permission
  input: TObject
  output: TObject
  annotations: ToolAnnotations
  call(agent: Agent, args: unknown): Promise<CallToolResult>
}

export interface Answer<T> {
  /** What the output schema promises. */
  answer: T
  /** Pictures to look at, beside it. */
  pictures?: { bytes: Buffer; mimeType: string }[]
}

interface Definition<Input extends TObject, Output extends TObject>
  extends Omit<Tool, 'call' | 'input' | 'output'> {
  input: Input
  output: Output
  run(agent: Agent, input: Static<Input>): Promise<Answer<Static<Output>>>
}

/** Something an agent can have done: checked before, told in both ways a client may read after. */
export function tool<Input extends TObject, Output extends TObject>({
  run,
  ...about
}: Definition<Input, Output>): Tool {
  const check = ajv.compile<Static<Input>>(about.input)
  return {
    ...about,
    async call(agent, args) {
      if (!agent.caller.permissions.has(about.permission)) throw forbidden(about)
      if (!check(args)) throw badArguments(check)
      const { answer, pictures = [] } = await run(agent, args)
      return {
        structuredContent: answer as Record<string, unknown>,
        content: [
          ...pictures.map(({ bytes, mimeType }) => ({
            type: 'image' as const,
            data: bytes.toString('base64'),
            mimeType,
          })),
          { type: 'text', text: JSON.stringify(answer) },
        ],
      }
    },
  }
}

export const ClientId = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'The client (client_…). Not needed when your key is for one client only.',
  }),
)

const ajv = new Ajv({ useDefaults: true, strict: false })
;(formats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('http-url', isHttpUrl)

function badArguments({ errors }: ValidateFunction): Problem {
  const [{ instancePath, message = 'is not valid', keyword, params }] = errors as [
    NonNullable<ValidateFunction['errors']>[number],
  ]
  const path = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath || '/'
  const wrong = keyword === 'additionalProperties' ? `does not know ${params.additionalProperty}` : message
  return new Problem('invalid-request', `Correct the arguments: ${path} ${wrong}.`, {
    extra: { errors: [{ path, message: wrong }] },
  })
}

const forbidden = ({ name, permission }: Pick<Tool, 'name' | 'permission'>) =>
  new Problem('forbidden', `Your key lacks ${permission}, which ${name} needs.`)
