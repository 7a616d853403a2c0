import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { command, ofThisMachine } from './command.ts'
import { json, peer, wordpressPeer } from './delivery-peers.ts'
import { nextEvents } from './event-reader.ts'
import { type Person, person } from './person.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { freePort } from './setup/postgres.ts'
import { asAdmin, signIn } from './world.ts'

const cli = fileURLToPath(new URL('../cli/asset-library.js', import.meta.url))
// A process reads its whole source before it says a word, and several may be starting on one machine.
vi.setConfig({ testTimeout: 180_000 })

const running = new Set<ChildProcess>()
let folder: string
// For those that never come to listen: somebody may be at 3000.
let spare: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-start-'))
  spare = String(await freePort())
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('a first start', () => {
  test('tells the address and the admin’s password once, holds its folder, and stops when told', async () => {
    const environment = { DATA_DIR: join(folder, 'first'), PORT: String(await freePort()) }
    const first = serve(environment)
    await first.says(/Client Asset Library is at/)
    const { password } = /Log in as admin@example\.com with the password (?<password>\S+)/.exec(
      first.output(),
    )!.groups as { password: string }
    expect(first.output()).toContain(`http://localhost:${environment.PORT}`)
    const url = `http://127.0.0.1:${environment.PORT}`
    const admin = person(url, { cookie: await signIn(url, 'admin@example.com', password) })
    const own = 'a password of my own choice'
    const { body: me } = await admin.post('/auth/password', { current: password, next: own })
    expect(me).toMatchObject({ role: 'admin', pending: null })

    const rival = serve({ ...environment, PORT: String(await freePort()) })
    await refused(rival, /DATA_DIR .* is in use by another running server\. Stop that one/)

    // What is under way is finished: an open stream is ended, a request that is being sent is answered.
    const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
    const door = {
      assets: `/admin/clients/${client.clientId}/assets`,
      events: `/admin/clients/${client.clientId}/events`,
    }
    const stream = await nextEvents(admin.at(door))
    const { body: session } = await admin.at(door).opensUpload()
    const put = await beginsToPut(session.uploadUrl, pixel)
    first.child.kill('SIGTERM')
    await stream.ended
    expect(await put.finishes()).toBe(200)
    expect(await first.exit()).toBe(0)

    const second = serve(environment)
    await second.says(/Client Asset Library is at/)
    expect(second.output()).not.toMatch(/password/)
    const again = person(url, { cookie: await signIn(url, 'admin@example.com', own) })
    expect((await again.at(door).finalizes(session.uploadToken)).status).toBe(201)
    second.child.kill('SIGTERM')
    expect(await second.exit()).toBe(0)
  })

  test('of two nodes together on one fresh database brings both up, with one admin', async () => {
    const DATABASE_URL = await freshDatabase('together')
    const nodes = await Promise.all(
      ['a', 'b'].map(async (name) =>
        serve({
          DATABASE_URL,
          DATA_DIR: join(folder, `node-${name}`),
          PORT: String(await freePort()),
          SECRET_KEY,
        }),
      ),
    )
    await Promise.all(nodes.map((node) => node.says(/Client Asset Library is at/)))
    const told = nodes.filter((node) => /with the password/.test(node.output()))
    expect(told).toHaveLength(1)
    for (const node of nodes) node.child.kill('SIGTERM')
    expect(await Promise.all(nodes.map((node) => node.exit()))).toEqual([0, 0])
  })

  test('that fails on its port does not swallow the password', { tags: 'drill' }, async () => {
    const DATABASE_URL = await freshDatabase('swallowed')
    const taken = await occupiedPort()
    const environment = { DATABASE_URL, DATA_DIR: join(folder, 'swallowed'), SECRET_KEY }
    const first = serve({ ...environment, PORT: String(taken.port) })
    await refused(first, new RegExp(`Port ${taken.port} is in use\\. Stop what uses it or set PORT`))
    await new Promise((resolve) => taken.server.close(resolve))

    const second = serve({ ...environment, PORT: String(await freePort()) })
    await second.says(/with the password \S+/)
    second.child.kill('SIGTERM')
    expect(await second.exit()).toBe(0)
  })
})

describe('a changed SECRET_KEY', () => {
  const [before, now, another] = ['before', 'now', 'another'].map((name) => name.repeat(8).padEnd(40, '.'))

  test('goes with the old one beside it for one start, and without it says what is sealed', {
    tags: 'drill',
  }, async () => {
    const PORT = String(await freePort())
    const url = `http://127.0.0.1:${PORT}`
    const password = 'correct-horse-battery'
    const common = {
      DATABASE_URL: await freshDatabase('rotated'),
      DATA_DIR: join(folder, 'rotated'),
      BOOTSTRAP_ADMIN_PASSWORD: password,
      OUTBOUND_ALLOW: '127.0.0.1',
      PORT,
    }
    const site = await wordpressPeer(password)
    const receiver = await peer((_, response) => json(response, {}))
    let ids: { clientId: string; connectionId: string; webhookId: string }

    async function running(
      keys: Record<string, string>,
      use: (admin: Person, said: () => string) => unknown,
    ) {
      const node = serve({ ...common, ...keys })
      await node.says(/Client Asset Library is at/)
      await use(person(url, { cookie: await signIn(url, 'admin@example.com', password) }), node.output)
      node.child.kill('SIGTERM')
      expect(await node.exit()).toBe(0)
    }
    const connectionTested = (admin: Person) =>
      admin.post(`/admin/clients/${ids.clientId}/connections/${ids.connectionId}/test`)
    const webhookTested = (admin: Person) => admin.post(`/admin/webhooks/${ids.webhookId}/test`)
    const makesClientAgain = (admin: Person) =>
      admin.post('/admin/clients', { name: 'Once' }, { 'idempotency-key': 'the-same' })
    const works = async (admin: Person) => {
      expect((await connectionTested(admin)).body).toMatchObject({ status: 'connected', lastError: null })
      expect((await webhookTested(admin)).body).toMatchObject({ ok: true })
    }
    const doctorSays = async (keys: Record<string, string>) =>
      (await command({ ...common, ...keys }).run('doctor', '--json', '--only', 'secrets')).json.at(-1)

    await running({ SECRET_KEY: before! }, async (admin) => {
      const { clientId } = (await makesClientAgain(admin)).body
      const connection = await admin.post(`/admin/clients/${clientId}/connections`, {
        kind: 'wordpress',
        name: 'Site',
        settings: { siteUrl: site.url },
        secrets: { username: 'editor', applicationPassword: password },
      })
      const webhook = await admin.post('/admin/webhooks', { url: receiver.url, clientIds: [clientId] })
      ids = { clientId, connectionId: connection.body.connectionId, webhookId: webhook.body.webhookId }
      await works(admin)
    })
    const both = { SECRET_KEY: now!, SECRET_KEY_PREVIOUS: before! }
    expect(await doctorSays(both)).toMatchObject({
      ok: true,
      says: expect.stringMatching(/^2 are sealed with/),
    })
    await running(both, async (admin, said) => {
      expect(said()).toContain('2 secrets were sealed anew')
      await works(admin)
      expect((await makesClientAgain(admin)).body.clientId).toBe(ids.clientId)
    })
    expect(await doctorSays({ SECRET_KEY: now! })).toMatchObject({
      ok: true,
      says: 'all can be opened with SECRET_KEY',
    })
    await running({ SECRET_KEY: now! }, async (admin, said) => {
      expect(said()).not.toContain('sealed')
      expect((await admin.get('/status')).body.checks.secrets).toEqual({ status: 'ok' })
      await works(admin)
      // What was answered under the old key cannot be told again, and is not done again.
      expect(await makesClientAgain(admin)).toEqual(refusal('secret-key-changed'))
    })
    expect(await doctorSays({ SECRET_KEY: another! })).toMatchObject({
      ok: false,
      says: expect.stringMatching(/^2 cannot be opened.*SECRET_KEY_PREVIOUS/),
    })
    await running({ SECRET_KEY: another! }, async (admin, said) => {
      expect(said()).toContain('2 secrets were sealed with another SECRET_KEY')
      expect((await admin.get('/status')).body).toMatchObject({
        status: 'degraded',
        checks: {
          secrets: { status: 'degraded', detail: expect.stringMatching(/^2 secrets .*SECRET_KEY_PREVIOUS/) },
        },
      })
      expect(await connectionTested(admin)).toEqual(refusal('secret-key-changed'))
      expect(await webhookTested(admin)).toEqual(refusal('secret-key-changed'))
      // Who follows the client sees why nothing comes.
      await admin.post(`/admin/clients/${ids.clientId}/assets/folders`, { name: 'NewEvents' })
      await vi.waitUntil(
        async () => /SECRET_KEY/.test((await admin.get('/admin/webhooks')).body.webhooks[0].lastError),
        { timeout: 30_000, interval: 200 },
      )
    })
  })
})

describe('a start says in one line why it cannot be', () => {
  test('when DATA_DIR cannot be written', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await refused(
      serve({ DATA_DIR: join(file, 'below') }),
      /DATA_DIR .* cannot be written \(a file is in its place\)/,
    )
  })

  test('when the database cannot be reached', async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    await refused(
      serve({ DATABASE_URL, DATA_DIR: join(folder, 'unreached') }),
      /The database at DATABASE_URL cannot be reached .*Start it or correct DATABASE_URL/,
    )
  })

  test('when the database is not there', async () => {
    await refused(
      serve({ DATABASE_URL: `${inject('postgresUrl')}/never_made`, DATA_DIR: join(folder, 'not-there') }),
      /The database at DATABASE_URL cannot be reached .*never_made/,
    )
  })

  test.each([
    ['PORT', 'eighty', /Setting PORT must be a whole number/],
    ['NODE_ENV', 'production', /Setting SECRET_KEY must be set in production/],
  ])('when %s is %s', async (name, value, why) => {
    await refused(serve({ DATA_DIR: join(folder, 'wrong'), [name]: value }), why)
  })

  test('when the first admin’s password is weak', { tags: 'drill' }, async () => {
    const DATABASE_URL = await freshDatabase('weak')
    await refused(
      serve({
        DATABASE_URL,
        DATA_DIR: join(folder, 'weak'),
        PORT: String(await freePort()),
        SECRET_KEY,
        BOOTSTRAP_ADMIN_PASSWORD: 'password1234',
      }),
      /BOOTSTRAP_ADMIN_PASSWORD: This password is among the best-known ones/,
    )
  })

  test('when Node is too old and none came along', async () => {
    const alone = join(folder, 'alone', 'asset-library.mjs')
    await mkdir(dirname(alone))
    await copyFile(cli, alone)
    const { exit, errors } = run(['--import', oldNode, alone, 'serve'], {})
    expect(await exit()).toBe(1)
    expect(errors()).toMatch(/^Node 20\.19\.0 is too old: use 22\.18 or later.*\n$/)
  })

  test('when there is no such command', async () => {
    const { exit, errors } = run([cli, 'dance'], {})
    expect(await exit()).toBe(2)
    expect(errors()).toMatch(/^There is no command dance\. Commands: .*serve.*\n$/)
  })
})

test('a start with storage settings missing in part runs and says so', async () => {
  const DATABASE_URL = await freshDatabase('partial')
  const node = serve({
    DATABASE_URL,
    DATA_DIR: join(folder, 'partial'),
    SECRET_KEY,
    PORT: String(await freePort()),
    STORAGE_BUCKET_NAME: 'assets',
    STORAGE_ACCOUNT_ID: 'account',
  })
  await node.says(/Uploads are refused: set STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and restart/)
  node.child.kill('SIGINT')
  expect(await node.exit()).toBe(0)
})

test('a stop that does not come to its end says so, and ends all the same', { tags: 'drill' }, async () => {
  const DATABASE_URL = await freshDatabase('held')
  const port = await freePort()
  const settings = { DATABASE_URL, DATA_DIR: join(folder, 'held'), SECRET_KEY, PORT: String(port) }
  const node = serve({ ...settings, STOP_SECONDS: '1' })
  await node.says(/Client Asset Library is at/)
  // Half a request: the server, which has begun with it, waits for the rest.
  const caller = connect(port, '127.0.0.1')
  caller.on('error', () => {})
  const head = [
    'host: library',
    'content-type: application/json',
    'content-length: 99',
    'expect: 100-continue',
  ]
  caller.write(`POST /auth/login HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{`)
  await once(caller, 'data')
  node.child.kill('SIGTERM')
  expect(await node.exit()).toBe(1)
  expect(node.output()).toContain('Not finished within 1 s (STOP_SECONDS)')
})

test('a worker works on jobs and answers no requests', async () => {
  const DATABASE_URL = await freshDatabase('worker')
  const PORT = String(await freePort())
  const node = serve({ DATABASE_URL, DATA_DIR: join(folder, 'worker'), SECRET_KEY, PORT, ROLE: 'worker' })
  await node.says(/Working on jobs/)
  await expect(fetch(`http://127.0.0.1:${PORT}/livez`)).rejects.toThrow()
  node.child.kill('SIGTERM')
  expect(await node.exit()).toBe(0)
})

test('a worker with METRICS_PORT answers who watches it, and nobody else', { tags: 'drill' }, async () => {
  const METRICS_PORT = String(await freePort())
  const DATABASE_URL = await freshDatabase('watched')
  const node = serve({
    DATABASE_URL,
    DATA_DIR: join(folder, 'watched'),
    SECRET_KEY,
    ROLE: 'worker',
    METRICS_PORT,
  })
  await node.says(/Working on jobs/)
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${METRICS_PORT}${path}`)).status
  expect(await Promise.all(['/livez', '/readyz', '/metrics'].map(ask))).toEqual([200, 200, 200])
  expect(await Promise.all(['/status', '/auth/me', '/app/', '/livez/../status'].map(ask))).toEqual([
    404, 404, 404, 404,
  ])
  node.child.kill('SIGTERM')
  expect(await node.exit()).toBe(0)
})

test('the settings are explained by the command for it', async () => {
  const { exit, output } = run([cli, 'settings'], {})
  expect(await exit()).toBe(0)
  for (const name of ['PORT', 'DATABASE_URL', 'STORAGE_BUCKET_NAME', 'SECRET_KEY'])
    expect(output()).toMatch(new RegExp(`^${name} .*\\w`, 'm'))
})

test('an old Node hands over to the one that came with the packages, with the flags it was given', async () => {
  const flag = `data:text/javascript,console.error('flagged')`
  const NODE_PATH = await nodeThatCameAlong()
  const { exit, output, errors } = run(['--import', oldNode, '--import', flag, cli, 'settings', '--json'], {
    NODE_PATH,
  })
  expect(await exit()).toBe(0)
  expect(errors()).toBe('flagged\nflagged\n')
  expect(JSON.parse(output())).toContainEqual(expect.objectContaining({ name: 'PORT' }))
  expect(await run(['--import', oldNode, cli, 'dance'], { NODE_PATH }).exit()).toBe(2)
})

/** Among the packages there is none where the machine's own is new enough. */
async function nodeThatCameAlong(): Promise<string> {
  const packages = join(folder, 'packages')
  const bin = join(packages, `node-${process.platform}-${process.arch}`, 'bin')
  await mkdir(bin, { recursive: true })
  await symlink(process.execPath, join(bin, 'node'))
  return packages
}

// The one it hands over to is none: it gets the same flags and the same environment.
const oldNode = `data:text/javascript,${encodeURIComponent(`
  if (!process.env.NODE_WAS_OLD) Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })
  process.env.NODE_WAS_OLD = 'yes'
`)}`
const SECRET_KEY = 'a secret key that only the tests know'

const serve = (environment: Record<string, string>) =>
  run([cli, 'serve'], { DEMO: '0', PORT: spare, ...environment })

function run(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...ofThisMachine(), ...environment } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      text[name] += chunk
    })
  const exited = once(child, 'close').then(([code]) => code as number)
  return {
    child,
    output: () => text.stdout,
    errors: () => text.stderr,
    exit: () => exited,
    /** Resolves when it has said this; fails if it ends without. */
    async says(words: RegExp): Promise<void> {
      while (!words.test(text.stdout)) {
        const ended = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          exited.then(() => true),
        ])
        if (ended && !words.test(text.stdout))
          throw new Error(`Ended without ${words}: ${text.stdout}${text.stderr}`)
      }
    },
  }
}

async function refused(started: ReturnType<typeof run>, why: RegExp): Promise<void> {
  expect(await started.exit()).toBe(1)
  expect(started.errors()).toMatch(/^Cannot start: .*\n$/)
  expect(started.errors()).toMatch(why)
}

async function freshDatabase(name: string): Promise<string> {
  await asAdmin(inject('postgresUrl'), `create database start_${name}`)
  return `${inject('postgresUrl')}/start_${name}`
}

async function occupiedPort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as { port: number }).port }
}

/** Sends all but the last byte, and that when told. */
async function beginsToPut(url: string, bytes: Uint8Array) {
  const sending = request(url, {
    method: 'PUT',
    headers: { 'content-length': bytes.length, expect: '100-continue' },
  })
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.write(bytes.subarray(0, -1))
  return {
    async finishes(): Promise<number | undefined> {
      sending.end(bytes.subarray(-1))
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    },
  }
}
