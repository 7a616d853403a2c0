import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { newId } from '../server/ids.ts'
import { pickerUri } from '../server/mcp/picker-app.ts'
import { callsOf, thingsOf } from './mcp-calls.ts'
import { connects, type Era, eras } from './mcp-clients.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { twoNodes } from './two-nodes.ts'
import { adminLogin, newClient, signIn, world } from './world.ts'

const w = await world()

const uriOf = ({ clientId, assetId }: Asset) => `asset://${clientId}/${assetId}`

async function connected(era: Era, person: Person, url = w.url) {
  const client = await connects(era, person, url)
  onTestFinished(() => client.close())
  return client
}

describe.each(eras)('a client of %s', (era) => {
  test('gets the same tools and the same assets as any other', async () => {
    const { agent, operator } = await w.newClient('Acme')
    const asset = await operator.uploads(png(), { words: { title: 'Logo' } })
    const client = await connected(era, agent)
    expect(client.revision).toBe(era)
    expect(client.instructions).toContain('(Acme)')
    const other = await connected(eras.find((each) => each !== era)!, agent)
    expect((await client.listTools()).tools).toEqual((await other.listTools()).tools)
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri: uriOf(asset), name: 'Logo' }, { uri: pickerUri }])
    // What chats show people beside an answer, in either revision.
    const picks = (await client.listTools()).tools.find(({ name }) => name === 'pick_assets')
    expect(picks?._meta).toEqual({ ui: { resourceUri: pickerUri } })
    const { contents } = await client.readResource({ uri: uriOf(asset) })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ assetId: asset.assetId })
    const found = await client.uses('search_assets', { q: 'logo' })
    expect(JSON.stringify(found)).toContain(asset.assetRef)
    const stranger = await connected(era, (await w.newClient()).agent)
    await expect(stranger.readResource({ uri: uriOf(asset) })).rejects.toMatchObject({ code: -32602 })
  })

  test('is told of what it follows, of nothing else, and no longer after', async () => {
    const { agent, operator } = await w.newClient()
    const [followed, other] = [await operator.uploads(), await operator.uploads(png(2, 2))]
    const client = await connected(era, agent)
    const heard: string[] = []
    await client.follows([uriOf(followed)], (uri) => heard.push(uri))
    await operator.edits(other.assetId, { title: 'Not followed' })
    await operator.edits(followed.assetId, { title: 'Changed' })
    await expect.poll(() => heard).toContain(uriOf(followed))
    expect(new Set(heard)).toEqual(new Set([uriOf(followed)]))

    await client.follows([uriOf(other)], (uri) => heard.push(uri))
    heard.length = 0
    await operator.edits(followed.assetId, { title: 'Changed again' })
    await operator.edits(other.assetId, { title: 'Followed now' })
    await expect.poll(() => heard).toContain(uriOf(other))
    expect(heard).not.toContain(uriOf(followed))
  })

  test('gets through every tool, each request answered by another node', async ({ skip }) => {
    skip(process.env.TEST_WORLD !== 'postgres', 'the embedded database takes one node')
    const { nodes, url, served } = await startedOnce()
    const its = await newClient(nodes[0])
    const admin = person(url, { cookie: await signIn(url, adminLogin.email, adminLogin.password) })
    const things = await thingsOf(admin, its, 'Terrace')
    const client = await connected(era, its.social, url)
    const calls = callsOf(things)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(calls))
    for (const [tool, made] of Object.entries(calls))
      for (const { args, orElse } of made) {
        const { isError, _meta, content } = await client.uses(tool, args)
        if (isError) expect(_meta?.code, `${tool} ${JSON.stringify(content)}`).toBe(orElse)
        else
          expect(content[0], tool).toMatchObject({ type: 'text', text: expect.stringMatching(/^\{.+\}$/s) })
      }
    const [uri, heard] = [`asset://${things.clientId}/${things.assetId}`, [] as string[]]
    await client.follows([uri], (changed) => heard.push(changed))
    await its.operator.edits(things.assetId, { title: 'Changed' })
    await expect.poll(() => heard).toContain(uri)
    expect(Math.min(...served)).toBeGreaterThan(10)
  })
})

/** Started once for both eras. */
let started: ReturnType<typeof twoNodes> | undefined
function startedOnce() {
  started ??= twoNodes({ OUTBOUND_ALLOW: '127.0.0.1' })
  return started
}
afterAll(async () => (await started)?.end())

describe('since 2026-07-28', () => {
  const version = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const sends = (agent: Person, method: string, params: object = {}, headers: object = {}) =>
    agent.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...headers,
      },
    )

  test('one request is enough: no handshake, no session, and what may be kept for how long', async () => {
    const { agent } = await w.newClient()
    const { body, headers } = await sends(agent, 'server/discover')
    expect(headers.get('mcp-session-id')).toBe(null)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [version],
      capabilities: { tools: {}, resources: { subscribe: true } },
      cacheScope: 'private',
    })
    expect((await sends(agent, 'tools/list')).body.result).toMatchObject({
      resultType: 'complete',
      cacheScope: 'public',
      ttlMs: 3_600_000,
    })
    expect((await sends(agent, 'resources/list')).body.result).toMatchObject({
      cacheScope: 'private',
      ttlMs: 0,
    })
  })

  test('headers that say something else than the body are refused', async () => {
    const { agent } = await w.newClient()
    const call = { name: 'list_library', arguments: { what: 'folders' } }
    for (const headers of [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'search_assets' }, {}]) {
      const { status, body } = await sends(agent, 'tools/call', call, headers)
      expect([status, body.error.code], JSON.stringify(headers)).toEqual([400, -32020])
    }
    expect((await sends(agent, 'tools/call', call, { 'mcp-name': 'list_library' })).status).toBe(200)
    const { body } = await sends(agent, 'tools/list', {}, { 'mcp-protocol-version': '2027-01-01' })
    expect(body.error.code).toBe(-32020)
    expect(await sends(w.nobody, 'tools/list')).toEqual(refusal('unauthenticated'))
    expect(await sends((await w.newClient()).operator, 'tools/list')).toEqual(refusal('forbidden'))
  })

  test('nobody follows what is not theirs, and a key taken away hears nothing more', async () => {
    const { agent, operator } = await w.newClient()
    const mine = await operator.uploads()
    // Its previews are news of an asset too.
    await expect.poll(async () => (await operator.reads(mine.assetId)).body.media.state).toBe('ready')
    const foreign = await (await w.newClient()).operator.uploads()
    const client = await connected('2026-07-28', agent)
    const unknown = `asset://${mine.clientId}/${newId('asset')}`
    const heard: string[] = []
    const { honoured, ended } = await client.follows(
      [uriOf(mine), uriOf(foreign), unknown, 'file:///etc/passwd'],
      (uri) => heard.push(uri),
    )
    expect(honoured).toEqual([uriOf(mine)])
    await w.admin.delete(`/admin/api-keys/${agent.id}`)
    await operator.edits(mine.assetId, { title: 'Not for them' })
    expect(await ended).toBe('graceful')
    expect(heard).toEqual([])
    expect(
      await sends(operator, 'subscriptions/listen', {
        notifications: { resourceSubscriptions: [uriOf(mine)] },
      }),
    ).toEqual(refusal('forbidden'))
  })
})
