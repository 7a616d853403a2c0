import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { entriesOf } from '../cli/backup/tar.ts'
import type { Environment } from '../server/config.ts'
import { command } from './command.ts'
import { person } from './person.ts'
import { login } from './upgrades/login.ts'
import { asAdmin, signIn, startServer } from './world.ts'

const folder = new URL('upgrades/', import.meta.url)
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.tar.br'))

// What each version wrote, as test/upgrades/make-fixture.ts kept it.
test.each(fixtures)('%s: migrated, whole, and read as it was', async (fixture) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'library-upgrade-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await unpack(await readFile(new URL(fixture, folder)), dataDir)
  const environment: Environment = {
    DATA_DIR: dataDir,
    ...(fixture.includes('.postgres.') && { DATABASE_URL: await databaseOf(join(dataDir, 'dump.sql')) }),
    DEMO: 'false',
    LOG_LEVEL: 'silent',
    MEDIA_OCR: 'off',
  }
  const library = command(environment)
  const migrated = await library.run('migrate', '--json')
  expect(migrated, migrated.errors).toMatchObject({ code: 0 })
  expect(await library.run('migrate', '--json')).toMatchObject({ code: 0, json: { applied: [] } })

  const server = await startServer(environment)
  try {
    const admin = person(server.url, { cookie: await signIn(server.url, login.email, login.password) })
    const { body } = await admin.get('/admin/clients')
    const client = body.clients.find(({ name }: { name: string }) => name === 'Harbour Café')
    const at = `/admin/clients/${client.clientId}/assets`
    const titles = async (query: string) =>
      (await admin.get(`${at}?${query}`)).body.assets.map(({ title }: { title: string }) => title).sort()
    expect(await titles('')).toEqual(['Kiosk 0', 'Kiosk 1'])
    expect(await titles('q=hafen')).toEqual(['Kiosk 0', 'Kiosk 1'])
    expect(await titles('q=lighthouse')).toEqual(['Kiosk 1'])
    expect(await titles('trashed=true')).toEqual(['Kiosk 2'])
    const { assets } = (await admin.get(at)).body
    const first = assets.find(({ title }: { title: string }) => title === 'Kiosk 0')
    expect(first).toMatchObject({ version: 2, tags: ['Hafen', 'No 0'], width: 30, height: 20 })
    for (const path of ['content', 'content?version=1', 'preview?size=card'])
      expect((await admin.fetch(`${at}/${first.assetId}/${path}`)).status, path).toBe(200)
    await admin.at({ assets: at, events: '' }).uploads()
  } finally {
    await server.stop()
  }
  const check = await library.run('check', '--read', '100%', '--json')
  expect(check.json, check.errors).toMatchObject({ faults: [], read: 8 })
})

async function unpack(packed: Buffer, into: string): Promise<void> {
  const tar = await promisify(brotliDecompress)(packed)
  for await (const { name, directory, body } of entriesOf(Readable.from([tar]))) {
    const path = join(into, name)
    await mkdir(directory ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (!directory) await writeFile(path, body, { mode: 0o600 })
  }
}

/** A database of its own with what a dump says. */
async function databaseOf(dump: string): Promise<string> {
  const postgres = inject('postgresUrl')
  const name = basename(dirname(dump)).toLowerCase().replaceAll(/\W/g, '_')
  await asAdmin(postgres, `create database ${name}`)
  onTestFinished(() => asAdmin(postgres, `drop database ${name} with (force)`))
  const client = new pg.Client({ connectionString: `${postgres}/${name}` })
  await client.connect()
  await client.query(await readFile(dump, 'utf8'))
  await client.end()
  return `${postgres}/${name}`
}
