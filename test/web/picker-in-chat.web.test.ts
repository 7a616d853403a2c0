import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { connects } from '../mcp-clients.ts'
import { app, hasAsset, isDrawn, violations } from './app.ts'

const { world, visit } = await app()

/** What hosts let an app do that declares no domains of its own (MCP Apps, 2026-01-26). */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

/** A chat: its page, and where it shows what a server gives it. */
async function startChat() {
  const [{ output }] = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('chat-host.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'host',
      },
    },
  })) as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput]
  const script = output[0].code
  const views: string[] = []
  const server = createServer(({ url }, response) => {
    const view = /^\/view\/(\d+)$/.exec(url!)
    response.setHeader('content-type', url === '/host.js' ? 'text/javascript' : 'text/html; charset=utf-8')
    if (view) response.setHeader('content-security-policy', policy)
    const page =
      '<!doctype html><html lang="en"><title>Chat</title><body><script type="module" src="/host.js"></script>'
    response.end(view ? views[Number(view[1])] : url === '/host.js' ? script : page)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, takes: (view: string) => `${address}/view/${views.push(view) - 1}` }
}

const chat = await startChat()

test('in a chat a person sees what the agent proposes, looks for more, and says which to use', async () => {
  const client = await world.newClient('Harbour Café')
  for (const title of ['Terrace at noon', 'Terrace at night', 'Menu'])
    await hasAsset(client.operator, title, { tags: ['food'] })
  const wanted = await hasAsset(client.operator, 'Harbour')
  const mcp = await connects('2026-07-28', client.agent, world.url)
  const called: string[] = []

  const tool = (await mcp.listTools()).tools.find(({ name }) => name === 'pick_assets')!
  const { resourceUri: uri } = tool._meta!.ui as { resourceUri: string }
  const { contents } = await mcp.readResource({ uri })
  const resource = contents[0] as { mimeType: string; text: string }
  expect(resource.mimeType).toBe('text/html;profile=mcp-app')
  const asked = { q: 'terrace', surface: 'website' }
  const result = await mcp.uses('pick_assets', asked)

  const page = await visit(null, 'about:blank', { viewport: { width: 760, height: 800 } })
  const beyond: string[] = []
  page.on('request', (request) => void beyond.push(request.url()))
  const heard: { content: { text: string }[] }[] = []
  await page.exposeFunction('hear', (said: (typeof heard)[number]) => void heard.push(said))
  await page.exposeFunction('callTool', ({ name, arguments: args }: { name: string; arguments: object }) => {
    called.push(name)
    return mcp.uses(name, args)
  })
  await page.goto(chat.address)
  await page.evaluate(
    ([view, given, answered]) =>
      (globalThis as unknown as { shows(...args: unknown[]): Promise<void> }).shows(
        view,
        given,
        answered,
        'dark',
      ),
    [chat.takes(resource.text), asked, result] as const,
  )
  const frame = page.frameLocator('iframe')
  const asset = (title: string) => frame.getByRole('option', { name: title })
  await asset('Terrace at noon').waitFor()
  expect(await asset('Menu').count(), 'not proposed').toBe(0)
  await isDrawn(asset('Terrace at noon').locator('img'))
  expect(called.filter((name) => name === 'search_assets')).toEqual([])
  const view = page.frames().find((one) => one.url().includes('/view/'))!
  expect(await view.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  expect(await violations(view as unknown as Page)).toEqual([])
  await asset('Terrace at night').click()

  await frame.getByRole('searchbox', { name: 'Search assets' }).fill('harbour')
  await asset('Terrace at noon').waitFor({ state: 'detached' })
  await isDrawn(asset('Harbour').locator('img'))
  expect(called).toContain('look_at_asset')
  await asset('Harbour').click()
  await frame.getByRole('button', { name: 'Use these 2' }).click()
  await frame.getByRole('heading', { name: 'Your choice is in the chat.' }).waitFor()
  expect(heard).toMatchObject([{ role: 'user', content: [{ type: 'text' }] }])
  expect(heard[0]!.content[0]!.text).toMatch(
    new RegExp(`^Use these assets: Terrace at night \\(asset_\\w+\\), Harbour \\(${wanted.assetRef}\\)$`),
  )
  expect(beyond.filter((url) => !url.startsWith(chat.address) && !url.startsWith('data:'))).toEqual([])
  await mcp.close()
})
