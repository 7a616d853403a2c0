import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postOverMcp } from '../agents/examples/post-over-mcp.ts'
import type { Asset } from '../contract/assets.ts'
import { json, peer } from '../test/delivery-peers.ts'
import { person } from '../test/person.ts'
import { freePort } from '../test/setup/postgres.ts'
import { deliverWithAPerson } from './deliver-with-a-person.ts'
import { login, serve } from './serve.ts'

/** Has an agent do its job on the demo library, and writes down in docs/agents.md what was said: npm run transcript. */
const page = fileURLToPath(new URL('../docs/agents.md', import.meta.url))
const [begin, end] = ['<!-- written by npm run transcript -->', '<!-- end -->']

const data = await mkdtemp(join(tmpdir(), 'library-transcript-'))
const port = await freePort()
const baseUrl = `http://localhost:${port}`
const server = await serve(port, {
  STORAGE_DISK_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: data,
  OUTBOUND_ALLOW: '127.0.0.1',
})
try {
  const { headers } = await person(baseUrl, {}).post('/auth/login', login)
  const admin = person(baseUrl, { cookie: headers.get('set-cookie')!.split(';')[0]! })
  const { clientId } = (await admin.get('/admin/clients')).body.clients[0]
  const listing = `/admin/clients/${clientId}/assets?everywhere=true&q=harbour&mimeType=image/*`
  // The demo is put in after the start.
  while (!(await isReady())) await pause(500)
  const receiver = await peer((_, response) =>
    json(response, { id: 'item-1', url: 'https://scheduler.example/items/1' }),
  )
  const { body: connection } = await admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Scheduler',
    settings: { url: receiver.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const key = { name: 'Transcript', role: 'agent', clientIds: [clientId] }
  const { apiKey } = (await admin.post('/admin/api-keys', key)).body
  const said: string[] = []
  const { assetRefs } = await postOverMcp(
    { baseUrl, apiKey, words: 'harbour', postId: 'post-1', scheduledFor: '2031-01-01T09:00:00.000Z' },
    (line) => said.push(line),
  )
  said.push(
    'Later somebody wants the same picture posted again; its rights are over by then. Their chat can ask them, and follow a task:\n',
  )
  const [assetRef = ''] = assetRefs
  const [assetId] = assetRef.split('@')
  const over = { rightsExpireAt: '2026-01-01T00:00:00.000Z' }
  await admin.patch(`/admin/clients/${clientId}/assets/${assetId}`, over)
  const { connectionId } = connection
  await deliverWithAPerson({ baseUrl, apiKey, assetRef, connectionId }, (line) => said.push(line))
  const text = await readFile(page, 'utf8')
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))]
  await writeFile(page, `${before}${begin}\n\n${said.join('\n')}\n${after}`)

  async function isReady(): Promise<boolean> {
    const { assets } = (await admin.get(listing)).body as { assets: Asset[] }
    return assets.length > 1 && assets.every(({ media }) => media.state === 'ready')
  }
} finally {
  server.kill()
  await rm(data, { recursive: true, force: true })
}
