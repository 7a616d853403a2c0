import { readFile } from 'node:fs/promises'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { type Asset, AssetPage, AssetRecord } from '../contract/assets.ts'
import { sorts } from '../contract/search.ts'
import { originalKey } from '../server/assets/asset.ts'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { purgeTrash } from '../server/trash/purge.ts'
import type { Person } from './person.ts'
import { pixel, png, pngOfSize } from './pictures.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

// No jobs: an asset changes only when a test changes it.
const w = await world({ ROLE: 'api' })

/** What lists leave out, of an asset of which there is nothing to say. */
const onlyInRecord = { pictureText: null, mergedInto: null }

describe('the record', () => {
  test('is what the contract says', async () => {
    const { operator, clientId } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const asset = await operator.uploads(png(3, 2), {
      session: { originalFilename: 'card.png', folderId },
      words: {
        description: 'A card',
        altText: ' Alt ',
        tags: ['b', 'a', 'b'],
        allowedSurfaces: ['social', 'gbp'],
      },
    })
    const { status, body, headers } = await operator.reads(asset.assetId)
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(Value.Errors(AssetRecord, body)).toEqual([])
    expect(Object.keys(body).sort()).toEqual(Object.keys(AssetRecord.properties).sort())
    expect(body).toMatchObject({
      assetId: asset.assetId,
      assetRef: asset.assetId,
      clientId,
      folderId,
      title: 'card',
      description: 'A card',
      altText: 'Alt',
      tags: ['b', 'a'],
      allowedSurfaces: ['gbp', 'social'],
      originalFilename: 'card.png',
      mimeType: 'image/png',
      sizeBytes: png(3, 2).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      width: 3,
      height: 2,
      durationSeconds: null,
      version: 1,
      media: { state: 'pending', placeholder: null, problem: null, storyboard: null },
      details: expect.objectContaining({ hasAlpha: false, isAnimated: false, hasGps: false }),
      createdAt: expect.stringMatching(/Z$/),
      createdBy: operator.id,
      updatedAt: expect.stringMatching(/Z$/),
      trashedAt: null,
    })
    const { body: page } = await operator.lists({ folderId })
    expect(Value.Errors(AssetPage, page)).toEqual([])
    // Lists do not carry what was read in the picture.
    expect(page.assets.map((listed: Asset) => ({ ...listed, ...onlyInRecord }))).toEqual([body])
  })

  test('is edited, and tells its new state', async () => {
    const { portal, operator } = await w.newClient()
    const { assetId } = await portal.uploads()
    const { folderId } = await portal.makesFolder('Menus')
    const change = {
      title: ' New ',
      description: 'Words\nin lines',
      altText: 'Alt',
      tags: ['x'],
      allowedSurfaces: ['website'],
      folderId,
    }
    const edited = await portal.edits(assetId, change)
    expect(edited).toMatchObject({ status: 200, body: { ...change, title: 'New' } })
    const read = await operator.reads(assetId)
    expect(read.body).toEqual({ ...edited.body, ...onlyInRecord })
    expect(read.headers.get('etag')).toBe(edited.headers.get('etag'))
    expect((await portal.edits(assetId, { folderId: null })).body).toMatchObject({
      title: 'New',
      folderId: null,
    })
  })

  test('is not changed on the strength of an old ETag', async () => {
    const { operator, portal } = await w.newClient()
    const { assetId } = await operator.uploads()
    const old = { 'if-match': (await operator.reads(assetId)).headers.get('etag')! }
    const first = await operator.edits(assetId, { title: 'Mine' }, old)
    expect(first.status).toBe(200)
    expect(await portal.edits(assetId, { title: 'Theirs' }, old)).toEqual(refusal('changed-meanwhile'))
    expect(await portal.delete(`${portal.door.assets}/${assetId}`, undefined, old)).toEqual(
      refusal('changed-meanwhile'),
    )
    expect((await operator.reads(assetId)).body).toMatchObject({ title: 'Mine', trashedAt: null })
    const either = { 'if-match': `"x", ${first.headers.get('etag')}` }
    expect((await portal.edits(assetId, { title: 'Theirs' }, either)).status).toBe(200)
    expect((await portal.edits(assetId, { title: 'Any' }, { 'if-match': '*' })).status).toBe(200)
  })

  test('has a focal point and crops that are this picture’s, or says all that is wrong with them', async () => {
    const { operator, portal, clientId } = await w.newClient()
    const { assetId, focalPoint, crops } = await operator.uploads(png(640, 960))
    expect({ focalPoint, crops }).toEqual({ focalPoint: null, crops: {} })
    const framing = {
      focalPoint: { x: 0.25, y: 1 },
      crops: { '4:5': { x: 0.1, y: 0.2, width: 0.5, height: 400 / 960 } },
    }
    const edited = await portal.edits(assetId, framing)
    expect(edited).toMatchObject({ status: 200, body: { ...framing, focalPointIsGuess: false } })
    const told = await w.parts.db
      .selectFrom('events')
      .select(['data', 'actor'])
      .where('client_id', '=', clientId)
      .where('type', '=', 'asset.updated')
      .executeTakeFirst()
    expect(told).toMatchObject({
      actor: portal.id,
      data: { asset: framing, changed: ['focalPoint', 'crops'] },
    })
    const wrong = {
      '1:1': { x: 0.5, y: 0, width: 0.6, height: 0.4 },
      '4:5': { x: 0, y: 0.5, width: 1, height: 800 / 960 },
      '16:9': { x: 0, y: 0, width: 1, height: 362 / 960 },
      '3:4': { x: 0, y: 0, width: 1, height: 853 / 960 },
    }
    const refused = await operator.edits(assetId, { crops: wrong })
    expect(refused).toEqual(refusal('invalid-request'))
    expect(refused.body.errors).toEqual([
      { path: '/crops/1:1', message: expect.stringContaining('right edge') },
      { path: '/crops/4:5', message: expect.stringContaining('lower edge') },
      { path: '/crops/16:9', message: expect.stringContaining('640 × 362') },
    ])
    const outside = await operator.edits(assetId, { focalPoint: { x: 1.2, y: -1 }, crops: { '7:3': {} } })
    expect(outside).toEqual(refusal('invalid-request'))
    expect(outside.body.errors.length).toBeGreaterThan(2)
    expect((await operator.reads(assetId)).body).toMatchObject(framing)
    const reset = await operator.edits(assetId, { focalPoint: null, crops: {} })
    expect(reset.body).toMatchObject({ focalPoint: null, crops: {} })

    const film = await operator.uploads(await readFile(fixturePath('a.mp4')), {
      session: { originalFilename: 'a.mp4', mimeType: 'video/mp4' },
    })
    expect((await operator.edits(film.assetId, framing)).body.errors).toMatchObject([
      { path: '/focalPoint' },
      { path: '/crops' },
    ])
  })

  test('lets one of two changes on the same ETag win', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads()
    const etag = { 'if-match': (await operator.reads(assetId)).headers.get('etag')! }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => operator.edits(assetId, { title: `Title ${i}` }, etag)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9)
  })

  test.each([
    ['no change at all', {}],
    ['an empty title', { title: ' ' }],
    ['a title that shows nothing', { title: '\u200B \u2800\u3164' }],
    ['a title that turns around', { title: 'photo\u202Egpj.exe' }],
    ['a title of two lines', { title: 'a\nb' }],
    ['a long title', { title: 'x'.repeat(201) }],
    ['a surface that is none', { allowedSurfaces: ['tv'] }],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
    ['an empty tag', { tags: [' '] }],
    ['a tag that shows nothing', { tags: ['\u2060\u00AD\u{E0020}'] }],
    ['a tag that turns around', { tags: ['\u2067summer'] }],
    ['a long tag', { tags: ['x'.repeat(61)] }],
    ['a long description', { description: 'x'.repeat(5001) }],
    ['NUL', { altText: 'a\0b' }],
  ])('refuses %s', async (_, change) => {
    const { operator } = await w.newClient()
    const asset = await operator.uploads()
    expect(await operator.edits(asset.assetId, change)).toEqual(refusal('invalid-request'))
    expect((await operator.reads(asset.assetId)).body.updatedAt).toBe(asset.updatedAt)
  })

  test('keeps what is said without what nobody sees and turns it', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads()
    const turned = 'Menu \u202a\u2066of\u2069\u0007 spring\u2028for \u200fthe window\u202e'
    await operator.edits(assetId, { description: turned, altText: turned })
    const plain = 'Menu of spring\nfor \u200fthe window'
    expect((await operator.reads(assetId)).body).toMatchObject({ description: plain, altText: plain })
  })

  test('says what is wrong with a title that nobody would see', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads()
    const { body } = await operator.edits(assetId, { title: 'photo\u202Egpj.exe' })
    expect(body.detail).toMatch(/^Correct the body: \/title must be on one line, .*U\+202E/)
    expect(body.errors).toEqual([{ path: '/title', message: expect.any(String), rule: 'plain' }])
  })
})

describe('a list', () => {
  test.each(sorts)(
    'by %s goes through 230 assets, none twice and none left out, while others come and go',
    async (sort) => {
      const { viewer, clientId } = await w.newClient()
      await plants(clientId, 230)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const { status, body } = await viewer.lists({ sort, limit: 50, ...(cursor && { cursor }) })
        expect(status).toBe(200)
        seen.push(...idsOf(body.assets))
        cursor = body.nextCursor ?? undefined
        await plants(clientId, 7, 'Comes later')
      } while (cursor)
      const first = await w.parts.db
        .selectFrom('assets')
        .select('id')
        .where('client_id', '=', clientId)
        .where('title', 'not like', 'Comes later%')
        .execute()
      expect(first).toHaveLength(230)
      expect(new Set(seen).size).toBe(seen.length)
      for (const { id } of first) expect(seen).toContain(id)
    },
  )

  test('is in the order asked for', async () => {
    const { viewer, clientId } = await w.newClient()
    await plants(clientId, 60)
    const all = async (sort: string) => (await viewer.lists({ sort, limit: 200 })).body.assets
    const sorted = (assets: never[], before: (a: never, b: never) => boolean) =>
      assets.every((asset, i) => i === 0 || before(assets[i - 1]!, asset))
    expect(sorted(await all('size'), (a: Asset, b: Asset) => a.sizeBytes >= b.sizeBytes)).toBe(true)
    expect(sorted(await all('newest'), (a: Asset, b: Asset) => a.createdAt >= b.createdAt)).toBe(true)
    expect(sorted(await all('oldest'), (a: Asset, b: Asset) => a.createdAt <= b.createdAt)).toBe(true)
    const titles = (await all('title')).map((asset: Asset) => asset.title.toLowerCase())
    expect(titles).toEqual([...titles].sort())
    expect(idsOf((await viewer.lists({ limit: 200 })).body.assets)).toEqual(idsOf(await all('newest')))
  })

  test('ends with a null cursor, and has 50 a page unless told', async () => {
    const { viewer, clientId } = await w.newClient()
    await plants(clientId, 51)
    const { body } = await viewer.lists()
    expect(body.assets).toHaveLength(50)
    const { body: rest } = await viewer.lists({ cursor: body.nextCursor })
    expect([rest.assets.length, rest.nextCursor]).toEqual([1, null])
    for (const limit of ['0', '201', 'x', '1.5', '-1'])
      expect(await viewer.lists({ limit })).toEqual(refusal('invalid-request'))
  })

  test('is counted when somebody asks for it', async () => {
    const { operator, viewer } = await w.newClient()
    for (const colour of [1, 2, 3]) await operator.uploads(png(1, 1, [colour, 0, 0]))
    expect((await viewer.lists({ limit: 2, count: true })).body).toMatchObject({
      total: 3,
      nextCursor: expect.any(String),
    })
    expect((await viewer.lists({ limit: 2 })).body.total).toBeNull()
    expect((await viewer.lists({ count: true, q: 'nothing of the kind' })).body.total).toBe(0)
    for (const [countUpTo, total] of [
      [2, 2],
      [3, 3],
      [4, 3],
    ] as const)
      for (const limit of [1, 50]) expect((await viewer.lists({ limit, countUpTo })).body.total).toBe(total)
  })

  test.each([
    ['nonsense', 'nonsense'],
    ['no list', cursorOf({})],
    ['too few keys', cursorOf(['newest', 'x'])],
    ['another sort', cursorOf(['title', 'x', 'y'])],
    ['a sort that is none', cursorOf(['__proto__', 'x', 'y'])],
    ['a date that is none', cursorOf(['newest', 'no date', 'y'])],
    ['a day that does not exist', cursorOf(['newest', '2026-02-30T00:00:00.000Z', 'y'])],
    ['an hour that does not exist', cursorOf(['newest', '2026-02-20T24:00:00.000Z', 'y'])],
    ['an object for a key', cursorOf(['newest', {}, 'y'])],
    ['a number out of range', cursorOf(['newest', 1e300, 'y'])],
    ['NUL', cursorOf(['newest', 'a\0', 'y'])],
    ['2 kB', 'x'.repeat(2001)],
  ])('refuses a cursor of %s', async (_, cursor) => {
    const { viewer } = await w.newClient()
    expect(await viewer.lists({ cursor })).toEqual(refusal('invalid-request'))
  })

  test('refuses a cursor of another sort, and odd sizes in one', async () => {
    const { viewer, clientId } = await w.newClient()
    await plants(clientId, 3)
    const { body } = await viewer.lists({ limit: 1, sort: 'size' })
    expect(await viewer.lists({ limit: 1, sort: 'title', cursor: body.nextCursor })).toEqual(
      refusal('invalid-request'),
    )
    expect(await viewer.lists({ sort: 'size', cursor: cursorOf(['size', 'big', 'y']) })).toEqual(
      refusal('invalid-request'),
    )
  })

  test('refuses a filter that it does not know', async () => {
    const { viewer } = await w.newClient()
    const odd: Record<string, string>[] = [
      { surface: 'tv' },
      { sort: 'random' },
      { page: '2' },
      { everywhere: 'maybe' },
    ]
    for (const query of odd) expect(await viewer.lists(query)).toEqual(refusal('invalid-request'))
  })
})

describe('search', () => {
  test('finds words in title, description, alt text, tags and file name, in any order and case', async () => {
    const { operator, finds, makes } = await searchers()
    const byTitle = await makes({ title: 'Crème BRÛLÉE' })
    const byDescription = await makes({ description: 'A spoon\nof sugar' })
    const byAlt = await makes({ altText: 'Burnt topping' })
    const byTag = await makes({ tags: ['Dessert'] })
    const byName = await makes({ title: 'Other' }, 'IMG_2041-final.png')
    expect(await finds('brûlée')).toEqual([byTitle])
    expect(await finds('CRÈME bru\u0302le\u0301e')).toEqual([byTitle])
    expect(await finds('sugar spoon')).toEqual([byDescription])
    expect(await finds('topp')).toEqual([byAlt])
    expect(await finds('dessert')).toEqual([byTag])
    expect(await finds('img_2041')).toEqual([byName])
    expect(await finds('sugar topping')).toEqual([])
    expect(await finds('   ')).toHaveLength(5)
    await operator.edits(byTag, { tags: [] })
    expect(await finds('dessert')).toEqual([])
  })

  test('takes %, _ and \\ as they are', async () => {
    const { finds, makes } = await searchers()
    const percent = await makes({ title: '100% wool' })
    const underscore = await makes({ title: 'snake_case' })
    const backslash = await makes({ title: 'back\\slash' })
    expect(await finds('100%')).toEqual([percent])
    expect(await finds('%')).toEqual([percent])
    expect(await finds('e_c')).toEqual([underscore])
    expect(await finds('\\')).toEqual([backslash])
    expect(await finds('\\%')).toEqual([])
    expect(await finds("'; drop table assets; --")).toEqual([])
  })

  test('finds a file name however its letters were composed', async () => {
    const { operator, finds } = await searchers()
    const { assetId } = await operator.uploads(pixel, {
      session: { originalFilename: 'Cafe\u0301.png' },
      words: { title: 'Other' },
    })
    expect(await finds('café')).toEqual([assetId])
  })
})

describe('filters', () => {
  test('narrow a list by tag, surface, type and missing alt text', async () => {
    const { operator, clientId } = await w.newClient()
    const finds = async (query: Record<string, string | boolean>) =>
      (await operator.lists(query)).body.assets.map((asset: Asset) => asset.title).sort()
    await plant(clientId, { title: 'all', tags: ['a', 'é'], allowed_surfaces: [], alt_text: 'Alt' })
    await plant(clientId, { title: 'web', tags: ['a b'], allowed_surfaces: ['website'] })
    await plant(clientId, { title: 'film', mime_type: 'video/mp4', allowed_surfaces: ['gbp', 'social'] })
    expect(await finds({ tag: 'a' })).toEqual(['all'])
    expect(await finds({ tag: 'e\u0301' })).toEqual(['all'])
    expect(await finds({ tag: 'A' })).toEqual(['all'])
    expect(await finds({ tag: 'a b' })).toEqual(['web'])
    expect(await finds({ surface: 'website' })).toEqual(['all', 'web'])
    expect(await finds({ surface: 'social' })).toEqual(['all', 'film'])
    expect(await finds({ mimeType: 'video/mp4' })).toEqual(['film'])
    expect(await finds({ mimeType: 'image/*' })).toEqual(['all', 'web'])
    expect(await finds({ mimeType: '%/*' })).toEqual([])
    expect(await finds({ missingAltText: true })).toEqual(['film', 'web'])
    expect(await finds({ missingAltText: false })).toEqual(['all'])
  })

  test('look into one folder, or everywhere', async () => {
    const { operator, clientId } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const top = await plant(clientId, { title: 'top' })
    const inside = await plant(clientId, { title: 'inside', folder_id: folderId })
    expect(idsOf((await operator.lists()).body.assets)).toEqual([top])
    expect(idsOf((await operator.lists({ folderId })).body.assets)).toEqual([inside])
    expect(idsOf((await operator.lists({ everywhere: true })).body.assets).sort()).toEqual(
      [top, inside].sort(),
    )
    expect(idsOf((await operator.lists({ everywhere: true, folderId })).body.assets).sort()).toEqual(
      [top, inside].sort(),
    )
  })

  test('look into a folder and all below it, page by page', async () => {
    const { operator, portal, clientId } = await w.newClient()
    const season = await operator.makesFolder('Season')
    const summer = await operator.makesFolder('Summer menu', season.folderId)
    const terrace = await operator.makesFolder('Terrace menu', summer.folderId)
    const gone = await operator.makesFolder('Old menu', season.folderId)
    const stranger = await (await w.newClient()).operator.makesFolder('Season')
    const at = (title: string, folder_id?: string) =>
      plant(clientId, { title, ...(folder_id && { folder_id }) })
    await at('top menu')
    for (const { folderId } of [season, summer, terrace, terrace, gone]) await at('menu', folderId)
    await at('bread', terrace.folderId)
    await operator.deletesFolder(gone.folderId)
    const { folderId } = season

    const all = await operator.lists({ folderId, below: true, count: true })
    expect(all.body).toMatchObject({ total: 5, folders: [], folder: { name: 'Season' } })
    const found = await portal.lists({ folderId, below: true, q: 'menu' })
    expect(found.body.assets).toHaveLength(4)
    expect(found.body.folders.map(({ name }: { name: string }) => name)).toEqual([
      'Summer menu',
      'Terrace menu',
    ])
    expect((await operator.lists({ below: true })).body.assets).toHaveLength(6)

    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await operator.lists({ folderId, below: true, limit: 2, ...(cursor && { cursor }) })
      seen.push(...idsOf(body.assets))
      cursor = body.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(idsOf(all.body.assets))
    const { body: ids } = await operator.get(`${operator.door.assets}/ids?below=true&folderId=${folderId}`)
    expect(ids.assetIds).toEqual(seen)

    for (const { folderId } of [gone, stranger])
      expect(await operator.lists({ folderId, below: true })).toEqual(refusal('not-found'))
  })
})

describe('a batch', () => {
  test('does each of its actions to the assets that can have it, and says why not of the others', async () => {
    const { portal, clientId } = await w.newClient()
    const { folderId } = await portal.makesFolder('Menus')
    const [a, b, trashed] = [
      await plant(clientId, { tags: ['x', 'old'] }),
      await plant(clientId),
      await plant(clientId, { trashed_at: new Date() }),
    ]
    const foreign = await plant((await w.newClient()).clientId)
    const runs = async (action: object) => {
      const assetIds = [a!, foreign!, b!, 'odd', trashed!, folderId, a!]
      const { status, body } = await portal.post(`${portal.door.assets}/batch`, { assetIds, ...action })
      expect(status).toBe(200)
      return body.results as { assetId: string; ok: boolean; asset?: Asset; problem?: { code: string } }[]
    }
    const read = async (assetId: string): Promise<Asset> => (await portal.reads(assetId)).body

    const moved = await runs({ action: 'move', folderId })
    expect(moved.map(({ assetId, ok, problem }) => [assetId, ok, problem?.code])).toEqual([
      [a, true, undefined],
      [foreign, false, 'not-found'],
      [b, true, undefined],
      ['odd', false, 'not-found'],
      [trashed, false, 'not-found'],
      [folderId, false, 'not-found'],
    ])
    expect({ ...moved[0]!.asset, ...onlyInRecord }).toEqual(await read(a!))
    expect((await read(a!)).folderId).toBe(folderId)

    await runs({ action: 'tag', tags: ['new', 'x', ' new '] })
    expect((await read(a!)).tags).toEqual(['x', 'old', 'new'])
    expect((await read(b!)).tags).toEqual(['new', 'x'])
    await runs({ action: 'untag', tags: ['x', 'never'] })
    expect((await read(a!)).tags).toEqual(['old', 'new'])
    await runs({ action: 'surfaces', allowedSurfaces: ['social'] })
    expect((await read(b!)).allowedSurfaces).toEqual(['social'])
    await runs({ action: 'move', folderId: null })
    expect((await read(b!)).folderId).toBeNull()

    // What is so already is done, and nothing for which somebody's own change would be refused.
    const tag = async () => (await portal.reads(b!)).headers.get('etag')
    const before = await tag()
    for (const action of [
      { action: 'move', folderId: null },
      { action: 'tag', tags: ['New'] },
      { action: 'untag', tags: ['never'] },
      { action: 'surfaces', allowedSurfaces: ['social', 'social'] },
      { action: 'surfaces', addSurfaces: ['social'], removeSurfaces: ['gbp'] },
    ])
      expect((await runs(action)).filter(({ ok }) => ok)).toHaveLength(2)
    expect(await tag()).toBe(before)

    expect((await runs({ action: 'trash' })).filter(({ ok }) => ok)).toHaveLength(2)
    expect((await portal.lists({ everywhere: true })).body.assets).toEqual([])
    expect((await runs({ action: 'restore' })).filter(({ ok }) => ok)).toHaveLength(3)
    expect((await portal.lists({ everywhere: true })).body.assets).toHaveLength(3)
  })

  test('keeps an asset from having too many tags', async () => {
    const { operator, clientId } = await w.newClient()
    const full = await plant(clientId, { tags: Array.from({ length: 50 }, (_, i) => `t${i}`) })
    const { body } = await operator.post(`${operator.door.assets}/batch`, {
      assetIds: [full],
      action: 'tag',
      tags: ['more'],
    })
    expect(body.results).toMatchObject([{ ok: false, problem: { code: 'invalid-request' } }])
  })

  test('leaves alone what somebody has changed since', async () => {
    const { operator, portal, clientId } = await w.newClient()
    const { folderId: menus } = await operator.makesFolder('Menus')
    const { folderId: odd } = await operator.makesFolder('Odd')
    const [here, moved, limited] = await plants(clientId, 3)
    const path = `${operator.door.assets}/batch`
    const does = async (assetIds: unknown[], what: object) =>
      (await operator.post(path, { assetIds, ...what })).body.results.map(
        ({ ok, problem }: { ok: boolean; problem?: { code: string } }) => (ok ? 'done' : problem!.code),
      )
    const all = [here, moved, limited]
    await does(all, { action: 'move', folderId: menus })
    await portal.edits(moved!, { folderId: odd })
    await portal.edits(limited!, { allowedSurfaces: ['social'] })
    expect(await does(all, { action: 'move', folderId: null, still: { folderId: menus } })).toEqual([
      ...['done', 'changed-meanwhile', 'done'],
    ])
    const still = { folderId: null, allowedSurfaces: [] }
    const surfaces = { action: 'surfaces', allowedSurfaces: ['website'], still }
    expect(await does(all, surfaces)).toEqual(['done', 'changed-meanwhile', 'changed-meanwhile'])
    expect((await operator.reads(moved!)).body.folderId).toBe(odd)
    expect((await operator.reads(limited!)).body.allowedSurfaces).toEqual(['social'])
  })

  test('sets how long many may be used, and how they came about', async () => {
    const { operator, portal, clientId } = await w.newClient()
    const [open, ending, trashed] = await plants(clientId, 3)
    const end = '2031-01-01T00:00:00.000Z'
    await operator.edits(ending!, { rightsExpireAt: end })
    await operator.trashes(trashed!)
    const all = [open, ending, trashed]
    const does = async (what: object) =>
      (await operator.post(`${operator.door.assets}/batch`, { assetIds: all, ...what })).body.results
    const revision = async () => (await operator.reads(ending!)).headers.get('etag')
    const before = await revision()
    expect(await does({ action: 'rights', rightsExpireAt: '2031-01-01T01:00:00+01:00' })).toMatchObject([
      { ok: true, asset: { rightsExpireAt: end }, before: { rightsExpireAt: null } },
      { ok: true, asset: { rightsExpireAt: end }, before: { rightsExpireAt: end } },
      { ok: false, problem: { code: 'not-found' } },
    ])
    expect(await revision(), 'nothing that was so already').toBe(before)
    expect(await does({ action: 'provenance', provenance: 'stock' })).toMatchObject([
      { asset: { provenance: 'stock', rightsExpireAt: end }, before: { provenance: 'unknown' } },
      { asset: { provenance: 'stock', rightsExpireAt: end } },
      { ok: false },
    ])

    // Taken back where it still is so.
    await portal.edits(open!, { rightsExpireAt: '2032-01-01T00:00:00.000Z', provenance: 'camera' })
    const still = { rightsExpireAt: end, provenance: 'stock' }
    for (const back of [
      { action: 'rights', rightsExpireAt: null, still },
      { action: 'provenance', provenance: 'unknown', still: { provenance: 'stock' } },
    ])
      expect(await does(back)).toMatchObject([{ problem: { code: 'changed-meanwhile' } }, { ok: true }, {}])
    expect((await operator.reads(ending!)).body).toMatchObject({
      rightsExpireAt: null,
      provenance: 'unknown',
    })
    expect((await operator.reads(open!)).body).toMatchObject({ provenance: 'camera' })
  })

  test('asks for what its action needs', async () => {
    const { operator, agent, clientId } = await w.newClient()
    const assetIds = [await plant(clientId)]
    const path = `${operator.door.assets}/batch`
    for (const body of [
      { assetIds, action: 'move' },
      { assetIds, action: 'tag' },
      { assetIds, action: 'surfaces' },
      { assetIds, action: 'rights' },
      { assetIds, action: 'rights', rightsExpireAt: 'soon' },
      { assetIds, action: 'provenance' },
      { assetIds, action: 'provenance', provenance: 'dreamt' },
      { assetIds: [], action: 'trash' },
      { assetIds: Array.from({ length: 501 }, () => newId('asset')), action: 'trash' },
      { assetIds, action: 'burn' },
    ])
      expect(await operator.post(path, body)).toEqual(refusal('invalid-request'))
    for (const action of ['trash', 'restore'])
      expect(await agent.post(path, { assetIds, action })).toEqual(refusal('forbidden'))
    expect((await agent.post(path, { assetIds, action: 'tag', tags: ['a'] })).status).toBe(200)
  })

  test('of 500 assets from both ends at once waits and does not fail', async () => {
    const { operator, clientId } = await w.newClient()
    const assetIds = await plants(clientId, 500)
    const tags = (ids: string[], tag: string) =>
      operator.post(`${operator.door.assets}/batch`, { assetIds: ids, action: 'tag', tags: [tag] })
    const answers = await Promise.all([
      tags(assetIds, 'a'),
      tags([...assetIds].reverse(), 'b'),
      tags(assetIds, 'c'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([...(await operator.reads(assetIds[9]!)).body.tags].sort()).toEqual(['a', 'b', 'c'])
  })
})

describe('the trash', () => {
  test('takes an asset and gives it back to its folder', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const { assetId } = await operator.uploads(pixel, { session: { folderId } })
    const trashed = await operator.trashes(assetId)
    expect(trashed).toMatchObject({ status: 200, body: { assetId, trashedAt: expect.any(String) } })
    expect((await operator.lists({ folderId })).body.assets).toEqual([])
    expect(idsOf((await operator.lists({ trashed: true })).body.assets)).toEqual([assetId])
    expect(await operator.trashes(assetId)).toEqual(refusal('not-found'))
    expect(await operator.edits(assetId, { title: 'New' })).toEqual(refusal('not-found'))

    expect((await operator.restores(assetId)).body).toMatchObject({ folderId, trashedAt: null })
    expect((await operator.restores(assetId)).status).toBe(200)
    expect(idsOf((await operator.lists({ folderId })).body.assets)).toEqual([assetId])
  })

  test('gives an asset back to the top when its folder is gone', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const { assetId } = await operator.uploads(pixel, { session: { folderId } })
    await operator.trashes(assetId)
    await operator.deletesFolder(folderId)
    expect((await operator.restores(assetId)).body.folderId).toBeNull()
  })

  test('is emptied after 30 days: rows, files and quota', async () => {
    const { operator, clientId } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const kept = await operator.uploads(png(2, 2))
    const young = await operator.uploads(png(3, 3))
    const old = await operator.uploads(png(4, 4), { session: { folderId } })
    await operator.uploads(png(5, 5), { session: { replacesAssetId: old.assetId } })
    await operator.trashes(young.assetId)
    await operator.deletesFolder(folderId)
    await agesTrash(clientId, { exceptAsset: young.assetId })

    await purgeTrash(w.parts)
    expect((await operator.reads(old.assetId)).status).toBe(404)
    expect((await operator.reads(young.assetId)).status).toBe(200)
    expect((await operator.lists({ trashed: true })).body.folders).toEqual([])
    const { body: client } = await w.admin.get(`/admin/clients/${clientId}`)
    expect(client.storedBytes).toBe(png(2, 2).length + png(3, 3).length)

    await runsRemovals(clientId)
    const left = await objectsOf(clientId)
    expect(left.filter((key) => key.includes(old.assetId))).toEqual([])
    expect(left.filter((key) => key.includes(kept.assetId))).toHaveLength(1)
    expect(left.filter((key) => key.includes(young.assetId))).toHaveLength(1)
    expect(await eventsOf(clientId, old.assetId)).toContain('asset.purged')
    expect(await eventsOf(clientId, folderId)).toContain('folder.purged')
  })

  test('spares an asset that somebody restores while it is being emptied', async () => {
    const { operator, clientId } = await w.newClient()
    const assets = await Promise.all(Array.from({ length: 6 }, () => operator.uploads()))
    for (const { assetId } of assets) await operator.trashes(assetId)
    await agesTrash(clientId)
    const [, ...answers] = await Promise.all([
      purgeTrash(w.parts),
      ...assets.map(({ assetId }) => operator.restores(assetId)),
    ])
    await runsRemovals(clientId)
    for (const [i, { status }] of answers.entries()) {
      const content = await operator.fetch(`${operator.door.assets}/${assets[i]!.assetId}/content`)
      expect([status, content.status]).toEqual(status === 200 ? [200, 200] : [404, 404])
    }
  })
})

describe('the original', () => {
  const file = pngOfSize(1000, 3)

  test('is sent whole, with headers that keep it harmless', async () => {
    const { viewer, agent } = await w.newClient()
    const { assetId } = await agent.uploads(file, { words: { title: 'Plan "A"' } })
    const answer = await reads(viewer, assetId)
    expect(answer.status).toBe(200)
    expect(answer.bytes.equals(file)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': expect.stringContaining('private'),
      etag: expect.stringMatching(/^"[^"]+"$/),
      'content-disposition': `inline; filename="Plan _A_.png"; filename*=UTF-8''Plan%20%22A%22.png`,
    })
    const download = await reads(viewer, assetId, {}, '?download=true')
    expect(download.headers['content-disposition']).toMatch(/^attachment; /)
  })

  test.each([
    ['from the start', 'bytes=0-9', 0, 9],
    ['in the middle', 'bytes=100-199', 100, 199],
    ['to the end', 'bytes=990-', 990, 999],
    ['the last bytes', 'bytes=-10', 990, 999],
    ['more than there is', 'bytes=990-5000', 990, 999],
    ['a suffix longer than the file', 'bytes=-5000', 0, 999],
  ])('is sent in one range: %s', async (_, range, start, end) => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    const answer = await reads(operator, assetId, { range })
    expect(answer.status).toBe(206)
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/1000`,
      'content-length': String(end - start + 1),
    })
    expect(answer.bytes.equals(file.subarray(start, end + 1))).toBe(true)
  })

  test.each([
    ['behind the end', 'bytes=1000-'],
    ['backwards', 'bytes=9-0'],
    ['of nothing', 'bytes=-0'],
    ['of odd numbers', 'bytes=a-b'],
    ['two at once', 'bytes=0-1,5-6'],
    ['5,000 at once', `bytes=${Array(5000).fill('0-').join()}`],
    ['beyond all numbers', `bytes=${'9'.repeat(40)}-`],
  ])('refuses a range %s', async (_, range) => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    const answer = await reads(operator, assetId, { range })
    expect(answer.status).toBe(416)
    expect(answer.headers['content-range']).toBe('bytes */1000')
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: 'range-not-satisfiable' })
  })

  test('is sent to each reader as it is, while others leave theirs half read', async () => {
    const { operator } = await w.newClient()
    const pictures = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        const bytes = pngOfSize(3_000_000, n)
        return { bytes, asset: await operator.uploads(bytes) }
      }),
    )
    const rounds = Array.from({ length: 6 }, () => pictures).flat()
    const read = await Promise.all(
      rounds.map(async ({ bytes, asset }, n) => {
        const answer = await operator.fetch(`${operator.door.assets}/${asset.assetId}/content`)
        if (n % 3 === 0) return answer.body!.cancel().then(() => true)
        return Buffer.from(await answer.arrayBuffer()).equals(bytes)
      }),
    )
    expect(read).toEqual(rounds.map(() => true))
  })

  test('is not sent again to who has it', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    const { etag } = (await reads(operator, assetId)).headers as { etag: string }
    for (const header of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const answer = await reads(operator, assetId, { 'if-none-match': header })
      expect([answer.status, answer.bytes.length]).toEqual([304, 0])
    }
    expect((await reads(operator, assetId, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await reads(operator, assetId, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    expect((await reads(operator, assetId, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    await operator.uploads(pngOfSize(900), { session: { replacesAssetId: assetId } })
    expect((await reads(operator, assetId, { 'if-none-match': etag })).status).toBe(200)
  })

  test('answers HEAD with the headers alone', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    const answer = await operator.fetch(`${operator.door.assets}/${assetId}/content`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('1000')
    expect((await answer.bytes()).length).toBe(0)
  })

  test('is not there for a version that is not, nor for an upload never finalized', async () => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    expect((await reads(operator, assetId, {}, '?version=2')).status).toBe(404)
    expect((await reads(operator, assetId, {}, '?version=0')).status).toBe(400)
    const { body } = await operator.opensUpload()
    const { asset_id } = await w.parts.db
      .selectFrom('upload_sessions')
      .select('asset_id')
      .where('id', '=', body.uploadSessionId)
      .executeTakeFirstOrThrow()
    for (const path of ['', '/content', '/preview'])
      expect((await operator.get(`${operator.door.assets}/${asset_id}${path}`)).status).toBe(404)
  })

  test('gone from the store is a clear problem', async () => {
    const { operator, clientId } = await w.newClient()
    const { assetId } = await operator.uploads(file)
    const version = await w.parts.db
      .selectFrom('asset_versions')
      .selectAll()
      .where('asset_id', '=', assetId)
      .executeTakeFirstOrThrow()
    await w.parts.store.storageOf(clientId).delete([originalKey(version)])
    expect(await operator.get(`${operator.door.assets}/${assetId}/content`)).toEqual(
      refusal('object-missing'),
    )
  })

  test.each([
    ['lines', 'a\r\nset-cookie: x=1'],
    ['quotes', `"; filename="evil.exe`],
    ['right-to-left marks', 'gnp.\u202Eexe'],
    ['slashes', '../../etc/passwd'],
    ['200 emoji', '🦩'.repeat(200)],
    ['percent signs', '100%25 %0d%0a'],
    ['only control characters', '\u0001\u0002x'],
  ])('keeps its name harmless with %s in the title', async (_, title) => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads()
    // Also what is refused today and may have been taken before.
    await w.parts.db.updateTable('assets').set({ title }).where('id', '=', assetId).execute()
    expect((await operator.reads(assetId)).body.title).toBe(title)
    const { headers } = await reads(operator, assetId, {}, '?download=true')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[\x20\x21\x23-\x24\x26-\x2e\x30-\x5b\x5d-\x7e]+\.png"; filename\*=UTF-8''[\w.~!%-]+\.png$/,
    )
    expect(headers['content-disposition']!.length).toBeLessThan(1000)
    expect(headers['content-disposition']).not.toMatch(/%E2%80%AE|%0D|%0A|%2F/)
  })
})

async function searchers() {
  const { operator, clientId } = await w.newClient()
  return {
    operator,
    finds: async (q: string) =>
      idsOf((await operator.lists({ q, everywhere: true, sort: 'oldest' })).body.assets),
    makes: (
      { title = 'Plain', description = '', altText = '', tags = [] as string[] },
      original_filename = 'x.png',
    ) =>
      plant(clientId, {
        title: title.normalize('NFC'),
        description,
        alt_text: altText,
        tags,
        original_filename,
      }),
  }
}

const idsOf = (assets: { assetId: string }[]) => assets.map(({ assetId }) => assetId)

async function reads(person: Person, assetId: string, headers: Record<string, string> = {}, query = '') {
  const response = await person.fetch(`${person.door.assets}/${assetId}/content${query}`, { headers })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers) as Record<string, string>,
    bytes: Buffer.from(await response.bytes()),
  }
}

const plantRow = (clientId: string, row: object = {}) => ({
  client_id: clientId,
  id: newId('asset'),
  title: 'Planted',
  original_filename: 'planted.png',
  mime_type: 'image/png',
  size_bytes: 1,
  details: plainDetails,
  created_by: 'tests',
  ...row,
})

/** An asset without a file, put straight into the database. */
async function plant(clientId: string, row: object = {}): Promise<string> {
  return (
    await w.parts.db
      .insertInto('assets')
      .values(plantRow(clientId, row) as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Many at once, with equal titles, sizes and times among them. */
async function plants(clientId: string, count: number, title = 'Planted'): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) =>
    plantRow(clientId, {
      title: `${title} ${i % 2 ? 'É' : 'e'}${i % 13}`,
      size_bytes: i % 7,
      created_at: new Date(1_700_000_000_000 + (i % 11)),
    }),
  )
  await w.parts.db
    .insertInto('assets')
    .values(rows as never)
    .execute()
  return rows.map(({ id }) => id)
}

function cursorOf(keys: unknown): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

async function agesTrash(clientId: string, { exceptAsset = '' } = {}): Promise<void> {
  const before = new Date(Date.now() - 31 * 86_400_000)
  await w.parts.db
    .updateTable('assets')
    .set({ trashed_at: before })
    .where('client_id', '=', clientId)
    .where('id', '!=', exceptAsset)
    .where('trashed_at', 'is not', null)
    .execute()
  await w.parts.db
    .updateTable('folders')
    .set({ trashed_at: before })
    .where('client_id', '=', clientId)
    .where('trashed_at', 'is not', null)
    .execute()
}

/** What a worker would do with the jobs that the purge has left. */
async function runsRemovals(clientId: string): Promise<void> {
  const { rows } = await w.parts.database.pool.query(
    `select data from jobs.job where name = 'remove-objects' and data ->> 'clientId' = $1`,
    [clientId],
  )
  for (const { data } of rows) await jobHandlers(w.parts)['remove-objects'](data, { last: false })
}

async function objectsOf(clientId: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of w.parts.store.storageOf(clientId).list('')) keys.push(key)
  return keys
}

const eventsOf = async (clientId: string, subject: string) =>
  (
    await w.parts.db
      .selectFrom('events')
      .select('type')
      .where('client_id', '=', clientId)
      .where('subject', '=', subject)
      .execute()
  ).map(({ type }) => type)

test('what is written of many is read and changed as a table, and nothing that changed since is overwritten', async () => {
  const { operator, portal, viewer } = await w.newClient()
  const { folderId } = await operator.makesFolder('Menus')
  const [one, two, three] = [await operator.uploads(), await operator.uploads(), await operator.uploads()]
  for (const { assetId } of [one, two]) await operator.edits(assetId, { folderId, altText: 'Old' })
  const path = `${portal.door.assets}/words`
  const read = async (query = '') =>
    (await portal.get(`${path}?folderId=${folderId}&sort=oldest${query}`)).body
  const first = await read('&limit=1')
  expect(first.rows).toMatchObject([{ assetId: one.assetId, altText: 'Old', title: one.title, tags: [] }])
  const { rows } = await read(`&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)
  expect(rows).toMatchObject([{ assetId: two.assetId }])
  expect(first.rows[0].etag).toBe((await portal.reads(one.assetId)).headers.get('etag'))

  const changes = [
    { assetId: one.assetId, ifMatch: first.rows[0].etag, altText: ' A table ', tags: ['a', 'A', 'b'] },
    { assetId: two.assetId, ifMatch: rows[0].etag, title: 'Two' },
    { assetId: three.assetId, ifMatch: '"a1"', title: 'Three' },
    { assetId: 'asset_nowhere', ifMatch: '"a1"', title: 'Four' },
  ]
  await operator.edits(two.assetId, { description: 'Since' })
  await operator.trashes(three.assetId)
  const outcome = [
    { ok: true },
    { ok: false, problem: { code: 'changed-meanwhile' }, words: { description: 'Since', title: two.title } },
    { ok: false, problem: { code: 'not-found' } },
    { ok: false, problem: { code: 'not-found' } },
  ]
  const tried = await portal.patch(path, { changes, dryRun: true })
  expect(tried.body.results).toMatchObject(outcome)
  expect((await portal.reads(one.assetId)).body.altText).toBe('Old')
  const changed = await portal.patch(path, { changes })
  expect(changed.body.results).toMatchObject(outcome)
  expect(changed.body.results[0].words).toMatchObject({ altText: 'A table', tags: ['a', 'b'] })
  // Based on what it was before, not even one's own change is overwritten.
  expect((await portal.patch(path, { changes: [changes[0]] })).body.results[0].ok).toBe(false)
  const { etag } = changed.body.results[0].words
  const twice = [1, 2].map((n) => ({ assetId: one.assetId, ifMatch: etag, title: `Title ${n}` }))
  const both = await portal.patch(path, { changes: twice })
  expect(both.body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false])
  expect((await viewer.get(`${viewer.door.assets}/words?everywhere=true`)).body.rows).toHaveLength(2)
  expect((await viewer.patch(`${viewer.door.assets}/words`, { changes })).status).toBe(403)
})

test('no more is written by one request than others can wait for', async () => {
  const { portal } = await w.newClient()
  const { assetId } = await portal.uploads()
  const path = `${portal.door.assets}/words`
  const ifMatch = (await portal.reads(assetId)).headers.get('etag')!
  const changes = Array.from({ length: 11 }, () => ({ assetId, ifMatch, description: 'a'.repeat(5000) }))
  const refused = await portal.patch(path, { changes })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid-request'])
  expect(refused.body.detail).toContain('Send fewer of them at once.')
  expect((await portal.reads(assetId)).headers.get('etag')).toBe(ifMatch)
  expect((await portal.patch(path, { changes, dryRun: true })).status).toBe(200)
  expect((await portal.patch(path, { changes: changes.slice(1) })).body.results[0].ok).toBe(true)
})
