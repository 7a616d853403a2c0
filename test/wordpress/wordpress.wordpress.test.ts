import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { Delivery } from '../../contract/deliveries.ts'
import type { MediaType } from '../../contract/media-types.ts'
import { png } from '../pictures.ts'
import { world } from '../world.ts'
import { type Cut, cuttingProxy } from './cutting-proxy.ts'
import { startWordpress } from './site.ts'

const proxy = await cuttingProxy()
const site = await startWordpress(proxy.url)
proxy.leadsTo(site.url)
afterAll(async () => {
  proxy.stop()
  await site.stop()
})

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const client = await w.newClient()
const at = `/admin/clients/${client.clientId}`
const { body: connection } = await w.admin.post(`${at}/connections`, {
  kind: 'wordpress',
  name: 'Site',
  settings: { siteUrl: proxy.url },
  secrets: { username: site.username, applicationPassword: site.applicationPassword },
})

const fixture = (name: string) => readFile(new URL(`../../server/media/fixtures/${name}`, import.meta.url))
const words = { title: 'Häfen & “Boats”', altText: 'Boats in fog', description: 'Taken early' }

async function delivers(bytes: Buffer, mimeType: MediaType): Promise<Delivery> {
  const asset = await client.operator.uploads(bytes, {
    session: { originalFilename: 'file', mimeType },
    words,
  })
  const input = { assetRef: asset.assetRef, connectionId: connection.connectionId, surface: 'website' }
  return ends((await client.agent.post(`${at}/deliveries`, input)).body.deliveryId)
}

async function ends(deliveryId: string): Promise<Delivery> {
  for (;;) {
    const { body } = await client.agent.get(`${at}/deliveries/${deliveryId}`)
    if (!['queued', 'preparing', 'sending'].includes(body.status)) return body
    await pause(100)
  }
}

const inWordpress = async ({ remoteId }: Delivery) =>
  (await site.media()).find(({ id }) => String(id) === remoteId)!

test('the connection is tested', async () => {
  const { body } = await client.operator.post(`${at}/connections/${connection.connectionId}/test`)
  expect(body).toMatchObject({ status: 'connected', lastError: null })
})

test.each([
  ['orient-6.jpg', 'image/jpeg', 'image/jpeg'],
  ['a.png', 'image/png', 'image/png'],
  ['a.webp', 'image/webp', 'image/webp'],
  ['a.heic', 'image/heic', 'image/jpeg'],
  ['a.mp4', 'video/mp4', 'video/mp4'],
] as const)('%s arrives with its words, in a form that WordPress shows', async (name, mimeType, sent) => {
  const before = (await site.media()).length
  const delivery = await delivers(await fixture(name), mimeType)
  expect(delivery).toMatchObject({ status: 'done', attempts: 1, lastError: null })
  const media = await inWordpress(delivery)
  expect(media).toMatchObject({
    mime_type: sent,
    title: { raw: words.title },
    alt_text: words.altText,
    caption: { raw: words.description },
    description: { raw: words.description },
    source_url: delivery.remoteUrl,
  })
  expect((await site.media()).length).toBe(before + 1)
  const shown = await fetch(delivery.remoteUrl!)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, sent])
  const bytes = Buffer.from(await shown.arrayBuffer())
  if (sent.startsWith('image/')) expect((await sharp(bytes).metadata()).exif).toBeUndefined()
})

test.each(['when the answer is there', 'before the answer is there'] satisfies Cut[])(
  'a line cut after the bytes were accepted, %s, makes one attachment',
  async (cut) => {
    const [before, uploads] = [(await site.media()).length, proxy.uploads()]
    proxy.cuts(cut)
    const delivery = await delivers(png(60, 40, [cut.length, 9, 9]), 'image/png')
    expect(delivery.status).toBe('done')
    expect(delivery.attempts).toBeGreaterThan(1)
    expect((await site.media()).length).toBe(before + 1)
    expect(proxy.uploads()).toBe(uploads + 1)
    expect(await inWordpress(delivery)).toMatchObject({
      title: { raw: words.title },
      alt_text: words.altText,
    })
  },
)

describe('a site that misbehaves gets one attachment', () => {
  afterEach(() => site.misbehaves('not at all'))
  let shade = 0
  const picture = () => png(50, 40, [7, 70, ++shade])
  const counts = async () => [(await site.media()).length, proxy.uploads()] as const

  async function once(
    deliver: () => Promise<Delivery>,
    ...statuses: Delivery['status'][]
  ): Promise<Delivery> {
    const [items, uploads] = await counts()
    const delivery = await deliver()
    expect(statuses).toContain(delivery.status)
    expect(await counts()).toEqual([items + 1, uploads + 1])
    // Asked for again, nothing is sent.
    const input = { assetRef: delivery.assetRef, connectionId: connection.connectionId, surface: 'website' }
    const { body: again } = await client.agent.post(`${at}/deliveries`, input)
    expect(statuses).toContain((await ends(again.deliveryId)).status)
    expect(await counts()).toEqual([items + 1, uploads + 1])
    return delivery
  }
  const arrives = async (delivery: Delivery) =>
    expect(await inWordpress(delivery)).toMatchObject({
      alt_text: words.altText,
      description: { raw: words.description },
    })

  test.each([
    ['a notice before every answer', 'notice', undefined],
    ['a byte-order mark before every answer', 'bom', undefined],
    ['a notice, and a lost answer', 'notice', 'when the answer is there'],
    ['a byte-order mark, and a lost answer', 'bom', 'when the answer is there'],
    ['a page instead of the answer', 'a page for an answer', undefined],
    ['a page that refuses what was kept', 'a page for what it has kept', undefined],
    ['other names for all it takes', 'renames', undefined],
    ['other names for all it takes, and a lost answer', 'renames', 'when the answer is there'],
    ['no pretty permalinks', 'plain permalinks', undefined],
    ['no pretty permalinks, and a lost answer', 'plain permalinks', 'when the answer is there'],
    ['45 seconds of work, of which a gateway waits for 20', 'takes 45 seconds', '504 after 20 seconds'],
  ] as const)(
    '%s',
    async (_, how, cut) => {
      await site.misbehaves(how)
      if (cut) proxy.cuts(cut)
      await arrives(await once(() => delivers(picture(), 'image/png'), 'done'))
    },
    240_000,
  )

  test('a minute for every answer', async () => {
    await site.misbehaves('answers after 61 seconds')
    const delivery = await once(() => delivers(picture(), 'image/png'), 'done')
    expect(delivery).toMatchObject({ attempts: 1, lastError: null })
    await arrives(delivery)
  }, 600_000)

  test('other names, nothing of ours left, and a lost answer: cancelling tells that it may be there', async () => {
    await site.misbehaves('renames and forgets')
    proxy.cuts('when the answer is there')
    await once(async () => {
      const asset = await client.operator.uploads(picture(), { words })
      const input = { assetRef: asset.assetRef, connectionId: connection.connectionId, surface: 'website' }
      const { deliveryId } = (await client.agent.post(`${at}/deliveries`, input)).body
      const delivery = `${at}/deliveries/${deliveryId}`
      await vi.waitFor(
        async () => expect((await client.agent.get(delivery)).body.attempts).toBeGreaterThan(2),
        60_000,
      )
      await client.operator.post(`${delivery}/cancel`)
      return ends(deliveryId)
    }, 'unknown')
  })
})

describe('a site that does not let us is told apart, in the test of the connection and in the delivery', () => {
  const check = () => client.operator.post(`${at}/connections/${connection.connectionId}/test`)
  afterEach(async () => {
    await site.misbehaves('not at all')
    await check()
  })

  test.each([
    ['strips the login', 'login-not-seen'],
    ['no application passwords', 'application-passwords-off'],
    ['a security page', 'security-page'],
    ['a challenge', 'security-page'],
    ['a login wall', 'login-wall'],
    ['a password page', 'login-wall'],
    ['a staging password', 'login-wall'],
    ['a closed API', 'rest-api-closed'],
    ['no right to upload', 'may-not-upload'],
    ['too large for the gateway', 'too-large-there'],
    ['a file type it does not take', 'refused'],
  ] as const)('%s', async (how, code) => {
    const before = (await site.media()).length
    await site.misbehaves(how)
    const failed = await delivers(await fixture('a.webp'), 'image/webp')
    expect(failed).toMatchObject({ status: 'failed', remoteId: null, lastErrorReason: { code } })
    expect((await site.media()).length).toBe(before)
    const { body } = await check()
    // What is too large, or of the wrong type, is seen by sending one.
    if (code === 'too-large-there' || code === 'refused') expect(body.status).toBe('connected')
    else expect(body).toMatchObject({ status: 'error', lastErrorReason: { code } })

    await site.misbehaves('not at all')
    expect((await check()).body.status).toBe('connected')
    await client.operator.post(`${at}/deliveries/${failed.deliveryId}/retry`)
    expect((await ends(failed.deliveryId)).status).toBe('done')
    expect((await site.media()).length).toBe(before + 1)
    await client.operator.trashes(failed.assetId)
  })

  test('a wrong password', async () => {
    const secrets = (applicationPassword: string) =>
      w.admin.patch(`${at}/connections/${connection.connectionId}`, {
        secrets: { username: site.username, applicationPassword },
      })
    await secrets('wrong')
    // It does not say which of the two is wrong, the password or the way.
    const code = 'login-not-seen'
    expect(await delivers(png(9, 9), 'image/png')).toMatchObject({
      status: 'failed',
      lastErrorReason: { code },
    })
    const { body } = await client.operator.post(`${at}/connections/${connection.connectionId}/test`)
    expect(body).toMatchObject({ status: 'error', lastErrorReason: { code } })
    await secrets(site.applicationPassword)
  })
})

test('a replaced picture is put beside the old one; undone and confirmed, one is left', async () => {
  const first = await delivers(png(30, 30), 'image/png')
  const replace = async (bytes: Buffer) => {
    await client.operator.uploads(bytes, { session: { replacesAssetId: first.assetId } })
    const { body } = await client.operator.post(`${at}/deliveries/redeliver`, { assetRef: first.assetId })
    return ends(body.deliveries[0].deliveryId)
  }
  const before = (await site.media()).length
  const second = await replace(png(31, 31))
  expect((await site.media()).length).toBe(before + 1)
  expect((await client.operator.post(`${at}/deliveries/${second.deliveryId}/undo`)).body.status).toBe(
    'removed',
  )
  expect((await site.media()).length).toBe(before)
  expect(await inWordpress(first)).toBeDefined()
  const third = await replace(png(32, 32))
  await client.operator.post(`${at}/deliveries/${third.deliveryId}/confirm`)
  expect((await site.media()).length).toBe(before)
  expect(await inWordpress(first)).toBeUndefined()
  expect(await inWordpress(third)).toBeDefined()
})
