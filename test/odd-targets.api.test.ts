import { sql } from 'kysely'
import sharp from 'sharp'
import { test as alone, expect, describe as group, vi } from 'vitest'
import type { Delivery, DeliveryStatus } from '../contract/deliveries.ts'
import { json, peer, phpNotice, wordpressPeer } from './delivery-peers.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, world } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

// Most of the time is spent waiting for the next attempt.
const test = alone.concurrent
const describe = group.concurrent

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}`

// Large enough for everybody.
const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
const photo = await sharp({ create: { width: 600, height: 600, channels: 3, noise, background: '#777' } })
  .png()
  .toBuffer()

/** One picture on its way to one system. */
async function delivery(kind: string, settings: object, secrets: object, surface = 'website') {
  const client = await w.newClient()
  const { body } = await w.admin.post(`${at(client)}/connections`, { kind, name: kind, settings, secrets })
  const asset = await client.operator.uploads(photo)
  const asks = () =>
    client.agent.post(`${at(client)}/deliveries`, {
      assetRef: asset.assetRef,
      connectionId: body.connectionId,
      surface,
    })
  const { deliveryId } = (await asks()).body
  const reads = async (): Promise<Delivery> =>
    (await client.viewer.get(`${at(client)}/deliveries/${deliveryId}`)).body
  return {
    client,
    asks,
    reads,
    deliveryId: deliveryId as string,
    says: (act: string) => client.agent.post(`${at(client)}/deliveries/${deliveryId}/${act}`),
    async becomes(...statuses: DeliveryStatus[]) {
      const until = Date.now() + 100_000
      for (;;) {
        const now = await reads()
        if (statuses.includes(now.status)) return now
        if (Date.now() > until) throw new Error(`Not ${statuses}: ${JSON.stringify(now)}`)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    },
  }
}

const toSite = (site: { url: string }) =>
  delivery('wordpress', { siteUrl: site.url }, { username: 'editor', applicationPassword: 'pass word' })

async function until(met: () => boolean | Promise<boolean>) {
  const end = Date.now() + 100_000
  while (!(await met())) {
    if (Date.now() > end) throw new Error('It did not come to that.')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

describe('a WordPress site', () => {
  test.each([
    ['a notice', phpNotice, undefined],
    ['a byte order mark', '\uFEFF', undefined],
    ['a notice, and the first answer lost', phpNotice, 'cut after'],
    ['a byte order mark, and the first answer lost', '\uFEFF', 'cut after'],
  ] as const)('that writes before every answer %s, has one item', async (_, preface, mishap) => {
    const site = await wordpressPeer()
    site.prefaces(preface)
    if (mishap) site.suffers(mishap)
    const done = await (await toSite(site)).becomes('done')
    expect(done).toMatchObject({ remoteId: '100', lastError: null })
    expect([site.items.length, site.uploads()]).toEqual([1, 1])
  })

  test('whose answer to the upload cannot be understood is looked at, and has one item', async () => {
    const site = await wordpressPeer()
    site.suffers('garbled after')
    expect(await (await toSite(site)).becomes('done')).toMatchObject({ remoteId: '100' })
    expect([site.items.length, site.uploads()]).toEqual([1, 1])
  })

  test.each([
    ['gives its own names and loses the answer', 'cut after', undefined, true],
    ['gives its own names and answers with a page', 'garbled after', undefined, true],
    ['loses the answer and cannot be read when looked at', 'cut after', 'garbled', false],
    ['loses the answer and shows an empty library', 'cut after', 'hidden', false],
  ] as const)(
    'that %s leaves it unknown: nothing is sent again, and cancelled it is not',
    async (_, mishap, look, renames) => {
      const site = await wordpressPeer()
      site.suffers(mishap, mishap)
      if (renames) site.renames()
      const it = await (async () => {
        // What lay there before was seen; only afterwards is there nothing to be seen.
        const begun = toSite(site)
        await until(() => site.uploads() === 1)
        site.looksLike(look)
        return begun
      })()
      await until(async () => (await it.reads()).lastError !== null)
      await w.parts.db
        .updateTable('deliveries')
        .set({ look_after: null })
        .where('id', '=', it.deliveryId)
        .execute()
      await it.becomes('unknown')
      expect((await it.asks()).body).toMatchObject({ status: 'unknown', deliveryId: it.deliveryId })
      expect(await it.says('cancel')).toEqual(refusal('delivery-state'))
      expect((await it.says('retry')).status).toBe(202)
      await it.becomes('unknown')
      expect([site.items.length, site.uploads()]).toEqual([1, 1])
    },
  )

  test('behind a gateway that gives up while it is at work is waited for, and has one item', async () => {
    const site = await wordpressPeer()
    site.suffers('timed out at work')
    const it = await toSite(site)
    await until(() => site.isAtWork())
    await until(async () => (await it.reads()).lastError !== null)
    // A minute later it is looked at, and nothing is there yet.
    await sql`update deliveries set look_after = look_after - interval '1 minute' where id = ${it.deliveryId}`.execute(
      w.parts.db,
    )
    const { attempts } = await it.reads()
    await until(async () => (await it.reads()).attempts > attempts + 1)
    expect(await it.reads()).toMatchObject({ status: 'sending', lastError: 'WordPress failed (504).' })
    site.finishes()
    expect(await it.becomes('done')).toMatchObject({ remoteId: '100' })
    expect([site.items.length, site.uploads()]).toEqual([1, 1])
  })

  test('that may still be at work when the delivery is cancelled leaves it unknown, and then it is found', async () => {
    const site = await wordpressPeer()
    site.suffers('timed out at work')
    const it = await toSite(site)
    await until(() => site.isAtWork())
    await it.says('cancel')
    await it.becomes('unknown')
    site.finishes()
    await it.says('retry')
    expect(await it.becomes('done')).toMatchObject({ remoteId: '100' })
    expect([site.items.length, site.uploads()]).toEqual([1, 1])
  })

  test('none of whose answers can be understood is sent nothing', async () => {
    const site = await wordpressPeer()
    site.looksLike('garbled')
    const { lastError } = await (await toSite(site)).becomes('failed')
    expect(lastError).toMatch(/^A page came instead of an answer/)
    expect(site.uploads()).toBe(0)
  })

  test('that gets other things from us meanwhile is sent again what it never kept', async () => {
    const site = await wordpressPeer()
    site.suffers('cut before')
    const lost = await toSite(site)
    await until(async () => (await lost.reads()).lastError !== null)
    const asset = await lost.client.operator.uploads(png(60, 60))
    const { body } = await lost.client.agent.post(`${at(lost.client)}/deliveries`, {
      assetRef: asset.assetRef,
      connectionId: (await lost.reads()).connectionId,
      surface: 'website',
    })
    const other = `${at(lost.client)}/deliveries/${body.deliveryId}`
    await until(async () => (await lost.client.viewer.get(other)).body.status === 'done')
    await w.parts.db
      .updateTable('deliveries')
      .set({ look_after: null })
      .where('id', '=', lost.deliveryId)
      .execute()
    await lost.becomes('done')
    expect([site.items.length, site.uploads()]).toEqual([2, 3])
  })
})

describe('a Google business profile', () => {
  test.each([
    ['lists it', true, 'done'],
    ['does not list it yet', false, 'unknown'],
  ] as const)(
    'whose answer to the last step cannot be read, and which %s, has one item',
    async (_, lists, status) => {
      const made: object[] = []
      const google = await peer(({ method, path, body }, response) => {
        if (path.endsWith(':startUpload')) return json(response, { resourceName: 'media/upload-1' })
        if (path.startsWith('/upload/')) return response.writeHead(200).end('<html>')
        if (method === 'GET') return json(response, lists ? { mediaItems: made } : {})
        made.push({
          name: 'accounts/1/locations/2/media/7',
          description: JSON.parse(body.toString()).description,
          createTime: new Date().toISOString(),
        })
        return response.writeHead(200).end('{"name": ')
      })
      const it = await delivery(
        'gbp',
        { accountId: '1', locationId: '2', baseUrl: google.url },
        { accessToken: 'token' },
        'gbp',
      )
      await it.becomes(status)
      await it.says('retry')
      await it.becomes(status)
      expect(made).toHaveLength(1)
      expect(google.asked('POST', /^\/upload\/v1\/media\/media\/upload-1\?/)).toBe(1)
    },
  )
})

describe('LinkedIn', () => {
  test.each([
    ['{"state": 1}', 200],
    ['<html>', 200],
    ['{"status": "ARCHIVED"}', 200],
  ])('that says %s of an upload leaves it unknown', async (text, status) => {
    const it = await peer(({ method, path }, response) => {
      if (path.endsWith('initializeUpload'))
        return json(response, { value: { image: 'urn:li:image:1', uploadUrl: `${it.url}/put` } })
      if (method === 'PUT') return response.destroy()
      return response.writeHead(status).end(text)
    })
    const sent = await delivery(
      'linkedin',
      { ownerUrn: 'urn:li:organization:5', baseUrl: it.url },
      { accessToken: 'token' },
      'social',
    )
    await sent.becomes('unknown')
    expect(it.asked('PUT', /put/)).toBe(1)
  })
})

describe('what was begun and cannot be gone on with is begun anew', () => {
  const expired = Date.now() - 1000
  test.each([
    ['its name is no more', { image: {}, firstPut: 'cut', looksLike: 404 }],
    ['its processing failed', { image: {}, firstPut: 'cut', looksLike: 'PROCESSING_FAILED' }],
    ['its address is refused', { image: {}, firstPut: 503, looksLike: 'WAITING_UPLOAD' }],
    ['the address of a picture has expired', { image: { uploadUrlExpiresAt: expired }, firstPut: 429 }],
    ['the addresses of a film have expired', { image: { uploadUrlsExpireAt: expired }, firstPut: 429 }],
  ] as const)('at LinkedIn: %s', async (_, { image, firstPut, ...look }) => {
    let begun = 0
    const it = await peer(({ method, path }, response) => {
      if (path.endsWith('initializeUpload')) {
        begun++
        const value = { ...(begun === 1 && image), image: `urn:li:image:${begun}` }
        return json(response, { value: { ...value, uploadUrl: `${it.url}/put/${begun}` } })
      }
      if (method === 'GET')
        return 'looksLike' in look && look.looksLike !== 404
          ? json(response, { status: look.looksLike })
          : json(response, {}, 404)
      if (path.endsWith('/2')) return response.writeHead(201).end()
      if (it.asked('PUT', /1$/) > 1) return json(response, {}, 403)
      return firstPut === 'cut' ? response.destroy() : json(response, {}, firstPut)
    })
    const settings = { ownerUrn: 'urn:li:organization:5', baseUrl: it.url }
    const sent = await delivery('linkedin', settings, { accessToken: 'token' }, 'social')
    expect(await sent.becomes('done', 'failed', 'unknown')).toMatchObject({
      status: 'done',
      remoteId: 'urn:li:image:2',
    })
    expect([begun, it.asked('PUT', /2$/)]).toEqual([2, 1])
  })

  test.each(['by itself', 'by a person'])('at Google, whose resource name is lost: %s', async (how) => {
    let begun = 0
    let refusals = how === 'by itself' ? 1 : 2
    const name = 'accounts/1/locations/2/media/7'
    const it = await peer(({ path }, response) => {
      if (path.endsWith(':startUpload')) return json(response, { resourceName: `upload-${++begun}` })
      if (!path.startsWith('/upload/')) return json(response, { name })
      if (it.asked('POST', /^\/upload/) === 1 && how === 'by itself') return json(response, {}, 429)
      return refusals-- > 0 ? json(response, {}, 404) : json(response, {})
    })
    const settings = { accountId: '1', locationId: '2', baseUrl: it.url }
    const sent = await delivery('gbp', settings, { accessToken: 'token' }, 'gbp')
    if (how === 'by a person') {
      await sent.becomes('failed')
      await sent.says('retry')
      await sent.becomes('failed')
      await sent.says('retry')
    }
    expect(await sent.becomes('done')).toMatchObject({ remoteId: name })
    expect(begun).toBe(how === 'by itself' ? 2 : 3)
  })
})

describe('what a target says of itself', () => {
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const address = (url: string, kind: string) =>
    kind === 'wordpress' ? { siteUrl: url } : kind === 'webhook' ? { url } : { baseUrl: url }
  const accounts = [
    ['wordpress', {}, { username: 'editor', applicationPassword: 'pass word' }, 'website'],
    ['webhook', {}, { signingSecret }, 'website'],
    ['gbp', { accountId: '1', locationId: '2' }, { accessToken: 'token' }, 'gbp'],
    ['linkedin', { ownerUrn: 'urn:li:organization:5' }, { accessToken: 'token' }, 'social'],
  ] as const

  // LinkedIn names none.
  test.each(accounts.filter(([kind]) => kind !== 'linkedin'))(
    '%s: an address that is none, or is too long, is not kept',
    async (kind, settings, secrets, surface) => {
      const urls = ['javascript:alert(1)', `https://x.example/${'a'.repeat(100_000)}`]
      for (const url of urls) {
        const item = { id: 7, name: 'accounts/1/locations/2/media/7', url, source_url: url, googleUrl: url }
        const it = await peer(({ method, path }, response) => {
          if (path.endsWith('initializeUpload'))
            return json(response, { value: { image: 'urn:li:image:1', uploadUrl: `${it.url}/put` } })
          if (path.endsWith(':startUpload')) return json(response, { resourceName: 'u' })
          return json(response, method === 'GET' && path.includes('orderby') ? [] : item)
        })
        const sent = await delivery(kind, { ...settings, ...address(it.url, kind) }, secrets, surface)
        expect((await sent.becomes('done')).remoteUrl).toBeNull()
      }
    },
  )

  test('what turns an address, or cannot be seen in it, is written out', async () => {
    const it = await peer((_, response) =>
      json(response, { id: 'r1', url: 'https://trusted.example/\u202egpj.evil\u2066\u200b' }),
    )
    const sent = await delivery('webhook', { url: it.url }, { signingSecret }, 'website')
    const kept = 'https://trusted.example/%E2%80%AEgpj.evil%E2%81%A6%E2%80%8B'
    expect((await sent.becomes('done')).remoteUrl).toBe(kept)
  })

  test.each(accounts)(
    '%s: what it says of a refusal is kept short',
    async (kind, settings, secrets, surface) => {
      const it = await peer((_, response) =>
        json(response, { message: `<b>No</b>\u0000\u202e${'x'.repeat(900_000)}` }, 403),
      )
      const sent = await delivery(kind, { ...settings, ...address(it.url, kind) }, secrets, surface)
      const { lastError } = await sent.becomes('failed')
      expect(lastError).toContain('refused (403: No')
      expect(lastError!.length).toBeLessThan(300)
      expect(lastError).not.toMatch(/\p{C}/u)
    },
  )

  test.each(accounts)(
    '%s: an id or an upload that is none is not kept, and nothing is sent there',
    async (kind, settings, secrets, surface) => {
      const it = await peer(({ method, path }, response) => {
        if (path.endsWith('initializeUpload'))
          return json(response, { value: { image: 'urn:li:image:../../1', uploadUrl: 'file:///etc/passwd' } })
        if (path.endsWith(':startUpload')) return json(response, { resourceName: 'u' })
        if (method === 'GET') return json(response, kind === 'wordpress' ? [] : {})
        return json(response, { id: '../users/1', name: 'accounts/1/locations/999' })
      })
      const sent = await delivery(kind, { ...settings, ...address(it.url, kind) }, secrets, surface)
      const ended = await sent.becomes('done', 'unknown', 'failed')
      if (kind === 'webhook') expect(ended).toMatchObject({ status: 'done', remoteId: '../users/1' })
      else expect(ended).toMatchObject({ status: 'unknown', remoteId: null })
      expect(it.asked('POST', /users|999/) + it.asked('DELETE', /./) + it.asked('PUT', /./)).toBe(0)
    },
  )
})
