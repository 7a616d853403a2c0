import {
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isFilm } from '../../contract/media-types.ts'
import type { Pick as Picked } from '../../contract/picks.ts'
import type { RefusalCode } from '../../contract/references.ts'
import type { Library } from '../library.ts'
import type { Problem } from '../problems.ts'
import { pickAssets, type Wish } from '../references/pick.ts'
import { findRefs } from '../references/resolve.ts'
import type { Agent } from './agent.ts'
import { clipped } from './brief.ts'
import { broughtBack, carriedBy } from './carried.ts'
import { capabilitiesOf } from './client-capabilities.ts'

/** What a ref is for, where one is refused. */
export interface Purpose extends Pick<Wish, 'surface' | 'target' | 'ratio'> {
  library: Library
}

/** Refs in place of others, by where they stand in the arguments. */
type Chosen = Record<string, string>

interface Refused {
  path: string
  assetRef: string
  code: RefusalCode
  detail: string
}

const mostQuestions = 5
const mostOffered = 5
/** Where another asset is a way out, and which one is for a person to say. */
const asked: readonly RefusalCode[] = [
  'rights-expired',
  'surface-not-allowed',
  'provenance-not-allowed',
  'not-approved',
  'trashed',
  'media-failed',
  'target-refuses',
]

/** What somebody has chosen so far, with the answers that this request brings; null if they want none of it. */
export function chosenIn(agent: Agent, tool: string, ctx: ServerContext): Chosen | null {
  const { inputResponses = {} } = ctx.mcpReq
  const chosen = { ...earlier(agent, tool, ctx.mcpReq.requestState<string>()) }
  for (const path of Object.keys(inputResponses)) {
    const said = inputResponse(inputResponses, path)
    if (said.kind !== 'elicit') continue
    const ref = said.action === 'accept' && said.content?.assetRef
    if (typeof ref !== 'string') return null
    chosen[path] = ref
  }
  return chosen
}

/** The arguments with those refs in the places of the others. They are checked as if they had been sent. */
export function withChosen(args: object, chosen: Chosen): object {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one, index) => chosen[`/${name}/${index}`] ?? one)
        : (chosen[`/${name}`] ?? value),
    ]),
  )
}

/** Asks which other assets to use instead of those refused; undefined where nobody can be asked, or there are none. */
export async function whichInstead(
  agent: Agent,
  tool: string,
  { library, ...purpose }: Purpose,
  problem: Problem,
  chosen: Chosen,
): Promise<InputRequiredResult | undefined> {
  const refusals = (problem.extra.refusals ?? []) as Refused[]
  if (refusals.length > mostQuestions || !refusals.every(({ code }) => asked.includes(code))) return undefined
  const questions: InputRequests = {}
  for (const refused of refusals) {
    const question = await questionAbout(library, purpose, refused)
    if (!question) return undefined
    questions[refused.path] = question
  }
  return inputRequired({ inputRequests: questions, requestState: carriedBy(agent, stateOf(tool), chosen) })
}

/** Whether a person is there to be asked. */
export const takesQuestions = (ctx: ServerContext): boolean => {
  const { elicitation } = capabilitiesOf(ctx)
  return !!elicitation && (!!elicitation.form || !elicitation.url)
}

const stateOf = (tool: string) => `chosen for ${tool}`

function earlier(agent: Agent, tool: string, state: string | undefined): Chosen | undefined {
  if (state === undefined) return undefined
  const chosen = broughtBack<Chosen>(agent, stateOf(tool), state)
  if (!chosen) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'That requestState is not ours.')
  return chosen
}

async function questionAbout(library: Library, purpose: Omit<Purpose, 'library'>, refused: Refused) {
  const { assetRef, detail } = refused
  const asset = (await findRefs(library.db, library, [assetRef])).get(assetRef)?.asset
  if (!asset) return undefined
  const wish = {
    ...purpose,
    kind: isFilm(asset.mime_type) ? ('video' as const) : ('image' as const),
    limit: mostOffered + 1,
  }
  const alike = await pickAssets(library, { ...wish, q: asset.title })
  const picks = alike.length > 0 ? alike : await pickAssets(library, wish)
  const offered = picks.filter((pick) => pick.asset.assetId !== asset.id).slice(0, mostOffered)
  if (offered.length === 0) return undefined
  return inputRequired.elicit({
    message: `“${clipped(asset.title, 100)}”: ${clipped(detail, 300)} Use another one?`,
    requestedSchema: {
      type: 'object',
      properties: {
        assetRef: {
          type: 'string',
          title: 'Use instead',
          oneOf: offered.map((pick) => ({
            const: pick.asset.assetRef,
            title: clipped(`${pick.asset.title} (${firstOf(pick.why)})`, 150),
          })),
        },
      },
      required: ['assetRef'],
    },
  })
}

const firstOf = (why: Picked['why']) =>
  why
    .slice(0, 2)
    .map(({ detail }) => detail)
    .join(', ')
