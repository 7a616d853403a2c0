import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'

const file = fileURLToPath(new URL('../../dist/web/picker/chat.html', import.meta.url))

/** What chats show beside a tool's answer (MCP Apps): the picker, for the person who is talking to the agent. */
export const pickerUri = 'ui://client-asset-library/picker.html'

const mimeType = 'text/html;profile=mcp-app'
/** It asks nothing of anybody but the chat it stands in: it is let nowhere. */
const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }

export const pickerResource: Resource = {
  uri: pickerUri,
  name: 'picker',
  title: 'Picker for people',
  mimeType,
  _meta,
}

/** One document, with its script and its looks inside. */
export async function readPicker(): Promise<ReadResourceResult> {
  if (!existsSync(file)) throw new ResourceNotFoundError(pickerUri, 'The web app is not built.')
  return {
    contents: [{ uri: pickerUri, mimeType, text: await readFile(file, 'utf8'), _meta }],
  }
}
