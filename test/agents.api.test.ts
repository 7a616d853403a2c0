import { expect, test } from 'vitest'
import { connects, registeredApp } from './agent-app.ts'
import { json, peer } from './delivery-peers.ts'
import { type Person, person } from './person.ts'
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

  // The client's own people see the same, without what only those are told who deliver.
  const portal = (await one.portal.get(`/portal/agents/${key.keyId}`)).body
  const [delivery] = portal.deliveries
  expect(delivery).toEqual({ ...seen.deliveries[0], lastError: null })
  expect(portal).toMatchObject({ ...seen, deliveries: [delivery], activity: expect.anything() })
  expect(portal.activity.map(({ action }: { action: string }) => action)).toContain('use.created')
  expect(await stranger.portal.get(`/portal/agents/${key.keyId}`)).toEqual(refusal('not-found'))

  // They stop it for themselves, and for nobody else: it is refused at once, and what it did stays.
  const stop = (who: Person, clientId: string) => who.delete(`${at(clientId)}/agents/${key.keyId}`)
  expect(await stop(one.operator, one.clientId)).toEqual(refusal('forbidden'))
  expect(await stranger.portal.delete(`/portal/agents/${key.keyId}`)).toEqual(refusal('not-found'))
  expect((await one.portal.delete(`/portal/agents/${key.keyId}`)).status).toBe(204)
  expect(await agent.get(`${at(one.clientId)}/assets/${mine.assetId}`)).toEqual(refusal('not-found'))
  expect((await agent.get(`${at(other.clientId)}/assets/${theirs.assetId}`)).status).toBe(200)
  expect(await one.portal.delete(`/portal/agents/${key.keyId}`)).toEqual(refusal('not-found'))
  expect(await read(one.clientId)).toMatchObject({
    name: 'Poster',
    isStopped: true,
    looks: [{ title: 'Harbour' }],
  })
  const { agents } = (await one.viewer.get(`${at(one.clientId)}/agents`)).body
  expect(agents.map(({ isStopped }: { isStopped: boolean }) => isStopped)).toEqual([false, false, true])
  const { activity } = (await one.portal.get('/portal/activity')).body
  expect(activity[0]).toMatchObject({ action: 'agent.stopped', thing: key.keyId, by: { id: one.portal.id } })

  // With the last of its clients it is gone.
  expect((await stop(w.admin, other.clientId)).status).toBe(204)
  expect(await agent.get(`${at(other.clientId)}/assets/${theirs.assetId}`)).toEqual(
    refusal('unauthenticated'),
  )
  const { apiKeys } = (await w.admin.get('/admin/api-keys')).body
  expect(apiKeys.map(({ keyId }: { keyId: string }) => keyId)).not.toContain(key.keyId)
})

test('an agent that somebody signed in is shown and stopped like one with a key', async () => {
  const client = await w.newClient()
  const app = await registeredApp(w.url, 'Desk agent')
  const { access_token } = await connects(app, client.operator, { clientIds: [client.clientId] })
  const calls = () =>
    fetch(`${w.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
  expect((await calls()).status).toBe(200)
  const { agents } = (await client.portal.get('/portal/agents')).body
  const [{ keyId }] = agents.filter(({ isSignedIn }: { isSignedIn: boolean }) => isSignedIn)
  const at = `/admin/clients/${client.clientId}/agents/${keyId}`
  expect((await client.viewer.get(at)).body).toMatchObject({ name: 'Desk agent', isStopped: false })
  expect((await w.admin.delete(at)).status).toBe(204)
  expect((await calls()).status).toBe(401)
  expect((await client.operator.get('/admin/agents')).body.agents).toEqual([])
})
