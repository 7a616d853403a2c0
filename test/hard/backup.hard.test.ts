import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { command } from '../command.ts'
import { png } from '../pictures.ts'
import { newClient, startServer } from '../world.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const picture = png(6, 6)
let folder: string
let original: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-backup-'))
  original = join(folder, 'original')
  const server = await startServer({ DATA_DIR: original, LOG_LEVEL: 'silent', DEMO: '0' })
  const { operator } = await newClient(server)
  await operator.uploads(picture, { words: { title: 'Harbour' } })
  await server.stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('what was backed up is there again, to the byte', async () => {
  const file = join(folder, 'library.tar.gz')
  const backup = await command({ DATA_DIR: original }).run('backup', file, '--json')
  expect(backup).toMatchObject({ code: 0, json: { file, notInside: [] } })
  expect((await stat(file)).mode & 0o077).toBe(0)
  const before = await filesBelow(original)

  const DATA_DIR = join(folder, 'restored')
  const restored = await command({ DATA_DIR }).run('restore', file, '--json')
  expect(restored).toMatchObject({ code: 0, json: { clients: 1, assets: 1, files: backup.json.files } })
  const after = await filesBelow(DATA_DIR)
  // The database was opened once to see that it opens, and has written that down.
  const lasting = (name: string) => name.startsWith('objects/clients/') || name === 'secret.key'
  expect(Object.keys(after).filter(lasting).length).toBeGreaterThan(1)
  expect(pick(after, lasting)).toEqual(pick(before, lasting))
  expect(await readdir(DATA_DIR)).toEqual(['database', 'objects', 'secret.key'])
  const check = await command({ DATA_DIR }).run('check', '--read', '100%', '--json')
  expect(check.json).toMatchObject({ faults: [], read: 1 })

  // Others can read it, too.
  await mkdir(join(folder, 'by-tar'))
  const inThere = { cwd: join(folder, 'by-tar') }
  const tools = await promisify(execFile)(
    'sh',
    ['-c', `tar xzf ${file} && sha256sum -c --quiet SHA256SUMS`],
    inThere,
  )
  expect(tools).toEqual({ stdout: '', stderr: '' })

  // There is a library now: only by force, and never by half.
  const again = await command({ DATA_DIR }).run('restore', file)
  expect(again.code).toBe(2)
  expect(again.errors).toContain('--force')
})

test('from a damaged backup nothing is taken, and what was there stays', async () => {
  const file = join(folder, 'plain.tar')
  await command({ DATA_DIR: original }).run('backup', file)
  const DATA_DIR = join(folder, 'untouched')
  await cp(original, DATA_DIR, { recursive: true })
  const before = await filesBelow(DATA_DIR)

  const bytes = await readFile(file)
  const flipped = Buffer.from(bytes)
  flipped[flipped.indexOf(picture) + 30]! ^= 1
  const damaged = {
    'flipped.tar': flipped,
    'short.tar': bytes.subarray(0, bytes.length / 2),
    'no.tar': Buffer.from('no tar'),
  }
  for (const [name, content] of Object.entries(damaged)) {
    await writeFile(join(folder, name), content)
    const { code, errors } = await command({ DATA_DIR }).run('restore', join(folder, name), '--force')
    expect(errors).toMatch(/cannot be used: .* Nothing was changed/)
    expect(code).toBe(1)
  }
  expect(await filesBelow(DATA_DIR)).toEqual(before)

  await (await open(join(DATA_DIR, 'objects', 'stray'), 'w')).close()
  const forced = await command({ DATA_DIR }).run('restore', file, '--force', '--json')
  expect(forced).toMatchObject({ code: 0, json: { assets: 1 } })
  expect(await readdir(join(DATA_DIR, 'objects'))).not.toContain('stray')
})

const pick = (files: Record<string, string>, wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => wanted(name)))

async function filesBelow(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    found[path.slice(dir.length + 1)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return found
}
