import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** What the client says of itself with this request. Until 2025-11-25 it said so once, which nobody has kept. */
export const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities =>
  (mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
