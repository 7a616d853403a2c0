import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { Webhook as StockVerifier } from 'standardwebhooks'
import { test as alone, expect, describe as group, vi } from 'vitest'
import {
  type Delivery,
  type DeliveryAct,
  type DeliveryStatus,
  deliveryActs,
  deliveryStatuses,
  openStatuses,
} from '../contract/deliveries.ts'
import type { MediaType } from '../contract/media-types.ts'
import { migrate } from '../server/db/migrate.ts'
import { newId } from '../server/ids.ts'
import { json, peer, type Received, wordpressPeer } from './delivery-peers.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, ownWorld } from './world.ts'

// Most of the time is spent waiting for the next attempt.
const test = alone.concurrent
const describe = group.concurrent

const w = await ownWorld({ OUTBOUND_ALLOW: '127.0.0.1' })
// The sweep would take up what is put into the database here without a job.
await sql`delete from jobs.schedule where name = 'sweep'`.execute(w.parts.db)
const fixture = (name: string) => readFile(new URL(`../server/media/fixtures/${name}`, import.meta.url))
const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}`

const uploads = async ({ operator }: ClientWorld, name: string, mimeType: MediaType, words = {}) =>
  operator.uploads(await fixture(name), { session: { originalFilename: name, mimeType }, words })

async function connects(client: ClientWorld, kind: string, settings: object, secrets: object) {
  const { status, body } = await w.admin.post(`${at(client)}/connections`, {
    kind,
    name: kind,
    settings,
    secrets,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.connectionId as string
}

const connectsSite = (client: ClientWorld, site: { url: string }, applicationPassword = 'pass word') =>
  connects(client, 'wordpress', { siteUrl: site.url }, { username: 'editor', applicationPassword })

const login = { secrets: { username: 'editor', applicationPassword: 'pass word' } }

const delivers = (client: ClientWorld, assetRef: string, connectionId: string, surface = 'website') =>
  client.agent.post(`${at(client)}/deliveries`, { assetRef, connectionId, surface })

const reads = async (client: ClientWorld, deliveryId: string): Promise<Delivery> =>
  (await client.viewer.get(`${at(client)}/deliveries/${deliveryId}`)).body

async function becomes(client: ClientWorld, deliveryId: string, status: DeliveryStatus, seconds = 45) {
  const until = Date.now() + seconds * 1000
  for (;;) {
    const delivery = await reads(client, deliveryId)
    if (delivery.status === status) return delivery
    if (Date.now() > until) throw new Error(`Not ${status}: ${JSON.stringify(delivery)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** As if so much time had passed that the site can no longer be at work on what it was sent. */
async function siteIsDone(client: ClientWorld, deliveryId: string) {
  const until = Date.now() + 20_000
  while (!(await reads(client, deliveryId)).lastError && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 250))
  await w.parts.db.updateTable('deliveries').set({ look_after: null }).where('id', '=', deliveryId).execute()
}

const words = { title: 'Häfen at dawn', altText: 'Boats in fog', description: 'Taken <early>' }

describe('a WordPress site', () => {
  test('gets the picture once, with its words, however often it is asked for', async () => {
    const client = await w.newClient()
    const site = await wordpressPeer()
    const connectionId = await connectsSite(client, site)
    const asset = await uploads(client, 'a.heic', 'image/heic', words)
    const first = await delivers(client, asset.assetRef, connectionId)
    expect(first.status).toBe(202)
    expect(first.body).toMatchObject({ status: 'queued', assetRef: `${asset.assetId}@1`, remoteId: null })
    const done = await becomes(client, first.body.deliveryId, 'done')
    const [item] = site.items
    expect(item).toMatchObject({
      mime_type: 'image/jpeg',
      alt_text: words.altText,
      title: { raw: words.title },
      caption: { raw: words.description },
      slug: expect.stringMatching(/^hafen-at-dawn-[0-9a-z]{12}$/),
    })
    expect(done).toMatchObject({
      remoteId: String(item!.id),
      remoteUrl: item!.source_url,
      attempts: 1,
      lastError: null,
    })
    expect(done.progress).toEqual({ sentBytes: item!.bytes.length, totalBytes: item!.bytes.length })
    const picture = await sharp(item!.bytes).metadata()
    expect(picture).toMatchObject({ format: 'jpeg', space: 'srgb' })
    expect(picture.exif).toBeUndefined()

    const again = await delivers(client, `${asset.assetId}@1`, connectionId)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(done)
    expect(site.uploads()).toBe(1)
  })

  test.each([
    ['image/jpeg', { format: 'jpeg', quality: 92 }],
    ['image/png', { format: 'png' }],
    ['image/webp', { format: 'webp', quality: 92 }],
  ] as const)(
    'that got %s while that was still encoded anew gets no second copy after the upgrade',
    async (mimeType, recipe) => {
      const client = await w.newClient()
      const site = await wordpressPeer()
      const connectionId = await connectsSite(client, site)
      const plain = sharp({ create: { width: 60, height: 60, channels: 3, background: '#357' } })
      const originalFilename = `plain.${recipe.format}`
      const asset = await client.operator.uploads(await plain.toFormat(recipe.format).toBuffer(), {
        session: { originalFilename, mimeType },
      })
      const { deliveryId } = (await delivers(client, asset.assetRef, connectionId)).body
      expect((await becomes(client, deliveryId, 'done')).rendition).toBe('original')
      const hash = createHash('sha256').update(JSON.stringify(Object.entries(recipe).sort()))
      const rendition = `rendition-${hash.digest('hex').slice(0, 24)}`
      await w.parts.db.updateTable('deliveries').set({ rendition }).where('id', '=', deliveryId).execute()

      await sql`delete from schema_migrations where name like '%as-is-by-its-name%'`.execute(w.parts.db)
      await migrate(w.parts.database.pool)
      expect((await delivers(client, asset.assetRef, connectionId)).body).toMatchObject({
        deliveryId,
        status: 'done',
      })
      expect(site.items).toHaveLength(1)
    },
  )

  test('is sent the checksum of the bytes it gets', async () => {
    const client = await w.newClient()
    const site = await wordpressPeer()
    const asset = await uploads(client, 'a.mp4', 'video/mp4')
    const { body } = await delivers(client, asset.assetRef, await connectsSite(client, site))
    await becomes(client, body.deliveryId, 'done')
    const upload = site.requests.find(({ method, path }) => method === 'POST' && path.includes('/media?'))!
    expect(upload.headers['content-md5']).toBe(createHash('md5').update(upload.body).digest('hex'))
    expect(upload.body).toHaveLength(asset.sizeBytes)
  })

  test.each(['cut after', 'error after', 'cut before', 'error before', 'busy'] as const)(
    'has one item though the first upload met with: %s',
    async (mishap) => {
      const client = await w.newClient()
      const site = await wordpressPeer()
      site.suffers(mishap)
      const asset = await client.operator.uploads(png(40, 40), { words })
      const { body } = await delivers(client, asset.assetRef, await connectsSite(client, site))
      if (mishap === 'cut before') await siteIsDone(client, body.deliveryId)
      const done = await becomes(client, body.deliveryId, 'done', 55)
      expect(site.items).toHaveLength(1)
      expect(site.items[0]).toMatchObject({ title: { raw: words.title }, alt_text: words.altText })
      expect(site.uploads()).toBe(mishap.endsWith('after') ? 1 : 2)
      expect(done.remoteId).toBe(String(site.items[0]!.id))
      expect(done.attempts).toBeGreaterThan(1)
    },
  )

  test.each([
    ['refuse', /refused \(403: Sorry, you may not\.\)/],
    ['redirect', /sends us elsewhere \(301\)/],
  ] as const)(
    'that answers with %s is not asked again by itself, but by a person',
    async (mishap, reason) => {
      const client = await w.newClient()
      const site = await wordpressPeer()
      site.suffers(mishap)
      const asset = await client.operator.uploads()
      const connectionId = await connectsSite(client, site)
      const { body } = await delivers(client, asset.assetRef, connectionId)
      const failed = await becomes(client, body.deliveryId, 'failed')
      expect(failed.lastError).toMatch(reason)
      expect(site.uploads()).toBe(1)
      expect((await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/retry`)).status).toBe(
        202,
      )
      await becomes(client, body.deliveryId, 'done')
      expect(site.items).toHaveLength(1)
    },
  )

  test('whose library cannot be looked at after a lost answer leaves the delivery unknown, for a person to settle', async () => {
    const client = await w.newClient()
    const site = await wordpressPeer()
    site.suffers('cut after')
    site.looksLike('forbid')
    const asset = await client.operator.uploads()
    const connectionId = await connectsSite(client, site)
    const { body } = await delivers(client, asset.assetRef, connectionId)
    const { deliveryId } = body
    await becomes(client, deliveryId, 'unknown')
    expect((await delivers(client, asset.assetRef, connectionId)).status).toBe(200)
    expect(site.uploads()).toBe(1)

    const settle = (input: object) =>
      client.operator.post(`${at(client)}/deliveries/${deliveryId}/settle`, input)
    expect(await settle({ outcome: 'there' })).toEqual(refusal('invalid-request'))
    const absent = await settle({ outcome: 'not-there' })
    expect(absent.body).toMatchObject({ status: 'failed', remoteId: null })
    site.looksLike(undefined)
    await client.operator.post(`${at(client)}/deliveries/${deliveryId}/retry`)
    await becomes(client, deliveryId, 'done')
    expect(site.uploads()).toBe(2)
  })

  test('that nobody answers for is tried again until it is there', async () => {
    const client = await w.newClient()
    const site = await wordpressPeer()
    const asset = await client.operator.uploads()
    const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
    const { body } = await delivers(client, asset.assetRef, connectionId)
    const until = Date.now() + 20_000
    while ((await reads(client, body.deliveryId)).attempts < 2 && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await reads(client, body.deliveryId)).lastError).toContain('The connection was refused')
    const { body: changed } = await w.admin.patch(`${at(client)}/connections/${connectionId}`, {
      settings: { siteUrl: site.url },
      ...login,
    })
    expect(changed).toMatchObject({ status: 'untested', settings: { siteUrl: site.url } })
    await becomes(client, body.deliveryId, 'done')
    expect(site.items).toHaveLength(1)
  })

  test('that is slow can be left: what had arrived is found, and said', async () => {
    const client = await w.newClient()
    const site = await wordpressPeer()
    site.suffers('hang after')
    const asset = await client.operator.uploads()
    const { body } = await delivers(client, asset.assetRef, await connectsSite(client, site))
    await becomes(client, body.deliveryId, 'sending')
    while (site.items.length === 0) await new Promise((resolve) => setTimeout(resolve, 250))
    expect((await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/cancel`)).status).toBe(
      200,
    )
    await becomes(client, body.deliveryId, 'done')
    expect(site.items).toHaveLength(1)
  })
})

test('a target that asks to be left alone is, for as long, unless a person wants it otherwise', async () => {
  const client = await w.newClient()
  const answers = [
    { status: 429, 'retry-after': '7200' },
    { status: 503, 'retry-after': new Date(Date.now() + 3 * 3600_000).toUTCString() },
    { status: 503 },
  ]
  const receiver = await peer((_, response) => {
    const { status, ...headers } = answers.shift() ?? { status: 200 }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return json(response, { id: 'one' }, status)
  })
  const connectionId = await connects(
    client,
    'webhook',
    { url: receiver.url, honoursIdempotencyKey: true },
    { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  )
  const { assetRef } = await client.operator.uploads()
  const { deliveryId } = (await delivers(client, assetRef, connectionId)).body
  const waitsFor = async (least: number, most: number) => {
    const { rows } = await sql<{
      seconds: number
    }>`select extract(epoch from start_after - now())::float as seconds
      from jobs.job where name = 'deliver' and state = 'retry' and data ->> 'deliveryId' = ${deliveryId}`.execute(
      w.parts.db,
    )
    expect(rows.at(-1)?.seconds).toBeGreaterThan(least)
    expect(rows.at(-1)?.seconds).toBeLessThan(most)
  }
  for (const [sent, least, most] of [
    [1, 7100, 9100],
    [2, 10_000, 14_000],
  ] as const) {
    await vi.waitFor(() => waitsFor(least, most), 45_000)
    expect(receiver.requests).toHaveLength(sent)
    // As if the time had passed: what went wrong next is not measured by what was asked for before.
    await w.parts.db
      .updateTable('deliveries')
      .set({ look_after: null })
      .where('id', '=', deliveryId)
      .execute()
    await sql`update jobs.job set start_after = now() where data ->> 'deliveryId' = ${deliveryId}`.execute(
      w.parts.db,
    )
  }
  await becomes(client, deliveryId, 'done')
  expect(receiver.requests).toHaveLength(4)
})

test('a delivery that has failed too often is given up, told, and taken up again by a person', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const asset = await client.operator.uploads()
  const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
  const { body } = await delivers(client, asset.assetRef, connectionId)
  // As if all attempts but the last had been made.
  await sql`update jobs.job set retry_limit = 1 where data ->> 'deliveryId' = ${body.deliveryId}`.execute(
    w.parts.db,
  )
  const failed = await becomes(client, body.deliveryId, 'failed')
  expect(failed.lastError).toContain('The connection was refused')
  await w.admin.patch(`${at(client)}/connections/${connectionId}`, {
    settings: { siteUrl: site.url },
    ...login,
  })
  await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/retry`)
  await becomes(client, body.deliveryId, 'done')
  const told = await w.parts.db
    .selectFrom('events')
    .select('type')
    .where('subject', '=', body.deliveryId)
    .execute()
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['delivery.created', 'delivery.failed', 'delivery.done']),
  )
})

describe('every state of a delivery', () => {
  const settled = { there: { outcome: 'there', remoteId: '7' }, 'not-there': { outcome: 'not-there' } }
  const ways = (Object.keys(deliveryActs) as DeliveryAct[]).flatMap(
    (act): { act: DeliveryAct; way: string; body?: object }[] =>
      act === 'settle'
        ? Object.entries(settled).map(([outcome, body]) => ({ act, way: `settle ${outcome}`, body }))
        : [{ act, way: act }],
  )
  const sent = { filename: 'x-aaaaaaaaaaaa.png', sent_at: new Date(), steps: '{"newestBefore":99}' }
  const shapes: Record<DeliveryStatus, object> = {
    queued: {},
    preparing: {},
    sending: sent,
    done: { ...sent, remote_id: '101' },
    failed: {},
    unknown: sent,
    cancelled: {},
    removed: {},
  }

  /** One in this state, at a site of its own, in the place of an earlier one. */
  async function deliveryIn(client: ClientWorld, assetId: string, status: DeliveryStatus) {
    const site = await wordpressPeer()
    const connectionId = await connectsSite(client, site)
    const row = (mark: string, more: object) => ({
      ...{ client_id: client.clientId, id: newId('delivery'), asset_id: assetId, version: 1, mark },
      ...{ connection_id: connectionId, rendition: mark, surface: 'website', status },
      ...{ asked_by: client.operator.id!, created_by: client.operator.id!, ...more },
    })
    const earlier = row('bbbbbbbbbbbb', { ...shapes.done, status: 'done', remote_id: '102' })
    const one = row('aaaaaaaaaaaa', { ...shapes[status], replaces: earlier.id })
    await w.parts.db
      .insertInto('deliveries')
      .values([earlier, one] as never)
      .execute()
    return { deliveryId: one.id, connectionId }
  }

  test.each(['and what can be done with it is what is said', 'though its connection is no more'])(
    'leads to an end, %s',
    async (how) => {
      const client = await w.newClient()
      const { assetId } = await client.operator.uploads()
      const connectionIsGone = how.includes('no more')
      const leads = new Map<string, Set<string>>()
      await Promise.all(
        deliveryStatuses.flatMap((status) =>
          ways.map(async ({ act, way, body }) => {
            if (connectionIsGone && (act === 'confirm' || act === 'undo')) return
            const { deliveryId, connectionId } = await deliveryIn(client, assetId, status)
            if (connectionIsGone) await w.admin.delete(`${at(client)}/connections/${connectionId}`)
            const answer = await client.operator.post(`${at(client)}/deliveries/${deliveryId}/${act}`, body)
            const isSaid = (deliveryActs[act] as readonly DeliveryStatus[]).includes(status)
            expect({ status, way, taken: answer.status < 300 }).toEqual({ status, way, taken: isSaid })
            if (!isSaid) return expect(answer).toEqual(refusal('delivery-state'))
            // Not `expect.poll`, which asks for the one test that runs.
            await vi.waitFor(
              async () => expect(openStatuses).not.toContain((await reads(client, deliveryId)).status),
              { timeout: 120_000, interval: 250 },
            )
            const next = (await reads(client, deliveryId)).status
            leads.set(status, (leads.get(status) ?? new Set()).add(next))
          }),
        ),
      )
      const ends = ['done', 'cancelled', 'removed']
      const reachable = (status: string, seen = new Set([status])): Set<string> => {
        for (const next of leads.get(status) ?? []) if (!seen.has(next)) reachable(next, seen.add(next))
        return seen
      }
      for (const status of deliveryStatuses)
        expect([status, [...reachable(status)].some((each) => ends.includes(each))]).toEqual([status, true])
      // Nothing that failed has to stay so, and what nobody can tell can be told by somebody.
      for (const status of ['failed', 'unknown'])
        for (const end of connectionIsGone ? ['done', 'cancelled'] : ends)
          expect([status, [...reachable(status)]]).toEqual([status, expect.arrayContaining([end])])
    },
  )
})

test('a connection that does not let us in says so, takes nothing new, and takes it again once it works', async ({
  expect,
}) => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const connectionId = await connectsSite(client, site)
  const [there, wanted, replaced] = [
    await client.operator.uploads(png(2, 2)),
    await client.operator.uploads(png(3, 3)),
    await client.operator.uploads(png(4, 4)),
  ]
  const old = await delivers(client, there.assetRef, connectionId)
  await becomes(client, old.body.deliveryId, 'done')
  const patch = (applicationPassword: string) =>
    w.admin.patch(`${at(client)}/connections/${connectionId}`, {
      secrets: { username: 'editor', applicationPassword },
    })
  await patch('wrong')
  const first = await delivers(client, wanted.assetRef, connectionId)
  expect((await becomes(client, first.body.deliveryId, 'failed')).lastErrorReason?.code).toBe('login-refused')
  const connection = async () => (await client.viewer.get(`${at(client)}/connections`)).body.connections[0]
  await expect.poll(connection).toMatchObject({
    status: 'error',
    lastErrorReason: { code: 'login-refused' },
  })

  expect(await delivers(client, replaced.assetRef, connectionId)).toEqual(
    refusal('connection-error', { detail: expect.stringContaining('refused the login') }),
  )
  expect(await delivers(client, wanted.assetRef, connectionId)).toEqual(refusal('connection-error'))
  expect((await delivers(client, there.assetRef, connectionId)).body).toMatchObject({ status: 'done' })
  await client.operator.uploads(png(5, 5), { session: { replacesAssetId: there.assetId } })
  const again = () => client.operator.post(`${at(client)}/deliveries/redeliver`, { assetRef: there.assetId })
  expect((await again()).body).toMatchObject({
    deliveries: [],
    refused: [{ connectionId, code: 'connection-error' }],
  })

  await patch('pass word')
  expect((await client.agent.post(`${at(client)}/connections/${connectionId}/test`)).body.status).toBe(
    'connected',
  )
  expect((await delivers(client, replaced.assetRef, connectionId)).status).toBe(202)
  expect((await again()).body.deliveries).toHaveLength(1)
})

test.each([
  ['https://10.1.2.3', 'address-not-public'],
  ['http://[::ffff:192.168.0.1]:8080', 'address-not-public'],
])('a delivery to %s, which is not called, fails at once and says why', async (url, code) => {
  const client = await w.newClient()
  const asset = await client.operator.uploads()
  const connectionId = await connectsSite(client, { url })
  const { body } = await delivers(client, asset.assetRef, connectionId)
  expect(await becomes(client, body.deliveryId, 'failed')).toMatchObject({
    attempts: 1,
    lastError: expect.stringContaining('OUTBOUND_ALLOW'),
    lastErrorReason: { code },
  })
})

test('a delivery that waits can be cancelled, and asked for again', async () => {
  const client = await w.newClient()
  const asset = await client.operator.uploads()
  const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
  const { body } = await delivers(client, asset.assetRef, connectionId)
  const until = Date.now() + 20_000
  while (!(await reads(client, body.deliveryId)).lastError && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 250))
  const cancel = () => client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/cancel`)
  await cancel()
  await becomes(client, body.deliveryId, 'cancelled')
  expect(await cancel()).toEqual(refusal('delivery-state'))
  const again = await delivers(client, asset.assetRef, connectionId)
  expect(again).toMatchObject({ status: 202, body: { deliveryId: body.deliveryId, status: 'queued' } })
  await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/cancel`)
})

test('what may not be used there is refused with its reason, and nothing is queued', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const connectionId = await connectsSite(client, site)
  const social = await client.operator.uploads(undefined, { words: { allowedSurfaces: ['social'] } })
  expect(await delivers(client, social.assetRef, connectionId)).toEqual(
    refusal('refs-not-allowed', { refusals: [expect.objectContaining({ code: 'surface-not-allowed' })] }),
  )
  const asset = await client.operator.uploads()
  expect(await delivers(client, asset.assetRef, connectionId, 'social')).toEqual(refusal('invalid-request'))
  await client.operator.trashes(asset.assetId)
  expect(await delivers(client, asset.assetRef, connectionId)).toEqual(refusal('refs-not-allowed'))
  for (const assetRef of [newId('asset'), 'odd', `${social.assetId}@9`])
    expect(await delivers(client, assetRef, connectionId)).toEqual(refusal('not-found'))
  expect((await client.viewer.get(`${at(client)}/deliveries`)).body.deliveries).toEqual([])
})

test("another client's asset, connection and delivery are not there", async () => {
  const [acme, bolt] = [await w.newClient(), await w.newClient()]
  const site = await wordpressPeer()
  const [ours, theirs] = [await acme.operator.uploads(), await bolt.operator.uploads()]
  const [mine, foreign] = [await connectsSite(acme, site), await connectsSite(bolt, site)]
  for (const [assetRef, connectionId] of [
    [ours.assetRef, foreign],
    [theirs.assetRef, mine],
    [ours.assetRef, newId('connection')],
  ] as const)
    expect(await delivers(acme, assetRef, connectionId)).toEqual(refusal('not-found'))
  expect(await acme.agent.post(`${at(acme)}/deliveries/redeliver`, { assetRef: theirs.assetRef })).toEqual(
    refusal('not-found'),
  )
})

test('an asset trashed while its delivery waits does not go out', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const asset = await client.operator.uploads()
  const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
  const { body } = await delivers(client, asset.assetRef, connectionId)
  await client.operator.trashes(asset.assetId)
  await w.admin.patch(`${at(client)}/connections/${connectionId}`, {
    settings: { siteUrl: site.url },
    ...login,
  })
  const failed = await becomes(client, body.deliveryId, 'failed')
  expect(failed.lastError).toContain('in the trash')
  expect(site.items).toHaveLength(0)
})

test('what is no longer approved when its delivery is due does not go out', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const asset = await client.operator.uploads()
  const decides = (decision: string) =>
    client.portal.put(`${client.portal.door.assets}/${asset.assetId}/approval`, { version: 1, decision })
  await w.admin.patch(at(client), { approvedOnlySurfaces: ['website'] })
  const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
  expect(await delivers(client, asset.assetRef, connectionId)).toEqual(
    refusal('refs-not-allowed', { refusals: [expect.objectContaining({ code: 'not-approved' })] }),
  )
  await decides('approved')
  const { body } = await delivers(client, asset.assetRef, connectionId)
  await decides('changes-requested')
  await w.admin.patch(`${at(client)}/connections/${connectionId}`, {
    settings: { siteUrl: site.url },
    ...login,
  })
  expect(await becomes(client, body.deliveryId, 'failed')).toMatchObject({
    lastErrorReason: { code: 'asset-not-usable', values: { refusal: 'not-approved' } },
  })
  expect(site.items).toHaveLength(0)
  await decides('approved')
  await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/retry`)
  await becomes(client, body.deliveryId, 'done')
})

test('what somebody asked for who may no longer deliver does not go out, until another asks', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const asset = await client.operator.uploads()
  const connectionId = await connectsSite(client, { url: 'http://127.0.0.1:9' })
  const { body } = await delivers(client, asset.assetRef, connectionId)
  await w.admin.delete(`/admin/api-keys/${client.agent.id}`)
  await w.admin.patch(`${at(client)}/connections/${connectionId}`, {
    settings: { siteUrl: site.url },
    ...login,
  })
  expect((await becomes(client, body.deliveryId, 'failed')).lastError).toContain('may no longer deliver')
  expect(site.requests).toEqual([])
  await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/retry`)
  await becomes(client, body.deliveryId, 'done')
})

test('deliveries are listed newest first, page by page, and by what they are of', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const connectionId = await connectsSite(client, site)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const asset = await client.operator.uploads(png(1, 1, [n, 0, 0]))
    ids.unshift((await delivers(client, asset.assetRef, connectionId)).body.deliveryId)
  }
  const page = async (query: string) => (await client.viewer.get(`${at(client)}/deliveries?${query}`)).body
  const first = await page('limit=2')
  const second = await page(`limit=2&cursor=${first.nextCursor}`)
  const listed = [...first.deliveries, ...second.deliveries] as Delivery[]
  expect(listed.map(({ deliveryId }) => deliveryId)).toEqual(ids)
  expect(second.nextCursor).toBeNull()
  expect((await page(`assetId=${listed[0]!.assetId}`)).deliveries).toHaveLength(1)
  for (const id of ids) await becomes(client, id, 'done')
  expect((await page('status=done')).deliveries).toHaveLength(3)
  expect((await page(`connectionId=${newId('connection')}`)).deliveries).toHaveLength(0)
})

test('a hundred at once make one delivery and one item', async () => {
  const client = await w.newClient()
  const site = await wordpressPeer()
  const connectionId = await connectsSite(client, site)
  const asset = await client.operator.uploads()
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => delivers(client, asset.assetRef, connectionId)),
  )
  const ids = new Set(answers.map(({ body }) => body.deliveryId))
  expect(ids.size).toBe(1)
  await becomes(client, [...ids][0]!, 'done')
  expect(site.uploads()).toBe(1)
})

describe('a replaced asset', () => {
  async function replaced() {
    const client = await w.newClient()
    const site = await wordpressPeer()
    const connectionId = await connectsSite(client, site)
    const asset = await client.operator.uploads(png(2, 2), { words })
    const { body } = await delivers(client, asset.assetRef, connectionId)
    const old = await becomes(client, body.deliveryId, 'done')
    await client.operator.uploads(png(3, 3), { session: { replacesAssetId: asset.assetId } })
    const answer = await client.operator.post(`${at(client)}/deliveries/redeliver`, {
      assetRef: asset.assetRef,
    })
    expect(answer.status).toBe(202)
    expect(answer.body.deliveries).toMatchObject([{ version: 2, replacesDeliveryId: old.deliveryId }])
    const fresh = await becomes(client, answer.body.deliveries[0].deliveryId, 'done')
    expect(site.items).toHaveLength(2)
    const decides = (decision: string) =>
      client.operator.post(`${at(client)}/deliveries/${fresh.deliveryId}/${decision}`)
    return { client, site, asset, old, fresh, decides }
  }

  test('goes to where the earlier version is live; once confirmed, the earlier one is taken away', async () => {
    const { client, site, asset, old, fresh, decides } = await replaced()
    const again = await client.operator.post(`${at(client)}/deliveries/redeliver`, {
      assetRef: asset.assetRef,
    })
    expect(again.body).toEqual({ deliveries: [], refused: [] })
    expect((await decides('confirm')).status).toBe(200)
    expect((await decides('confirm')).status).toBe(200)
    expect(await reads(client, old.deliveryId)).toMatchObject({ status: 'removed', remoteId: null })
    expect(site.items.map(({ id }) => String(id))).toEqual([fresh.remoteId])
    expect(await decides('undo')).toEqual(refusal('delivery-state'))
  })

  test('can be taken back, and the earlier version is what is live', async () => {
    const { client, site, old, fresh, decides } = await replaced()
    expect((await decides('undo')).body).toMatchObject({ status: 'removed' })
    expect(site.items.map(({ id }) => String(id))).toEqual([old.remoteId])
    expect(await reads(client, old.deliveryId)).toMatchObject({ status: 'done' })
    expect(await decides('confirm')).toEqual(refusal('delivery-state'))
    await client.operator.post(`${at(client)}/deliveries/${fresh.deliveryId}/retry`)
    await becomes(client, fresh.deliveryId, 'done')
    expect(site.items).toHaveLength(2)
  })
})

describe('a signed HTTP target', () => {
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const stock = new StockVerifier(signingSecret)
  const checked = ({ headers }: Received, text: string | Buffer) =>
    stock.verify(text, headers as Record<string, string>) as { data: Record<string, unknown> }
  /** For libraries that check bytes. */
  const signsAll = ({ headers, body }: Received) => {
    const mac = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
      .update(body)
    return headers['webhook-signature']!.toString()
      .split(' ')
      .includes(`v1,${mac.digest('base64')}`)
  }
  const partsOf = async (body: Buffer, type: string) =>
    new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()

  test('gets what it is, signed, and the bytes', async () => {
    const client = await w.newClient()
    const receiver = await peer((_, response) =>
      json(response, { id: 'x-1', url: 'https://cdn.example/x-1' }),
    )
    const connectionId = await connects(client, 'webhook', { url: receiver.url }, { signingSecret })
    const asset = await uploads(client, 'plain.jpg', 'image/jpeg', words)
    const { body } = await delivers(client, asset.assetRef, connectionId, 'social')
    const done = await becomes(client, body.deliveryId, 'done')
    expect(done).toMatchObject({ remoteId: 'x-1', remoteUrl: 'https://cdn.example/x-1' })
    const [request] = receiver.requests
    const form = await partsOf(request!.body, request!.headers['content-type']!)
    const message = form.get('message') as unknown as Blob | string
    const text = typeof message === 'string' ? message : await message.text()
    const { data } = checked(request!, text)
    expect(signsAll(request!)).toBe(true)
    const file = Buffer.from(await (form.get('file') as Blob).arrayBuffer())
    expect(data).toMatchObject({ ...words, mimeType: 'image/jpeg', sizeBytes: file.length })
    expect(createHash('sha256').update(file).digest('hex')).toBe(data.sha256)
    expect(request!.headers['idempotency-key']).toBe(request!.headers['webhook-id'])
  })

  test('gets one JSON text with the file in it, which a stock verifier takes as it comes', async () => {
    const client = await w.newClient()
    const receiver = await peer((_, response) => json(response, { id: 'x-2' }))
    const settings = { url: receiver.url, asJson: true }
    const connectionId = await connects(client, 'webhook', settings, { signingSecret })
    const asset = await uploads(client, 'plain.jpg', 'image/jpeg', words)
    const { body } = await delivers(client, asset.assetRef, connectionId, 'social')
    await becomes(client, body.deliveryId, 'done')
    const { data } = checked(receiver.requests[0]!, receiver.requests[0]!.body)
    const file = Buffer.from(data.file as string, 'base64')
    expect(data).toMatchObject({ ...words, sizeBytes: file.length })
    expect(createHash('sha256').update(file).digest('hex')).toBe(data.sha256)
    const spoilt = Buffer.from(receiver.requests[0]!.body)
    spoilt[spoilt.length - 10]! ^= 1
    expect(() => checked(receiver.requests[0]!, spoilt)).toThrow('No matching signature')
  })

  test('that drops the line is unknown, and never sent to again by itself', async () => {
    const client = await w.newClient()
    const receiver = await peer((_, response) => response.destroy())
    const connectionId = await connects(client, 'webhook', { url: receiver.url }, { signingSecret })
    const asset = await client.operator.uploads()
    const { body } = await delivers(client, asset.assetRef, connectionId)
    const unknown = await becomes(client, body.deliveryId, 'unknown')
    // Why it is unknown is kept: that says more than that it is.
    expect(unknown).toMatchObject({ lastErrorReason: { code: 'line-cut' } })
    await client.operator.post(`${at(client)}/deliveries/${body.deliveryId}/retry`)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await becomes(client, body.deliveryId, 'unknown')
    expect(receiver.requests).toHaveLength(1)
  })

  test('that honours our key is asked again under the same one', async () => {
    const client = await w.newClient()
    const receiver = await peer((_, response) =>
      receiver.requests.length === 1 ? response.destroy() : json(response, { id: 7 }),
    )
    const settings = { url: receiver.url, honoursIdempotencyKey: true }
    const connectionId = await connects(client, 'webhook', settings, { signingSecret })
    const asset = await client.operator.uploads()
    const { body } = await delivers(client, asset.assetRef, connectionId)
    expect(await becomes(client, body.deliveryId, 'done')).toMatchObject({ remoteId: '7' })
    const [first, second] = receiver.requests.map(({ headers }) => headers['idempotency-key'])
    expect(second).toBe(first)
  })
})

describe('a Google business profile', () => {
  async function profile(lost: 'nothing' | 'the answer to create' | 'the upload') {
    const client = await w.newClient()
    const gallery: object[] = []
    let uploads = 0
    const google = await peer(({ method, path, headers, body }, response) => {
      if (headers.authorization !== 'Bearer token') return json(response, {}, 401)
      if (path.endsWith(':startUpload')) return json(response, { resourceName: 'upload-1' })
      if (path.startsWith('/upload/')) {
        uploads++
        if (lost === 'the upload' && uploads === 1) return response.destroy()
        return json(response, {})
      }
      if (method === 'GET') return json(response, { mediaItems: gallery })
      const { description } = JSON.parse(body.toString())
      const name = `accounts/1/locations/2/media/${gallery.length}`
      gallery.push({
        name,
        googleUrl: 'https://lh3.example/1',
        description,
        createTime: new Date().toISOString(),
      })
      if (lost === 'the answer to create') return response.destroy()
      return json(response, gallery.at(-1))
    })
    const settings = { accountId: '1', locationId: '2', baseUrl: google.url }
    const connectionId = await connects(client, 'gbp', settings, { accessToken: 'token' })
    const photo = await sharp({
      create: {
        width: 800,
        height: 800,
        channels: 3,
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
        background: '#777',
      },
    })
      .jpeg()
      .toBuffer()
    const asset = await client.operator.uploads(photo, {
      session: { originalFilename: 'shop.jpg', mimeType: 'image/jpeg' },
      words,
    })
    const { body } = await delivers(client, asset.assetRef, connectionId, 'gbp')
    return { client, google, gallery, deliveryId: body.deliveryId as string }
  }

  test.each(['nothing', 'the answer to create', 'the upload'] as const)(
    'gets one item, though lost was: %s',
    async (lost) => {
      const { client, google, gallery, deliveryId } = await profile(lost)
      const done = await becomes(client, deliveryId, 'done')
      expect(gallery).toHaveLength(1)
      expect(done).toMatchObject({
        remoteId: 'accounts/1/locations/2/media/0',
        remoteUrl: 'https://lh3.example/1',
      })
      expect(google.asked('POST', /:startUpload$/)).toBe(1)
    },
  )
})

describe('LinkedIn', () => {
  test.each([
    ['image', 'plain.jpg', 'image/jpeg'],
    ['video', 'black-then-stripes.mp4', 'video/mp4'],
  ] as const)(
    'gets one %s under the name it gave, though the first PUT was cut',
    async (kind, name, mimeType) => {
      const client = await w.newClient()
      const bytes: Buffer[] = []
      let puts = 0
      const peer_ = await peer(({ method, path, body }, response) => {
        if (method === 'PUT') {
          puts++
          if (puts === 1) return response.destroy()
          bytes.push(body)
          return response.writeHead(201, { etag: `"part-${bytes.length}"` }).end()
        }
        if (path.endsWith('initializeUpload')) {
          const size = JSON.parse(body.toString()).initializeUploadRequest.fileSizeBytes
          const half = Math.floor(size / 2)
          const value =
            kind === 'image'
              ? { image: 'urn:li:image:1', uploadUrl: `${peer_.url}/put` }
              : {
                  video: 'urn:li:video:1',
                  uploadToken: '',
                  uploadInstructions: [
                    { uploadUrl: `${peer_.url}/put/1`, firstByte: 0, lastByte: half - 1 },
                    { uploadUrl: `${peer_.url}/put/2`, firstByte: half, lastByte: size - 1 },
                  ],
                }
          return json(response, { value })
        }
        if (path.endsWith('finalizeUpload')) return json(response, {})
        return json(response, { status: bytes.length > 0 ? 'AVAILABLE' : 'WAITING_UPLOAD' })
      })
      const settings = { ownerUrn: 'urn:li:organization:5', baseUrl: peer_.url }
      const connectionId = await connects(client, 'linkedin', settings, { accessToken: 'token' })
      const file = kind === 'video' ? padded(await fixture(name), 80_000) : await fixture(name)
      const asset = await client.operator.uploads(file, { session: { originalFilename: name, mimeType } })
      const { body } = await delivers(client, asset.assetRef, connectionId, 'social')
      const done = await becomes(client, body.deliveryId, 'done')
      expect(done.remoteId).toBe(`urn:li:${kind}:1`)
      expect(peer_.asked('POST', /initializeUpload$/)).toBe(1)
      expect(Buffer.concat(bytes)).toHaveLength(done.progress.totalBytes!)
      if (kind === 'video')
        expect(Buffer.concat(bytes).subarray(-80_000).equals(file.subarray(-80_000))).toBe(true)
    },
  )
})

/** An MP4 with a box at its end that says nothing. */
function padded(film: Buffer, bytes: number): Buffer {
  const free = Buffer.alloc(bytes)
  free.writeUInt32BE(bytes, 0)
  free.write('free', 4, 'latin1')
  return Buffer.concat([film, free])
}
