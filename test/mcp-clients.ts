import {
  Client as ClientOf2026,
  StreamableHTTPClientTransport as TransportOf2026,
} from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type CallToolResult, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Person } from './person.ts'

/** The two revisions of the protocol, each spoken by the client of its own SDK. */
export const eras = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof eras)[number]

export interface McpClient {
  era: Era
  revision: string | undefined
  instructions: string | undefined
  uses(name: string, args?: object): Promise<CallToolResult>
  listTools(): ReturnType<ClientOf2025['listTools']>
  listResources(): ReturnType<ClientOf2025['listResources']>
  readResource(params: { uri: string }): ReturnType<ClientOf2025['readResource']>
  /** From now on; ends what was followed before. */
  follows(
    uris: string[],
    heard: (uri: string) => void,
  ): Promise<{ honoured: string[]; ended: Promise<string> }>
  close(): Promise<void>
}

export const connects = (era: Era, person: Pick<Person, 'credentials'>, url: string): Promise<McpClient> =>
  (era === '2025-11-25' ? connectsAsOf2025 : connectsAsOf2026)(new URL('/mcp', url), {
    requestInit: { headers: person.credentials },
  })

type Options = { requestInit: { headers: Record<string, string> } }

async function connectsAsOf2025(url: URL, options: Options): Promise<McpClient> {
  const client = new ClientOf2025({ name: 'tests', version: '1' })
  const transport = new TransportOf2025(url, options)
  await client.connect(transport)
  let followed: string[] = []
  return {
    era: '2025-11-25',
    revision: transport.protocolVersion,
    instructions: client.getInstructions(),
    uses: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } })) as CallToolResult,
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    readResource: (params) => client.readResource(params),
    async follows(uris, heard) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard(params.uri))
      for (const uri of followed) await client.unsubscribeResource({ uri })
      followed = uris
      for (const uri of uris) await client.subscribeResource({ uri })
      return { honoured: uris, ended: new Promise(() => {}) }
    },
    close: () => client.close(),
  }
}

async function connectsAsOf2026(url: URL, options: Options): Promise<McpClient> {
  const client = new ClientOf2026(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new TransportOf2026(url, options))
  let last: { close(): Promise<void> } | undefined
  return {
    era: '2026-07-28',
    revision: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    uses: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } })) as CallToolResult,
    listTools: () => client.listTools() as ReturnType<ClientOf2025['listTools']>,
    listResources: () => client.listResources() as ReturnType<ClientOf2025['listResources']>,
    readResource: (params) => client.readResource(params) as ReturnType<ClientOf2025['readResource']>,
    async follows(uris, heard) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => heard(params.uri))
      await last?.close()
      const subscription = await client.listen({ resourceSubscriptions: uris })
      last = subscription
      return {
        honoured: subscription.honoredFilter.resourceSubscriptions ?? [],
        ended: subscription.closed,
      }
    },
    close: () => client.close(),
  }
}
