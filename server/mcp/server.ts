import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { FastifyBaseLogger } from 'fastify'
import { asProblem } from '../http/answers.ts'
import { Problem } from '../problems.ts'
import { version } from '../version.ts'
import { type Agent, clientsOf } from './agent.ts'
import { inTurn } from './batches.ts'
import { failure } from './failures.ts'
import { listResources, readResource, uriTemplate } from './resources.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'
import { tools } from './tools/tools.ts'

// One for all: each server would make its own, and there is a server to every request.
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/**
 * The library as one agent may use it. The SDK's plain `Server`, not its `McpServer`: that one takes schemas in zod
 * only, and ours are the contract's own, the ones that the HTTP API checks by.
 */
export async function mcpServer(agent: Agent, log: FastifyBaseLogger): Promise<Server> {
  const server = new Server(
    { name: 'client-asset-library', title: 'Client Asset Library', version },
    {
      capabilities: { tools: {}, resources: { subscribe: true } },
      instructions: await instructionsFor(agent),
      jsonSchemaValidator,
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map(({ name, title, description, input, output, annotations }) => ({
      name,
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: input as { type: 'object' },
      outputSchema: output as { type: 'object' },
    })),
  }))
  const next = inTurn()
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    next(() => callTool(agent, log, params.name, params.arguments ?? {})).catch((full: Problem) =>
      failure(full),
    ),
  )
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    next(() => listResources(agent, params?.cursor)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      { uriTemplate, name: 'asset', title: 'The record of an asset', mimeType: 'application/json' },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    next(() => readResource(agent, params.uri)),
  )
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    await next(() => subscribe(agent, params.uri))
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params }) => {
    await next(() => unsubscribe(agent, params.uri))
    return {}
  })
  return server
}

async function callTool(
  agent: Agent,
  log: FastifyBaseLogger,
  name: string,
  args: object,
): Promise<CallToolResult> {
  try {
    const called = tools.find((tool) => tool.name === name)
    if (!called) throw noSuchTool(name)
    return await called.call(agent, args)
  } catch (error) {
    const problem = asProblem(error as Error)
    if (problem.status >= 500) log.error({ err: error, tool: name }, problem.code)
    return failure(problem)
  }
}

async function instructionsFor(agent: Agent): Promise<string> {
  const clients = await clientsOf(agent)
  return [
    "Images and videos of an agency's clients. Point to assets by assetRef; the library converts and delivers them.",
    'A usual job: search_assets, look_at_asset, resolve_asset_refs for the surface and target, record_use, then deliver.',
    'A failed call answers with code, detail and fix: do what fix says.',
    `Your clients: ${clients.map(({ clientId, name }) => `${clientId} (${name})`).join(', ')}.`,
  ].join('\n')
}

const noSuchTool = (name: string) =>
  new Problem('invalid-request', `There is no tool ${JSON.stringify(name)}.`, {
    extra: { tools: tools.map((tool) => tool.name) },
  })
