import type { Person } from './person.ts'

const version = '2026-07-28'
const accept = 'application/json, text/event-stream'

/** What a client of 2026-07-28 says of itself. */
export const clientInfo = { name: 'tests', version: '1' }

// biome-ignore lint/suspicious/noExplicitAny: tests read what the protocol promises
export type Reply = { status: number; result?: any; error?: { code: number; message: string; data?: any } }

/** One request of 2026-07-28 as it goes over the line, for what the SDK's client would not send or show. */
export async function asks(
  url: string,
  { credentials }: Pick<Person, 'credentials'>,
  method: string,
  params: Record<string, unknown> = {},
  clientCapabilities: object = {},
): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
    ...(params._meta as object | undefined),
  }
  const name = params.taskId ?? params.name ?? params.uri
  const answer = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      ...credentials,
      accept,
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': String(name) }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const { result, error } = await answer.json()
  return { status: answer.status, ...(error ? { error } : { result }) }
}

/** What a tool has said, or refused with. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what the schemas promise
export const toldBy = (result: any): any => JSON.parse(result.content[0].text)
