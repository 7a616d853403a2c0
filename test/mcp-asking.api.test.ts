import {
  Client,
  type ElicitRequestFormParams,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { asks, clientInfo, toldBy } from './mcp-requests.ts'
import type { Person } from './person.ts'
import { png } from './pictures.ts'
import { world } from './world.ts'

const w = await world()
const url = new URL('/mcp', w.url)

type Answer = { action: 'accept'; content: { assetRef: string } } | { action: 'decline' | 'cancel' }
const chooses = (assetRef: string): Answer => ({ action: 'accept', content: { assetRef } })

/** The SDK's own client, with a person who is shown each question and answers it. */
async function attended(agent: Person, answers: (question: ElicitRequestFormParams) => Answer) {
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: { form: {} } },
  })
  const shown: ElicitRequestFormParams[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    shown.push(params as ElicitRequestFormParams)
    return answers(params as ElicitRequestFormParams)
  })
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: agent.credentials } }),
  )
  onTestFinished(() => client.close())
  const uses = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
  return { shown, uses }
}

const offersOf = ({ requestedSchema }: ElicitRequestFormParams) =>
  (requestedSchema.properties.assetRef as { oneOf: { const: string; title: string }[] }).oneOf

const form = { elicitation: { form: {} } }
const ended = '2020-01-01T00:00:00Z'

async function library() {
  const { agent, social, operator, clientId } = await w.newClient()
  const uploads = (title: string, words: object = {}, side = 500) =>
    operator.uploads(png(side, 500), { words: { title, ...words } })
  return {
    agent,
    social,
    operator,
    clientId,
    old: await uploads('Terrace of last year', { rightsExpireAt: ended }, 501),
    summer: await uploads('Terrace in summer', {}, 502),
    site: await uploads('Terrace for the site', { allowedSurfaces: ['website'] }, 503),
    kitchen: await uploads('Kitchen', {}, 504),
  }
}

test('whoever is there is asked which asset to use instead, and what they choose is used', async () => {
  const { agent, operator, clientId, old, summer, site, kitchen } = await library()
  const { body: connection } = await w.admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Our site',
    settings: { url: 'https://site.example/hook' },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const { connectionId } = connection
  const { uses, shown } = await attended(agent, (question) => chooses(offersOf(question)[0]!.const))

  const delivered = await uses('deliver_asset', { assetRef: old.assetRef, connectionId, surface: 'social' })
  expect(toldBy(delivered)).toMatchObject({ assetRefs: [`${summer.assetId}@1`], surface: 'social' })
  expect(shown).toHaveLength(1)
  expect(shown[0]!.message).toBe(
    '“Terrace of last year”: The rights to the asset ended on 2020-01-01. Use another one?',
  )
  expect(offersOf(shown[0]!)).toEqual([
    { const: summer.assetRef, title: expect.stringContaining('Terrace in summer (') },
  ])

  // Several at once, for several reasons; where none is alike, any that may be used.
  shown.length = 0
  await w.admin.patch(`/admin/clients/${clientId}`, { approvedOnlySurfaces: ['social'] })
  const use = { kind: 'social-post', externalId: 'p-1', status: 'scheduled' }
  const refs = { featuredAssetRef: kitchen.assetRef, assetRefs: [site.assetRef] }
  const nothing = await uses('record_use', { ...use, ...refs })
  expect(nothing, 'nobody is asked to choose among none').toMatchObject({
    isError: true,
    _meta: { code: 'refs-not-allowed' },
  })
  expect(shown).toEqual([])
  const approved = await operator.put(`/admin/clients/${clientId}/assets/${summer.assetId}/approval`, {
    version: 1,
    decision: 'approved',
  })
  expect(approved.status, JSON.stringify(approved.body)).toBeLessThan(300)
  expect(toldBy(await uses('record_use', { ...use, ...refs }))).toMatchObject({
    featuredAssetRef: summer.assetRef,
    assetRefs: [summer.assetRef],
  })
  expect(shown.map(({ message }) => message)).toEqual([
    expect.stringContaining('is not approved'),
    expect.stringContaining('website only'),
  ])
  const granted = await uses('pull_grant', {
    action: 'create',
    assetRef: old.assetRef,
    surface: 'website',
    target: 'wordpress',
  })
  expect(toldBy(granted).pullGrantId).toMatch(/^grant_/)
})

test('what comes back is checked as if it had been sent first, and nobody is asked for ever', async () => {
  const { agent, old, summer } = await library()
  const foreign = await (await w.newClient()).operator.uploads()
  const use = { kind: 'social-post', externalId: 'p-1', status: 'scheduled', assetRefs: [old.assetRef] }

  // A ref of another client is as unknown as ever; one that may not be used is asked about again.
  const liar = await attended(agent, () => chooses(foreign.assetRef))
  const refused = await liar.uses('record_use', use)
  expect(refused).toMatchObject({ isError: true, _meta: { code: 'refs-not-allowed' } })
  expect(toldBy(refused).refusals).toMatchObject([{ code: 'not-found' }])
  const answers = [old.assetRef, summer.assetRef]
  const wavering = await attended(agent, () => chooses(answers.shift()!))
  expect(toldBy(await wavering.uses('record_use', use)).assetRefs).toEqual([summer.assetRef])
  expect(wavering.shown).toHaveLength(2)

  for (const action of ['decline', 'cancel'] as const) {
    const unwilling = await attended(agent, () => ({ action }))
    const { _meta, content } = await unwilling.uses('record_use', { ...use, externalId: 'p-2' })
    expect(_meta, JSON.stringify(content)).toMatchObject({ code: 'refs-not-allowed' })
    expect(unwilling.shown).toHaveLength(1)
  }
})

test('the state that travels is one agent’s for one tool, and cannot be made up', async () => {
  const { agent, social, old, summer } = await library()
  const call = {
    name: 'record_use',
    arguments: { kind: 'social-post', externalId: 'p', status: 'scheduled', assetRefs: [old.assetRef] },
  }
  const { result } = await asks(w.url, agent, 'tools/call', call, form)
  expect(result.resultType).toBe('input_required')
  const [path] = Object.keys(result.inputRequests)
  const answer = { inputResponses: { [path!]: chooses(summer.assetRef) }, requestState: result.requestState }
  for (const [who, params] of [
    [social, { ...call, ...answer }],
    [agent, { ...call, ...answer, name: 'pull_grant' }],
    [agent, { ...call, ...answer, requestState: 'e30' }],
  ] as const)
    expect((await asks(w.url, who, 'tools/call', params, form)).error).toMatchObject({ code: -32602 })
  const { result: done } = await asks(w.url, agent, 'tools/call', { ...call, ...answer }, form)
  expect(toldBy(done).assetRefs).toEqual([summer.assetRef])
})

test('where nobody can be asked, the refusal is what it was', async () => {
  const { agent, old } = await library()
  const use = { kind: 'social-post', externalId: 'p', status: 'scheduled', assetRefs: [old.assetRef] }
  const refused = { isError: true, _meta: { code: 'refs-not-allowed' } }
  for (const capabilities of [{}, { elicitation: { url: {} } }]) {
    const { result } = await asks(
      w.url,
      agent,
      'tools/call',
      { name: 'record_use', arguments: use },
      capabilities,
    )
    expect(result).toMatchObject({ resultType: 'complete', ...refused })
  }
  // Until 2025-11-25 a question would have to wait for its answer on the node that asked.
  const client = new ClientOf2025(clientInfo, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' as const }))
  await client.connect(new TransportOf2025(url, { requestInit: { headers: agent.credentials } }))
  onTestFinished(() => client.close())
  expect(await client.callTool({ name: 'record_use', arguments: use })).toMatchObject(refused)
})
