import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import type { Pick, PickReason } from '../contract/picks.ts'
import type { Cut } from '../contract/ratios.ts'
import type { Use, UseInput, UseKind } from '../contract/references.ts'
import { newId } from '../server/ids.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { purgeTrash } from '../server/trash/purge.ts'
import { puts } from './person.ts'
import { png } from './pictures.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { distanceTo, testCard } from './test-card.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world()

const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}`
const resolves = (client: ClientWorld, assetRefs: string[], purpose: { surface: string; target?: string }) =>
  client.agent.post(`${at(client)}/asset-refs/resolve`, { assetRefs, ...purpose })
const records = (client: ClientWorld, kind: UseKind, externalId: string, input: UseInput) =>
  client.agent.put(`${at(client)}/uses/${kind}/${externalId}`, input)
const uses = async (client: ClientWorld, query = ''): Promise<Use[]> =>
  (await client.agent.get(`${at(client)}/uses${query}`)).body.uses
const idsOf = (things: { externalId: string }[]) => things.map(({ externalId }) => externalId)
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

async function replaces({ operator }: ClientWorld, { assetId }: Asset, bytes: Uint8Array) {
  const { body } = await operator.opensUpload({ expectedSizeBytes: bytes.length, replacesAssetId: assetId })
  await puts(body, bytes)
  return (await operator.finalizes(body.uploadToken)).body
}

/** It is this part of the card and no other: one pixel to any side would be further off. */
async function shows(card: Buffer, cut: Cut, picture: Buffer) {
  const { width, height } = await sharp(card).metadata()
  const here = await distanceTo(card, cut, picture)
  const shifts = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ].map(([x, y]) => ({
    ...cut,
    left: cut.left + x!,
    top: cut.top + y!,
  }))
  const inside = shifts.filter(
    ({ left, top }) => left >= 0 && top >= 0 && left + cut.width <= width && top + cut.height <= height,
  )
  for (const shifted of inside)
    expect([cut, here]).toEqual([cut, Math.min(here, await distanceTo(card, shifted, picture))])
  expect(here).toBeLessThan(4)
}

async function uploadsCard(client: ClientWorld, card: Buffer) {
  const { assetId } = await client.operator.uploads(card)
  await expect
    .poll(async () => (await client.operator.reads(assetId)).body.media.state, { timeout: 90_000 })
    .toBe('ready')
  return (await client.operator.reads(assetId)).body as Asset
}

async function renditionOf({ agent }: ClientWorld, assetId: string, query = 'target=instagram') {
  const answer = await agent.fetch(`${agent.door.assets}/${assetId}/rendition?${query}`)
  expect([assetId, query, answer.status]).toEqual([assetId, query, 200])
  return { etag: answer.headers.get('etag'), bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('a pick', () => {
  const picks = async ({ agent, portal }: ClientWorld, query: string) => {
    const answers = [agent, portal].map(
      async ({ get, door }) => (await get(`${door.assets}/pick?${query}`)).body,
    )
    const [forAgent, forPeople] = await Promise.all(answers)
    expect(forPeople.picks?.map(withoutAsset)).toEqual(forAgent.picks?.map(withoutAsset))
    return forAgent
  }
  const withoutAsset = ({ asset, ...pick }: Pick) => ({ ...pick, assetId: asset.assetId })

  test('is the best that may be used, for people and agents alike, with why in words and codes', async () => {
    const client = await w.newClient()
    const uploads = (title: string, size: [number, number], words: object = {}) =>
      client.operator.uploads(png(...size), { words: { title, ...words } })
    const tall = await uploads('Terrace in summer', [800, 1000])
    const wide = await uploads('Terrace at night', [1200, 600])
    const used = await uploads('Terrace with guests', [800, 1000], { rightsExpireAt: '2099-05-01T00:00:00Z' })
    await uploads('Terrace for the site', [800, 1000], { allowedSurfaces: ['website'] })
    await uploads('Terrace of last year', [800, 1000], { rightsExpireAt: '2020-01-01T00:00:00Z' })
    await uploads('Terrace, drawn', [800, 1000], { provenance: 'generated', allowedSurfaces: ['gbp'] })
    await records(client, 'social-post', 'p-1', { assetRefs: [used.assetRef], status: 'done' })

    const wish = 'q=terrace&surface=social&target=instagram&ratio=4:5'
    const { picks: found } = await picks(client, wish)
    expect(found.map(({ asset }: Pick) => asset.assetId).sort()).toEqual(
      [tall, wide, used].map(({ assetId }) => assetId).sort(),
    )
    expect(found[0]).toMatchObject({ asset: { assetId: tall.assetId }, pinnedRef: `${tall.assetId}@1` })
    expect(found[0].why.map(({ code, detail }: PickReason) => [code, detail])).toEqual([
      ['all-words', 'has 100 % of the words, in its title or tags'],
      ['whole-shape', '100 % of it is kept at 4:5'],
      ['not-used', 'not used yet'],
      ['approval-none', 'nobody was asked to approve it'],
      ['few-pixels', '800 × 1000 pixels'],
      ['rights-do-not-end', 'its rights do not end'],
      ['converted', 'it is converted for the target'],
    ])
    const codes = (asset: Asset) =>
      found.find((pick: Pick) => pick.asset.assetId === asset.assetId).why.map(({ code }: PickReason) => code)
    expect(codes(wide)).toContain('cropped-shape')
    expect(codes(used)).toEqual(expect.arrayContaining(['used-before', 'rights-end']))

    const { picks: unused } = await picks(client, `${wish}&unused=true`)
    expect(unused.map(({ asset }: Pick) => asset.assetId)).toEqual([tall.assetId, wide.assetId])
    expect((await picks(client, 'q=terrace&surface=website')).picks).toHaveLength(4)
    expect((await picks(client, 'q=terrace -night -"for the"&surface=website')).picks).toHaveLength(2)
    expect((await picks(client, `${wish}&limit=1`)).picks).toHaveLength(1)
    expect((await picks(client, 'surface=social&target=wordpress')).code).toBe('invalid-request')
    const { looks } = (await w.admin.get(`${at(client)}/agents/${await keyIdOf(client)}`)).body
    expect(looks.map(({ assetId }: Asset) => assetId)).toContain(tall.assetId)
  })

  test('has all the words, however many newer ones have some, and no more than the target takes', async () => {
    const client = await w.newClient()
    const both = await client.operator.uploads(png(800, 1000), { words: { title: 'Summer on the pier' } })
    const { folderId } = await client.operator.makesFolder('Archive')
    await sql`
      insert into assets (client_id, id, folder_id, title, original_filename, mime_type, size_bytes, width, height,
        details, created_by, created_at)
      select ${client.clientId}, 'asset_' || lpad(n::text, 10, '0') || right(${folderId}::text, 16), ${folderId}, 'Summer ' || n,
        n || '.jpg', 'image/jpeg', 1000, 800, 1000, ${plainDetails}::jsonb, 'tests', now() + n * interval '1 second'
      from generate_series(1, 2100) as n`.execute(w.parts.db)
    const [best] = (await picks(client, 'q=summer pier&surface=social')).picks
    expect(best).toMatchObject({ asset: { assetId: both.assetId }, score: expect.any(Number) })
  })

  const keyIdOf = async ({ agent }: ClientWorld) => (await agent.get('/auth/me')).body.id
})

describe('a crop', () => {
  test('keeps what draws the eye, what a person clicked on, or what a person chose', async () => {
    const client = await w.newClient()
    const card = await testCard(640, 960, { x: 0.4, y: 0.9 })
    const { assetId, focalPoint, focalPointIsGuess } = await uploadsCard(client, card)
    expect(focalPointIsGuess).toBe(true)
    expect([Math.abs(focalPoint!.x - 0.4) < 0.1, Math.abs(focalPoint!.y - 0.9) < 0.1]).toEqual([true, true])
    const guessed = await renditionOf(client, assetId)
    await shows(card, { left: 0, top: 160, width: 640, height: 800 }, guessed.bytes)

    const grant = await client.agent.post(`${at(client)}/pull-grants`, {
      ...{ assetRef: assetId, surface: 'social', target: 'instagram' },
    })
    await client.operator.edits(assetId, { focalPoint: { x: 0.5, y: 0.5 } })
    const clicked = await renditionOf(client, assetId)
    await shows(card, { left: 0, top: 80, width: 640, height: 800 }, clicked.bytes)
    expect(clicked.etag).not.toBe(guessed.etag)
    const square = await renditionOf(client, assetId, 'target=linkedin&ratio=1:1')
    await shows(card, { left: 0, top: 160, width: 640, height: 640 }, square.bytes)

    const crops = { '4:5': { x: 64 / 640, y: 96 / 960, width: 400 / 640, height: 500 / 960 } }
    await client.operator.edits(assetId, { crops })
    const chosen = await renditionOf(client, assetId)
    await shows(card, { left: 64, top: 96, width: 400, height: 500 }, chosen.bytes)
    const { body } = await resolves(client, [assetId], { surface: 'social', target: 'instagram' })
    expect(body.results[0].rendition).toMatchObject({ width: 400, height: 500 })

    // What was promised before is what is fetched.
    const fetched = await fetch(grant.body.url)
    expect(Buffer.from(await fetched.arrayBuffer()).equals(guessed.bytes)).toBe(true)

    const back = await client.operator.edits(assetId, { focalPoint: null, crops: {} })
    expect(back.body).toMatchObject({ focalPoint, focalPointIsGuess: true })
    expect((await renditionOf(client, assetId)).etag).toBe(guessed.etag)
  })

  test('is right in pictures that are scaled down, and in those that a mark turns', async () => {
    const client = await w.newClient()
    const card = await testCard(1800, 3000, { x: 0.5, y: 0.1 })
    const large = await uploadsCard(client, card)
    const { bytes } = await renditionOf(client, large.assetId)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1080, height: 1350 })
    expect(await distanceTo(card, { left: 0, top: 0, width: 1800, height: 2250 }, bytes)).toBeLessThan(5)

    const small = await testCard(640, 960, { x: 0.5, y: 0.9 })
    const turned = await sharp(small).rotate(270).withMetadata({ orientation: 6 }).png().toBuffer()
    const { assetId } = await uploadsCard(client, turned)
    await client.operator.edits(assetId, { focalPoint: { x: 0.5, y: 0 } })
    const upright = await renditionOf(client, assetId)
    await shows(small, { left: 0, top: 0, width: 640, height: 800 }, upright.bytes)
  })
})

describe('planning a set', () => {
  const plans = (client: ClientWorld, assetRefs: string[], more: object = {}) =>
    client.agent.post(`${at(client)}/asset-refs/plan`, {
      ...{ assetRefs, surface: 'social', target: 'instagram' },
      ...more,
    })

  test('finds one ratio for all that keeps most, and crops each to it', async () => {
    const client = await w.newClient()
    const tall = await testCard(640, 960, { x: 0.5, y: 0.9 })
    const uploaded = await Promise.all([
      uploadsCard(client, tall),
      uploadsCard(client, await testCard(800, 1000, { x: 0.5, y: 0.5 })),
      uploadsCard(client, await testCard(900, 900, { x: 0.1, y: 0.5 })),
    ])
    const refs = uploaded.map(({ assetRef }) => assetRef)
    const { status, body } = await plans(client, refs)
    expect(status).toBe(200)
    expect(body).toMatchObject({ target: 'instagram', ok: true, ratio: '4:5', why: [] })
    expect(body.pictures).toMatchObject([
      { assetRef: refs[0], ok: true, cropBy: 'focal-point', rendition: { width: 640, height: 800 } },
      { cropBy: 'whole', crop: { x: 0, y: 0, width: 1, height: 1 }, rendition: { width: 800, height: 1000 } },
      { cropBy: 'focal-point', crop: { x: 0, y: 0, width: 0.8, height: 1 } },
    ])
    expect(body.pictures[0].crop).toEqual({ x: 0, y: 160 / 960, width: 1, height: 800 / 960 })
    const third = await renditionOf(client, refs[2]!, 'target=instagram&ratio=4:5')
    expect(await sharp(third.bytes).metadata()).toMatchObject({ width: 720, height: 900 })

    const crops = { '1:1': { x: 0, y: 0.5, width: 0.75, height: 0.5 } }
    await client.operator.edits(refs[0]!, { crops })
    const square = (await plans(client, refs, { ratio: '1:1' })).body
    expect(square).toMatchObject({ ok: true, ratio: '1:1' })
    expect(square.pictures[0]).toMatchObject({ cropBy: 'person', crop: crops['1:1'] })
    expect((await plans(client, refs.slice(0, 1))).body).toMatchObject({ ok: true, ratio: null, most: 10 })
    const files = (await plans(client, refs, { asOnePost: false })).body
    expect(files).toMatchObject({ ok: true, ratio: null, why: [] })
    expect(files.pictures[1]).toMatchObject({ cropBy: 'whole' })
    expect(files.pictures[2].rendition).toMatchObject({ width: 900, height: 900 })
    expect((await plans(client, refs, { target: 'linkedin' })).body).toMatchObject({ ok: true, ratio: null })
  })

  test('says which does not fit and why, and what is wrong with all of them together', async () => {
    const client = await w.newClient()
    const film = await client.operator.uploads(await readFile(fixturePath('a.mp4')), {
      session: { originalFilename: 'a.mp4', mimeType: 'video/mp4' },
    })
    const good = await client.operator.uploads(png(800, 1000))
    const small = await client.operator.uploads(png(400, 250))
    const wordy = await client.operator.uploads(png(500, 500), { words: { altText: 'x'.repeat(1001) } })
    const refs = [good, small, wordy].map(({ assetRef }) => assetRef)
    const { body } = await plans(client, [...refs, newId('asset')], { ratio: '4:5' })
    expect(body).toMatchObject({ ok: false, ratio: '4:5', why: [] })
    expect(body.pictures).toMatchObject([
      { ok: true },
      { ok: false, code: 'target-refuses', why: [{ code: 'too-small' }] },
      { ok: false, code: 'target-refuses', why: [{ code: 'alt-text-too-long' }] },
      { ok: false, code: 'not-found' },
    ])
    // With a ratio of its own choice the small one fits.
    expect((await plans(client, refs.slice(0, 2))).body).toMatchObject({ ok: true })

    const many = await plans(client, Array(11).fill(refs[0]))
    expect(many.body).toMatchObject({
      ok: false,
      why: [{ code: 'too-many-pictures', values: { limit: 10 } }],
    })
    const onX = await plans(client, [refs[0]!, film.assetRef], { target: 'x' })
    expect(onX.body.pictures).toMatchObject([{ ok: true }, { why: [{ code: 'film-among-pictures' }] }])
    const mixed = await plans(client, [refs[0]!, film.assetRef], { ratio: '1:1' })
    expect(mixed.body.pictures[1].why).toContainEqual(expect.objectContaining({ code: 'film-not-cropped' }))
    expect((await plans(client, refs, { ratio: '9:16' })).body.pictures[0].why).toMatchObject([
      { code: 'below-ratio' },
    ])
    const foreign = await (await w.newClient()).operator.uploads()
    expect((await plans(client, [foreign.assetRef])).body.pictures).toMatchObject([{ code: 'not-found' }])
    expect(await plans(client, refs, { target: 'wordpress' })).toEqual(refusal('invalid-request'))
  })
})

describe('resolving', () => {
  test('answers each ref in its order; a bad one never fails the others', async () => {
    const client = await w.newClient()
    const good = await client.operator.uploads()
    const trashed = await client.operator.uploads(png(2, 2))
    await client.operator.trashes(trashed.assetId)
    const foreign = await (await w.newClient()).operator.uploads()
    const absent = newId('asset')
    const refs = [absent, good.assetRef, foreign.assetRef, trashed.assetRef, 'odd', `${good.assetRef}@7`]
    const { status, body } = await resolves(client, refs, { surface: 'website' })
    expect(status).toBe(200)
    expect(body.results.map((result: { assetRef: string }) => result.assetRef)).toEqual(refs)
    expect(body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)).toEqual([
      'not-found',
      true,
      'not-found',
      'trashed',
      'not-found',
      'not-found',
    ])
    for (const result of body.results.filter(({ ok }: { ok: boolean }) => !ok))
      expect(result).toMatchObject({
        detail: expect.stringMatching(/\.$/),
        fix: expect.stringMatching(/\.$/),
      })
    expect(body.results[1]).toMatchObject({
      pinnedRef: `${good.assetId}@1`,
      version: 1,
      target: 'website',
      asset: { assetId: good.assetId },
      rendition: { as: 'original', mimeType: 'image/png', width: 1, height: 1 },
    })
  })

  test('a foreign ref is answered like an absent one', async () => {
    const client = await w.newClient()
    const foreign = await (await w.newClient()).operator.uploads()
    const absent = newId('asset')
    const { body } = await resolves(client, [foreign.assetRef, absent], { surface: 'social' })
    const [a, b] = body.results.map((result: object) => JSON.stringify(result))
    expect(a.replaceAll(foreign.assetRef, absent)).toBe(b)
  })

  test('a pinned version stays what it was after a replace', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads(png(400, 300))
    await replaces(client, asset, png(1500, 1200, [1, 2, 3]))
    const { body } = await resolves(client, [`${asset.assetRef}@1`, asset.assetRef, `${asset.assetRef}@2`], {
      surface: 'social',
      target: 'instagram',
    })
    expect(body.results).toMatchObject([
      { version: 1, pinnedRef: `${asset.assetId}@1`, rendition: { width: 400, height: 300 } },
      { version: 2, pinnedRef: `${asset.assetId}@2`, rendition: { width: 1080, height: 864 } },
      { version: 2, pinnedRef: `${asset.assetId}@2`, rendition: { width: 1080, height: 864 } },
    ])
  })

  test('what it promises to send is what is sent', async () => {
    const client = await w.newClient()
    const bytes = await readFile(fixturePath('a.heic'))
    const { assetId } = await client.operator.uploads(bytes, {
      session: { originalFilename: 'a.heic', mimeType: 'image/heic' },
    })
    const { body } = await resolves(client, [assetId], { surface: 'social', target: 'linkedin' })
    const [{ rendition, reasons }] = body.results
    expect(rendition).toMatchObject({ as: 'rendition', mimeType: 'image/jpeg' })
    expect(reasons.join()).toContain('image/heic')
    const sent = await client.agent.fetch(`${client.agent.door.assets}/${assetId}/rendition?target=linkedin`)
    expect(sent.headers.get('content-type')).toBe(rendition.mimeType)
    const picture = await sharp(Buffer.from(await sent.arrayBuffer())).metadata()
    expect(picture).toMatchObject({ width: rendition.width, height: rendition.height })
  })

  test('keeps an asset to its surfaces', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads(png(), { words: { allowedSurfaces: ['website'] } })
    const code = async (surface: string) =>
      (await resolves(client, [asset.assetRef], { surface })).body.results[0].code
    expect(await code('website')).toBeUndefined()
    expect(await code('social')).toBe('surface-not-allowed')
    expect(await code('gbp')).toBe('surface-not-allowed')
  })

  test('refuses what the target cannot take in any form, and says why', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads(png(100, 100))
    const { body } = await resolves(client, [asset.assetRef], { surface: 'social', target: 'instagram' })
    expect(body.results[0]).toMatchObject({ ok: false, code: 'target-refuses' })
    expect(body.results[0].detail).toContain('320')
  })

  test('refuses a file that turned out damaged, in that version only', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    await w.parts.db
      .updateTable('asset_versions')
      .set({ media_problem: 'The file does not have the SHA-256 announced.' })
      .where('asset_id', '=', asset.assetId)
      .execute()
    await replaces(client, asset, png(2, 2))
    const { body } = await resolves(client, [`${asset.assetRef}@1`, asset.assetRef], { surface: 'website' })
    expect(body.results).toMatchObject([
      { ok: false, code: 'media-failed' },
      { ok: true, version: 2 },
    ])
  })

  test('answers for several as one post, in one ratio', async () => {
    const client = await w.newClient()
    const tall = await client.operator.uploads(png(640, 960))
    const wide = await client.operator.uploads(png(900, 600))
    const refs = [tall.assetRef, wide.assetRef]
    const purpose = { surface: 'social', target: 'instagram', asOnePost: true }
    const { body } = await resolves(client, refs, purpose)
    expect(body).toMatchObject({ post: { ok: true, ratio: '1:1', reasons: [] } })
    expect(body.results).toMatchObject([
      { rendition: { width: 640, height: 640 } },
      { rendition: { width: 600, height: 600 } },
    ])
  })

  test('an unknown target, or one of another surface, is a bad request that names the right ones', async () => {
    const client = await w.newClient()
    for (const target of ['myspace', 'wordpress']) {
      const answer = await resolves(client, [newId('asset')], { surface: 'social', target })
      expect(answer).toEqual(refusal('invalid-request'))
      expect(answer.body.detail).toContain('instagram')
    }
  })
})

describe('rights and provenance', () => {
  test('are set at finalization and changed later', async () => {
    const { portal } = await w.newClient()
    const rightsExpireAt = '2031-05-01T00:00:00.000Z'
    const asset = await portal.uploads(png(), { words: { provenance: 'stock', rightsExpireAt } })
    expect(asset).toMatchObject({ provenance: 'stock', rightsExpireAt })
    await portal.edits(asset.assetId, { provenance: 'camera', rightsExpireAt: null })
    expect((await portal.reads(asset.assetId)).body).toMatchObject({
      provenance: 'camera',
      rightsExpireAt: null,
    })
    expect(await portal.edits(asset.assetId, { provenance: 'found' })).toEqual(refusal('invalid-request'))
  })

  test('rights that have ended stop the asset everywhere, and tell where it is live', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    await records(client, 'blog-post', 'live', { featuredAssetRef: asset.assetRef, status: 'done' })
    await records(client, 'social-post', 'soon', { assetRefs: [asset.assetRef], status: 'scheduled' })
    await records(client, 'social-post', 'never', { assetRefs: [asset.assetRef], status: 'cancelled' })
    await client.operator.edits(asset.assetId, { rightsExpireAt: yesterday() })
    for (const surface of ['website', 'social', 'gbp']) {
      const { body } = await resolves(client, [asset.assetRef], { surface })
      expect(body.results[0]).toMatchObject({ ok: false, code: 'rights-expired' })
      expect(idsOf(body.results[0].uses).sort()).toEqual(['live', 'soon'])
      expect(body.results[0].deliveries).toEqual([])
    }
    await client.operator.edits(asset.assetId, { rightsExpireAt: '2031-05-01T00:00:00Z' })
    expect((await resolves(client, [asset.assetRef], { surface: 'website' })).body.results[0].ok).toBe(true)
  })

  test.each(['generated', 'stock'])('a %s picture is refused on gbp with the reason', async (provenance) => {
    const client = await w.newClient()
    const asset = await client.operator.uploads(await readFile(fixturePath('plain.jpg')), {
      session: { originalFilename: 'plain.jpg', mimeType: 'image/jpeg' },
      words: { provenance: provenance as 'stock' },
    })
    const { body } = await resolves(client, [asset.assetRef], { surface: 'gbp' })
    expect(body.results[0]).toMatchObject({ ok: false, code: 'provenance-not-allowed' })
    expect(body.results[0].detail).toContain('Google')
    expect((await resolves(client, [asset.assetRef], { surface: 'social' })).body.results[0].ok).toBe(true)
    const fits = (await client.operator.get(`${client.operator.door.assets}/${asset.assetId}/fit`)).body.fits
    for (const fit of fits) expect(fit.verdict === 'refused', fit.target).toBe(fit.surface === 'gbp')
    await client.operator.edits(asset.assetId, { provenance: 'camera' })
    expect((await resolves(client, [asset.assetRef], { surface: 'gbp' })).body.results[0].ok).toBe(true)
  })
})

describe('a use', () => {
  test('is kept without what turns its words, or cannot be seen in its address', async () => {
    const client = await w.newClient()
    const turned = { title: 'Spr\u202eing\u0007', url: 'https://example.com/\u202espring\u200b' }
    expect((await records(client, 'social-post', 'p-1', { status: 'draft', ...turned })).body).toMatchObject({
      title: 'Spring',
      url: 'https://example.com/%E2%80%AEspring%E2%80%8B',
    })
    const long = { status: 'draft' as const, url: `https://example.com/${'ä'.repeat(1900)}` }
    expect(await records(client, 'social-post', 'p-2', long)).toEqual(refusal('invalid-request'))
  })

  test('keeps the order of its refs, is recorded once, and is found from its assets at both doors', async () => {
    const client = await w.newClient()
    const [one, two] = [await client.operator.uploads(), await client.operator.uploads(png(2, 2))]
    const carousel = [two.assetRef, `${one.assetRef}@1`, two.assetRef]
    const input: UseInput = {
      featuredAssetRef: one.assetRef,
      assetRefs: carousel,
      status: 'scheduled',
      scheduledFor: '2031-01-01T09:00:00Z',
      title: 'Spring',
      url: 'https://example.com/spring',
    }
    const first = await records(client, 'social-post', 'p-1', input)
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      ...input,
      scheduledFor: '2031-01-01T09:00:00.000Z',
      kind: 'social-post',
      externalId: 'p-1',
      surface: 'social',
      createdBy: client.agent.id,
    })
    const again = await records(client, 'social-post', 'p-1', input)
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect((await client.viewer.get(`${at(client)}/uses/social-post/p-1`)).body).toEqual(first.body)
    for (const { assetId } of [one, two])
      for (const person of [client.operator, client.portal])
        expect((await person.get(`${person.door.assets}/${assetId}/uses`)).body.uses).toEqual([first.body])

    const { rows } = await w.parts.database.pool.query(
      `select type, subject from events where client_id = $1 and type like 'use.%' order by id`,
      [client.clientId],
    )
    expect(rows).toEqual([{ type: 'use.created', subject: 'social-post/p-1' }])
  })

  test('of assets that may not be used there is refused whole, with a reason for each', async () => {
    const client = await w.newClient()
    const good = await client.operator.uploads()
    const webOnly = await client.operator.uploads(png(2, 2), { words: { allowedSurfaces: ['website'] } })
    const expired = await client.operator.uploads(png(3, 3), { words: { rightsExpireAt: yesterday() } })
    const answer = await records(client, 'social-post', 'p-1', {
      featuredAssetRef: webOnly.assetRef,
      assetRefs: [good.assetRef, expired.assetRef, newId('asset')],
      status: 'draft',
    })
    expect(answer).toEqual(refusal('refs-not-allowed'))
    expect(
      answer.body.refusals.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ).toEqual([
      '/featuredAssetRef surface-not-allowed',
      '/assetRefs/1 rights-expired',
      '/assetRefs/2 not-found',
    ])
    expect((await client.agent.get(`${at(client)}/uses/social-post/p-1`)).status).toBe(404)
    expect(
      (await records(client, 'blog-post', 'b', { assetRefs: [webOnly.assetRef], status: 'draft' })).status,
    ).toBe(201)
  })

  test('that was refused a change stays as it was', async () => {
    const client = await w.newClient()
    const good = await client.operator.uploads()
    const before = await records(client, 'blog-post', 'b', { assetRefs: [good.assetRef], status: 'draft' })
    const change: UseInput = { assetRefs: [newId('asset')], status: 'running', title: 'New' }
    expect(await records(client, 'blog-post', 'b', change)).toEqual(refusal('refs-not-allowed'))
    expect(await uses(client)).toEqual([before.body])
  })

  test('can end whatever became of its assets, but takes in no new ones', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    const other = await client.operator.uploads(png(2, 2), { words: { rightsExpireAt: yesterday() } })
    const refs = { assetRefs: [asset.assetRef] }
    await records(client, 'blog-post', 'b', { ...refs, status: 'running' })
    await client.operator.edits(asset.assetId, { rightsExpireAt: yesterday() })
    expect(await records(client, 'blog-post', 'b', { ...refs, status: 'running', title: 'x' })).toEqual(
      refusal('refs-not-allowed'),
    )
    expect(await records(client, 'blog-post', 'b', { assetRefs: [other.assetRef], status: 'done' })).toEqual(
      refusal('refs-not-allowed'),
    )
    expect((await records(client, 'blog-post', 'b', { ...refs, status: 'done' })).status).toBe(200)
  })

  test('of an unknown kind, or without a status, is a bad request', async () => {
    const client = await w.newClient()
    expect(await client.agent.put(`${at(client)}/uses/tweet/1`, { status: 'draft' })).toEqual(
      refusal('invalid-request'),
    )
    expect(await client.agent.put(`${at(client)}/uses/blog-post/1`, {})).toEqual(refusal('invalid-request'))
  })

  test('is listed by page, kind and status, each once', async () => {
    const client = await w.newClient()
    for (let i = 0; i < 5; i++) await records(client, 'blog-post', `b${i}`, { status: 'draft' })
    await records(client, 'gbp-update', 'g', { status: 'running' })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body }: { body: { uses: Use[]; nextCursor: string | null } } = await client.viewer.get(
        `${at(client)}/uses?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      )
      seen.push(...idsOf(body.uses))
      cursor = body.nextCursor
    } while (cursor)
    expect(seen.sort()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'g'])
    expect(idsOf(await uses(client, '?kind=gbp-update'))).toEqual(['g'])
    expect(idsOf(await uses(client, '?status=draft'))).toHaveLength(5)
  })

  test('said ten times at once is made once', async () => {
    const client = await w.newClient()
    const { assetRef } = await client.operator.uploads()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        records(client, 'blog-post', 'b', { assetRefs: [assetRef], status: 'scheduled' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
  })
})

describe('an asset in use', () => {
  test.each(['scheduled', 'running'] as const)(
    '%s is held: it, a batch with it and its folder stay',
    async (status) => {
      const client = await w.newClient()
      const { operator } = client
      const above = await operator.makesFolder('Campaign')
      const { folderId } = await operator.makesFolder('Spring', above.folderId)
      const held = await operator.uploads(png(), { session: { folderId } })
      const free = await operator.uploads(png(2, 2))
      const { body: use } = await records(client, 'website-job', 'j-1', {
        assetRefs: [held.assetRef],
        status,
      })
      const inUse = refusal('in-use', { uses: [use] })

      expect(await operator.trashes(held.assetId)).toEqual(inUse)
      expect(
        await operator.post(`${operator.door.assets}/batch`, {
          assetIds: [free.assetId, held.assetId],
          action: 'trash',
        }),
      ).toEqual(inUse)
      expect(await operator.deletesFolder(above.folderId)).toEqual(inUse)
      expect(await client.portal.trashes(held.assetId)).toEqual(inUse)
      for (const { assetId } of [held, free])
        expect((await operator.reads(assetId)).body.trashedAt).toBe(null)

      const forced = await operator.delete(`${operator.door.assets}/folders`, {
        folderId: above.folderId,
        force: true,
      })
      expect(forced.body.deleted).toEqual({ folders: 2, assets: 1 })
    },
  )

  test.each(['draft', 'done', 'cancelled'] as const)('%s is not held', async (status) => {
    const client = await w.newClient()
    const { assetId } = await client.operator.uploads()
    await records(client, 'website-job', 'j-1', { assetRefs: [assetId], status: 'scheduled' })
    await records(client, 'website-job', 'j-1', { assetRefs: [assetId], status })
    expect((await client.operator.trashes(assetId)).status).toBe(200)
  })

  test('trashed and scheduled at the same moment is either, never both', async () => {
    const client = await w.newClient()
    const { operator } = client
    for (let round = 0; round < 6; round++) {
      const { folderId } = await operator.makesFolder(`Round ${round}`)
      const { assetId } = await operator.uploads(png(1, 1 + round), { session: { folderId } })
      const [trashed, scheduled] = await Promise.all([
        round % 2 ? operator.trashes(assetId) : operator.deletesFolder(folderId),
        records(client, 'website-job', `j-${round}`, { assetRefs: [assetId], status: 'scheduled' }),
      ])
      expect([trashed.status, scheduled.status].sort()).toEqual(
        trashed.status === 200 ? [200, 422] : [201, 409],
      )
    }
  })

  test('is told from one that is not by a filter of the list', async () => {
    const client = await w.newClient()
    const [one, two, three] = [
      await client.operator.uploads(),
      await client.operator.uploads(png(2, 2)),
      await client.operator.uploads(png(3, 3)),
    ]
    await records(client, 'blog-post', 'b', { featuredAssetRef: `${one.assetRef}@1`, status: 'done' })
    await records(client, 'blog-post', 'c', { featuredAssetRef: three.assetRef, status: 'cancelled' })
    const listed = async (used: boolean) =>
      (await client.portal.lists({ used, everywhere: true })).body.assets
        .map(({ assetId }: Asset) => assetId)
        .sort()
    expect(await listed(true)).toEqual([one.assetId])
    expect(await listed(false)).toEqual([two.assetId, three.assetId].sort())
  })
})

describe('replacing a ref everywhere', () => {
  test('changes the uses that go on, and tells which', async () => {
    const client = await w.newClient()
    const [old, fresh] = [await client.operator.uploads(), await client.operator.uploads(png(2, 2))]
    for (const status of ['draft', 'scheduled', 'running', 'done', 'cancelled'] as const)
      await records(client, 'blog-post', status, {
        featuredAssetRef: old.assetRef,
        assetRefs: [fresh.assetRef, `${old.assetRef}@1`, old.assetRef],
        status,
      })
    const { status, body } = await client.agent.post(`${at(client)}/asset-refs/replace`, {
      from: old.assetRef,
      to: fresh.assetRef,
    })
    expect(status).toBe(200)
    expect(idsOf(body.uses).sort()).toEqual(['draft', 'running', 'scheduled'])
    for (const use of await uses(client)) {
      const swapped = ['draft', 'running', 'scheduled'].includes(use.status)
      expect(use.featuredAssetRef).toBe(swapped ? fresh.assetRef : old.assetRef)
      expect(use.assetRefs).toEqual(
        swapped
          ? [fresh.assetRef, fresh.assetRef, fresh.assetRef]
          : [fresh.assetRef, `${old.assetRef}@1`, old.assetRef],
      )
    }
    expect((await client.operator.trashes(old.assetId)).status).toBe(200)
    expect(await client.operator.trashes(fresh.assetId)).toEqual(refusal('in-use'))
  })

  test('of a pinned ref means that pin only', async () => {
    const client = await w.newClient()
    const [old, fresh] = [await client.operator.uploads(), await client.operator.uploads(png(2, 2))]
    await records(client, 'blog-post', 'b', {
      assetRefs: [old.assetRef, `${old.assetRef}@1`],
      status: 'draft',
    })
    await client.agent.post(`${at(client)}/asset-refs/replace`, {
      from: `${old.assetRef}@1`,
      to: fresh.assetRef,
    })
    expect((await uses(client))[0]!.assetRefs).toEqual([old.assetRef, fresh.assetRef])
  })

  test('changes nothing when one of them does not allow the new one', async () => {
    const client = await w.newClient()
    const old = await client.operator.uploads()
    const webOnly = await client.operator.uploads(png(2, 2), { words: { allowedSurfaces: ['website'] } })
    await records(client, 'blog-post', 'b', { assetRefs: [old.assetRef], status: 'draft' })
    await records(client, 'social-post', 's', { assetRefs: [old.assetRef], status: 'draft' })
    const before = await uses(client)
    const swap = { from: old.assetRef, to: webOnly.assetRef }
    expect(await client.agent.post(`${at(client)}/asset-refs/replace`, swap)).toEqual(
      refusal('refs-not-allowed'),
    )
    expect(await uses(client)).toEqual(before)
  })

  test('a foreign asset is a 404 like an absent one, on either side', async () => {
    const client = await w.newClient()
    const own = await client.operator.uploads()
    const foreign = await (await w.newClient()).operator.uploads()
    for (const swap of [
      { from: foreign.assetRef, to: own.assetRef },
      { from: own.assetRef, to: foreign.assetRef },
      { from: newId('asset'), to: own.assetRef },
      { from: own.assetRef, to: newId('asset') },
      { from: 'odd', to: own.assetRef },
    ])
      expect(await client.agent.post(`${at(client)}/asset-refs/replace`, swap)).toEqual(refusal('not-found'))
  })
})

describe('a social post that is done', () => {
  const folderNames = async ({ operator }: ClientWorld, assetId: string) => {
    const { folderId } = (await operator.reads(assetId)).body
    return (await operator.lists({ folderId })).body.path.map(({ name }: { name: string }) => name)
  }

  test('files its assets under Social/Posted, making the folders', async () => {
    const client = await w.newClient()
    const [one, two] = [await client.operator.uploads(), await client.operator.uploads(png(2, 2))]
    const refs = { assetRefs: [one.assetRef, `${two.assetRef}@1`, one.assetRef] }
    await records(client, 'social-post', 'p', { ...refs, status: 'running' })
    expect((await client.operator.reads(one.assetId)).body.folderId).toBe(null)
    await records(client, 'social-post', 'p', { ...refs, status: 'done' })
    for (const { assetId } of [one, two])
      expect(await folderNames(client, assetId)).toEqual(['Social', 'Posted'])
  })

  test('uses the folders that are there, however they are written, and leaves what lies below them', async () => {
    const client = await w.newClient()
    const social = await client.social.makesFolder('SOCIAL')
    const posted = await client.social.makesFolder('posted', social.folderId)
    const { folderId } = await client.social.makesFolder('May', posted.folderId)
    const [one, two] = [
      await client.operator.uploads(),
      await client.operator.uploads(png(2, 2), { session: { folderId } }),
    ]
    await records(client, 'social-post', 'p', { assetRefs: [one.assetRef, two.assetRef], status: 'done' })
    expect((await client.operator.reads(one.assetId)).body.folderId).toBe(posted.folderId)
    expect((await client.operator.reads(two.assetId)).body.folderId).toBe(folderId)
  })

  test('files once: what somebody moves afterwards stays there', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    const done: UseInput = { assetRefs: [asset.assetRef], status: 'done' }
    await records(client, 'social-post', 'p', done)
    const { folderId } = await client.operator.makesFolder('Best of')
    await client.operator.edits(asset.assetId, { folderId })
    await records(client, 'social-post', 'p', done)
    await records(client, 'social-post', 'p', { ...done, status: 'running' })
    await records(client, 'social-post', 'p', { ...done, title: 'Corrected' })
    expect((await client.operator.reads(asset.assetId)).body.folderId).toBe(folderId)
  })

  test('by many agents at once makes the folders once', async () => {
    const client = await w.newClient()
    const assets = await Promise.all([1, 2, 3].map((height) => client.operator.uploads(png(1, height))))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        records(client, 'social-post', `p${i}`, {
          assetRefs: [assets[i % 3]!.assetRef, assets[(i + 1) % 3]!.assetRef],
          status: 'done',
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    const { body } = await client.operator.get(`${client.operator.door.assets}/folders`)
    expect(body.folders.map(({ name }: { name: string }) => name).sort()).toEqual(['Posted', 'Social'])
    for (const { assetId } of assets) expect(await folderNames(client, assetId)).toEqual(['Social', 'Posted'])
  })

  test('leaves assets of other kinds of uses where they are', async () => {
    const client = await w.newClient()
    const asset = await client.operator.uploads()
    await records(client, 'blog-post', 'b', { assetRefs: [asset.assetRef], status: 'done' })
    expect((await client.operator.reads(asset.assetId)).body.folderId).toBe(null)
  })
})

test('a purged asset leaves its uses, which still say what they pointed to', async () => {
  const client = await w.newClient()
  const asset = await client.operator.uploads()
  await records(client, 'blog-post', 'b', { featuredAssetRef: asset.assetRef, status: 'done' })
  await client.operator.trashes(asset.assetId)
  await w.parts.database.pool.query(
    `update assets set trashed_at = now() - interval '40 days' where id = $1`,
    [asset.assetId],
  )
  await purgeTrash(w.parts)
  expect((await client.operator.reads(asset.assetId)).status).toBe(404)
  expect((await uses(client))[0]!.featuredAssetRef).toBe(asset.assetRef)
})
