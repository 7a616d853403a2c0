import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook as StockVerifier } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { test as alone, expect } from 'vitest'
import { eventTypes } from '../contract/events.ts'
import { webhookMessage } from '../contract/webhooks.ts'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { json, type Peer, peer, type Received, waysToSay } from './delivery-peers.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, ownWorld } from './world.ts'

// Most of the time is spent waiting for the next attempt.
const test = alone.concurrent

const w = await ownWorld({ OUTBOUND_ALLOW: '127.0.0.1' })

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

/** As any receiver would find out. */
const genuine = (secret: string, { headers, body }: Received) => {
  try {
    new StockVerifier(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const attempts = async (webhookId: string, query = '') =>
  (await w.admin.get(`/admin/webhooks/${webhookId}/attempts${query}`)).body

test('every change of a followed client arrives, signed and in order', async () => {
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
  await until(() => types(receiver).includes('asset.updated'))

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
  const receiver = await peer((_, response) => response.writeHead(works ? 200 : 503).end())
  const { webhookId } = await hooks(receiver, [client])
  await w.parts.db
    .updateTable('webhook_cursors')
    .set({ failing_since: new Date(Date.now() - 73 * 3_600_000), failures: 20 })
    .where('webhook_id', '=', webhookId)
    .execute()
  await client.operator.makesFolder('Unheard')
  await until(async () => !(await read(webhookId)).isEnabled)
  expect(await read(webhookId)).toMatchObject({
    disabledReason: 'It failed for 73 hours. The receiver answered 503.',
    disabledCode: 'gave-up',
    lastErrorReason: { code: 'failed', values: { who: 'receiver', status: 503 } },
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
    answer: '',
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

test('one that answers 410 is switched off at once, for everybody, and says so', async () => {
  const [client, other] = [await w.newClient(), await w.newClient()]
  const receiver = await peer((_, response) => response.writeHead(410).end('moved away'))
  const { webhookId } = await hooks(receiver, [client, other])
  await client.operator.makesFolder('Unwanted')
  await until(async () => !(await read(webhookId)).isEnabled)
  expect(await read(webhookId)).toMatchObject({
    disabledCode: 'gone',
    disabledReason: 'It wants no more messages. The receiver answered 410.',
  })
  await other.operator.makesFolder('Unwanted too')
  const trail = (await w.admin.get(`/admin/audit?thing=${webhookId}&action=webhook.updated`)).body
  expect(trail.entries).toMatchObject([{ details: { isEnabled: false, reason: 'gone' } }])
  expect((await attempts(webhookId)).attempts).toMatchObject([{ status: 410, answer: 'moved away' }])
  expect(receiver.requests).toHaveLength(1)
})

test('a receiver is left alone for as long as it asks: so many seconds, a date, a day at most', async () => {
  const client = await w.newClient()
  const asks = ['1', new Date(Date.now() + 3600_000).toUTCString(), '99999999999', 'soon']
  const receiver = await peer((_, response) =>
    response.writeHead(429, { 'retry-after': asks.shift()! }).end(),
  )
  const { webhookId } = await hooks(receiver, [client])
  const waits = () =>
    w.parts.db
      .selectFrom('webhooks')
      .select(sql<number>`extract(epoch from next_attempt_at - now())::int`.as('seconds'))
      .where('id', '=', webhookId)
      .executeTakeFirstOrThrow()
      .then(({ seconds }) => seconds)
  await client.operator.makesFolder('Later')
  await until(() => receiver.requests.length === 2)
  const [first, second] = (await attempts(webhookId)).attempts.map(
    ({ attemptedAt }: { attemptedAt: string }) => Date.parse(attemptedAt),
  )
  if (second !== undefined) expect(first - second).toBeGreaterThanOrEqual(900)
  await until(async () => (await waits()) > 3000)
  expect(await waits()).toBeLessThan(1.3 * 3600)
  const tryNow = () => w.admin.patch(`/admin/webhooks/${webhookId}`, { eventTypes: [] })
  await tryNow()
  await until(async () => (await waits()) > 80_000)
  expect(await waits()).toBeLessThan(1.3 * 86_400)
  // What is no such header is none: the next attempt is ours to time.
  await tryNow()
  await until(() => receiver.requests.length === 4)
  expect(await waits()).toBeLessThan(60)
  expect((await read(webhookId)).isEnabled).toBe(true)
})

test('clients of one receiver do not wait for each other, whether it hangs or fails', async () => {
  const clients = [await w.newClient(), await w.newClient(), await w.newClient()]
  const [hanging, failing, fine] = clients as [ClientWorld, ClientWorld, ClientWorld]
  const receiver = await peer((request, response) => {
    const { clientId } = message(request).data
    if (clientId === failing.clientId) response.writeHead(503).end()
    if (clientId === fine.clientId) response.writeHead(204).end()
  })
  const { webhookId } = await hooks(receiver, clients)
  for (const { operator } of clients) await operator.makesFolder('One')
  const ofFine = () => receiver.requests.filter((request) => message(request).data.clientId === fine.clientId)
  await until(() => receiver.requests.length >= 3)
  for (const name of ['Two', 'Three']) {
    await fine.operator.makesFolder(name)
    await until(() => ofFine().some((request) => nameIn(request) === name))
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  await until(async () => (await read(webhookId)).failingSince !== null)
  expect((await read(webhookId)).lastSentAt).not.toBeNull()
  expect(hanging.clientId).toBeDefined()
})

test('a new secret counts at once, the old one for a while and no longer', async () => {
  const client = await w.newClient()
  const receiver = await peer((_, response) => json(response, {}))
  const { webhookId, secret: old } = await hooks(receiver, [client])
  const rotated = (body: object) => w.admin.post(`/admin/webhooks/${webhookId}/rotate-secret`, body)
  const { secret } = (await rotated({})).body
  expect(Date.parse((await read(webhookId)).previousSecretEndsAt) - Date.now()).toBeGreaterThan(
    23 * 3_600_000,
  )
  const sent = async (name: string) => {
    await client.operator.makesFolder(name)
    await until(() => receiver.requests.some((request) => nameIn(request) === name))
    return receiver.requests.find((request) => nameIn(request) === name)!
  }
  const both = await sent('Both')
  expect([genuine(secret, both), genuine(old, both)]).toEqual([true, true])
  expect(both.headers['webhook-signature']!.toString().split(' ')).toHaveLength(2)

  await w.parts.db
    .updateTable('webhooks')
    .set({ previous_secret_ends_at: sql`now() - interval '1 second'` })
    .where('id', '=', webhookId)
    .execute()
  const one = await sent('One')
  expect([genuine(secret, one), genuine(old, one)]).toEqual([true, false])
  expect((await read(webhookId)).previousSecretEndsAt).toBeNull()

  const last = (await rotated({ overlapHours: 0 })).body.secret
  const atOnce = await sent('At once')
  expect([genuine(last, atOnce), genuine(secret, atOnce)]).toEqual([true, false])
})

test('what was sent is there to read, with what came back, for as long as it is of use', async () => {
  const client = await w.newClient()
  const shown = ' <b>no</b>\n'.repeat(1000).slice(0, 1000)
  let refuses = true
  const says = '\0\u001b\u202e <b>no</b>\n'.repeat(1000)
  const receiver = await peer((request, response) => {
    const isOdd = refuses && message(request).type === 'folder.created' && nameIn(request) === 'Odd'
    response.writeHead(isOdd ? 422 : 200).end(isOdd ? says : 'thanks')
  })
  const { webhookId } = await hooks(receiver, [client], { eventTypes: ['folder.created'] })
  for (const name of ['One', 'Odd']) await client.operator.makesFolder(name)
  await until(async () => (await attempts(webhookId)).attempts.length >= 2)
  const [odd] = (await attempts(webhookId, '?failed=true')).attempts
  expect(odd).toMatchObject({
    type: 'folder.created',
    clientId: client.clientId,
    status: 422,
    error: 'The receiver answered 422.',
    answer: shown,
  })

  const again = (eventId: number) =>
    w.admin.post(`/admin/webhooks/${webhookId}/resend`, { clientId: client.clientId, eventId })
  await w.parts.db
    .insertInto('webhook_set_aside')
    .values({ webhook_id: webhookId, client_id: client.clientId, event_id: odd.eventId, error: 'No.' })
    .execute()
  expect((await again(odd.eventId)).body).toMatchObject({ ok: false, status: 422, answer: shown })
  expect(await read(webhookId)).toMatchObject({ setAsideCount: 1 })
  refuses = false
  expect((await again(odd.eventId)).body).toMatchObject({ ok: true, status: 200, answer: 'thanks' })
  expect(await read(webhookId)).toMatchObject({ setAsideCount: 0 })
  expect(await again(odd.eventId + 99)).toEqual(refusal('not-found'))

  const newest = await attempts(webhookId, '?limit=1')
  const next = await attempts(webhookId, `?limit=1&cursor=${newest.nextCursor}`)
  expect(next.attempts[0].attemptId).toBeLessThan(newest.attempts[0].attemptId)
  // It goes on to try by itself: what comes after these is none of theirs.
  const { attempts: all } = await attempts(webhookId)
  await w.parts.db
    .updateTable('webhook_attempts')
    .set({ attempted_at: sql`now() - interval '15 days'` })
    .where('webhook_id', '=', webhookId)
    .execute()
  await jobHandlers(w.parts).purge({}, { isLast: false } as never)
  const { attempts: left } = await attempts(webhookId)
  const idsOf = (some: { attemptId: number }[]) => some.map(({ attemptId }) => attemptId)
  expect(idsOf(left).filter((id) => idsOf(all).includes(id))).toEqual([])
})

test('a receiver that says back its secret is not quoted with it', async () => {
  let says: string[] = []
  const receiver = await peer((_, response) => response.writeHead(200).end(says.join(' ')))
  const { webhookId, secret } = await hooks(receiver, [await w.newClient()])
  says = waysToSay(secret)
  const tests = () => w.admin.post(`/admin/webhooks/${webhookId}/test`)
  const { answer } = (await tests()).body
  expect(answer.match(/…/g)).toHaveLength(says.length)
  expect((await attempts(webhookId)).attempts[0].answer).toBe(answer)
  for (const way of says) expect(answer).not.toContain(way)
})

test('a receiver that talks rubbish, or does not stop talking, is understood as far as it can be', async () => {
  const client = await w.newClient()
  const rubbish = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1')
  await new Promise((resolve) => rubbish.once('listening', resolve))
  rubbish.unref()
  const endless = await peer((_, response) => {
    response.writeHead(200).write('so')
  })
  const url = `http://127.0.0.1:${(rubbish.address() as AddressInfo).port}`
  const made = await hooks({ url } as Peer, [client], { eventTypes: ['folder.created'] })
  const talking = await hooks(endless, [client], { eventTypes: ['folder.created'] })
  await client.operator.makesFolder('One')
  await until(async () => (await attempts(made.webhookId)).attempts.length > 0)
  expect((await attempts(made.webhookId)).attempts.at(-1)).toMatchObject({
    status: null,
    reason: { code: 'unreachable' },
  })
  await until(async () => (await attempts(talking.webhookId)).attempts.length > 0)
  expect((await attempts(talking.webhookId)).attempts).toMatchObject([
    { status: 200, answer: 'so', error: null },
  ])
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
