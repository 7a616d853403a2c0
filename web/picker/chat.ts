import { App, type McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import { createStore } from '../store.ts'
import type { ToolResult } from './chat-source.ts'

/** What the chat has told us so far. */
export interface Chat {
  host: McpUiHostContext
  /** What the agent asked for, and what it was answered. */
  asked: { clientId?: string } | null
  result: ToolResult | null
}

export const chat = createStore<Chat>({ host: {}, asked: null, result: null })
const learn = (more: Partial<Chat>) => chat.set({ ...chat.get(), ...more })

export const app = new App({ name: 'asset-picker', version: '1.0.0' })
app.ontoolinput = ({ arguments: asked = {} }) => learn({ asked })
app.ontoolresult = (result) => learn({ result: result as ToolResult })
app.onhostcontextchanged = (changed) => learn({ host: { ...chat.get().host, ...changed } })

/** Once the chat has shown us what it is. */
export const connected = app.connect().then(() => learn({ host: app.getHostContext() ?? {} }))

/** Says it as the person would. False where the chat takes neither words nor notes. */
export async function tell(text: string, assetRefs: string[]): Promise<boolean> {
  const content = [{ type: 'text' as const, text }]
  const can = app.getHostCapabilities()
  if (can?.message) {
    const { isError } = await app.sendMessage({ role: 'user', content })
    if (!isError) return true
  }
  if (!can?.updateModelContext) return false
  await app.updateModelContext({ content, structuredContent: { assetRefs } })
  return true
}
