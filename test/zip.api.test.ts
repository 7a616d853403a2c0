import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { originalKey } from '../server/assets/asset.ts'
import { forgetOldDownloads } from '../server/downloads/selection-archive.ts'
import { hostileTitles } from './hostile-titles.ts'
import type { Person } from './person.ts'
import { png, pngOfSize } from './pictures.ts'
import { statementsOf } from './statements.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const onDisk = w.parts.store.kind === 'disk'

/** Also what is refused today and may have been taken before. */
const called = (title: string, { assetId }: { assetId: string }) =>
  w.parts.db.updateTable('assets').set({ title }).where('id', '=', assetId).execute()

const download = (person: Person, folderId: string, headers: Record<string, string> = {}) =>
  person.fetch(`${person.door.assets}/folders/download?folderId=${folderId}`, { headers })

/** Two levels with pictures in both, and an empty folder. */
async function campaign(person: Person) {
  const campaigns = await person.makesFolder('Campaigns')
  const summer = await person.makesFolder('Summer', campaigns.folderId)
  await person.makesFolder('Empty', campaigns.folderId)
  const pictures = { top: png(2, 1), deep: pngOfSize(70_000, 3) }
  await person.uploads(pictures.top, {
    session: { folderId: campaigns.folderId },
    words: { title: 'Über uns' },
  })
  await person.uploads(pictures.deep, { session: { folderId: summer.folderId }, words: { title: 'Terrace' } })
  return { folderId: campaigns.folderId, pictures }
}

async function unpacked(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'library-zip-'))
  try {
    await writeFile(join(folder, 'a.zip'), bytes)
    execFileSync('python3', [
      '-c',
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])',
      join(folder, 'a.zip'),
      join(folder, 'out'),
    ])
    const found = new Map<string, Buffer>()
    for (const entry of await readdir(join(folder, 'out'), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      found.set(
        path.slice(join(folder, 'out').length + 1) + (entry.isDirectory() ? '/' : ''),
        entry.isDirectory() ? Buffer.alloc(0) : await readFile(path),
      )
    }
    return found
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a folder is downloaded as a zip with the tree inside, of the length that was promised', async () => {
  const { portal } = await w.newClient()
  const { folderId, pictures } = await campaign(portal)
  const answer = await download(portal, folderId)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toContain('filename="Campaigns.zip"')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.length).toBe(Number(answer.headers.get('content-length')))

  const files = await unpacked(bytes)
  expect([...files.keys()].sort()).toEqual(
    [
      'Campaigns/',
      'Campaigns/Empty/',
      'Campaigns/Summer/',
      'Campaigns/Summer/Terrace.png',
      'Campaigns/Über uns.png',
    ].sort(),
  )
  expect(files.get('Campaigns/Summer/Terrace.png')).toEqual(pictures.deep)
  expect(files.get('Campaigns/Über uns.png')).toEqual(pictures.top)
})

test('a broken download is resumed on the very archive it was begun on', async () => {
  const { operator } = await w.newClient()
  const { folderId } = await campaign(operator)
  const whole = await download(operator, folderId)
  const etag = whole.headers.get('etag')!
  const bytes = Buffer.from(await whole.arrayBuffer())

  const rest = await download(operator, folderId, { range: 'bytes=1000-', 'if-range': etag })
  expect(rest.status).toBe(206)
  expect(rest.headers.get('content-range')).toBe(`bytes 1000-${bytes.length - 1}/${bytes.length}`)
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(1000))

  await operator.uploads(png(5, 5), { session: { folderId } })
  const changed = await download(operator, folderId, { range: 'bytes=1000-', 'if-range': etag })
  expect(changed.status).toBe(200) // another archive by now: it is sent whole
  await changed.body!.cancel()
})

test('what a search finds, or somebody chose, is one zip that goes on as it began, whatever happens meanwhile', async () => {
  const { operator, portal } = await w.newClient('Kiosk')
  const { folderId, pictures } = await campaign(operator)
  const loose = await operator.uploads(png(3, 3), { words: { title: 'Terrace' } })
  for (const person of [operator, portal]) {
    const asked = await person.post(`${person.door.assets}/download`, { search: { everywhere: true } })
    expect(asked.status).toBe(201)
    expect(asked.body).toMatchObject({ files: 3, filename: 'Kiosk.zip' })
    const fetched = (headers = {}) => person.fetch(new URL(asked.body.url).pathname, { headers })
    const whole = await fetched()
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(bytes.length).toBe(asked.body.sizeBytes)
    expect([...(await unpacked(bytes)).keys()].filter((name) => !name.endsWith('/')).sort()).toEqual([
      'Campaigns/Summer/Terrace.png',
      'Campaigns/Über uns.png',
      'Terrace.png',
    ])
    // Renamed, moved, replaced, and with a checksum that nobody knew before: the archive stays the one it was.
    const before = await person.reads(loose.assetId)
    await person.edits(loose.assetId, { title: 'Garden', folderId })
    await person.uploads(png(4, 4), { session: { replacesAssetId: loose.assetId } })
    await w.parts.db
      .updateTable('asset_versions')
      .set({ crc32: null })
      .where('asset_id', '=', loose.assetId)
      .execute()
    const rest = await fetched({ range: 'bytes=99-', 'if-range': whole.headers.get('etag')! })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(99))
    await person.edits(loose.assetId, { title: before.body.title, folderId: null })
  }

  // Below the folder that all have in common, and named after it; a folder goes with all below.
  const chosen = { assetIds: (await operator.lists({ folderId })).body.assets.map(idOf) }
  const some = async (body: object) => {
    const { body: download } = await operator.post(`${operator.door.assets}/download`, body)
    const zip = await operator.fetch(new URL(download.url).pathname)
    const files = await unpacked(Buffer.from(await zip.arrayBuffer()))
    return { name: download.filename, files: [...files.keys()].filter((name) => !name.endsWith('/')).sort() }
  }
  expect(await some(chosen)).toEqual({ name: 'Campaigns.zip', files: ['Über uns.png'] })
  expect(await some({ ...chosen, folderIds: [folderId] })).toEqual({
    name: 'Campaigns.zip',
    files: ['Summer/Terrace.png', 'Über uns.png'],
  })
  expect(await some({ search: { folderId, below: true }, except: chosen.assetIds })).toEqual({
    name: 'Summer.zip',
    files: ['Terrace.png'],
  })
  expect(pictures.top.length).toBeGreaterThan(0)
})

test('a zip of a selection is for whoever asked, for a day, and never short', async () => {
  const [{ operator, viewer, clientId }, stranger] = await Promise.all([w.newClient(), w.newClient()])
  const one = await operator.uploads(png(2, 2))
  const other = await operator.uploads(png(3, 3))
  const asks = (body: object) => operator.post(`${operator.door.assets}/download`, body)
  const { body: download } = await asks({ assetIds: [one.assetId, other.assetId] })
  const { pathname } = new URL(download.url)
  for (const person of [viewer, stranger.operator, stranger.portal, w.nobody])
    expect([401, 403, 404]).toContain((await person.get(pathname)).status)

  await operator.trashes(other.assetId)
  expect((await operator.get(pathname)).body).toMatchObject({ status: 412, code: 'changed-meanwhile' })
  await operator.restores(other.assetId)
  expect((await operator.get(pathname)).status).toBe(200)
  await operator.trashes(other.assetId)
  await w.admin.delete(`${operator.door.assets}/${other.assetId}?permanently=true`)
  expect((await operator.get(pathname)).body.code).toBe('changed-meanwhile')

  for (const body of [
    { search: {}, assetIds: [one.assetId] },
    { assetIds: [one.assetId], except: [one.assetId] },
    { assetIds: [] },
    { except: [one.assetId] },
  ])
    expect((await asks(body)).body.code).toBe('invalid-request')
  const { folderId } = await operator.makesFolder('Empty')
  for (const [body, said] of [
    [{ assetIds: [one.assetId, other.assetId] }, /^Not all of these assets are here/],
    [{ search: { q: 'nothing like it' } }, /by this search/],
    [{ search: {}, except: [one.assetId] }, /by this search/],
    [{ folderIds: [folderId] }, /in these folders/],
  ] as const)
    expect((await asks(body)).body).toMatchObject({
      code: 'not-found',
      detail: expect.stringMatching(said),
    })

  // The latest of each caller are kept, and those not for ever.
  const kept = async () =>
    (await w.parts.db.selectFrom('downloads').select('id').where('client_id', '=', clientId).execute()).length
  let last = ''
  for (let i = 0; i < 25; i++) last = (await asks({ assetIds: [one.assetId] })).body.url
  expect(await kept()).toBe(20)
  expect((await operator.get(pathname)).status).toBe(404)
  await w.parts.db
    .updateTable('downloads')
    .set({ expires_at: new Date() })
    .where('client_id', '=', clientId)
    .execute()
  expect((await operator.get(new URL(last).pathname)).status).toBe(404)
  await forgetOldDownloads(w.parts.db)
  expect(await kept()).toBe(0)
  const trail = await w.parts.db
    .selectFrom('audit_trail')
    .select(['action', 'principal_id', 'details'])
    .where('thing', '=', download.downloadId)
    .execute()
  expect(trail).toMatchObject([
    { action: 'asset.downloaded', principal_id: operator.id, details: { files: 2 } },
  ])
})

const idOf = ({ assetId }: { assetId: string }) => assetId

// How entries are named has nothing to do with the database.
const tools = (
  [
    ['unzip', ['-v'], (path: string, target: string) => ['-q', path, '-d', target]],
    ['bsdtar', ['--version'], (path: string, target: string) => ['-xf', path, '-C', target]],
    ['python3', ['--version'], (path: string, target: string) => ['-m', 'zipfile', '-e', path, target]],
  ] as const
).map(([command, probe, args]) => ({ command, args, isHere: spawnSync(command, probe).status === 0 }))

describe('an archive of two hundred hostile titles', () => {
  beforeEach(({ skip }) => skip(!onDisk, 'tried with the disk store'))

  const archive = once(async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Odd')
    const queue = hostileTitles.entries()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const [index, title] of queue)
          await called(title, await operator.uploads(png(1, 1, [index, 9, 9]), { session: { folderId } }))
      }),
    )
    return Buffer.from(await (await download(operator, folderId)).arrayBuffer())
  })

  test.for(tools)(
    'stays inside the target and whole under $command',
    async ({ command, args, isHere }, { skip }) => {
      skip(!isHere, `${command} is not installed`)
      const outside = await mkdtemp(join(tmpdir(), 'library-outside-'))
      try {
        const target = join(outside, 'deep', 'target')
        await mkdir(target, { recursive: true })
        const path = join(outside, 'a.zip')
        await writeFile(path, await archive())
        // Names beyond ASCII are for a machine that knows them; elsewhere unzip makes two of them one, and asks.
        execFileSync(command, args(path, target), { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
        expect((await readdir(outside)).sort()).toEqual(['a.zip', 'deep'])
        expect(await readdir(join(outside, 'deep'))).toEqual(['target'])
        expect(await readdir(target)).toEqual(['Odd'])
        const files = await readdir(join(target, 'Odd'), { withFileTypes: true })
        expect(files.filter((file) => !file.isFile())).toEqual([])
        expect(files).toHaveLength(hostileTitles.length)
        expect(new Set(files.map(({ name }) => name.toLowerCase())).size).toBe(hostileTitles.length)
        for (const { name } of files) expect(name).toMatch(/^[^\\:*?"<>|\p{Cc}\u202e]+\.png$/u)
      } finally {
        await rm(outside, { recursive: true })
      }
    },
  )
})

test('an archive that cannot be whole is refused, or breaks off if it was begun; it never ends short', async () => {
  const { operator, clientId } = await w.newClient()
  const { folderId, pictures } = await campaign(operator)
  const { object_prefix } = await w.parts.db
    .selectFrom('asset_versions')
    .select('object_prefix')
    .where('client_id', '=', clientId)
    .where('size_bytes', '=', pictures.deep.length)
    .executeTakeFirstOrThrow()
  await w.parts.store.storageOf(clientId).delete([originalKey({ object_prefix })])

  const refused = await download(operator, folderId)
  expect(await refused.json()).toMatchObject({ status: 502, code: 'object-missing' })
  expect(refused.headers.get('content-disposition')).toBeNull()

  await operator.uploads(pngOfSize(4_000_000), { session: { folderId } })
  const begun = await download(operator, folderId)
  expect(begun.status).toBe(200)
  await expect(begun.arrayBuffer()).rejects.toThrow()
})

test('what is in the trash, or another client’s, is in no archive', async () => {
  const [{ operator }, stranger] = await Promise.all([w.newClient(), w.newClient()])
  const { folderId } = await campaign(operator)
  const { body } = await operator.lists({ folderId })
  await operator.trashes(body.assets[0].assetId)
  const files = await unpacked(Buffer.from(await (await download(operator, folderId)).arrayBuffer()))
  expect([...files.keys()].filter((name) => name.endsWith('.png'))).toEqual(['Campaigns/Summer/Terrace.png'])
  expect((await download(stranger.operator, folderId)).status).toBe(404)
  await operator.deletesFolder(folderId)
  expect((await download(operator, folderId)).status).toBe(404)
})

test('whoever reads an archive slowly and leaves leaves no file open', async ({ skip }) => {
  skip(!onDisk, 'what a bucket has open cannot be seen')
  skip(!existsSync('/proc/self/fd'), 'this system does not list open files')
  const { operator, clientId } = await w.newClient()
  const { folderId } = await operator.makesFolder('Large')
  await operator.uploads(pngOfSize(16_000_000), { session: { folderId } })
  const readers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const leave = new AbortController()
      const path = `${operator.door.assets}/folders/download?folderId=${folderId}`
      const { body } = await operator.fetch(path, { signal: leave.signal })
      await body!.getReader().read()
      return leave
    }),
  )
  expect(await openObjects(clientId)).toBeGreaterThanOrEqual(readers.length)
  for (const reader of readers) reader.abort()
  for (let waited = 0; (await openObjects(clientId)) > 0 && waited < 5000; waited += 50) await pause(50)
  expect(await openObjects(clientId)).toBe(0)
  expect((await operator.lists({ folderId })).status).toBe(200)
})

async function openObjects(clientId: string): Promise<number> {
  const files = await readdir('/proc/self/fd')
  const names = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return names.filter((name) => name.includes(clientId)).length
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

test('zips that are asked for at once are put together one after another', async () => {
  const { operator } = await w.newClient()
  for (let n = 1; n <= 3; n++) await operator.uploads(png(n, 60))
  const statements = statementsOf(w)
  const everything = { search: { everywhere: true }, except: [] }
  const asked = Array.from({ length: 4 }, () => operator.post(`${operator.door.assets}/download`, everything))
  expect((await Promise.all(asked)).map(({ body }) => body.files)).toEqual([3, 3, 3, 3])
  const steps = statements.flatMap((text) => {
    if (/select a\.id, a\.folder_id/.test(text)) return 'files found'
    return text.includes('insert into download_files') ? 'files kept' : []
  })
  expect(steps).toEqual(asked.flatMap(() => ['files found', 'files kept']))
})
