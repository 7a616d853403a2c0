import { fileURLToPath } from 'node:url'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Connection, Delivery } from '../../contract/deliveries.ts'
import type { Use } from '../../contract/references.ts'
import { pause } from '../call.ts'

export interface Job {
  baseUrl: string
  apiKey: string
  /** What to look for. */
  words: string
  postId: string
  scheduledFor: string
}

/**
 * One agent's job over MCP: find a picture, look at it, check that it fits, schedule a post and deliver. Tells all
 * that is said as Markdown.
 */
export async function postOverMcp(job: Job, say: (line: string) => void = console.log): Promise<Use> {
  const client = new Client({ name: 'social-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${job.apiKey}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', job.baseUrl), { requestInit: { headers } }),
  )
  const use = async <T>(name: string, args: object): Promise<T> => {
    say(`**agent** calls \`${name}\`\n\n${block(args)}\n`)
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult
    say(`**library** answers\n\n${toldBriefly(name, result)}\n`)
    if (result.isError) throw new Error(textOf(result))
    return JSON.parse(textOf(result)) as T
  }
  try {
    say(`**library** says on connecting\n\n> ${client.getInstructions()?.replaceAll('\n', '\n> ')}\n`)

    const { assets } = await use<{ assets: { assetRef: string; altText: string; title: string }[] }>(
      'search_assets',
      { q: job.words, mimeType: 'image/*', limit: 3 },
    )
    const { results } = await use<{ results: Result[] }>('resolve_asset_refs', {
      assetRefs: assets.map(({ assetRef }) => assetRef),
      surface: 'social',
      target: 'instagram',
    })
    const chosen = results.find((result) => result.ok)
    if (!chosen) throw new Error(`Nothing called “${job.words}” can be posted.`)
    await use('look_at_asset', { assetRef: chosen.pinnedRef, size: 'thumb' })

    const post = await use<Use>('record_use', {
      kind: 'social-post',
      externalId: job.postId,
      assetRefs: [chosen.pinnedRef],
      status: 'scheduled',
      scheduledFor: job.scheduledFor,
      title: chosen.title,
    })
    const { connections } = await use<{ connections: Connection[] }>('list_library', {
      what: 'connections',
    })
    const [connection] = connections
    if (connection) await deliver(use, chosen.pinnedRef, connection.connectionId)
    return post
  } finally {
    await client.close()
  }
}

/** What is read of the result for one ref. */
interface Result {
  ok: boolean
  pinnedRef: string
  title: string
}

type UseTool = <T>(name: string, args: object) => Promise<T>

/** Asking again makes nothing twice: it tells how far the delivery is. */
async function deliver(use: UseTool, assetRef: string, connectionId: string): Promise<void> {
  const order = { assetRef, connectionId, surface: 'social' }
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status } = await use<Delivery>('deliver_asset', order)
    if (!['queued', 'preparing', 'sending'].includes(status)) return
    await pause(4000)
  }
}

const block = (value: unknown) => `\`\`\`json\n${laidOut(value)}\n\`\`\``

/** JSON with what is short on one line. */
function laidOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= 110 || typeof value !== 'object' || value === null) return line
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${deeper}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${laidOut(member, deeper)}`,
  )
  return `${open}\n${members.join(',\n')}\n${indent}${close}`
}

/** An answer without what a reader would skip. */
function toldBriefly(tool: string, result: CallToolResult): string {
  const pictures = result.content.flatMap((part) =>
    part.type === 'image'
      ? [`(a picture: ${part.mimeType}, ${Math.round(part.data.length * 0.75)} bytes)`]
      : [],
  )
  const skipped = [...dull, ...(dullOf[tool] ?? [])]
  return [block(without(JSON.parse(textOf(result)), skipped)), ...pictures].join('\n\n')
}

/** An answer is JSON in a text. */
const textOf = ({ content }: CallToolResult) => content.find((part) => part.type === 'text')?.text ?? '{}'

const dull = ['details', 'media', 'sha256', 'createdBy', 'createdAt', 'updatedAt', 'originalFilename']
const dullOf: Record<string, string[]> = { look_at_asset: ['fits'] }

function without(value: unknown, names: string[]): unknown {
  if (Array.isArray(value)) return value.map((member) => without(member, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !names.includes(name) && member !== null && member !== '')
      .map(([name, member]) => [name, without(member, names)]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { LIBRARY_URL: baseUrl = 'http://localhost:3000', LIBRARY_KEY: apiKey } = process.env
  const words = process.argv.slice(2).join(' ')
  if (!apiKey || !words) {
    console.error('LIBRARY_KEY=… node agents/examples/post-over-mcp.ts <words to look for>')
    process.exit(2)
  }
  const tomorrow = new Date(Date.now() + 86_400_000)
  tomorrow.setUTCHours(9, 0, 0, 0)
  const scheduledFor = tomorrow.toISOString()
  await postOverMcp({ baseUrl, apiKey, words, postId: `post-${scheduledFor.slice(0, 10)}`, scheduledFor })
}
