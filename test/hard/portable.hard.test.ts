import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Environment } from '../../server/config.ts'
import { command } from '../command.ts'
import { png } from '../pictures.ts'
import { startPostgres } from '../setup/postgres.ts'
import { experiment } from './table.ts'

vi.setConfig({ testTimeout: 900_000 })

const files = 400
const folders = 7
const kills = 6

let postgres: Awaited<ReturnType<typeof startPostgres>>
let folder: string
let environment: Environment
let clientId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-moving-'))
  postgres = await startPostgres()
  await postgres.admin('create database library')
  environment = { DATABASE_URL: `${postgres.url}/library`, DATA_DIR: join(folder, 'data') }
  await command(environment).run('migrate')
  clientId = (await command(environment).run('client', 'add', '--name', 'Moved', '--json')).json.clientId
  for (let number = 0; number < files; number++) {
    const path = join(folder, 'in', `Folder ${number % folders}`)
    await mkdir(path, { recursive: true })
    await writeFile(join(path, `Picture ${number}.png`), png(4, 4, [number & 255, number >> 8, 5]))
  }
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test(`an import killed ${kills} times takes every file in once`, async () => {
  const journal = join(folder, 'in', `.import-${clientId}.jsonl`)
  const args = ['import', join(folder, 'in'), '--client', clientId, '--json']
  // The ids of all stand in it first, then a session for each.
  const sessions = async () => Math.max(0, (await linesOf(journal)) - files - folders)
  await killedAt(args, sessions, files / (kills + 1))
  const begun = performance.now()
  const last = await command(environment).run(...args)
  const recoveredInSeconds = (performance.now() - begun) / 1000

  const { hashes, faults } = await stateOf()
  experiment({
    experiment: 'import',
    load: `${files} files`,
    faults: `kill -9, ${kills} times`,
    lost: files - new Set(hashes).size,
    leaked: hashes.length - new Set(hashes).size + faults.length,
    recoveredInSeconds,
  })
  expect(last.json.refused).toEqual([])
  expect(last.json.made + last.json.there).toBe(files)
  expect(hashes.length).toBe(files)
  expect(new Set(hashes).size).toBe(files)
  expect(faults).toEqual([])
})

test(`an export killed ${kills} times has every file, and no half one`, async () => {
  const out = join(folder, 'out')
  const args = ['export', out, '--client', clientId, '--json']
  await killedAt(args, () => countFiles(out), files / (kills + 1))
  const begun = performance.now()
  const { json } = await command(environment).run(...args)
  const recoveredInSeconds = (performance.now() - begun) / 1000
  const given = await hashesBelow(join(folder, 'in'))
  const written = await hashesBelow(join(out, 'files'))
  const half = (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.part'))
  experiment({
    experiment: 'export',
    load: `${files} files`,
    faults: `kill -9, ${kills} times`,
    lost: given.filter((hash) => !written.includes(hash)).length,
    leaked: written.filter((hash) => !given.includes(hash)).length + half.length,
    recoveredInSeconds,
  })
  expect(json.there).toBeGreaterThan(0)
  expect(written).toEqual(given)
  expect(half).toEqual([])
})

/** Starts it again and again, and kills it each time it has come a step further. */
async function killedAt(args: string[], far: () => Promise<number>, step: number): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const { child, ended } = command(environment).start(...args)
    while (child.exitCode === null && (await far()) < kill * step) await pause(5)
    child.kill('SIGKILL')
    expect((await ended).code).toBe(null)
  }
}

async function stateOf(): Promise<{ hashes: string[]; faults: unknown[] }> {
  const listed = await command(environment).run(
    'export',
    join(folder, 'state'),
    '--client',
    clientId,
    '--json',
  )
  expect(listed.code).toBe(0)
  // What the kills left of uploads is for the sweep; all else must agree already.
  await command(environment).run('sweep')
  const { json } = await command(environment).run('check', '--read', '100%', '--grace', '0', '--json')
  return { hashes: await hashesBelow(join(folder, 'state', 'files')), faults: json.faults }
}

const linesOf = async (path: string) =>
  existsSync(path) ? (await readFile(path, 'utf8')).split('\n').length - 1 : 0

const countFiles = async (dir: string) =>
  existsSync(dir)
    ? (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.png')).length
    : 0

async function hashesBelow(dir: string): Promise<string[]> {
  const hashes: string[] = []
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.name.startsWith('.'))
      hashes.push(
        createHash('sha256')
          .update(await readFile(join(entry.parentPath, entry.name)))
          .digest('hex'),
      )
  return hashes.sort()
}
