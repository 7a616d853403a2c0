import { setTimeout as pause } from 'node:timers/promises'
import { asks, toldBy } from '../test/mcp-requests.ts'

interface Job {
  baseUrl: string
  apiKey: string
  assetRef: string
  connectionId: string
}

const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** Delivers what may no longer be used, before a person who is asked what to use instead, and follows the task. Tells all that is said as Markdown. */
export async function deliverWithAPerson(job: Job, say: (line: string) => void): Promise<void> {
  const by = { credentials: { authorization: `Bearer ${job.apiKey}` } }
  const asked = async (method: string, params: Record<string, unknown>) =>
    (await asks(job.baseUrl, by, method, params, capabilities)).result
  const { assetRef, connectionId } = job
  const call = { name: 'deliver_asset', arguments: { assetRef, connectionId, surface: 'social' } }

  say(`**agent** calls \`deliver_asset\`\n\n${block(call.arguments)}\n`)
  const { inputRequests, requestState } = await asked('tools/call', call)
  const [[path, { params }]] = Object.entries(inputRequests) as [[string, { params: Question }]]
  say(`**library** asks (\`input_required\`)\n\n${block({ [path]: params })}\n`)

  const [{ const: chosen }] = params.requestedSchema.properties.assetRef.oneOf
  const inputResponses = { [path]: { action: 'accept', content: { assetRef: chosen } } }
  say(`**person** chooses, and the agent makes the same call again with\n\n${block({ inputResponses })}\n`)
  const task = await asked('tools/call', { ...call, inputResponses, requestState })
  const { taskId, status, pollIntervalMs } = task
  const short = { taskId: `${taskId.slice(0, 12)}…`, status, pollIntervalMs }
  say(`**library** answers with a task\n\n${block({ resultType: task.resultType, ...short })}\n`)

  let told = await asked('tasks/get', { taskId })
  while (told.status === 'working') {
    await pause(pollIntervalMs)
    told = await asked('tasks/get', { taskId })
  }
  const { deliveryId, assetRefs, status: ended, remoteUrl } = toldBy(told.result)
  const result = { deliveryId, assetRefs, status: ended, remoteUrl }
  say(`**library** answers \`tasks/get\`, in the end\n\n${block({ status: told.status, result })}\n`)
}

interface Question {
  requestedSchema: { properties: { assetRef: { oneOf: [{ const: string }] } } }
}

const block = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
