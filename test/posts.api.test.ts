import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { test as alone, expect, describe as group, vi } from 'vitest'
import type { ConnectionKind } from '../contract/connection-kinds.ts'
import type { Connection, Delivery, DeliveryStatus } from '../contract/deliveries.ts'
import type { Resolve } from '../contract/references.ts'
import { makeLibrary, system } from '../server/library.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { openMedia } from '../server/media/media.ts'
import { resolve } from '../server/references/answers.ts'
import { facebookPageOf, facebookPagePeer } from './facebook-peer.ts'
import { googlePlace, googlePostsPeer } from './google-posts-peer.ts'
import { instagramAccount, instagramPeer } from './instagram-peer.ts'
import { linkedinPage, linkedinPostsPeer } from './linkedin-posts-peer.ts'
import type { PostMishap, PostPeer } from './post-peer.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

// Most of the time is spent waiting for the next attempt.
const test = alone.concurrent
const describe = group.concurrent
vi.setConfig({ testTimeout: 150_000 })

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const client = await w.newClient()
const at = `/admin/clients/${client.clientId}`

// Large enough for everybody, and each its own.
const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
const photo = (width = 600, height = 600) =>
  sharp({ create: { width, height, channels: 3, noise, background: '#777' } })
    .png()
    .toBuffer()
const film = await readFile(new URL('../server/media/fixtures/late-picture.mp4', import.meta.url))
const [one, two, three] = [
  await client.operator.uploads(await photo(), { words: { altText: 'Öne' } }),
  await client.operator.uploads(await photo(), { words: { altText: 'Two' } }),
  await client.operator.uploads(await photo()),
]
const moving = await client.operator.uploads(film, {
  session: { originalFilename: 'a.mp4', mimeType: 'video/mp4' },
})

const foreign = await (await w.newClient()).operator.uploads()

const vendors = {
  instagram: {
    peer: instagramPeer as () => Promise<PostPeer>,
    settings: instagramAccount,
    token: 'graph-token',
    surface: 'social',
    most: 10,
    scope: 'instagram_content_publish',
    isFetched: true,
    canTell: true,
  },
  'linkedin-posts': {
    peer: linkedinPostsPeer as () => Promise<PostPeer>,
    settings: linkedinPage,
    token: 'linkedin-token',
    surface: 'social',
    most: 20,
    scope: 'w_organization_social',
    isFetched: false,
    canTell: true,
  },
  'facebook-page': {
    peer: facebookPagePeer as () => Promise<PostPeer>,
    settings: facebookPageOf,
    token: 'graph-token',
    surface: 'social',
    most: 10,
    scope: 'pages_manage_posts',
    isFetched: false,
    canTell: true,
  },
  'gbp-posts': {
    peer: googlePostsPeer as () => Promise<PostPeer>,
    settings: googlePlace,
    token: 'google-token',
    surface: 'gbp',
    most: 1,
    scope: 'https://www.googleapis.com/auth/business.manage',
    isFetched: true,
    // What is not listed may be there all the same.
    canTell: false,
  },
} satisfies Partial<Record<ConnectionKind, object>>
type Vendor = keyof typeof vendors
const names = Object.keys(vendors) as Vendor[]

async function account<P extends PostPeer>(kind: Vendor, peer: P) {
  const { settings, token, surface } = vendors[kind]
  const { body } = await w.admin.post(`${at}/connections`, {
    kind,
    name: kind,
    settings: { ...settings, baseUrl: peer.url },
    secrets: { accessToken: token },
  })
  const { connectionId } = body
  return {
    peer,
    connectionId,
    asks: (order: object) => client.agent.post(`${at}/deliveries`, { connectionId, surface, ...order }),
    reads: async (deliveryId: string): Promise<Delivery> =>
      (await client.viewer.get(`${at}/deliveries/${deliveryId}`)).body,
    grants: async (deliveryId: string) =>
      (await client.viewer.get(`${at}/pull-grants?deliveryId=${deliveryId}`)).body.pullGrants,
    connection: async () =>
      (await client.viewer.get(`${at}/connections`)).body.connections.find(
        (each: Connection) => each.connectionId === connectionId,
      ),
    async becomes(deliveryId: string, ...statuses: DeliveryStatus[]) {
      const until = Date.now() + 120_000
      for (;;) {
        const now = await this.reads(deliveryId)
        if (statuses.includes(now.status)) return now
        if (Date.now() > until) throw new Error(`Not ${statuses}: ${JSON.stringify(now)}`)
        // As if so much time had passed that nobody is at work any more on what was sent.
        if (now.lastError)
          await w.parts.db
            .updateTable('deliveries')
            .set({ look_after: null })
            .where('id', '=', deliveryId)
            .execute()
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    },
  }
}

async function until(met: () => boolean) {
  const end = Date.now() + 120_000
  while (!met()) {
    if (Date.now() > end) throw new Error('It did not come to that.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe.each(names)('%s', (kind) => {
  const { peer: newPeer, most, scope, isFetched, canTell } = vendors[kind]

  test('publishes a picture once with its words, and again with others', async () => {
    const it = await account(kind, await newPeer())
    expect((await w.admin.post(`${at}/connections/${it.connectionId}/test`)).body.status).toBe('connected')
    const { assetId, assetRef } = one
    const text = '  Früh am Hafen\r\n#harbour (dawn) @cafe\n'
    const first = await it.asks({ assetRef, text })
    expect(first.status).toBe(202)
    const done = await it.becomes(first.body.deliveryId, 'done')
    expect(done).toMatchObject({
      text: 'Früh am Hafen\n#harbour (dawn) @cafe',
      assetRefs: [`${assetId}@1`],
      remoteId: it.peer.posts[0]!.id,
      lastError: null,
    })
    expect(done.remoteUrl).toContain('://')
    expect(it.peer.posts).toMatchObject([{ text: 'Früh am Hafen\n#harbour (dawn) @cafe' }])
    const { width, exif } = await sharp(it.peer.posts[0]!.files[0]!).metadata()
    expect([width, exif]).toEqual([600, undefined])

    expect((await it.asks({ assetRef: one.assetRef, text: text.trim() })).body).toEqual(done)
    const other = await it.asks({ assetRef: one.assetRef, text: 'Noch einmal' })
    await it.becomes(other.body.deliveryId, 'done')
    expect(it.peer.posts.map((post) => post.text)).toEqual([expect.any(String), 'Noch einmal'])

    // A post is said once: a new version is not posted by itself.
    const { body } = await client.agent.post(`${at}/deliveries/redeliver`, { assetRef })
    expect(body.deliveries).toEqual([])

    const grants = await it.grants(done.deliveryId)
    expect(grants).toHaveLength(isFetched ? 1 : 0)
    if (!isFetched) return
    expect(grants).toMatchObject([{ state: 'delivered', fetchCount: 1, createdBy: client.agent.id }])
  })

  if (most > 1)
    test('publishes several pictures as one post, in their order', async () => {
      const it = await account(kind, await newPeer())
      const assets = [one, two, three]
      const [first, ...more] = assets.map(({ assetRef }) => assetRef)
      const order = { assetRef: first, moreAssetRefs: more, text: 'Three of them' }
      const { deliveryId } = (await it.asks(order)).body
      const done = await it.becomes(deliveryId, 'done')
      expect(done.assetRefs).toEqual(assets.map(({ assetId }) => `${assetId}@1`))
      expect(it.peer.posts).toHaveLength(1)
      expect(it.peer.posts[0]!.files).toHaveLength(3)
      expect(new Set(it.peer.posts[0]!.files.map((file) => file.toString('base64'))).size).toBe(3)
      expect((await it.asks(order)).body.deliveryId).toBe(deliveryId)
      const last = `${at}/deliveries?assetId=${assets[2]!.assetId}`
      expect((await client.viewer.get(last)).body.deliveries).toContainEqual(done)
      expect((await it.asks({ ...order, moreAssetRefs: more.toReversed() })).body.deliveryId).not.toBe(
        deliveryId,
      )
    })

  test('makes one post, whatever happens on the way', async () => {
    const { steps } = await newPeer()
    const mishapsOf = (step: string): PostMishap[] =>
      step === steps.at(-1)
        ? ['cut before', 'cut after', 'passing', 'limit', 'page']
        : ['cut after', 'passing']
    await Promise.all(
      steps.flatMap((step) =>
        mishapsOf(step).map(async (mishap) => {
          const it = await account(kind, await newPeer())
          it.peer.suffers(step, mishap)
          const { deliveryId } = (await it.asks({ assetRef: one.assetRef, text: 'Once' })).body
          const ended = await it.becomes(deliveryId, 'done', 'unknown')
          const isLost = !canTell && it.peer.posts.length === 0
          expect([step, mishap, it.peer.posts.length, ended.status]).toEqual([
            step,
            mishap,
            isLost ? 0 : 1,
            isLost ? 'unknown' : 'done',
          ])
          expect(ended.remoteId).toBe(it.peer.posts[0]?.id ?? null)
        }),
      ),
    )
  })

  test('says what the vendor refuses, and asks for a sign-in when it lets us in no more', async () => {
    const it = await account(kind, await newPeer())
    it.peer.suffers(it.peer.steps[0]!, 'refuse')
    const refused = (await it.asks({ assetRef: one.assetRef, text: 'No' })).body.deliveryId
    expect(await it.becomes(refused, 'failed')).toMatchObject({ lastErrorReason: { code: 'refused' } })

    const lacking = await account(kind, await newPeer())
    lacking.peer.lacks(scope)
    const { deliveryId } = (await lacking.asks({ assetRef: two.assetRef, text: 'No' })).body
    expect((await lacking.becomes(deliveryId, 'failed')).lastErrorReason!.code).toBe('sign-in-needed')

    it.peer.expires()
    const late = (await it.asks({ assetRef: one.assetRef, text: 'Late' })).body.deliveryId
    expect((await it.becomes(late, 'failed')).lastErrorReason!.code).toBe('sign-in-needed')
    expect(await it.connection()).toMatchObject({
      status: 'error',
      lastErrorReason: { code: 'sign-in-needed' },
    })
    expect([it.peer.posts, lacking.peer.posts]).toEqual([[], []])
    for (const each of await it.grants(late)) expect(each.state).toBe('delivered')
  })

  test('is told what the post says, within its limits, and shows no more than it can', async () => {
    const it = await account(kind, await newPeer())
    const wrongly = (path: string) =>
      refusal('invalid-request', { errors: [expect.objectContaining({ path })] })
    expect(await it.asks({ assetRef: one.assetRef })).toEqual(wrongly('/text'))
    expect(await it.asks({ assetRef: one.assetRef, text: 'x'.repeat(65_000) })).toEqual(wrongly('/text'))
    const more = Array.from({ length: most }, () => two.assetRef)
    expect(await it.asks({ assetRef: one.assetRef, text: 'x', moreAssetRefs: more })).toEqual(
      wrongly('/moreAssetRefs'),
    )
    const strange = { assetRef: one.assetRef, text: 'x', moreAssetRefs: [foreign.assetRef] }
    expect(await it.asks(strange)).toEqual(refusal(most > 1 ? 'not-found' : 'invalid-request'))
  })
})

test('a connection that takes files alone takes no words', async () => {
  const { body } = await w.admin.post(`${at}/connections`, {
    kind: 'webhook',
    name: 'Screen',
    settings: { url: 'https://screen.example/in' },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const order = { assetRef: one.assetRef, connectionId: body.connectionId, surface: 'website' }
  for (const more of [{ text: 'Hello' }, { moreAssetRefs: [two.assetRef] }])
    expect(await client.agent.post(`${at}/deliveries`, { ...order, ...more })).toEqual(
      refusal('invalid-request'),
    )
})

describe('instagram', () => {
  test('gets the alternative texts, and a film as a reel', async () => {
    const it = await account('instagram', await instagramPeer())
    const both = { assetRef: one.assetRef, moreAssetRefs: [two.assetRef], text: '' }
    await it.becomes((await it.asks(both)).body.deliveryId, 'done')
    expect(it.peer.altTexts()).toEqual(['Öne', 'Two'])
    const reel = { assetRef: moving.assetRef, text: 'Moving' }
    await it.becomes((await it.asks(reel)).body.deliveryId, 'done')
    // Its index is brought to the front.
    const sent = it.peer.posts.at(-1)!.files[0]!
    expect([
      film.indexOf('moov') > film.indexOf('mdat'),
      sent.indexOf('moov') < sent.indexOf('mdat'),
    ]).toEqual([true, true])
    const mixed = { ...both, moreAssetRefs: [moving.assetRef], text: 'Mixed' }
    await it.becomes((await it.asks(mixed)).body.deliveryId, 'done')
    expect(it.peer.posts.at(-1)!.files.map(({ length }) => length)).toEqual([expect.any(Number), sent.length])
  })

  test('is told what was made by AI: on the post, and of a carousel on that alone', async () => {
    const peer = await instagramPeer()
    const it = await account('instagram', peer)
    const drawn = await client.operator.uploads(await photo(), { words: { provenance: 'generated' } })
    await it.becomes((await it.asks({ assetRef: drawn.assetRef, text: 'Drawn' })).body.deliveryId, 'done')
    const mixed = { assetRef: one.assetRef, moreAssetRefs: [drawn.assetRef], text: 'Both' }
    await it.becomes((await it.asks(mixed)).body.deliveryId, 'done')
    await it.becomes((await it.asks({ assetRef: one.assetRef, text: 'Taken' })).body.deliveryId, 'done')
    const labels = peer.containers.map(({ caption, isItem, isLabelled }) => [
      isItem ? 'item' : caption,
      isLabelled,
    ])
    expect(labels).toEqual([
      ['Drawn', true],
      ['item', false],
      ['item', false],
      ['Both', true],
      ['Taken', false],
    ])
  })

  test('gets a set in the ratio that is asked for, each picture cropped, and alternative texts whole', async () => {
    const it = await account('instagram', await instagramPeer())
    const smiling = '🙂'.repeat(900)
    const wide = await client.operator.uploads(await photo(900, 600), { words: { altText: smiling } })
    const set = { assetRef: wide.assetRef, moreAssetRefs: [one.assetRef], text: 'Upright', ratio: '4:5' }
    expect((await it.asks({ ...set, ratio: '9:16' })).body).toMatchObject({
      code: 'refs-not-allowed',
      refusals: [{ code: 'target-refuses', detail: expect.stringContaining('width by height') }],
    })
    await it.becomes((await it.asks(set)).body.deliveryId, 'done')
    const sizes = await Promise.all(it.peer.posts[0]!.files.map((file) => sharp(file).metadata()))
    expect(sizes.map(({ width, height }) => width / height)).toEqual([0.8, 0.8])
    expect(it.peer.altTexts()).toEqual([smiling, 'Öne'])
  })

  test('gets no shortened words: what became too long meanwhile fails, and goes once it is shortened', async () => {
    const it = await account('instagram', await instagramPeer())
    const { assetId, assetRef } = await client.operator.uploads(await photo(), {
      words: { altText: 'Short' },
    })
    const says = (altText: string) =>
      client.operator.patch(`${client.operator.door.assets}/${assetId}`, { altText })
    it.peer.suffers('contain', 'limit')
    const { deliveryId } = (await it.asks({ assetRef, text: 'Words' })).body
    await until(() => it.peer.asked('contain') === 1)
    await says('x'.repeat(1001))
    const failed = await it.becomes(deliveryId, 'failed')
    expect(failed.lastError).toContain('takes up to 1,000 characters of alt text')
    await says('Short again')
    await client.operator.post(`${at}/deliveries/${deliveryId}/retry`)
    await it.becomes(deliveryId, 'done')
    expect([it.peer.posts.length, it.peer.altTexts()]).toEqual([1, ['Short again']])
  })

  test('begins anew when a day has passed before anything was published', async () => {
    const it = await account('instagram', await instagramPeer())
    it.peer.suffers('publish', 'limit')
    const { deliveryId } = (await it.asks({ assetRef: one.assetRef, text: 'Late' })).body
    await until(() => it.peer.asked('publish') === 1)
    it.peer.forgets()
    await it.becomes(deliveryId, 'done')
    expect([it.peer.posts.length, it.peer.containers.length]).toEqual([1, 2])
  })

  test('that was told to publish, and shows nothing of it, is left to a person', async () => {
    const it = await account('instagram', await instagramPeer())
    it.peer.suffers('publish', 'cut after')
    const { deliveryId } = (await it.asks({ assetRef: one.assetRef, text: 'Gone' })).body
    await until(() => it.peer.posts.length === 1)
    const [post] = it.peer.posts.splice(0)
    await it.becomes(deliveryId, 'unknown')
    await client.operator.post(`${at}/deliveries/${deliveryId}/settle`, {
      outcome: 'there',
      remoteId: post!.id,
    })
    expect(await it.reads(deliveryId)).toMatchObject({ status: 'done', remoteId: post!.id })
    expect(it.peer.asked('publish')).toBe(1)
  })
})

test('linkedin gets the alternative texts, and a film', async () => {
  const it = await account('linkedin-posts', await linkedinPostsPeer())
  const both = { assetRef: one.assetRef, moreAssetRefs: [two.assetRef], text: 'Both' }
  await it.becomes((await it.asks(both)).body.deliveryId, 'done')
  expect(it.peer.altTexts()).toEqual(['Öne', 'Two'])
  const reel = { assetRef: moving.assetRef, text: 'Moving' }
  await it.becomes((await it.asks(reel)).body.deliveryId, 'done')
  expect(it.peer.posts.at(-1)!.files[0]!.length).toBe(film.length)
})

test('facebook gets the alternative texts, and an upright film as a reel, once', async () => {
  const it = await account('facebook-page', await facebookPagePeer())
  const order = { assetRef: one.assetRef, moreAssetRefs: [two.assetRef], text: '' }
  await it.becomes((await it.asks(order)).body.deliveryId, 'done')
  expect(it.peer.altTexts).toEqual(['Öne', 'Two'])

  const session = { originalFilename: 'a.mp4', mimeType: 'video/mp4' } as const
  const { assetRef } = await client.operator.uploads(upright(film), { session })
  it.peer.suffers('publish', 'cut after')
  it.peer.suffers('upload', 'cut before')
  const done = await it.becomes((await it.asks({ assetRef, text: 'Moving' })).body.deliveryId, 'done')
  expect(done.remoteUrl).toBe(`https://www.facebook.com/reel/${done.remoteId}/`)
  expect(it.peer.posts.map(({ text }) => text)).toEqual(['', 'Moving'])
  expect(it.peer.posts[1]!.files[0]!.length).toBe(film.length)
})

/** The same film, said to be upright and large. */
function upright(film: Buffer): Buffer {
  const tall = Buffer.from(film)
  const picture = tall.indexOf('avc1', tall.indexOf('stsd'))
  tall.writeUInt16BE(608, picture + 28)
  tall.writeUInt16BE(1080, picture + 30)
  const track = tall.indexOf('tkhd') + 80
  tall.writeUInt32BE(608 * 65_536, track)
  tall.writeUInt32BE(1080 * 65_536, track + 4)
  return tall
}

describe('a film that a target does not take as it is', () => {
  const session = { originalFilename: 'long.mp4', mimeType: 'video/mp4' } as const
  const encodes = async () => (await w.parts.media.capabilities()).encoder !== 'none'
  const uploads = async (name: string, change: (film: Buffer) => void = () => {}) => {
    const bytes = await readFile(fixturePath(name))
    change(bytes)
    return client.operator.uploads(bytes, { session })
  }

  test('is cut and converted in the background, once, and sent as it was promised', async ({ skip }) => {
    skip(!(await encodes()), 'nothing on this machine encodes films')
    const it = await account('facebook-page', await facebookPagePeer())
    const { assetId, assetRef } = await uploads('long-upright.mp4')
    const resolve = async (more: object) => {
      const order = { assetRefs: [assetRef], surface: 'social', target: 'facebook-page', ...more }
      return (await client.agent.post(`${at}/asset-refs/resolve`, order)).body.results[0]
    }
    const tooLong = { code: 'range-needed', detail: expect.stringContaining('up to 90 seconds') }
    expect(await resolve({})).toMatchObject({ ...tooLong, fix: expect.stringContaining('startSeconds') })
    expect((await it.asks({ assetRef, text: 'All' })).body).toMatchObject({
      code: 'refs-not-allowed',
      refusals: [tooLong],
    })

    const range = { startSeconds: 62, endSeconds: 66 }
    const rendition = { as: 'rendition', mimeType: 'video/mp4', width: 540, height: 960, durationSeconds: 4 }
    expect((await resolve({ range })).rendition).toEqual({ ...rendition, isReady: false })
    const order = { assetRef, text: 'A part', range }
    const [{ body: first }, { body: second }] = await Promise.all([
      it.asks(order),
      it.asks({ ...order, text: 'The same part' }),
    ])
    await it.becomes(first.deliveryId, 'done')
    await it.becomes(second.deliveryId, 'done')
    expect((await resolve({ range })).rendition).toEqual({ ...rendition, isReady: true })
    expect((await it.asks(order)).body.deliveryId).toBe(first.deliveryId)
    expect(it.peer.posts.map(({ text }) => text).sort()).toEqual(['A part', 'The same part'])
    const files = it.peer.posts.map((post) => post.files[0]!)
    expect(files[0]!.equals(files[1]!)).toBe(true)
    const sent = inMemory(files[0]!)
    expect(await w.parts.media.inspect(sent, 'video/mp4')).toMatchObject({
      ...{ videoCodec: 'h264', width: 540, height: 960, frameRate: 32 },
      durationSeconds: expect.closeTo(4, 1),
    })
    const { pictures } = await w.parts.media.previews(sent, 'video/mp4', [{ size: 'thumb', format: 'jpeg' }])
    const [red, , blue] = (await sharp(pictures[0]!.bytes).stats()).channels
    // It is blue until its sixtieth second.
    expect(red!.mean - blue!.mean).toBeGreaterThan(100)
    const made = await w.parts.db
      .selectFrom('derived_files')
      .select('mime_type')
      .where('asset_id', '=', assetId)
      .where('name', 'like', 'rendition-%')
      .execute()
    expect(made).toEqual([{ mime_type: 'video/mp4' }])
  })

  test('and that cannot be converted fails with the reason, and waits for nothing', async ({ skip }) => {
    skip(!(await encodes()), 'nothing on this machine encodes films')
    const it = await account('instagram', await instagramPeer())
    const { assetRef, assetId } = await uploads('late-picture.mp4', (film) =>
      film.fill(0, film.indexOf('mdat') + 4, film.indexOf('mdat') + 4 + 80_000),
    )
    const range = { startSeconds: 0, endSeconds: 4 }
    const { deliveryId } = (await it.asks({ assetRef, text: 'Broken', range })).body
    const failed = await it.becomes(deliveryId, 'failed')
    expect(failed.lastError).toMatch(/Export it again/)
    expect(it.peer.posts).toEqual([])

    // Without an encoder it is refused before, and what need not be encoded is not.
    const media = openMedia({ scratchFolder: '/nowhere', ffmpeg: 'off', nodeAv: false })
    const library = makeLibrary({ ...w.parts, media }, client.clientId, system)
    const asked: Resolve = { assetRefs: [assetId], surface: 'social', target: 'instagram' }
    const answers = [await resolve(library, { ...asked, range }), await resolve(library, asked)]
    await media.close()
    expect(answers.map(({ results }) => results[0])).toMatchObject([
      { ok: false, code: 'no-encoder', fix: expect.stringContaining('encoder') },
      { ok: true },
    ])
  })
})

test('what Google rejects is taken away again, and fails', async () => {
  const it = await account('gbp-posts', await googlePostsPeer())
  it.peer.rejects()
  const { deliveryId } = (await it.asks({ assetRef: one.assetRef, text: 'Buy now' })).body
  expect((await it.becomes(deliveryId, 'failed')).lastError).toBe('Google rejected the post.')
  expect(it.peer.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})
