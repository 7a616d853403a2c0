import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { Environment } from '../server/config.ts'
import { command } from './command.ts'
import { person } from './person.ts'
import { hasOwnPassword, newHome, signIn, startServer } from './world.ts'

// A process reads its whole source before it says a word, and several may be starting on one machine.
vi.setConfig({ testTimeout: 180_000 })

const embedded = process.env.TEST_WORLD !== 'postgres'

let home: Awaited<ReturnType<typeof newHome>>
let run: ReturnType<typeof command>['run']
beforeAll(async () => {
  home = await newHome()
  run = command(home.environment).run
})
afterAll(() => home.remove())

describe('clients, users and keys', () => {
  beforeEach(({ skip }) => skip(embedded, 'a running server holds the embedded database'))

  test('are there to be changed before the first start, when there is no admin yet', async () => {
    await run('user', 'add', '--email', 'early@example.com', '--role', 'viewer')
    const changed = await run('user', 'set', 'early@example.com', '--name', 'Early', '--json')
    expect(changed).toMatchObject({ code: 0, json: { name: 'Early' } })
  })

  test('are made, changed and taken back, and the running server knows them', async () => {
    const server = await startServer(home.environment)
    try {
      const client = (await run('client', 'add', '--name', 'Harbour Café', '--quota', '5M', '--json')).json
      expect(client).toMatchObject({ name: 'Harbour Café', quotaBytes: 5 * 1024 ** 2 })
      const renamed = await run('client', 'set', 'harbour café', '--name', 'Harbour', '--json')
      expect(renamed.json).toMatchObject({ clientId: client.clientId, name: 'Harbour' })
      const [ada, ben, kept, old] = await Promise.all([
        run('user', 'add', '--email', 'ada@example.com', '--role', 'admin', '--json'),
        command(home.environment, { input: 'a password of ben’s\n' }).run(
          ...['user', 'add', '--email', 'ben@example.com', '--role', 'viewer', '--client', 'Harbour'],
          ...['--password-file', '-', '--json'],
        ),
        run('key', 'add', '--name', 'SEO', '--client', 'Harbour', '--json'),
        run('key', 'add', '--name', 'Old', '--client', client.clientId, '--json'),
      ])
      expect(ben.json).toMatchObject({ role: 'viewer', clientIds: [client.clientId] })
      expect(ben.json.password).toBeUndefined()

      const assets = `/admin/clients/${client.clientId}/assets`
      const [keptKey, oldKey] = [kept, old].map(({ json }) =>
        person(server.url, { authorization: `Bearer ${json.apiKey}` }),
      )
      for (const { json } of [ada, ben]) await hasOwnPassword(server, json.email)
      const cookie = await signIn(server.url, 'ben@example.com', 'a password of ben’s')
      const statuses = async () =>
        Promise.all(
          [person(server.url, { cookie }), keptKey!, oldKey!].map(
            async (who) => (await who.get(assets)).status,
          ),
        )
      expect(await statuses()).toEqual([200, 200, 200])
      const changes = await Promise.all([
        run('key', 'revoke', old.json.keyId),
        run('user', 'deactivate', 'BEN@example.com'),
        run('user', 'set', 'ada@example.com', '--name', 'Ada'),
      ])
      expect(changes.map(({ code }) => code)).toEqual([0, 0, 0])
      expect(await statuses()).toEqual([401, 200, 401])

      const admin = person(server.url, {
        cookie: await signIn(server.url, 'ada@example.com', ada.json.password),
      })
      expect((await admin.get('/admin/users')).body.users).toContainEqual(
        expect.objectContaining({ email: 'ada@example.com', name: 'Ada', role: 'admin', clientIds: null }),
      )
      expect((await run('user', 'list')).output).toMatch(/ben@example\.com +viewer +no +client_/)
    } finally {
      await server.stop()
    }
  })

  test('are refused by the same rules as over the API', async () => {
    const email = ['--email', 'carl@example.com', '--json']
    const [weak, boss, nobody] = await Promise.all([
      command(home.environment, { input: 'short' }).run(
        ...['user', 'add', '--role', 'admin', '--password-file', '-', ...email],
      ),
      run('user', 'add', '--role', 'boss', ...email),
      run('user', 'set', 'nobody@example.com', '--role', 'admin'),
    ])
    expect(weak).toMatchObject({ code: 1, json: { error: { code: 'weak-password' } } })
    expect(boss).toMatchObject({ code: 1, json: { error: { code: 'invalid-request' } } })
    expect(nobody.code).toBe(2)
  })
})

test('a command that needs the embedded database says when a server holds it', async ({ skip }) => {
  skip(!embedded, 'PostgreSQL takes any number of processes')
  const server = await startServer(home.environment)
  const refused = await run('user', 'list', '--json').finally(() => server.stop())
  expect(refused).toMatchObject({ code: 3, json: { error: { code: 'cannot-start' } } })
  expect(refused.errors).toMatch(/in use by another running server.*Stop the server/)
  const client = (await run('client', 'add', '--name', 'Harbour Café', '--json')).json
  expect(client.clientId).toMatch(/^client_/)
})

test('migrate says what it applied; of several at once, one does it', async () => {
  const fresh = await withoutTables()
  const before = await command(fresh).run('client', 'list')
  expect(before.code).toBe(3)
  expect(before.errors).toMatch(/lacks 0001-library\.sql.*Run npx asset-library migrate/)
  const together = await Promise.all(
    (embedded ? ['one'] : ['one', 'other']).map(() => command(fresh).run('migrate', '--json')),
  )
  const applied = together.flatMap(({ json }) => json.applied)
  expect(applied[0]).toBe('0001-library.sql')
  expect(new Set(applied).size).toBe(applied.length)
  expect((await command(fresh).run('migrate')).output).toBe('The database is up to date.\n')
})

async function withoutTables(): Promise<Environment> {
  if (embedded) return { ...home.environment, DATA_DIR: join(home.environment.DATA_DIR!, 'fresh') }
  const client = new pg.Client({ connectionString: home.environment.DATABASE_URL })
  await client.connect()
  const name = `fresh_${Date.now()}`
  await client.query(`create database ${name} template template0`)
  await client.end()
  return { ...home.environment, DATABASE_URL: `${inject('postgresUrl')}/${name}` }
}
