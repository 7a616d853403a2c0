import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, createBrotliCompress } from 'node:zlib'
import { contentsOf, entriesAt } from '../../cli/backup/contents.ts'
import { tarOf } from '../../cli/backup/tar.ts'
import { ofThisMachine } from '../command.ts'
import { person, puts } from '../person.ts'
import { png, pngOfSize } from '../pictures.ts'
import { freePort } from '../setup/postgres.ts'
import { login } from './login.ts'

// node test/upgrades/make-fixture.ts VERSION [CHECKOUT] [DATABASE_URL]
//
// Starts a checkout, uses it as people do, and keeps what it wrote: test/upgrades/VERSION.embedded.tar.br, or with an
// empty PostgreSQL VERSION.postgres.tar.br, for which pg_dump has to be there. At each release, both.

const [version, checkout = '.', databaseUrl = ''] = process.argv.slice(2)
if (!version) throw new Error('node test/upgrades/make-fixture.ts VERSION [CHECKOUT] [DATABASE_URL]')

const folder = await mkdtemp(join(tmpdir(), 'library-fixture-'))
const dataDir = join(folder, 'data')
const port = await freePort()
const server = spawn(process.execPath, [resolve(checkout, 'cli/asset-library.js'), 'serve'], {
  cwd: folder,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...ofThisMachine(),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    BOOTSTRAP_ADMIN_EMAIL: login.email,
    BOOTSTRAP_ADMIN_PASSWORD: login.password,
    DEMO: 'false',
    LOG_LEVEL: 'error',
  },
})
const ended = new Promise((done) => server.once('exit', done))
try {
  await use(`http://127.0.0.1:${port}`)
} finally {
  server.kill('SIGTERM')
  await ended
}
if (databaseUrl) await writeFile(join(dataDir, 'dump.sql'), await dumped(databaseUrl))
const target = join(import.meta.dirname, `${version}.${databaseUrl ? 'postgres' : 'embedded'}.tar.br`)
await pipeline(Readable.from(tarOf(files()), { objectMode: false }), brotli(), createWriteStream(target))
await rm(folder, { recursive: true })
console.log(target)

async function* files() {
  yield* contentsOf(dataDir)
  if (databaseUrl) yield* entriesAt(dataDir, 'dump.sql')
}

function brotli() {
  return createBrotliCompress({
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 },
  })
}

/** As statements that any client of PostgreSQL can send. */
async function dumped(url: string): Promise<string> {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', url]
  const { stdout } = await promisify(execFile)('pg_dump', args, { maxBuffer: 1024 ** 3 })
  return stdout.replace(/^\\.*$/gm, '')
}

/** Clients, people, folders, versions, tags, the trash, and whatever else that version has. */
async function use(url: string): Promise<void> {
  const cookie = await signsIn(url)
  const admin = person(url, { cookie })
  const { body: client } = await made(admin.post('/admin/clients', { name: 'Harbour Café' }))
  const { clientId } = client
  const door = `/admin/clients/${clientId}`
  const one = admin.at({ assets: `${door}/assets`, events: '' })
  await made(
    admin.post('/admin/users', {
      email: 'operator@example.com',
      name: 'Olga',
      role: 'operator',
      clientIds: [clientId],
      password: login.password,
    }),
  )
  await made(admin.post('/admin/api-keys', { name: 'Agent', role: 'agent', clientIds: [clientId] }))

  const campaigns = await one.makesFolder('Campaigns')
  const summer = await one.makesFolder('Sommer', campaigns.folderId)
  const assets = []
  for (let number = 0; number < 6; number++)
    assets.push(
      await one.uploads(number % 2 ? png(8 + number, 8) : pngOfSize(3000, number), {
        session: { originalFilename: `picture ${number}.png` },
        words: {
          title: `Kiosk ${number}`,
          altText: 'A kiosk at the harbour',
          tags: ['Hafen', `No ${number}`],
          ...(number > 2 && { folderId: summer.folderId }),
        },
      }),
    )
  const [first, second, third] = assets
  const replacement = png(30, 20)
  const session = { expectedSizeBytes: replacement.length, replacesAssetId: first!.assetId }
  const { body: opened } = await one.opensUpload(session)
  await puts(opened, replacement)
  await made(one.finalizes(opened.uploadToken))
  await made(one.edits(second!.assetId, { description: 'Behind the lighthouse' }))
  await made(one.trashes(third!.assetId))
  await made(one.fetch(`${door}/assets/${first!.assetId}/preview?size=card`))
  // An upload that nobody has finished.
  await puts((await one.opensUpload({ expectedSizeBytes: 70 })).body, Buffer.alloc(70))

  // What a version does not have yet, it refuses.
  await one.post(`${door}/share-links`, { title: 'Summer', folderId: summer.folderId })
  await one.post(`${door}/upload-requests`, { title: 'Your pictures', folderId: campaigns.folderId })
  await one.post(`${door}/collections`, { name: 'Best', assetIds: [first!.assetId, second!.assetId] })
  await one.post(`${door}/assets/${first!.assetId}/comments`, { text: 'A little darker, please.' })
  await one.post('/admin/webhooks', { url: 'https://hooks.example.com/', clientIds: [clientId] })
  // Jobs make previews meanwhile.
  await pause(5000)
}

async function signsIn(url: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    }).catch(() => undefined)
    if (answer?.ok) return answer.headers.get('set-cookie')!.split(';')[0]!
    if (attempt > 240) throw new Error('It does not start.')
    await pause(500)
  }
}

async function made<T extends { status: number }>(asked: Promise<T>): Promise<T> {
  const answer = await asked
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer)}`)
  return answer
}
