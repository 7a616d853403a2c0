import type { ServerResponse } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { json, peer } from './delivery-peers.ts'
import { connects } from './mcp-clients.ts'
import { asks, clientInfo, toldBy } from './mcp-requests.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { twoNodes } from './two-nodes.ts'
import { adminLogin, newClient, signIn, startServer } from './world.ts'

// Nobody takes jobs until a test has somebody do so: what is queued stays so.
const two = await twoNodes({ OUTBOUND_ALLOW: '127.0.0.1', ROLE: 'api' })
afterAll(() => two.end())
const { url } = two

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** A session of the extension's own client library: it calls tools, and follows what becomes a task. */
async function follower(person: Person) {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const requestInit = { headers: person.credentials }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  const session = createTaskSessionFromClient(client, {
    endpointId: url,
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo, clientCapabilities: {} },
    async rawDispatch(request) {
      const { method, params } = request as { method: string; params: Record<string, unknown> }
      const { result, error } = await asks(url, person, method, params)
      return error ? { kind: 'error', error } : { kind: 'result', result }
    },
  })
  onTestFinished(async () => {
    await session.close()
    await client.close()
  })
  return session
}

const get = (person: Person, taskId: string) => asks(url, person, 'tasks/get', { taskId }, tasks)

test('a delivery is a task that any node knows, that can be cancelled, and that is nobody else’s', async () => {
  const { operator, agent, social, clientId } = await newClient(two.nodes[0])
  const stranger = (await newClient(two.nodes[0])).agent
  const receiver = await peer((_, response) => json(response, { id: 'x-1' }))
  const admin = person(url, { cookie: await signIn(url, adminLogin.email, adminLogin.password) })
  const { body: connection } = await admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Our site',
    settings: { url: receiver.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const { connectionId } = connection
  const [wanted, unwanted] = [await operator.uploads(png(80, 80)), await operator.uploads(png(90, 90))]
  const order = (assetRef: string) => ({ assetRef, connectionId, surface: 'website' })
  const session = await follower(agent)

  const sent = await session.callTool('deliver_asset', order(wanted.assetRef))
  const dropped = await session.callTool('deliver_asset', order(unwanted.assetRef))
  expect([sent.kind, dropped.kind]).toEqual(['task', 'task'])
  const taskId = String(sent.handle!.taskId)
  const before = [...two.served]
  for (const _ of [1, 2]) {
    const { result } = await get(agent, taskId)
    expect(result).toMatchObject({
      resultType: 'complete',
      taskId,
      status: 'working',
      statusMessage: 'The delivery is queued.',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: null,
      pollIntervalMs: expect.any(Number),
    })
  }
  expect(two.served.map((count, node) => count - before[node]!)).toEqual([1, 1])

  // To any other agent, even of the same client, there is no such task; nor to whoever changes a letter.
  const changed = `${taskId.slice(0, -2)}${taskId.endsWith('AA') ? 'BB' : 'AA'}`
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
    for (const [who, id] of [
      [social, taskId],
      [stranger, taskId],
      [agent, changed],
      [agent, 'made-up'],
    ] as const)
      expect(await asks(url, who, method, { taskId: id, inputResponses: {} }, tasks), method).toMatchObject({
        error: { code: -32602 },
      })
  expect((await asks(url, agent, 'tasks/get', { taskId })).error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: tasks },
  })
  const { result: plain } = await asks(url, agent, 'tools/call', {
    name: 'deliver_asset',
    arguments: order(wanted.assetRef),
  })
  expect(plain.resultType, 'to a client that cannot follow it').toBe('complete')
  const { deliveryId } = toldBy(plain)
  expect(toldBy(plain)).toMatchObject({ status: 'queued' })

  await dropped.cancel()
  const { outcome } = await dropped.settle()
  expect(outcome.status).toBe('cancelled')
  const { body: listed } = await operator.get(`/admin/clients/${clientId}/deliveries?status=cancelled`)
  expect(listed.deliveries).toMatchObject([{ assetId: unwanted.assetId }])

  const worker = await startServer({ ...two.environment, ROLE: 'worker' })
  onTestFinished(() => worker.stop())
  const settled = await sent.settle()
  expect(settled.outcome).toMatchObject({ status: 'completed' })
  const { result: ended } = await get(agent, taskId)
  expect(toldBy(ended.result)).toMatchObject({ deliveryId, status: 'done', remoteId: 'x-1' })
  expect(receiver.requests).toHaveLength(1)
  // It has ended: that somebody wants it ended is no fault, and changes nothing.
  expect((await asks(url, agent, 'tasks/cancel', { taskId }, tasks)).result).toMatchObject({
    resultType: 'complete',
  })
  expect((await get(agent, taskId)).result.status).toBe('completed')

  // A delivery that fails is a call that was answered: with an error, as any tool's.
  await two.nodes[0].parts.db
    .updateTable('deliveries')
    .set({ status: 'failed', last_error: 'The site is closed.' })
    .where('id', '=', deliveryId)
    .execute()
  const { result: failed } = await get(agent, taskId)
  expect(failed).toMatchObject({
    status: 'completed',
    result: { isError: true, _meta: { code: 'target-failed' } },
  })
  expect(toldBy(failed.result)).toMatchObject({ detail: 'The site is closed.', deliveryId })
})

test('a file that the library fetches is a task, too', async () => {
  const { operator, agent } = await newClient(two.nodes[0])
  const picture = png(31, 21)
  const waiting: ServerResponse[] = []
  const source = await peer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length })
    response.write(picture.subarray(0, 20))
    waiting.push(response)
  })
  const session = await follower(agent)
  const fetches = (name: string) =>
    session.callTool('upload_asset', { action: 'from_url', url: `${source.url}/${name}.png`, title: name })

  const wanted = await fetches('Terrace')
  expect(wanted.kind).toBe('task')
  expect((await get(agent, String(wanted.handle!.taskId))).result.status).toBe('working')
  waiting[0]!.end(picture.subarray(20))
  const { outcome } = await wanted.settle()
  expect(outcome.status).toBe('completed')
  const { result } = await get(agent, String(wanted.handle!.taskId))
  expect(toldBy(result.result).asset).toMatchObject({ title: 'Terrace', width: 31 })

  const dropped = await fetches('Unwanted')
  await dropped.cancel()
  expect((await dropped.settle()).outcome.status).toBe('cancelled')
  waiting[1]!.end(picture.subarray(20))

  const cut = await fetches('Cut')
  waiting[2]!.destroy()
  await cut.settle()
  const { result: broken } = await get(agent, String(cut.handle!.taskId))
  expect(broken).toMatchObject({ status: 'completed', result: { _meta: { code: 'source-failed' } } })
  expect((await operator.lists()).body.assets).toHaveLength(1)
})

test('a client of before is told nothing of tasks, and is answered as ever', async () => {
  const { agent } = await newClient(two.nodes[0])
  const client = await connects('2025-11-25', agent, url)
  onTestFinished(() => client.close())
  const session = { accept: 'application/json, text/event-stream', 'mcp-session-id': 'x' }
  const { body } = await agent.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'x' } },
    session,
  )
  expect(body.error.code).toBe(-32601)
  expect((await client.listTools()).tools.every(({ execution }) => execution === undefined)).toBe(true)
})
