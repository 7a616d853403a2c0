import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import type { Renamed } from '../server/portable/journal.ts'
import { hashToken } from '../server/secrets.ts'
import { command } from './command.ts'
import { wordpressPeer } from './delivery-peers.ts'
import { sendsFile } from './guest-file.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { adminLogin, newClient, newHome, type Server, signIn, startServer } from './world.ts'

let home: Awaited<ReturnType<typeof newHome>>
let folder: string
let run: ReturnType<typeof command>['run']
beforeAll(async () => {
  home = await newHome()
  folder = await mkdtemp(join(tmpdir(), 'library-portable-'))
  run = command(home.environment).run
})
afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a library moves whole to another server, through a kill, and out of it again the same to the byte', async () => {
  const site = await wordpressPeer()
  const { from, before, assetRef, connectionId, people, links } = await withServer((server) =>
    fill(server, site.url),
  )
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name))
  const exported = await run('export', first!, '--client', from, '--json')
  expect(exported).toMatchObject({
    // What a guest has sent is nobody's yet: it stays, and that is said.
    code: 1,
    json: {
      ...{ assets: 9, written: 11, there: 0 },
      faults: [{ file: 'waiting room: menu.png', code: 'in-use', detail: expect.stringMatching(/^Anna /) }],
    },
  })
  const { 'library.jsonl': _, ...tree } = await filesBelow(first!)
  expect(Object.keys(tree)).toEqual(
    expect.arrayContaining(['files/Campaigns/Summer/Harbour.png', 'trash/Gone.png']),
  )

  // The other database and the other store, or a second one of the same.
  const other = await mkdtemp(join(tmpdir(), 'library-other-'))
  const there = { ...common, DATA_DIR: other }
  const elsewhere = command(there)
  expect((await elsewhere.run('migrate')).code).toBe(0)
  const to = (await elsewhere.run('client', 'add', '--name', 'Second', '--json')).json.clientId
  const accountThere = async (who: typeof elsewhere, clientId: string) => {
    const operator = [...['--email', people.operator.email], ...['--role', 'operator', '--name', 'operator']]
    return (await who.run('user', 'add', ...operator, '--client', clientId, '--json')).json.userId as string
  }
  const operatorThere = await accountThere(elsewhere, to)
  const journal = join(first!, `.import-${to}.jsonl`)
  const { child, ended } = elsewhere.start('import', first!, '--client', to)
  await expect.poll(() => linesOf(journal), { timeout: 60_000, interval: 5 }).toBeGreaterThan(2)
  child.kill('SIGKILL')
  expect((await ended).code).toBe(null)
  const imported = await elsewhere.run('import', first!, '--client', 'second', '--json')
  expect(imported).toMatchObject({ code: 0, json: { refused: [], renamed: [] } })
  expect(imported.json.made + imported.json.there).toBe(9)
  expect(await elsewhere.run('export', second!, '--client', to)).toMatchObject({ code: 0 })
  expect(await filesBelow(second!)).toMatchObject(tree)
  const manifest = async (dir: string, called: Renamed[] = []) =>
    called
      .reduce((text, { from: was, to: is }) => text.replaceAll(is, was), await readManifest(dir))
      .split('\n')
  const itsManifest = await manifest(first!)
  expect(itsManifest.filter((line) => line.startsWith('{"mergedAsset"'))).toEqual([
    expect.stringContaining('"pins":{"1":1}'),
  ])
  expect(await manifest(second!, [{ from: people.operator.id, to: operatorThere }])).toEqual(itsManifest)

  // From there on to a server of the first kind.
  const home2 = await newHome()
  const onward = command(home2.environment)
  const { clientId: onwardId } = (await onward.run('client', 'add', '--name', 'Onward', '--json')).json
  const operatorOnward = await accountThere(onward, onwardId)
  expect(await onward.run('import', second!, '--client', onwardId)).toMatchObject({ code: 0 })
  const fourth = join(folder, 'fourth')
  await onward.run('export', fourth, '--client', onwardId)
  expect(await filesBelow(fourth)).toMatchObject(tree)
  expect(await manifest(fourth, [{ from: people.operator.id, to: operatorOnward }])).toEqual(itsManifest)
  await home2.remove()

  // Under a client beside it all get new ids, which is said; again, nothing is doubled.
  await elsewhere.run('client', 'add', '--name', 'Third')
  const beside = (await elsewhere.run('import', first!, '--client', 'Third', '--json')).json
  // But one address opens one thing.
  const taken = (title: string) => ({ file: `“${title}”`, code: 'in-use', detail: expect.any(String) })
  const refused = ['The menu', 'Over', 'The best', 'Photos'].map(taken)
  expect(beside).toMatchObject({ made: 9, refused })
  expect(beside.renamed).toContainEqual({ from: assetRef, to: expect.stringMatching(/^asset_/) })
  const again = (await elsewhere.run('import', first!, '--client', 'Third', '--json')).json
  expect(again).toMatchObject({ made: 0, there: 9, renamed: beside.renamed, refused })
  for (const { made } of Object.values<{ made: number }>(again.sections)) expect(made).toBe(0)
  await elsewhere.run('export', third!, '--client', 'Third')
  const renamed = await manifest(third!, [...beside.renamed, { from: people.operator.id, to: operatorThere }])
  const sorted = (lines: string[]) =>
    lines
      .filter((line) => !/^{"(shareLink|uploadRequest)"/.test(line))
      .map(withoutFiles)
      .sort()
  expect(sorted(renamed)).toEqual(sorted(itsManifest))
  expect((await elsewhere.run('check', '--read', '100%', '--json')).json.faults).toEqual([])

  const server = await startServer({ ...there, OUTBOUND_ALLOW: '127.0.0.1' })
  try {
    const admin = person(server.url, {
      cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
    })
    expect(await seen(admin, to)).toEqual(before)
    expect((await admin.get(`/admin/clients/${to}`)).body.approvedOnlySurfaces).toEqual(['gbp'])
    const said = await saidOf(admin, to, assetRef)
    const operator = { kind: 'user', id: operatorThere, name: 'operator' }
    expect(said).toMatchObject([
      { text: 'Bigger', author: { kind: 'guest', name: 'Ada' }, pin: { x: 0.5, y: 0.25 } },
      // Who has no account here is known by name.
      { text: 'Yes', author: { kind: 'guest', name: 'client' }, threadId: said[2].commentId },
      { author: operator, resolvedBy: operator, mentions: [{ userId: operatorThere }] },
    ])

    // The same addresses, now of this server; with their passwords, and over where they were over.
    const nobody = person(server.url, {})
    expect((await nobody.post(`${links.over}/open`, {})).status).toBe(404)
    expect((await nobody.post(`${links.open}/open`, { password: 'another word' })).body.code).toBe(
      'wrong-password',
    )
    const opened = await nobody.post(`${links.open}/open`, { password: links.password })
    expect(opened.body).toMatchObject({ title: 'The menu', assetCount: 1 })
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
    const shown = await nobody.call('GET', `${links.open}/assets/${assetRef}/review`, undefined, { cookie })
    expect(shown.body.comments).toMatchObject([{ text: 'Bigger', author: { name: 'Ada' } }])
    expect(await sendsFile(nobody, links.request)).toMatchObject({ status: 200 })
    // It ends with the right of whoever made it, here as there.
    await admin.patch(`/admin/users/${operatorThere}`, { isActive: false })
    expect((await nobody.get(`${links.request}/request`)).status).toBe(404)
    const delivered = await admin.post(`/admin/clients/${to}/deliveries`, {
      ...{ assetRef, connectionId, surface: 'website' },
    })
    expect(delivered.body).toMatchObject({ status: 'done', remoteUrl: expect.stringContaining('http') })
    expect(site.items).toHaveLength(1)
    const test = await admin.post(`/admin/clients/${to}/connections/${connectionId}/test`)
    expect(test.body).toMatchObject({ status: 'error', lastErrorReason: { code: 'login-missing' } })
  } finally {
    await server.stop()
    await rm(other, { recursive: true, force: true })
  }

  // What was lost of an export is fetched again, and only that.
  await rm(join(first!, 'files/Campaigns/Summer/Harbour.png'))
  const { json } = await run('export', first!, '--client', from, '--json')
  expect(json).toMatchObject({ written: 1, there: 10 })
})

test('a link shows nothing but what moves with it, and opens once its maker has an account', async () => {
  const dir = join(folder, 'links')
  const server = await startServer(home.environment)
  const { clientId, operator } = await newClient(server, 'Links')
  const before = await operator.uploads(png(2, 3))
  const inFolder = await operator.makesFolder('Here before')
  await server.stop()

  await mkdir(dir)
  await writeFile(join(dir, 'a.png'), png(4, 4))
  const tokens = ['a', 'b'].map((letter) => letter.repeat(43))
  const at = '2030-01-02T03:04:05.000Z'
  const version = {
    version: 1,
    file: 'a.png',
    originalFilename: 'a.png',
    mimeType: 'image/png',
    sizeBytes: 1,
  }
  const link = (token: string, more: object) => ({
    ...{ linkId: newId('share'), tokenHash: hashToken(token), title: 'Moved', note: '', folderId: null },
    ...{
      expiresAt: at,
      revokedAt: null,
      createdAt: at,
      assetIds: [],
      passwordHash: null,
      allows: 'download',
    },
    ...{ files: 'original', review: false, watermark: null, openCount: 0, lastOpenedAt: null, visits: [] },
    by: { id: newId('user'), name: 'Somebody', email: 'Somebody@Example.com' },
    ...more,
  })
  const lines = [
    { format: 'client-asset-library', formatVersion: 2 },
    { shareLink: link(tokens[0]!, { assetIds: [before.assetId, 'its own'] }) },
    { shareLink: link(tokens[1]!, { folderId: inFolder.folderId }) },
    {
      asset: {
        ...{ assetId: 'its own', folderId: null, title: 'Its own', updatedAt: null },
        versions: [{ ...version, sha256: null, createdAt: null }],
      },
    },
  ]
  await writeFile(join(dir, 'library.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  const moves = () => run('import', dir, '--client', clientId, '--json')
  expect(await moves()).toMatchObject({
    code: 1,
    json: { made: 1, refused: [{ file: '“Moved”' }], sections: { shareLink: { made: 1 } } },
  })

  const opens = () =>
    withServer(async ({ url }) => {
      const { status, body } = await person(url, {}).post(`/s/${tokens[0]}/open`, {})
      return [status, body.assetCount]
    })
  expect(await opens()).toEqual([404, undefined])
  const somebody = ['--email', 'somebody@example.com', '--role', 'operator', '--client', clientId]
  expect((await run('user', 'add', ...somebody)).code).toBe(0)
  await moves()
  expect(await opens()).toEqual([200, 1])
})

test('a manifest of the first format is taken in, one asset for all its versions', async () => {
  const dir = join(folder, 'old')
  await mkdir(dir)
  const version = (file: string) => ({
    ...{ file, originalFilename: `menus\\\u202e${file}`, mimeType: 'image/png', sizeBytes: 1, sha256: null },
    createdAt: '2025-01-02T03:04:05.000Z',
  })
  for (const [n, file] of ['a.png', 'b.png'].entries()) await writeFile(join(dir, file), png(n + 2, 2))
  const lines = [
    { format: 'client-asset-library', formatVersion: 1 },
    { folder: ['Menus\u202e', 'Winter'] },
    {
      asset: {
        // What turns a text was taken then.
        folder: ['Menus\u202e'],
        title: '\u2067Soup',
        updatedAt: null,
        versions: [version('a.png'), version('b.png')],
      },
    },
  ]
  await writeFile(join(dir, 'library.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  const { clientId } = (await run('client', 'add', '--name', 'Old', '--json')).json
  expect((await run('import', dir, '--client', clientId, '--json')).json).toMatchObject({
    made: 1,
    refused: [],
  })
  expect((await run('import', dir, '--client', clientId, '--json')).json).toMatchObject({ made: 0, there: 1 })
  const out = join(folder, 'old-out')
  await run('export', out, '--client', clientId)
  expect(Object.keys(await filesBelow(out))).toEqual([
    'files/Menus/Soup.png',
    'library.jsonl',
    'versions/Menus/Soup.png/1.png',
  ])
  expect(await readManifest(out)).not.toMatch(/[\u202e\u2067]|menus/)
})

test('a plain folder is taken in; what is refused is told, and the rest goes on', async () => {
  const dir = join(folder, 'plain')
  await mkdir(join(dir, 'Menus', 'Winter'), { recursive: true })
  await mkdir(join(dir, '.hidden'))
  await cp(fixturePath('a.jpg'), join(dir, 'Menus/Winter/Terrace at dusk.JPEG'))
  await writeFile(join(dir, 'logo.png'), png(3, 3))
  await writeFile(join(dir, '.hidden/secret.png'), png(3, 3))
  await writeFile(join(dir, 'notes.txt'), 'not a picture')
  await cp(fixturePath('impostor-html.jpg'), join(dir, 'Menus/page.jpg'))
  await writeFile(join(dir, 'huge.png'), Buffer.alloc(1_200_000))
  const { clientId } = (await run('client', 'add', '--name', 'Plain', '--quota', '1M', '--json')).json

  const imported = await run('import', dir, '--client', clientId, '--json')
  expect(imported.code).toBe(1)
  const refused = Object.fromEntries(
    imported.json.refused.map(({ file, code }: { file: string; code: string }) => [file, code]),
  )
  expect(refused).toEqual({
    'notes.txt': 'unsupported-type',
    'Menus/page.jpg': expect.stringMatching(/type-mismatch|unreadable-media/),
    'huge.png': 'quota-exceeded',
  })
  expect(imported.json.made).toBe(2)
  const out = join(folder, 'plain-out')
  await run('export', out, '--client', clientId)
  const tree = await filesBelow(out)
  expect(tree['files/Menus/Winter/Terrace at dusk.jpg']).toBe(hash(await readFile(fixturePath('a.jpg'))))
  expect(Object.keys(tree)).toHaveLength(3)
})

test('a manifest that names a file outside its folder gets nothing', async () => {
  const dir = join(folder, 'hostile')
  await mkdir(join(dir, 'files'), { recursive: true })
  await writeFile(join(folder, 'outside.png'), png())
  const version = (file: string) => ({
    ...{
      file,
      originalFilename: 'a.png',
      mimeType: 'image/png',
      sizeBytes: 1,
      sha256: null,
      createdAt: null,
    },
  })
  await symlink(join(folder, 'outside.png'), join(dir, 'files', 'link.png'))
  const lines = [
    { format: 'client-asset-library', formatVersion: 1 },
    { asset: { folder: [], updatedAt: null, versions: [version('../outside.png')] } },
    { asset: { folder: [], updatedAt: null, versions: [version(join(folder, 'outside.png'))] } },
    { asset: { folder: [], updatedAt: null, versions: [version('files/link.png')] } },
  ]
  await writeFile(join(dir, 'library.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  const { clientId } = (await run('client', 'add', '--name', 'Hostile', '--json')).json
  const { code, json } = await run('import', dir, '--client', clientId, '--json')
  expect(json.refused.map(({ code: why }: { code: string }) => why)).toEqual(Array(3).fill('not-found'))
  expect([code, json.made]).toEqual([1, 0])
})

const common = {
  ...{ LOG_LEVEL: 'silent', SECRET_KEY: 'a secret key that only the tests know', RATE_LIMIT_PRINCIPAL: '0' },
  ...{ BOOTSTRAP_ADMIN_EMAIL: adminLogin.email, BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password },
}

async function withServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer({ ...home.environment, OUTBOUND_ALLOW: '127.0.0.1' })
  return work(server).finally(() => server.stop())
}

/** Nine assets: old versions, one of them gone and one restored, a hold, uses, a delivery, and a trash with a folder. */
async function fill(server: Server, siteUrl: string) {
  const { clientId, operator, portal, social, agent } = await newClient(server)
  const admin = person(server.url, {
    cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
  })
  const campaigns = await operator.makesFolder('Campaigns')
  const summer = await operator.makesFolder('Summer', campaigns.folderId)
  await operator.makesFolder('Empty: “nothing” here?')
  await social.makesFolder('Posted', (await social.makesFolder('Social')).folderId)
  let colour = 0
  const upload = (words: object, session: object = {}) =>
    operator.uploads(png(5, 4, [++colour, 9, 9]), { words, session })
  const harbour = await upload(
    {
      ...{
        title: 'Harbour',
        description: 'Line one\nline two',
        altText: 'Boats — at dawn',
        tags: ['sea', 'é'],
      },
      ...{
        allowedSurfaces: ['website', 'gbp'],
        provenance: 'stock',
        rightsExpireAt: '2031-02-03T04:05:06.789Z',
      },
    },
    { originalFilename: 'IMG_0001.png', folderId: summer.folderId },
  )
  await upload({ title: '../../etc/passwd' })
  await upload({ title: 'CON' }, { folderId: campaigns.folderId })
  await upload({ title: 'Twice' })
  await upload({ title: 'twice', tags: ['second'] })
  await upload({}, { originalFilename: 'ünïcödé‮gnp.png' })

  const logo = await upload({ title: 'Logo' })
  const at = `${operator.door.assets}/${logo.assetId}`
  const whole = { '5:4': { x: 0, y: 0, width: 1, height: 1 } }
  await operator.edits(logo.assetId, { focalPoint: { x: 0.1, y: 0.9 }, crops: whole })
  await operator.uploads(png(8, 8, [1, 2, 3]), { session: { replacesAssetId: logo.assetId } })
  await operator.uploads(png(8, 8, [4, 5, 6]), { session: { replacesAssetId: logo.assetId } })
  await operator.post(`${at}/versions/1/restore`)
  await operator.edits(logo.assetId, { focalPoint: { x: 1, y: 0 } })
  expect((await operator.delete(`${at}/versions/2`)).status).toBe(204)
  await admin.put(`${at}/hold`, { held: true, reason: 'Claim 4711' })

  const says = async (assetId: string, version: number, decision: string) =>
    expect(
      (await operator.put(`${operator.door.assets}/${assetId}/approval`, { version, decision, note: 'Yes' }))
        .status,
    ).toBe(200)
  await expect
    .poll(async () => (await operator.reads(logo.assetId)).body.media.state, { timeout: 60_000 })
    .toBe('ready')
  await says(logo.assetId, 3, 'changes-requested')
  await says(logo.assetId, 4, 'approved')

  const uses = `/admin/clients/${clientId}/uses/blog-post`
  await agent.put(`${uses}/soon`, {
    ...{ status: 'scheduled', scheduledFor: '2031-01-01T00:00:00Z', title: 'Menus' },
    ...{ featuredAssetRef: harbour.assetId, assetRefs: [`${logo.assetId}@3`, logo.assetId] },
  })
  await agent.put(`${uses}/never`, { status: 'cancelled', assetRefs: [harbour.assetId] })

  const gone = await operator.uploads(png(5, 4, [1, 9, 9]), { words: { title: 'Gone' } })
  const { body: twice } = await operator.post(`/admin/clients/${clientId}/duplicates/kept-groups`, {
    assetIds: [harbour.assetId, gone.assetId],
  })
  expect(twice.count).toBe(2)
  await operator.post(`/admin/clients/${clientId}/duplicates/keep`, {
    keep: harbour.assetId,
    others: [gone.assetId],
  })
  const old = await operator.makesFolder('Old menus', campaigns.folderId)
  const winter = await operator.makesFolder('Winter', old.folderId)
  const soup = await upload({ title: 'Soup' }, { folderId: winter.folderId })
  await operator.uploads(png(7, 7), { session: { replacesAssetId: soup.assetId } })
  await operator.deletesFolder(old.folderId)

  const { body: connection } = await admin.post(`/admin/clients/${clientId}/connections`, {
    ...{ kind: 'wordpress', name: 'Site', settings: { siteUrl } },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })
  const { connectionId } = connection
  const wish = { assetRef: harbour.assetId, connectionId, surface: 'website' }
  const { body: delivery } = await agent.post(`/admin/clients/${clientId}/deliveries`, wish)
  await expect
    .poll(
      async () =>
        (await agent.get(`/admin/clients/${clientId}/deliveries/${delivery.deliveryId}`)).body.status,
      { timeout: 60_000 },
    )
    .toBe('done')
  const comments = (who: Person, body: object) =>
    who.post(`${who.door.assets}/${harbour.assetId}/comments`, body).then(({ body: said }) => said)
  const thread = await comments(operator, { text: 'Bluer?', mentions: [operator.id] })
  await comments(portal, { text: 'Yes', threadId: thread.commentId })
  await operator.patch(`${operator.door.assets}/${harbour.assetId}/comments/${thread.commentId}`, {
    resolved: true,
  })
  const password = 'a word of some length'
  const link = async (path: string, body: object) =>
    (await operator.post(`/admin/clients/${clientId}/${path}`, body)).body
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname
  const shared = { assetIds: [harbour.assetId], review: true }
  const open = await link('share-links', { title: 'The menu', password, ...shared })
  const over = await link('share-links', { title: 'Over', folderId: campaigns.folderId })
  const { collectionId } = await link('collections', { name: 'Best', assetIds: [harbour.assetId] })
  await link('share-links', { title: 'The best', collectionId })
  const search = { q: 'harbour', tag: ['summer', 'menu'], folderId: campaigns.folderId, below: true }
  await link('saved-searches', { name: 'Harbours', search, for: 'client' })
  await link('saved-searches', { name: 'Only mine', search: { collectionId } })
  await operator.delete(`/admin/clients/${clientId}/share-links/${over.shareLinkId}`)
  const nobody = person(server.url, {})
  const opened = await nobody.post(`${pathOf(open)}/open`, { password })
  await nobody.call(
    'POST',
    `${pathOf(open)}/assets/${harbour.assetId}/comments`,
    { name: 'Ada', version: 1, text: 'Bigger', pin: { x: 0.5, y: 0.25 } },
    { cookie: opened.headers.get('set-cookie')!.split(';')[0]! },
  )
  const before = await seen(admin, clientId)

  const asked = { title: 'Photos', folderId: summer.folderId, maxFiles: 3 }
  const request = await link('upload-requests', asked)
  await sendsFile(nobody, pathOf(request))
  await admin.patch(`/admin/clients/${clientId}`, { approvedOnlySurfaces: ['gbp'] })
  return {
    people: { operator: { id: operator.id, email: `${operator.id}@example.com` } },
    links: { open: pathOf(open), over: pathOf(over), request: pathOf(request), password },
    from: clientId,
    before,
    assetRef: harbour.assetId as string,
    connectionId: connectionId as string,
  }
}

const saidOf = async (admin: Person, clientId: string, assetId: string) =>
  (await admin.get(`/admin/clients/${clientId}/assets/${assetId}/comments`)).body.comments

/** Who has no account is known by name alone. */
const readManifest = async (dir: string) =>
  (await readFile(join(dir, 'library.jsonl'), 'utf8')).replaceAll(/,"email":"[^"]*"/g, '')

/** All that the API says of a library, but for what is of its server alone. */
async function seen(admin: Person, clientId: string) {
  const door = `/admin/clients/${clientId}`
  const read = async (path: string) => (await admin.get(`${door}${path}`)).body
  const live = await read('/assets?limit=200')
  const trashed = await read('/assets?trashed=true&limit=200')
  const folder = trashed.folders[0].folderId
  const below = await read(`/assets/folders?limit=200`)
  const assets = [...live.assets, ...trashed.assets]
  const versions = await Promise.all(
    assets.map(({ assetId }: { assetId: string }) => read(`/assets/${assetId}/versions`)),
  )
  return ofAnyServer({
    assets: assets.sort((a, b) => (a.assetId < b.assetId ? -1 : 1)),
    versions,
    folders: below.folders,
    trash: [trashed.folders, await read(`/assets?trashed=true&folderId=${folder}`)],
    uses: (await read('/uses?limit=200')).uses,
    deliveries: (await read('/deliveries?limit=200')).deliveries,
    shareLinks: (await read('/share-links')).shareLinks,
    collections: (await read('/collections')).collections,
    savedSearches: (await read('/saved-searches')).savedSearches,
    keptGroups: (await read('/duplicates/kept-groups')).keptGroups,
    collected: (
      await read(`/assets?collectionId=${(await read('/collections')).collections[0]?.collectionId}`)
    ).assets,
    stored: (await read('')).storedBytes,
  })
}

function ofAnyServer(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) =>
      ['clientId', 'createdBy', 'keptBy', 'by', 'media', 'focalPointIsGuess', 'attempts'].includes(name)
        ? undefined
        : value,
    ),
  )
}

/** Where files lie says which of two equal names came first. */
const withoutFiles = (line: string) => line.replaceAll(/"file":"[^"]*"/g, '')

const linesOf = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\n').length - 1

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function filesBelow(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /^\.(export|import)/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    found[path.slice(dir.length + 1)] = hash(await readFile(path))
  }
  return Object.fromEntries(Object.entries(found).sort())
}
