import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { command } from './command.ts'
import { png } from './pictures.ts'
import { newClient, newHome, type Server, startServer } from './world.ts'

vi.setConfig({ testTimeout: 240_000 })

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

test('a library moves to another client and back out again, the same to the byte', async () => {
  const from = await withServer(fill)
  const to = (await run('client', 'add', '--name', 'Second', '--json')).json.clientId
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]

  const exported = await run('export', first, '--client', from, '--json')
  expect(exported).toMatchObject({ code: 0, json: { assets: 7, written: 8, there: 0, faults: [] } })
  const imported = await run('import', first, '--client', 'second', '--json')
  expect(imported).toMatchObject({ code: 0, json: { made: 7, there: 0, refused: [] } })
  await run('export', second, '--client', to)
  const tree = await filesBelow(first)
  expect(Object.keys(tree)).toContain('files/Campaigns/Summer/Harbour.png')
  expect(Object.keys(tree).length).toBe(9)
  expect(await filesBelow(second)).toEqual(tree)
  const moved = await readFile(join(second, 'library.jsonl'), 'utf8')
  expect(moved).toMatch(/"focalPoint":{"x":0.1,"y":0.9},"crops":{"5:4":.*"focalPoint":{"x":1,"y":0}}/)

  // As if it had been killed when every asset was made and none of them written down yet.
  const journal = join(first, `.import-${to}.jsonl`)
  const begun = (await readFile(journal, 'utf8')).split('\n').filter((line) => !line.includes('"assetId"'))
  await writeFile(journal, `${begun.join('\n')}{"file":"cut o`)
  const resumed = await run('import', first, '--client', to, '--json')
  expect(resumed.json).toMatchObject({ made: 7, there: 0, refused: [] })

  // Again, nothing is doubled; what was lost of an export is fetched again, and only that.
  expect((await run('import', first, '--client', to, '--json')).json).toMatchObject({ made: 0, there: 7 })
  await rm(join(second, 'files/Campaigns/Summer/Harbour.png'))
  await writeFile(join(second, 'files/Logo.png'), 'damaged')
  expect((await run('export', second, '--client', to, '--json')).json).toMatchObject({ written: 2, there: 6 })
  expect(await filesBelow(second)).toEqual(tree)
  expect((await run('export', second, '--client', from)).code).toBe(2)

  const check = await run('check', '--read', '100%', '--json')
  expect(check.json.faults).toEqual([])
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

async function withServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer(home.environment)
  return work(server).finally(() => server.stop())
}

/** Seven assets, one of them in two versions, one more in the trash; titles that no folder could bear. */
async function fill(server: Server): Promise<string> {
  const { clientId, operator, social } = await newClient(server)
  const campaigns = await operator.makesFolder('Campaigns')
  const summer = await operator.makesFolder('Summer', campaigns.folderId)
  await operator.makesFolder('Empty: “nothing” here?')
  await social.makesFolder('Posted', (await social.makesFolder('Social')).folderId)
  let colour = 0
  const upload = (words: object, session: object = {}) =>
    operator.uploads(png(5, 4, [++colour, 9, 9]), { words, session })
  await upload(
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
  const whole = { '5:4': { x: 0, y: 0, width: 1, height: 1 } }
  await operator.edits(logo.assetId, { focalPoint: { x: 0.1, y: 0.9 }, crops: whole })
  await operator.uploads(png(8, 8, [1, 2, 3]), { session: { replacesAssetId: logo.assetId } })
  await operator.edits(logo.assetId, { focalPoint: { x: 1, y: 0 } })
  const { assetId } = await upload({ title: 'Gone' })
  await operator.trashes(assetId)
  return clientId
}

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
