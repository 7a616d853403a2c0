import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

/** What the test does for the page: the line to the server, and what the person is shown. */
interface Backend {
  callTool(params: object): Promise<never>
  hear(said: object): Promise<void>
}

/** A chat that shows an app beside a tool's answer: the host's side of MCP Apps, from the package itself. */
async function shows(view: string, asked: Record<string, unknown>, result: never, theme: 'light' | 'dark') {
  const { callTool, hear } = globalThis as unknown as Backend
  const can = { serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } }
  const host = { name: 'chat', version: '1' }
  const bridge = new AppBridge(null, host, can, { hostContext: { theme, locale: 'en-GB' } })
  bridge.oncalltool = (params) => callTool(params)
  bridge.onmessage = async (message) => {
    await hear(message)
    return {}
  }
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  frame.style.cssText = 'width:100%;height:600px;border:0'
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`
  }
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: asked })
    await bridge.sendToolResult(result)
  }
  document.body.append(frame)
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!))
  frame.src = view
}

Object.assign(globalThis, { shows })
