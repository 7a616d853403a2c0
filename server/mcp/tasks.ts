import {
  type CallToolResult,
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { openStatuses } from '../../contract/deliveries.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { cancelDelivery, readDelivery } from '../deliveries/deliveries.ts'
import { isId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { abortSession, sessionProgress } from '../uploads/sessions.ts'
import { type Agent, libraryFor, toldTo } from './agent.ts'
import { broughtBack, carriedBy } from './carried.ts'
import { capabilitiesOf } from './client-capabilities.ts'
import { failure } from './failures.ts'
import { type Answer, asResult, demand, type GoingOn } from './tool.ts'
import { toldOfDelivery } from './tools/deliver-asset.ts'
import { toldOfUpload } from './tools/upload-asset.ts'

const extension = 'io.modelcontextprotocol/tasks'
const required = { extensions: { [extension]: {} } }
const pollIntervalMs = 2000

/** Whether the client that asks can be given a task. */
export const takesTasks = (ctx: ServerContext): boolean => !!capabilitiesOf(ctx).extensions?.[extension]

/** Tasks of the extension. One is a delivery or an upload itself: nothing is kept for it, and any node knows it. */
export function serveTasks(server: Server, agent: Agent): Server {
  server.registerCapabilities(required)
  for (const [method, answer] of Object.entries(methods))
    server.setRequestHandler(method, { params: TaskParams }, async ({ taskId }, ctx) => {
      if (!takesTasks(ctx)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required })
      return { ...(await answer(agent, taskId).catch(asProtocolError)) }
    })
  return server
}

/** In place of an answer: what is asked after is on its way. */
export function newTask(agent: Agent, { clientId, id }: GoingOn): CallToolResult {
  const task: Task = { clientId, id, createdAt: new Date().toISOString() }
  const { createdAt } = task
  const working = { status: 'working', createdAt, lastUpdatedAt: createdAt, ...timing }
  return { resultType: 'task', taskId: carriedBy(agent, 'task', task), ...working } as never
}

type Method = (agent: Agent, taskId: string) => Promise<object | undefined>

const methods: Record<string, Method> = {
  'tasks/get': readTask,
  'tasks/cancel': cancelTask,
  // None of ours ever asks for anything, so there is nothing to take.
  'tasks/update': async (agent, taskId) => void (await readTask(agent, taskId)),
}

interface Task extends GoingOn {
  createdAt: string
}

interface State {
  status: 'working' | 'completed' | 'cancelled'
  statusMessage?: string
  lastUpdatedAt?: string
  result?: CallToolResult
}

const timing = { ttlMs: null, pollIntervalMs }

const TaskParams = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string', maxLength: 1000 } },
  required: ['taskId'],
})

async function readTask(agent: Agent, taskId: string): Promise<object> {
  const { clientId, id, createdAt } = taskOf(agent, taskId)
  const library = await libraryFor(agent, clientId)
  const state = isId('delivery', id)
    ? await deliveryState(agent, library, id)
    : await uploadState(agent, library, id)
  return { taskId, createdAt, lastUpdatedAt: createdAt, ...timing, ...state }
}

/** Ends the delivery or upload itself. Of one that has ended already, this takes note. */
async function cancelTask(agent: Agent, taskId: string): Promise<undefined> {
  const { clientId, id } = taskOf(agent, taskId)
  const library = await libraryFor(agent, clientId)
  const isDelivery = isId('delivery', id)
  demand(agent, isDelivery ? 'deliveries:write' : 'assets:write', 'tasks/cancel')
  if (isDelivery && !isOpen(await readDelivery(library, id))) return
  await (isDelivery ? cancelDelivery(library, id) : abortSession(library, id)).catch((error) => {
    if (!(error instanceof Problem && error.status === 409)) throw error
  })
}

function taskOf(agent: Agent, taskId: string): Task {
  const task = broughtBack<Task>(agent, 'task', taskId)
  if (!task) throw notFound('No task')
  return task
}

async function deliveryState(agent: Agent, library: Library, id: string): Promise<State> {
  demand(agent, 'deliveries:read', 'tasks/get')
  const delivery = await readDelivery(library, id)
  const { status, updatedAt: lastUpdatedAt, lastError } = delivery
  if (isOpen(delivery))
    return { status: 'working', statusMessage: `The delivery is ${status}.`, lastUpdatedAt }
  if (status === 'cancelled' || status === 'removed')
    return { status: 'cancelled', statusMessage: `The delivery is ${status}.`, lastUpdatedAt }
  const told = toldOfDelivery(delivery)
  if (status === 'done') return { ...completed(resultOf(agent, told)), lastUpdatedAt }
  const detail =
    status === 'unknown'
      ? `It was sent, and nobody can say whether it arrived. ${lastError ?? ''}`.trim()
      : (lastError ?? 'It could not be delivered.')
  const problem = new Problem('target-failed', detail, { extra: { ...toldTo(agent, told.answer) } })
  return { ...completed(failure(problem)), lastUpdatedAt }
}

async function uploadState(agent: Agent, library: Library, id: string): Promise<State> {
  const { status, problem } = await sessionProgress(library, id)
  switch (status) {
    case 'finalized':
      return completed(resultOf(agent, await toldOfUpload(library, id)))
    case 'rejected':
      return completed(failure(new Problem(problem!.code as ProblemCode, problem!.detail)))
    case 'expired':
      return completed(failure(brokenOff()))
    case 'aborted':
      return { status: 'cancelled' }
    default:
      return { status: 'working', statusMessage: 'The file is being fetched.' }
  }
}

/** Failed or not, the call was answered: `failed` is for what is wrong with the protocol. */
const completed = (result: CallToolResult): State => ({
  status: 'completed',
  result: { resultType: 'complete', ...result },
})

const isOpen = ({ status }: { status: (typeof openStatuses)[number] }) => openStatuses.includes(status)

const resultOf = (agent: Agent, told: Answer) =>
  asResult({ ...told, answer: toldTo(agent, told.answer) as object })

const brokenOff = () => new Problem('upload-expired', 'The file did not come in time. Upload it again.')

/** What has no tool's answer to stand in. */
function asProtocolError(error: unknown): never {
  if (error instanceof Problem && error.status < 500)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code })
  throw error
}
