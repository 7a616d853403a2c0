import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../contract/audit.ts'
import { allPreviewSizes } from '../contract/media-types.ts'
import type { ShareLinkWithUrl } from '../contract/shares.ts'
import { newId } from '../server/ids.ts'
import type { JobData } from '../server/jobs/jobs.ts'
import { inMemory } from '../server/media/fixtures/fixture.ts'
import { makeFilm } from '../server/previews/film-renditions.ts'
import type { Person } from './person.ts'
import { aFilm, filmSession, pixel, png, pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { routeTable } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { bodyFor, pathOf, type Things, thingsOf } from './things.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld({ ROLE: 'api' })
const { db } = w.parts
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

const linksAt = (person: Person) => person.door.assets.replace(/assets$/, 'share-links')

async function shares(person: Person, wish: object): Promise<ShareLinkWithUrl & { path: string }> {
  const { status, body } = await person.post(linksAt(person), { title: 'Summer', ...wish })
  expect(status, JSON.stringify(body)).toBe(201)
  return { ...body, path: new URL(body.url).pathname }
}

/** Somebody with the address and a browser that keeps the link's cookie. */
function guest(path: string) {
  let cookie = ''
  const get = (below = '', headers: Record<string, string> = {}) =>
    fetch(w.url + path + below, { headers: { ...(cookie && { cookie }), ...headers } })
  return {
    get,
    cookie: () => cookie,
    async opens(password?: string) {
      const answer = await w.nobody.post(`${path}/open`, password === undefined ? {} : { password }, {
        'user-agent': phone,
        ...(cookie && { cookie }),
      })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return answer
    },
    titles: async () => {
      const { assets } = await (await get('/assets')).json()
      return (assets as { title: string }[]).map(({ title }) => title)
    },
  }
}

async function posterOf(film: Buffer): Promise<Buffer> {
  const wanted = [{ size: 'card', format: 'webp' }] as const
  const { pictures } = await w.parts.media.previews(inMemory(film), 'video/mp4', [...wanted])
  return sharp(pictures[0]!.bytes).resize(320, 180, { fit: 'fill' }).raw().toBuffer()
}

async function namesInZip(bytes: Buffer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'library-share-'))
  try {
    await writeFile(join(folder, 'a.zip'), bytes)
    const look =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))'
    return execFileSync('python3', ['-c', look, join(folder, 'a.zip')], { encoding: 'utf8' })
      .trim()
      .split('\n')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const titled = (person: Person, title: string, more: object = {}, bytes = pixel) =>
  person.uploads(bytes, { session: more, words: { title } })

test('a collection is shared in its order as it is now, to be taken away as one, until it is deleted', async () => {
  const { operator, portal } = await w.newClient()
  const { operator: stranger } = await w.newClient()
  const [one, two, three] = [
    await titled(operator, 'One'),
    await titled(operator, 'Two'),
    await titled(operator, 'Three'),
  ]
  const at = (person: Person, below = '') => person.door.assets.replace(/assets$/, `collections${below}`)
  const { body: collection } = await portal.post(at(portal), {
    name: 'Best of',
    assetIds: [three.assetId, one.assetId],
  })
  const { collectionId } = collection
  const wish = { title: 'Best of', collectionId, allows: 'download' }
  for (const other of [{ assetIds: [one.assetId] }, { folderId: newId('folder') }, { title: 'Best\u202e' }])
    expect(await operator.post(linksAt(operator), { ...wish, ...other })).toEqual(refusal('invalid-request'))
  expect(await stranger.post(linksAt(stranger), wish)).toEqual(refusal('not-found'))
  const link = await shares(portal, wish)
  expect(link).toMatchObject({ collectionId, folderId: null, assetCount: null, state: 'open' })

  const ada = guest(link.path)
  expect((await ada.opens()).body).toMatchObject({ assetCount: 2, asArchive: true })
  expect(await ada.titles()).toEqual(['Three', 'One'])
  const chosen = guest((await shares(portal, { assetIds: [one.assetId], allows: 'view' })).path)
  await chosen.opens()
  const behind = async (visitor: typeof ada, place: number) => {
    const cursor = Buffer.from(JSON.stringify([place, one.assetId])).toString('base64url')
    return (await visitor.get(`/assets?cursor=${cursor}`)).status
  }
  // Places of a collection are larger numbers than those in a selection.
  expect([await behind(chosen, 2 ** 31 - 1), await behind(chosen, 2 ** 31)]).toEqual([200, 400])
  expect([await behind(ada, 2 ** 31), await behind(ada, 2 ** 53)]).toEqual([200, 400])
  const shown = async ({ assetId }: { assetId: string }) =>
    (await ada.get(`/assets/${assetId}/download`)).status
  expect(await shown(two)).toBe(404)

  const items = at(operator, `/${collectionId}/assets`)
  await operator.post(items, { assetIds: [two.assetId], before: three.assetId })
  expect(await ada.titles()).toEqual(['Two', 'Three', 'One'])
  expect(await shown(two)).toBe(200)
  const zip = Buffer.from(await (await ada.get('/download')).arrayBuffer())
  expect((await namesInZip(zip)).sort()).toEqual(['One.png', 'Three.png', 'Two.png'])
  const { assets, nextCursor } = await (await ada.get('/assets?limit=1')).json()
  const rest = await (await ada.get(`/assets?limit=2&cursor=${nextCursor}`)).json()
  expect([...assets, ...rest.assets].map(({ title }: { title: string }) => title)).toEqual([
    'Two',
    'Three',
    'One',
  ])

  await operator.delete(items, { assetIds: [three.assetId] })
  await operator.trashes(one.assetId)
  expect(await ada.titles()).toEqual(['Two'])
  expect(await shown(three)).toBe(404)
  await operator.delete(at(operator, `/${collectionId}`))
  expect((await ada.get('/assets')).status).toBe(404)
})

test('a selection is shared in its order, seen, taken away, and its visits are kept', async () => {
  const { operator, viewer, clientId } = await w.newClient()
  const [one, two] = [await titled(operator, 'One'), await titled(operator, 'Two')]
  await titled(operator, 'Not shared')
  const link = await shares(operator, {
    assetIds: [two.assetId, one.assetId],
    note: 'For the menu.',
    allows: 'download',
  })
  expect(link.path).toMatch(/^\/s\/[\w-]{43}$/)
  expect(link).toMatchObject({
    state: 'open',
    assetCount: 2,
    hasPassword: false,
    openCount: 0,
    files: 'original',
  })
  expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(29.9 * 86_400_000)

  // Whoever sends a link has it looked at by machines.
  const before = await snapshot(db)
  const page = await fetch(link.url, { headers: { 'user-agent': 'Twitterbot/1.0' } })
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  await fetch(link.url, { method: 'HEAD' })
  expect(await snapshot(db)).toEqual(before)

  const visitor = guest(link.path)
  const opened = await visitor.opens()
  expect(opened.body).toEqual({
    title: 'Summer',
    note: 'For the menu.',
    allows: 'download',
    files: 'original',
    review: false,
    expiresAt: link.expiresAt,
    assetCount: 2,
    asArchive: true,
  })
  const cookie = opened.headers.get('set-cookie')!
  expect(cookie).toMatch(new RegExp(`Path=${link.path};.*HttpOnly; SameSite=Strict`))
  await visitor.opens() // a reload
  expect(await visitor.titles()).toEqual(['Two', 'One'])
  const first = await (await visitor.get('/assets?limit=1')).json()
  const rest = await (await visitor.get(`/assets?limit=1&cursor=${first.nextCursor}`)).json()
  expect([first.assets[0].title, rest.assets[0].title, rest.nextCursor]).toEqual(['Two', 'One', null])

  const file = await visitor.get(`/assets/${one.assetId}/download`)
  expect(Buffer.from(await file.arrayBuffer()).equals(pixel)).toBe(true)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="One.png"/)
  const zip = await visitor.get('/download')
  const bytes = Buffer.from(await zip.arrayBuffer())
  expect([zip.headers.get('content-length'), zip.headers.get('accept-ranges')]).toEqual([
    String(bytes.length),
    'bytes',
  ])
  expect(await namesInZip(bytes)).toEqual(['One.png', 'Two.png'])
  const part = await visitor.get('/download', { range: 'bytes=10-29', 'if-range': zip.headers.get('etag')! })
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 30))]).toEqual([
    206,
    true,
  ])

  const { body } = await operator.get(linksAt(operator))
  expect(body.shareLinks).toMatchObject([
    {
      shareLinkId: link.shareLinkId,
      openCount: 1,
      createdByName: 'operator',
      visits: [{ network: '127.0.0.0/24', browser: 'Safari, iOS' }],
    },
  ])
  expect(await viewer.get(linksAt(viewer))).toEqual(refusal('forbidden'))
  await guest(link.path).opens()
  const told = await db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('subject', '=', link.shareLinkId)
    .orderBy('id')
    .execute()
  expect(told.map(({ type }) => type)).toEqual(['share-link.created', 'share-link.opened'])
  const kept = await db
    .selectFrom('audit_trail')
    .selectAll()
    .where('thing', '=', link.shareLinkId)
    .orderBy('id')
    .execute()
  expect(kept.map(({ action, principal_kind, address }) => [action, principal_kind, address])).toEqual([
    ['share-link.created', 'user', '127.0.0.1'],
    ['share-link.opened', 'nobody', '127.0.0.0/24'],
  ])
  const token = link.path.split('/').at(-1)!
  const rows = await db.selectFrom('share_links').selectAll().where('client_id', '=', clientId).execute()
  expect(JSON.stringify([rows, told, kept])).not.toContain(token)

  await db.updateTable('share_links').set({ open_count: 0 }).execute()
  for (let n = 0; n < 60; n++) await guest(link.path).opens()
  const [{ openCount, visits }] = (await operator.get(linksAt(operator))).body.shareLinks
  expect([openCount, visits.length]).toEqual([60, 50])
})

test('a folder is shared with what is below it, as it is when it is opened', async () => {
  const { portal } = await w.newClient()
  const top = await portal.makesFolder('Campaign')
  const below = await portal.makesFolder('Final', top.folderId)
  await titled(portal, 'In the top', { folderId: top.folderId })
  await titled(portal, 'Outside')
  const link = await shares(portal, { folderId: top.folderId, allows: 'download' })
  const later = await titled(portal, 'Below', { folderId: below.folderId })
  const visitor = guest(link.path)
  expect(await visitor.titles()).toEqual(['In the top', 'Below'])
  const zip = Buffer.from(await (await visitor.get('/download')).arrayBuffer())
  expect((await namesInZip(zip)).sort()).toEqual(['Campaign/Final/Below.png', 'Campaign/In the top.png'])

  await portal.edits(later.assetId, { folderId: null })
  expect(await visitor.titles()).toEqual(['In the top'])
  await portal.deletesFolder(top.folderId)
  expect(await visitor.titles()).toEqual([])
})

test('a password opens the link, and nothing behind it is told before', async () => {
  const { operator } = await w.newClient()
  const { assetId } = await titled(operator, 'Secret dish')
  const wish = { assetIds: [assetId], title: 'Secret menu', allows: 'download' }
  expect(await operator.post(linksAt(operator), { ...wish, password: 'short' })).toEqual(
    refusal('weak-password'),
  )
  const link = await shares(operator, { ...wish, password: 'a tasty password' })
  const other = await shares(operator, { ...wish, password: 'a tasty password' })
  const visitor = guest(link.path)
  expect(await visitor.opens()).toEqual(refusal('password-needed'))
  expect(await visitor.opens('a wrong password')).toEqual(refusal('wrong-password'))
  const below = [
    '/assets',
    '/download',
    ...['preview', 'download', 'film'].map((name) => `/assets/${assetId}/${name}`),
  ]
  for (const path of below) expect((await visitor.get(path)).status, path).toBe(401)
  expect((await visitor.opens('a tasty password')).body.title).toBe('Secret menu')
  expect((await visitor.get(`/assets/${assetId}/preview`)).status).toBe(200)
  // What one link gave opens no other, even with the same password.
  const stranger = guest(other.path)
  for (const path of below)
    expect((await stranger.get(path, { cookie: visitor.cookie() })).status, path).toBe(401)

  for (let n = 0; n < 9; n++) await visitor.get('/assets')
  const guesses = []
  for (let n = 0; n < 11; n++) guesses.push((await guest(link.path).opens(`guess number ${n}`)).body.code)
  expect(guesses.filter((code) => code === 'wrong-password')).toHaveLength(9)
  expect(guesses.at(-1)).toBe('too-many-attempts')
  // It shuts out whoever guesses, not those who are in, and no other link.
  expect((await visitor.get('/assets')).status).toBe(200)
  expect((await stranger.opens('a tasty password')).status).toBe(200)
})

test('a link ends at once: revoked, over, without its maker; and so does what it is sending', async () => {
  const client = await w.newClient()
  const { operator } = client
  const large = await titled(operator, 'Large', {}, pngOfSize(24 * 1024 ** 2))
  const absent = await (await fetch(`${w.url}/s/${'x'.repeat(43)}/assets`)).text()
  const endings: [string, (link: ShareLinkWithUrl) => Promise<unknown>][] = [
    ['revoked', (link) => operator.delete(`${linksAt(operator)}/${link.shareLinkId}`)],
    ['suspended', () => w.admin.patch(`/admin/users/${operator.id}`, { role: 'viewer' })],
  ]
  for (const [state, end] of endings) {
    const link = await shares(operator, { assetIds: [large.assetId], allows: 'download' })
    const visitor = guest(link.path)
    const sending = await Promise.all(
      ['/download', `/assets/${large.assetId}/download`].map((path) => visitor.get(path)),
    )
    const bodies = sending.map(({ body }) => body!.getReader())
    for (const body of bodies) expect((await body.read()).done).toBe(false)
    await end(link)
    for (const body of bodies)
      await expect(
        (async () => {
          while (!(await body.read()).done);
        })(),
      ).rejects.toThrow('terminated')
    const answer = await visitor.get('/assets')
    expect([answer.status, await answer.text()]).toEqual([404, absent])
    expect((await fetch(link.url)).status).toBe(404)
    const { body } = await w.admin.get(`/admin/clients/${client.clientId}/share-links`)
    expect(body.shareLinks[0]).toMatchObject({ shareLinkId: link.shareLinkId, state })
  }
  await w.admin.patch(`/admin/users/${operator.id}`, { role: 'operator' })
  const link = await shares(operator, { assetIds: [large.assetId] })
  await db
    .updateTable('share_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', link.shareLinkId)
    .execute()
  expect((await guest(link.path).opens()).status).toBe(404)
  const { body } = await operator.get(linksAt(operator))
  expect(body.shareLinks[0].state).toBe('expired')
})

test('copies have no word of a camera in them and a limit, and a watermark lies over all that is seen', async () => {
  const { operator } = await w.newClient()
  const photo = await sharp({ create: { width: 2600, height: 1400, channels: 3, background: '#345' } })
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer()
  const jpeg = { originalFilename: 'a.jpg', mimeType: 'image/jpeg' } as const
  const { assetId } = await titled(operator, 'Terrace', jpeg, photo)
  const film = await operator.uploads(await aFilm(), filmSession)
  const assetIds = [assetId, film.assetId]
  const plain = await shares(operator, { assetIds, allows: 'download', files: 'rendition' })
  const draft = await shares(operator, {
    assetIds,
    allows: 'download',
    files: 'rendition',
    watermark: '© Café – no'.replace('–', '-'),
  })
  const look = await shares(operator, { assetIds })
  expect(await operator.post(linksAt(operator), { title: 'x', assetIds, watermark: 'x' })).toEqual(
    refusal('invalid-request'),
  )
  expect(
    await operator.post(linksAt(operator), { title: 'x', assetIds, files: 'rendition', watermark: '犬' }),
  ).toEqual(refusal('invalid-request'))

  const picture = async (path: string, below: string) => {
    const answer = await guest(path).get(`/assets/${assetId}/${below}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { exif, width } = await sharp(bytes).metadata()
    const { channels } = await sharp(bytes).stats()
    return { exif, width, spread: Math.max(...channels.map(({ stdev }) => stdev)) }
  }
  expect(await picture(plain.path, 'download')).toEqual({ exif: undefined, width: 2560, spread: 0 })
  expect((await picture(plain.path, 'preview?size=large')).spread).toBeLessThan(1)
  for (const below of ['download', ...allPreviewSizes.map((size) => `preview?size=${size}`)])
    expect((await picture(draft.path, below)).spread, below).toBeGreaterThan(5)
  const draftFilm = `/assets/${film.assetId}`
  expect((await guest(draft.path).get(`${draftFilm}/preview`)).status).toBe(200)
  // A film is its poster until a marked copy is there; the film as it is never leaves.
  const hasFilm = async () => {
    const { assets } = await (await guest(draft.path).get('/assets')).json()
    return assets.find((one: { assetId: string }) => one.assetId === film.assetId).hasFilm
  }
  const fetched = async () => {
    const answers = ['film', 'download'].map((below) => guest(draft.path).get(`${draftFilm}/${below}`))
    return Promise.all(
      (await Promise.all(answers)).map(async (it) => ({ it, bytes: Buffer.from(await it.arrayBuffer()) })),
    )
  }
  const zipped = async () =>
    namesInZip(Buffer.from(await (await guest(draft.path).get('/download')).arrayBuffer()))
  expect(await hasFilm()).toBe(false)
  for (const { it } of await fetched())
    expect([it.status, it.headers.get('retry-after')]).toEqual([503, '15'])
  expect(await zipped()).toEqual(['Terrace.jpg', 'not included.txt'])
  const { rows: asked } = await sql<{ data: JobData['film'] }>`
    select data from jobs.job where name = 'film' and data ->> 'assetId' = ${film.assetId}`.execute(db)
  expect(asked).toHaveLength(1)
  await makeFilm(w.parts, asked[0]!.data, { last: true })
  const canEncode = (await w.parts.media.capabilities()).nodeAvEncodes
  expect(await hasFilm()).toBe(canEncode)
  const name = `${film.title}.mp4`
  expect(await zipped()).toEqual(canEncode ? ['Terrace.jpg', name] : ['Terrace.jpg', 'not included.txt'])
  for (const { it, bytes } of await fetched())
    if (canEncode) {
      expect(it.headers.get('content-type')).toBe('video/mp4')
      // Its letters lie over more than a twentieth of the picture.
      const [clean, marked] = [await posterOf(await aFilm()), await posterOf(bytes)]
      const differ = clean.filter((value, at) => Math.abs(value - marked[at]!) > 20).length
      expect(differ / clean.length).toBeGreaterThan(0.05)
    } else expect(it.status).toBe(422)
  const played = await guest(plain.path).get(`${draftFilm}/film`, { range: 'bytes=0-99' })
  expect([played.status, played.headers.get('content-disposition')]).toEqual([
    206,
    expect.stringMatching(/^inline/),
  ])

  // To look is not to take away.
  expect((await guest(look.path).get(`/assets/${assetId}/preview?size=large`)).status).toBe(200)
  for (const below of ['/download', `/assets/${assetId}/download`])
    expect((await guest(look.path).get(below)).status, below).toBe(404)
  expect((await guest(look.path).get(`${draftFilm}/film`)).status).toBe(200)
})

test('a guest reviews what a link shows, under a name, and hears what was said through it', async () => {
  const { operator, clientId } = await w.newClient()
  const asset = await titled(operator, 'Menu')
  const at = `${operator.door.assets}/${asset.assetId}`
  await operator.post(`${at}/comments`, { text: 'Among ourselves' })
  const closed = await shares(operator, { assetIds: [asset.assetId] })
  const link = await shares(operator, {
    assetIds: [asset.assetId],
    review: true,
    password: 'a word of some length',
  })
  const visitor = guest(link.path)
  const paths = { review: 'review', approval: 'approval', comments: 'comments' }
  const of = ({ path }: { path: string }, what: keyof typeof paths) =>
    `${path}/assets/${asset.assetId}/${what}`
  const say = (method: string, what: keyof typeof paths, body?: object) =>
    w.nobody.call(method, of(link, what), body, { cookie: visitor.cookie() })
  const ada = { name: ' Ada ', version: 1 }

  expect(await w.nobody.get(of(closed, 'review'))).toEqual(refusal('not-found'))
  expect(await w.nobody.put(of(closed, 'approval'), { ...ada, decision: 'approved' })).toEqual(
    refusal('not-found'),
  )
  expect(await say('PUT', 'approval', { ...ada, decision: 'approved' })).toEqual(refusal('password-needed'))
  expect((await visitor.opens('a word of some length')).body.review).toBe(true)
  expect((await say('GET', 'review')).body).toEqual({
    version: 1,
    state: 'none',
    by: null,
    note: '',
    comments: [],
  })

  const pin = { x: 0.5, y: 0.25 }
  const said = await say('POST', 'comments', { ...ada, text: 'Bigger', pin })
  expect(said).toMatchObject({
    status: 201,
    body: { text: 'Bigger', version: 1, pin, author: { kind: 'guest', name: 'Ada' } },
  })
  await operator.post(`${at}/comments`, { text: 'Will do', threadId: said.body.commentId })
  await say('POST', 'comments', { ...ada, text: 'Thanks', threadId: said.body.commentId })
  const decided = await say('PUT', 'approval', { ...ada, decision: 'changes-requested', note: 'Bigger' })
  expect(decided.body).toMatchObject({ state: 'changes-requested', by: 'Ada', note: 'Bigger' })
  const heard = (await say('GET', 'review')).body.comments
  expect(heard.map(({ text }: { text: string }) => text)).toEqual(['Bigger', 'Will do', 'Thanks'])

  const listed = async (query = '') =>
    (await w.nobody.get(`${link.path}/assets${query}`, { cookie: visitor.cookie() })).body.assets
  expect(await listed()).toMatchObject([{ approval: 'changes-requested' }])
  expect(await listed('?unanswered=true')).toEqual([])
  const [shown] = (await w.nobody.get(`${closed.path}/assets`)).body.assets
  expect(shown.approval, 'not for review').toBeNull()

  const { comments } = (await operator.get(`${at}/comments`)).body
  expect(comments.map(({ author }: { author: object }) => author)).toEqual([
    { kind: 'guest', id: null, name: 'Ada' },
    { kind: 'user', id: operator.id, name: 'operator' },
    { kind: 'guest', id: null, name: 'Ada' },
    { kind: 'user', id: operator.id, name: 'operator' },
  ])
  const [version] = (await operator.get(`${at}/versions`)).body.versions
  expect(version.approval).toMatchObject({ state: 'changes-requested', by: { kind: 'guest', name: 'Ada' } })
  const principal = { kind: 'nobody', id: link.shareLinkId, name: 'Ada' }
  for (const action of ['review', 'comment']) {
    const { entries } = (await w.admin.get(`/admin/clients/${clientId}/audit?action=${action}`)).body
    // The agency has spoken since.
    const theirs = entries.find((entry: AuditEntry) => entry.principal.kind === 'nobody')
    expect(theirs).toMatchObject({ principal, address: '127.0.0.0/24' })
  }
  await operator.patch(`${at}/comments/${said.body.commentId}`, { resolved: true })
  expect((await say('GET', 'review')).body.comments[0].resolvedAt).toEqual(expect.any(String))

  // Whoever got hold of it cannot fill the library with words.
  const decisions = ['approved', 'changes-requested']
  const flips = []
  for (let i = 0; i < 60; i++)
    flips.push((await say('PUT', 'approval', { ...ada, decision: decisions[i % 2] })).status)
  expect(flips.filter((status) => status === 200).length).toBeLessThan(60)
  expect([flips[0], flips.at(-1)]).toEqual([200, 429])
  expect(await say('POST', 'comments', { ...ada, text: 'More' })).toEqual(refusal('rate-limited'))

  await operator.uploads(png(5, 5), { session: { replacesAssetId: asset.assetId } })
  expect(await say('PUT', 'approval', { ...ada, decision: 'approved' })).toEqual(refusal('changed-meanwhile'))
  expect((await operator.delete(`${at}/comments/${said.body.commentId}`)).status).toBe(204)
  await operator.delete(`${linksAt(operator)}/${link.shareLinkId}`)
  expect(await say('GET', 'review')).toEqual(refusal('not-found'))
})

test('nothing else of any library can be reached from a share link', async () => {
  const client = await w.newClient()
  const { operator } = client
  const [own, foreign] = [await thingsOf(w, client), await thingsOf(w, await w.newClient())]
  const { folderId } = await operator.makesFolder('Shared')
  const inFolder = await titled(operator, 'In the folder', { folderId })
  const replaced = await titled(operator, 'Chosen')
  await operator.uploads(png(9, 9), { session: { replacesAssetId: replaced.assetId } })
  const over = await titled(operator, 'Rights are over', { folderId })
  await operator.edits(over.assetId, { rightsExpireAt: new Date(Date.now() - 1000).toISOString() })
  const trashed = await titled(operator, 'Trashed', { folderId })
  await operator.trashes(trashed.assetId)
  const links = {
    selection: await shares(operator, {
      assetIds: [replaced.assetId, over.assetId],
      allows: 'download',
      review: true,
    }),
    folder: await shares(operator, { folderId, allows: 'download', review: true }),
  }
  const itsOwn = { selection: replaced.assetId, folder: inFolder.assetId }
  const others = [own.assetId, own.trashedAssetId, over.assetId, trashed.assetId, foreign.assetId]
  const odd = [folderId, own.folderId, 'x', '..%2F..', `${own.assetId}@1`, newId('asset').toUpperCase()]
  const before = await snapshot(db)

  for (const [kind, link] of Object.entries(links) as [keyof typeof links, (typeof links)['folder']][]) {
    const token = link.path.split('/').at(-1)!
    const visitor = guest(link.path)
    await visitor.opens()
    const credentials: Record<string, string>[] = [
      { cookie: `${visitor.cookie()}; session=${token}` },
      { authorization: `Bearer ${token}`, cookie: visitor.cookie() },
    ]
    const mine = { ...own, folderId, assetId: itsOwn[kind], shareToken: token } as Things

    // Whatever stands behind a login stays there; for the one link as for the other.
    const closed = routeTable().filter(({ permission }) => permission !== 'public')
    for (const route of kind === 'folder' ? closed : [])
      for (const headers of credentials) {
        const body = bodyFor(route, mine)
        const answer = await w.nobody.call(route.method, pathOf(route, mine), body, headers)
        expect(answer.status, `${route.method} ${route.url}`).toBe(401)
      }

    // On its own routes every other id is as absent as one that never was.
    const guests = routeTable().filter(
      ({ method, url }) => method === 'GET' && url.startsWith('/s/') && url.includes(':assetId'),
    )
    expect(guests).toHaveLength(4)
    for (const route of guests) {
      const asks = async (assetId: string, query = '') => {
        const answer = await visitor.get(pathOf(route, { ...mine, assetId }).slice(link.path.length) + query)
        return [answer.status, answer.status < 400 ? '' : await answer.text()]
      }
      const absent = await asks(newId('asset'))
      expect(absent[0]).toBe(404)
      const foreignOnes = [...others, kind === 'folder' ? replaced.assetId : inFolder.assetId]
      for (const id of [...foreignOnes, ...odd])
        expect(await asks(id), `${kind} ${route.url} ${id}`).toEqual(absent)
      // Nor can an older version be named.
      for (const query of ['?version=1', '?frame=1', '?target=wordpress'])
        expect((await asks(mine.assetId, query))[0], query).toBe(400)
    }
    const said = routeTable().filter(
      ({ method, url }) => method !== 'GET' && method !== 'HEAD' && /^\/s\/.*:assetId/.test(url),
    )
    expect(said.map(({ method }) => method).sort()).toEqual(['POST', 'PUT'])
    for (const route of said) {
      const says = (assetId: string, more: object = {}) =>
        w.nobody.call(
          route.method,
          pathOf(route, { ...mine, assetId }),
          { ...bodyFor(route, mine), ...more },
          { cookie: visitor.cookie() },
        )
      const absent = await says(newId('asset'))
      expect(absent).toEqual(refusal('not-found'))
      for (const id of [...others, ...odd]) expect((await says(id)).body, id).toEqual(absent.body)
      // Nor can they speak of a version that is not shown, answer what they have not heard, or mention anybody.
      expect(await says(mine.assetId, { version: 7 })).toEqual(refusal('changed-meanwhile'))
      expect(await says(mine.assetId, { mentions: [client.operator.id] })).toEqual(refusal('invalid-request'))
      if (route.method === 'POST')
        for (const threadId of [own.commentId, foreign.commentId, newId('comment')])
          expect(await says(mine.assetId, { threadId, version: kind === 'folder' ? 1 : 2 })).toEqual(
            refusal('not-found'),
          )
    }
    for (const size of allPreviewSizes) {
      const path = (id: string) => `/assets/${id}/preview?size=${size}`
      expect((await visitor.get(path(mine.assetId))).status).toBe(200)
      for (const id of others) expect((await visitor.get(path(id))).status).toBe(404)
    }
    const { assets } = await (await visitor.get('/assets?limit=200')).json()
    expect(assets.map(({ assetId }: { assetId: string }) => assetId)).toEqual([mine.assetId])
    for (const query of ['?folderId=x', '?q=x', '?everywhere=true', '?trashed=true'])
      expect((await visitor.get(`/assets${query}`)).status, query).toBe(400)
    const zip = Buffer.from(await (await visitor.get('/download')).arrayBuffer())
    expect(await namesInZip(zip)).toEqual([kind === 'folder' ? 'Shared/In the folder.png' : 'Chosen.png'])
    for (const climbing of ['/..', '/../../admin/users', '/assets/../../../auth/me', '/%2e%2e/x'])
      expect((await visitor.get(climbing)).status, climbing).toBeGreaterThanOrEqual(400)
  }
  const {
    share_links: _,
    share_link_visits: __,
    derived_files: ___,
    events: e,
    audit_trail: a,
    client_counters: c,
    ...after
  } = await snapshot(db)
  expect(before).toMatchObject(after)

  // Nor can what is not one's own be put into one.
  for (const assetIds of [[foreign.assetId], [own.assetId, newId('asset')], [own.trashedAssetId], ['x']])
    expect(await operator.post(linksAt(operator), { title: 'x', assetIds })).toEqual(refusal('not-found'))
  for (const id of [foreign.folderId, own.trashedFolderId])
    expect(await operator.post(linksAt(operator), { title: 'x', folderId: id })).toEqual(refusal('not-found'))
  for (const wish of [
    {},
    { assetIds: [own.assetId], folderId },
    { assetIds: [] },
    { folderId, ttlDays: 366 },
  ])
    expect(await operator.post(linksAt(operator), { title: 'x', ...wish })).toEqual(
      refusal('invalid-request'),
    )
})
