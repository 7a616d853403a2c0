import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MediaType } from '../contract/media-types.ts'
import { newId } from '../server/ids.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world({ ROLE: 'api' })
const fixture = (name: string) => readFile(new URL(`../server/media/fixtures/${name}`, import.meta.url))
const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}/pull-grants`

const uploads = async ({ operator }: ClientWorld, name: string, mimeType: MediaType, words = {}) =>
  operator.uploads(await fixture(name), { session: { originalFilename: name, mimeType }, words })

const grants = (client: ClientWorld, assetRef: string, more: object = {}) =>
  client.agent.post(at(client), { assetRef, surface: 'website', target: 'wordpress', ...more })

test('whoever holds the address fetches the rendition, and each fetch is counted and told', async () => {
  const client = await w.newClient()
  const asset = await uploads(client, 'a.heic', 'image/heic', { title: 'Harbour' })
  const { status, body } = await grants(client, asset.assetRef)
  expect(status).toBe(201)
  expect(body.url).toMatch(new RegExp(`^${w.url}/pull/[\\w-]{43}$`))
  expect(body).toMatchObject({ assetRef: `${asset.assetId}@1`, mimeType: 'image/jpeg', fetchCount: 0 })

  const answer = await fetch(body.url)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(body.sizeBytes),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'accept-ranges': 'bytes',
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()

  const head = await fetch(body.url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  const part = await fetch(body.url, { headers: { range: 'bytes=10-19' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
  const same = await fetch(body.url, { headers: { 'if-none-match': answer.headers.get('etag')! } })
  expect(same.status).toBe(304)
  expect((await fetch(body.url, { headers: { range: 'bytes=999999999-' } })).status).toBe(416)

  const { body: list } = await client.viewer.get(at(client))
  expect(list.pullGrants).toMatchObject([
    {
      pullGrantId: body.pullGrantId,
      fetchCount: 4,
      lastFetchedFrom: '127.0.0.1',
      lastFetchedAt: expect.any(String),
    },
  ])
  expect(JSON.stringify(list)).not.toContain(body.url.split('/').at(-1))
  const told = await w.parts.db
    .selectFrom('events')
    .selectAll()
    .where('subject', '=', body.pullGrantId)
    .orderBy('id')
    .execute()
  expect(told.map(({ type }) => type)).toEqual([
    'pull-grant.created',
    'pull-grant.fetched',
    'pull-grant.fetched',
  ])
  expect(told[1]!.data).toMatchObject({ from: '127.0.0.1', target: 'wordpress' })
  const stored = await w.parts.db.selectFrom('pull_grants').selectAll().execute()
  expect(JSON.stringify([stored, told])).not.toContain(body.url.split('/').at(-1))
})

test.each([
  ['plain.jpg', 'image/jpeg'],
  ['a.png', 'image/png'],
  ['a.webp', 'image/webp'],
] as const)(
  '%s is handed out as it is, pixel for pixel, and without a word beside it',
  async (name, mimeType) => {
    const client = await w.newClient()
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><Contact>Elm Street 5</Contact></x:xmpmeta>'
    const original = await sharp(await fixture(name))
      .withXmp(xmp)
      .toBuffer()
    expect((await sharp(original).metadata()).xmp).toBeDefined()
    const asset = await client.operator.uploads(original, { session: { originalFilename: name, mimeType } })
    const { body } = await grants(client, asset.assetRef)
    const bytes = Buffer.from(await (await fetch(body.url)).arrayBuffer())
    const { format, exif, xmp: words, iptc } = await sharp(bytes).metadata()
    expect([`image/${format}`, exif, words, iptc]).toEqual([mimeType, undefined, undefined, undefined])
    const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
    expect((await pixels(bytes)).equals(await pixels(original))).toBe(true)
  },
)

test('a film goes out without where and when it was taken, in any part that is asked for', async () => {
  const client = await w.newClient()
  const { status, body } = await grants(client, (await uploads(client, 'gps.mp4', 'video/mp4')).assetRef)
  expect(status).toBe(201)
  const whole = Buffer.from(await (await fetch(body.url)).arrayBuffer())
  const original = await fixture('gps.mp4')
  expect([whole.length, whole.equals(original)]).toEqual([original.length, false])
  const asset = await client.operator.uploads(whole, {
    session: { originalFilename: 'clean.mp4', mimeType: 'video/mp4' },
  })
  expect(asset.details).toMatchObject({ hasGps: false, capturedAt: null })
  const part = await fetch(body.url, { headers: { range: 'bytes=-500' } })
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4'])
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(-500))).toBe(true)
})

test('a picture that moves goes on moving', async () => {
  const client = await w.newClient()
  const { assetRef } = await uploads(client, 'animated.webp', 'image/webp')
  const { body } = await grants(client, assetRef)
  const bytes = Buffer.from(await (await fetch(body.url)).arrayBuffer())
  expect((await sharp(bytes).metadata()).pages).toBe(
    (await sharp(await fixture('animated.webp')).metadata()).pages,
  )
})

test('a grant ends: when it is revoked, when its time is over, when the asset may no longer be used', async () => {
  const client = await w.newClient()
  const { operator } = client
  const [one, two, three] = await Promise.all([operator.uploads(), operator.uploads(), operator.uploads()])
  const revoked = (await grants(client, one!.assetRef)).body
  expect((await fetch(revoked.url)).status).toBe(200)
  const path = `${at(client)}/${revoked.pullGrantId}`
  const first = await client.agent.delete(path)
  expect(first.body.revokedAt).toEqual(expect.any(String))
  expect((await client.agent.delete(path)).body).toEqual(first.body)

  const short = (await grants(client, two!.assetRef, { ttlSeconds: 1 })).body
  const trashed = (await grants(client, three!.assetRef)).body
  await operator.trashes(three!.assetId)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const absent = await (await fetch(`${w.url}/pull/${'x'.repeat(43)}`)).text()
  for (const { url } of [revoked, short, trashed]) {
    const answer = await fetch(url)
    expect([answer.status, await answer.text()]).toEqual([404, absent])
  }
  const stateOf = async ({ assetId }: { assetId: string }) =>
    (await client.viewer.get(`${at(client)}?assetId=${assetId}`)).body.pullGrants.map(
      ({ state }: { state: string }) => state,
    )
  expect([await stateOf(one!), await stateOf(two!)]).toEqual([['revoked'], ['expired']])
})

test('a grant that a delivery made is good for as long as the delivery is under way', async () => {
  const client = await w.newClient()
  const { assetRef } = await client.operator.uploads()
  const { body: connection } = await w.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'webhook',
    name: 'Screen',
    settings: { url: 'https://screen.example/in' },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const order = { assetRef, connectionId: connection.connectionId, surface: 'website' }
  const deliveries = `/admin/clients/${client.clientId}/deliveries`
  const { deliveryId } = (await client.agent.post(deliveries, order)).body
  const { url, pullGrantId } = (await grants(client, assetRef)).body
  await w.parts.db
    .updateTable('pull_grants')
    .set({ delivery_id: deliveryId })
    .where('id', '=', pullGrantId)
    .execute()
  expect((await fetch(url)).status).toBe(200)
  expect((await client.agent.post(`${deliveries}/${deliveryId}/cancel`)).body.status).toBe('cancelled')
  expect((await fetch(url)).status).toBe(404)
  const { body } = await client.viewer.get(`${at(client)}?deliveryId=${deliveryId}`)
  expect(body.pullGrants).toMatchObject([{ pullGrantId, deliveryId, state: 'delivered', fetchCount: 1 }])
  expect((await client.viewer.get(`${at(client)}?state=open`)).body.pullGrants).toEqual([])
})

test('a grant ends with the rights of whoever made it', async () => {
  const endings: [string, 'agent' | 'operator', (client: ClientWorld) => Promise<unknown>][] = [
    ['a removed key', 'agent', ({ agent }) => w.admin.delete(`/admin/api-keys/${agent.id}`)],
    [
      'a person switched off',
      'operator',
      ({ operator }) => w.admin.patch(`/admin/users/${operator.id}`, { isActive: false }),
    ],
    [
      'a person who may only look',
      'operator',
      ({ operator }) => w.admin.patch(`/admin/users/${operator.id}`, { role: 'viewer' }),
    ],
    [
      'a person who lost the client',
      'operator',
      async ({ operator }) =>
        w.admin.patch(`/admin/users/${operator.id}`, { clientIds: [(await w.newClient()).clientId] }),
    ],
  ]
  for (const [what, maker, end] of endings) {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    const input = { assetRef: asset.assetRef, surface: 'website', target: 'wordpress' }
    const { body } = await client[maker].post(at(client), input)
    expect((await fetch(body.url)).status, what).toBe(200)
    await end(client)
    expect((await fetch(body.url)).status, what).toBe(404)
  }
})

test('what cannot be granted is refused', async () => {
  const client = await w.newClient()
  const other = await w.newClient()
  const asset = await client.operator.uploads(undefined, { words: { allowedSurfaces: ['gbp'] } })
  const foreign = await other.operator.uploads()
  expect(await grants(client, asset.assetRef)).toEqual(
    refusal('refs-not-allowed', { refusals: [expect.objectContaining({ code: 'surface-not-allowed' })] }),
  )
  for (const ref of [foreign.assetRef, newId('asset'), 'odd'])
    expect(await grants(client, ref)).toEqual(refusal('not-found'))
  for (const more of [{ ttlSeconds: 0 }, { ttlSeconds: 86_401 }, { target: 'fax' }, { surface: 'social' }])
    expect(await grants(client, foreign.assetRef, more)).toEqual(refusal('invalid-request'))
})

test('the same key gives the same address', async () => {
  const client = await w.newClient()
  const asset = await client.operator.uploads()
  const input = { assetRef: asset.assetRef, surface: 'website', target: 'wordpress' }
  const ask = () => client.agent.post(at(client), input, { 'idempotency-key': 'once' })
  expect((await ask()).body).toEqual((await ask()).body)
})
