import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Value } from 'typebox/value'
import { test as alone, expect } from 'vitest'
import { eventTypes } from '../contract/events.ts'
import { webhookMessage } from '../contract/webhooks.ts'
import { newId } from '../server/ids.ts'
import { json, type Peer, peer, type Received } from './delivery-peers.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, world } from './world.ts'

// Most of the time is spent waiting for the next attempt.
const test = alone.concurrent

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })

const hooks = async (receiver: Peer, clients: ClientWorld[] | null, more: object = {}) =>
  (
    await w.admin.post('/admin/webhooks', {
      url: receiver.url,
      clientIds: clients?.map(({ clientId }) => clientId) ?? null,
      ...more,
    })
  ).body

const read = async (webhookId: string) =>
  (await w.admin.get('/admin/webhooks')).body.webhooks.find(
    (webhook: { webhookId: string }) => webhook.webhookId === webhookId,
  )

const message = ({ body }: Received) => JSON.parse(body.toString())
/** Of a folder that was made. */
const nameIn = (request: Received) => message(request).data.data.folder.name as string
const types = (receiver: Peer) => receiver.requests.map((request) => message(request).type as string)

async function until(met: () => boolean | Promise<boolean>, seconds = 30) {
  const end = Date.now() + seconds * 1000
  while (!(await met())) {
    if (Date.now() > end) throw new Error('It did not come to that.')
    await pause(50)
  }
}

const genuine = (secret: string, { headers, body }: Received) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

test('every change of a followed client arrives, signed, in order, and soon', async () => {
  const [client, other] = [await w.newClient(), await w.newClient()]
  const receiver = await peer((_, response) => json(response, {}))
  await client.operator.makesFolder('Before')
  const { webhookId, secret, ...shown } = await hooks(receiver, [client])
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(shown).toMatchObject({ isEnabled: true, clientIds: [client.clientId], lastError: null })
  await other.operator.makesFolder('Elsewhere')
  await client.operator.makesFolder('Menus')
  const asset = await client.operator.uploads()
  await client.operator.edits(asset.assetId, { title: 'Menu' })
  const started = Date.now()
  await until(() => types(receiver).includes('asset.updated'))
  expect(Date.now() - started).toBeLessThan(10_000)

  expect(types(receiver)[0]).toBe('folder.created')
  const eventIds = receiver.requests.map((request) => message(request).data.eventId)
  expect(eventIds).toEqual(eventIds.map((_, place) => place + eventIds[0]))
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(eventIds.length)
  const document = (await w.nobody.get('/openapi.json')).body
  expect(Object.keys(document.webhooks)).toEqual(eventTypes)
  for (const request of receiver.requests) {
    expect(genuine(secret, request)).toBe(true)
    expect(message(request).data.clientId).toBe(client.clientId)
    const described = document.webhooks[message(request).type].post.requestBody.content['application/json']
    expect(described.schema.properties.data.$ref).toMatch(/^#\/components\/schemas\/\w+Event$/)
    expect(Value.Check(webhookMessage(message(request).type), message(request))).toBe(true)
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
  }
  const listed = JSON.stringify((await w.admin.get('/admin/webhooks')).body)
  expect(listed).toContain(webhookId)
  expect(listed).not.toContain(secret)
  expect(JSON.stringify(await w.parts.db.selectFrom('webhooks').selectAll().execute())).not.toContain(secret)
})

test('only the types asked for are sent, of every client there is or will be', async () => {
  const receiver = await peer((_, response) => json(response, {}))
  await hooks(receiver, null, { eventTypes: ['folder.trashed'] })
  const client = await w.newClient()
  for (let n = 0; n < 3; n++) {
    const { folderId } = await client.operator.makesFolder(`Folder ${n}`)
    await client.operator.deletesFolder(folderId)
  }
  const ours = () => receiver.requests.map(message).filter(({ data }) => data.clientId === client.clientId)
  await until(() => ours().length >= 3)
  expect(ours().map(({ type }) => type)).toEqual(Array(3).fill('folder.trashed'))
})

test('a receiver that fails gets the same event again, later, and nothing before it', async () => {
  const client = await w.newClient()
  const answers = [500, 302, 429]
  const seen = Promise.withResolvers<void>()
  const receiver = await peer(async (_, response) => {
    const answer = answers.shift() ?? 204
    if (answer === 302) await seen.promise
    response.writeHead(answer).end()
  })
  const { webhookId } = await hooks(receiver, [client])
  await client.operator.makesFolder('One')
  await client.operator.makesFolder('Two')
  await until(async () => (await read(webhookId)).lastError !== null)
  expect(await read(webhookId)).toMatchObject({
    lastError: 'The receiver answered 500.',
    failingSince: expect.any(String),
  })
  seen.resolve()
  await until(() => receiver.requests.length === 5, 50)
  const names = receiver.requests.map((request) => message(request).data.eventId)
  expect(names).toEqual([names[0], names[0], names[0], names[0], names[0] + 1])
  expect(new Set(receiver.requests.slice(0, 4).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await until(async () => (await read(webhookId)).lastError === null)
})

test('an event that the receiver refuses is set aside, seen, and sent again when asked; the rest goes on', async () => {
  const [client, other] = [await w.newClient(), await w.newClient()]
  let refuses = true
  const receiver = await peer((request, response) => {
    const isOdd = refuses && nameIn(request) === 'Odd'
    response.writeHead(isOdd ? 422 : 204).end()
  })
  const { webhookId } = await hooks(receiver, [client, other], { eventTypes: ['folder.created'] })
  for (const name of ['One', 'Odd', 'Two']) await client.operator.makesFolder(name)
  await other.operator.makesFolder('Elsewhere')
  const names = () => receiver.requests.map((request) => nameIn(request))
  // Another client does not wait.
  await until(() => names().includes('Elsewhere') && names().includes('Odd'))
  expect(names()).not.toContain('Two')
  await until(() => names().includes('Two'), 58)
  expect(names().filter((name) => name === 'Odd')).toHaveLength(5)
  const shown = await read(webhookId)
  const { eventId } = message(receiver.requests[names().indexOf('Odd')]!).data
  const { clientId } = client
  expect(shown).toMatchObject({
    isEnabled: true,
    setAsideCount: 1,
    setAside: [
      {
        clientId,
        eventId,
        error: 'The receiver answered 422.',
        reason: { code: 'refused', values: { who: 'receiver', status: 422 } },
        setAsideAt: expect.stringMatching(/Z$/),
      },
    ],
  })
  refuses = false
  const replayed = await w.admin.post(`/admin/webhooks/${webhookId}/replay`, {
    clientId,
    fromEventId: eventId,
  })
  expect(replayed.body).toMatchObject({ setAsideCount: 0, setAside: [] })
  await until(() => names().filter((name) => name === 'Two').length === 2)
  expect(names().slice(-2)).toEqual(['Odd', 'Two'])
})

test('one that has failed for days is switched off with the reason, and goes on where it stopped', async () => {
  const client = await w.newClient()
  let works = false
  const receiver = await peer((_, response) => response.writeHead(works ? 200 : 410).end())
  const { webhookId } = await hooks(receiver, [client])
  await w.parts.db
    .updateTable('webhooks')
    .set({ failing_since: new Date(Date.now() - 73 * 3_600_000), failures: 20 })
    .where('id', '=', webhookId)
    .execute()
  await client.operator.makesFolder('Unheard')
  await until(async () => !(await read(webhookId)).isEnabled)
  expect(await read(webhookId)).toMatchObject({
    disabledReason: 'It failed for 73 hours. The receiver answered 410.',
    disabledCode: 'gave-up',
    lastErrorReason: { code: 'refused', values: { who: 'receiver', status: 410 } },
  })
  await client.operator.makesFolder('Unheard too')
  await pause(500)
  expect(receiver.requests).toHaveLength(1)
  works = true
  await w.admin.patch(`/admin/webhooks/${webhookId}`, { isEnabled: true })
  await until(() => receiver.requests.length === 3)
  expect(await read(webhookId)).toMatchObject({ isEnabled: true, disabledReason: null, disabledCode: null })
})

test('events are sent again from one on, under the ids they had', async () => {
  const client = await w.newClient()
  const receiver = await peer((_, response) => json(response, {}))
  const { webhookId } = await hooks(receiver, [client])
  for (let n = 0; n < 3; n++) await client.operator.makesFolder(`Folder ${n}`)
  await until(() => receiver.requests.length === 3)
  const replay = (input: object) => w.admin.post(`/admin/webhooks/${webhookId}/replay`, input)
  expect((await replay({ clientId: client.clientId, fromEventId: 2 })).status).toBe(202)
  await until(() => receiver.requests.length === 5)
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(ids.slice(3)).toEqual(ids.slice(1, 3))
  expect(await replay({ clientId: client.clientId, fromEventId: 99 })).toEqual(refusal('invalid-request'))
  expect(await replay({ clientId: newId('client'), fromEventId: 1 })).toEqual(refusal('not-found'))
  const other = await w.newClient()
  expect(await replay({ clientId: other.clientId, fromEventId: 1 })).toEqual(refusal('not-found'))
})

test('a test says what the receiver answered', async () => {
  const receiver = await peer((_, response) => response.writeHead(418).end())
  const { webhookId, secret } = await hooks(receiver, null, { eventTypes: ['upload.expired'] })
  const tries = () => w.admin.post(`/admin/webhooks/${webhookId}/test`)
  expect((await tries()).body).toEqual({
    ok: false,
    status: 418,
    error: 'The receiver answered 418.',
    reason: { code: 'refused', values: { who: 'receiver', status: 418 } },
  })
  expect(message(receiver.requests[0]!)).toMatchObject({ type: 'webhook.test', data: { webhookId } })
  expect(genuine(secret, receiver.requests[0]!)).toBe(true)
  await w.admin.patch(`/admin/webhooks/${webhookId}`, { url: 'http://169.254.169.254/' })
  expect((await tries()).body).toMatchObject({
    ok: false,
    status: null,
    error: expect.stringContaining('not a public'),
    reason: { code: 'address-not-public' },
  })
})

test('one slow receiver holds up no other, and many events all come', async () => {
  const client = await w.newClient()
  const slow = await peer(() => {})
  const quick = await peer((_, response) => json(response, {}))
  await hooks(slow, [client])
  await hooks(quick, [client])
  await Promise.all(Array.from({ length: 20 }, (_, n) => client.operator.uploads(png(1, 1, [n, 1, 1]))))
  await until(() => types(quick).filter((type) => type === 'asset.created').length === 20)
  expect(new Set(slow.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('webhooks are for admins, and name clients that there are', async () => {
  const client = await w.newClient()
  for (const person of [client.operator, client.viewer, client.agent])
    expect(await person.get('/admin/webhooks')).toEqual(refusal('forbidden'))
  const url = 'https://example.com/'
  const make = (input: object) => w.admin.post('/admin/webhooks', input)
  expect(await make({ url, clientIds: [newId('client')] })).toEqual(refusal('not-found'))
  for (const bad of ['ftp://example.com', 'http://[', 'http://example.com:99999', 'http://1.2.3.999'])
    expect(await make({ url: bad, clientIds: null })).toEqual(refusal('invalid-request'))
  expect(await make({ url, clientIds: null, eventTypes: ['asset.eaten'] })).toEqual(
    refusal('invalid-request'),
  )
  const { body } = await make({ url, clientIds: [client.clientId], eventTypes: ['folder.purged'] })
  expect((await w.admin.delete(`/admin/webhooks/${body.webhookId}`)).status).toBe(204)
  expect(await w.admin.delete(`/admin/webhooks/${body.webhookId}`)).toEqual(refusal('not-found'))
})
