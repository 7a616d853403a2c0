import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import type { Renamed } from '../server/portable/journal.ts'
import { command } from './command.ts'
import { wordpressPeer } from './delivery-peers.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { adminLogin, newClient, newHome, type Server, signIn, startServer } from './world.ts'

vi.setConfig({ testTimeout: 480_000 })

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
  const { from, before, assetRef, connectionId } = await withServer((server) => fill(server, site.url))
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name))
  const exported = await run('export', first!, '--client', from, '--json')
  expect(exported).toMatchObject({ code: 0, json: { assets: 9, written: 11, there: 0, faults: [] } })
  const tree = await filesBelow(first!)
  expect(Object.keys(tree)).toEqual(
    expect.arrayContaining(['files/Campaigns/Summer/Harbour.png', 'trash/Gone.png', 'library.jsonl']),
  )

  // The other database and the other store, or a second one of the same.
  const other = await mkdtemp(join(tmpdir(), 'library-other-'))
  const there = { ...common, DATA_DIR: other }
  const elsewhere = command(there)
  expect((await elsewhere.run('migrate')).code).toBe(0)
  const to = (await elsewhere.run('client', 'add', '--name', 'Second', '--json')).json.clientId
  const journal = join(first!, `.import-${to}.jsonl`)
  const { child, ended } = elsewhere.start('import', first!, '--client', to)
  await expect.poll(() => linesOf(journal), { timeout: 60_000, interval: 5 }).toBeGreaterThan(2)
  child.kill('SIGKILL')
  expect((await ended).code).toBe(null)
  const imported = await elsewhere.run('import', first!, '--client', 'second', '--json')
  expect(imported).toMatchObject({ code: 0, json: { refused: [], renamed: [] } })
  expect(imported.json.made + imported.json.there).toBe(9)
  await elsewhere.run('export', second!, '--client', to)
  expect(await filesBelow(second!)).toEqual(tree)

  // Under a client beside it all get new ids, which is said; again, nothing is doubled.
  await elsewhere.run('client', 'add', '--name', 'Third')
  const beside = (await elsewhere.run('import', first!, '--client', 'Third', '--json')).json
  expect(beside).toMatchObject({ made: 9, refused: [] })
  expect(beside.renamed).toContainEqual({ from: assetRef, to: expect.stringMatching(/^asset_/) })
  const again = (await elsewhere.run('import', first!, '--client', 'Third', '--json')).json
  expect(again).toMatchObject({ made: 0, there: 9, renamed: beside.renamed })
  for (const { made } of Object.values<{ made: number }>(again.sections)) expect(made).toBe(0)
  await elsewhere.run('export', third!, '--client', 'Third')
  const renamed = beside.renamed.reduce(
    (text: string, { from: was, to: is }: Renamed) => text.replaceAll(is, was),
    await readFile(join(third!, 'library.jsonl'), 'utf8'),
  )
  const sorted = (text: string) => text.split('\n').map(withoutFiles).sort()
  expect(sorted(renamed)).toEqual(sorted(await readFile(join(first!, 'library.jsonl'), 'utf8')))
  expect((await elsewhere.run('check', '--read', '100%', '--json')).json.faults).toEqual([])

  const server = await startServer({ ...there, OUTBOUND_ALLOW: '127.0.0.1' })
  try {
    const admin = person(server.url, {
      cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
    })
    expect(await seen(admin, to)).toEqual(before)
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

test('a manifest of the first format is taken in, one asset for all its versions', async () => {
  const dir = join(folder, 'old')
  await mkdir(dir)
  const version = (file: string) => ({
    ...{ file, originalFilename: file, mimeType: 'image/png', sizeBytes: 1, sha256: null },
    createdAt: '2025-01-02T03:04:05.000Z',
  })
  for (const [n, file] of ['a.png', 'b.png'].entries()) await writeFile(join(dir, file), png(n + 2, 2))
  const lines = [
    { format: 'client-asset-library', formatVersion: 1 },
    { folder: ['Menus', 'Winter'] },
    {
      asset: {
        folder: ['Menus'],
        title: 'Soup',
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
  const { clientId, operator, social, agent } = await newClient(server)
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

  const gone = await upload({ title: 'Gone' })
  await operator.trashes(gone.assetId)
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
  const before = await seen(admin, clientId)
  return { from: clientId, before, assetRef: harbour.assetId as string, connectionId: connectionId as string }
}

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
    stored: (await read('')).storedBytes,
  })
}

function ofAnyServer(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) =>
      ['clientId', 'createdBy', 'by', 'media', 'focalPointIsGuess', 'attempts'].includes(name)
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
