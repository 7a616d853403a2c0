import { expect, test } from 'vitest'
import { json, peer } from './delivery-peers.ts'
import { person } from './person.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })

test('what an agent did for a client is shown there, and nothing of what it does for another', async () => {
  const [one, other] = [await w.newClient('One'), await w.newClient('Other')]
  const at = (clientId: string) => `/admin/clients/${clientId}`
  const { body: key } = await w.admin.post('/admin/api-keys', {
    name: 'Poster',
    role: 'agent',
    clientIds: [one.clientId, other.clientId],
  })
  const agent = person(w.url, { authorization: `Bearer ${key.apiKey}` })
  const receiver = await peer((_, response) => json(response, { code: 'no' }, 400))
  const { body: connection } = await w.admin.post(`${at(one.clientId)}/connections`, {
    kind: 'webhook',
    name: 'Scheduler',
    settings: { url: receiver.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const mine = await one.operator.uploads(undefined, { words: { title: 'Harbour' } })
  const theirs = await other.operator.uploads()

  // Looked at twice, resolved, used, and delivered in vain; something for the other client, too.
  await agent.get(`${at(one.clientId)}/assets/${mine.assetId}`)
  await agent.get(`${at(one.clientId)}/assets/${mine.assetId}/preview`)
  await agent.get(`${at(other.clientId)}/assets/${theirs.assetId}`)
  await agent.put(`${at(one.clientId)}/uses/blog-post/spring`, {
    assetRefs: [mine.assetRef],
    status: 'draft',
  })
  await agent.put(`${at(other.clientId)}/uses/blog-post/autumn`, {
    assetRefs: [theirs.assetRef],
    status: 'draft',
  })
  const now = new Date().toISOString()
  const finishedRun = { job: 'Spring post', status: 'failed', startedAt: now, finishedAt: now, error: 'No' }
  await agent.put('/admin/seo/agents/poster/runtime', { clientId: one.clientId, state: 'idle', finishedRun })
  const { connectionId } = connection
  await agent.post(`${at(one.clientId)}/deliveries`, {
    assetRef: mine.assetRef,
    connectionId,
    surface: 'website',
  })

  const read = async (clientId: string, who = w.admin) =>
    (await who.get(`${at(clientId)}/agents/${key.keyId}`)).body
  await expect
    .poll(async () => (await read(one.clientId)).deliveries)
    .toMatchObject([{ assetId: mine.assetId, status: 'failed', lastErrorReason: expect.anything() }])
  const seen = await read(one.clientId, one.viewer)
  expect(seen).toMatchObject({ keyId: key.keyId, name: 'Poster', role: 'agent', isStopped: false })
  expect(seen.looks).toEqual([
    { assetId: mine.assetId, title: 'Harbour', hour: expect.stringMatching(/:00:00.000Z$/) },
  ])
  expect(seen.runtimes).toMatchObject([{ agentId: 'poster', recentRuns: [finishedRun] }])
  const actions = seen.activity.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['use.created', 'delivery.created']))
  expect(JSON.stringify(await read(other.clientId))).not.toContain(mine.assetId)
  expect((await read(other.clientId)).looks).toMatchObject([{ assetId: theirs.assetId }])
  expect((await read(other.clientId)).runtimes).toEqual([])

  // People look at assets without being noted down, and agents do not read about each other.
  await one.operator.get(`${at(one.clientId)}/assets/${mine.assetId}`)
  expect((await read(one.clientId)).looks).toHaveLength(1)
  expect(await agent.get(`${at(one.clientId)}/agents`)).toEqual(refusal('forbidden'))
  const stranger = await w.newClient()
  expect(await w.admin.get(`${at(stranger.clientId)}/agents/${key.keyId}`)).toEqual(refusal('not-found'))

  // Stopped, it is refused at once; what it did stays.
  await w.admin.delete(`/admin/api-keys/${key.keyId}`)
  expect(await agent.get(`${at(one.clientId)}/assets/${mine.assetId}`)).toEqual(refusal('unauthenticated'))
  expect(await read(one.clientId)).toMatchObject({
    name: 'Poster',
    isStopped: true,
    looks: [{ title: 'Harbour' }],
  })
  const { agents } = (await one.viewer.get(`${at(one.clientId)}/agents`)).body
  expect(agents.map(({ isStopped }: { isStopped: boolean }) => isStopped)).toEqual([false, false, true])
})
