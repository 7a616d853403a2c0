import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import pino, { type DestinationStream } from 'pino'
import { afterAll, inject } from 'vitest'
import { firstAdmin } from '../server/access/first-admin.ts'
import { buildApp } from '../server/app.ts'
import { startBackground } from '../server/background.ts'
import { type Environment, readConfig } from '../server/config.ts'
import type { App } from '../server/http/app.ts'
import { newId } from '../server/ids.ts'
import type { Parts } from '../server/library.ts'
import { openParts } from '../server/parts.ts'
import { hashToken, newToken } from '../server/secrets.ts'
import { type Door, type Person, person } from './person.ts'
import { startR2Simulator } from './r2-simulator.ts'
import { atEndOfWorker } from './setup/end-of-worker.ts'
import { freePort } from './setup/postgres.ts'
import { eventsAreValid } from './valid-events.ts'
// From the first server of a process on: files share it.
import './route-table.ts'

export const adminLogin = { email: 'admin@example.com', password: 'correct-horse-battery' }

export interface Server {
  url: string
  parts: Parts
  app: App
  dataDir: string
  stop(): Promise<void>
}

export interface World extends Server {
  /** The settings it runs with, for a second node beside it. */
  environment: Environment
  admin: Person
  /** Somebody without a login. */
  nobody: Person
  /** A client of its own with its people, so that tests do not meet. */
  newClient(name?: string, options?: { quotaBytes?: number }): Promise<ClientWorld>
  login(email: string, password: string): Promise<Person>
}

export interface ClientWorld {
  clientId: string
  /** An operator at the admin door. */
  operator: Person
  viewer: Person
  /** The client's own user, at the portal door. */
  portal: Person
  agent: Person
  social: Person
  /** The same people by their roles. */
  people: Record<'operator' | 'viewer' | 'client' | 'agent' | 'social-agent', Person>
}

/**
 * A whole server on the database and store of the project it runs in. Files that a worker runs one after the other
 * share the one with the same settings, for each test makes its own clients.
 */
export function world(settings: Settings = {}): Promise<World> {
  const key = JSON.stringify([process.env.TEST_WORLD, settingsAt(settings, 0)])
  if (!shared.has(key)) {
    const made = makeWorld(settings)
    shared.set(key, made)
    atEndOfWorker(async () => (await made).stop())
  }
  const one = shared.get(key)!
  afterAll(async () => eventsAreValid(await one))
  return one
}

const shared = new Map<string, Promise<World>>()

/** The same for one file alone: that counts all there is, changes what is everybody’s, or breaks something. */
export function ownWorld(settings: Settings = {}): Promise<World> {
  const made = makeWorld(settings)
  afterAll(async () => {
    const { parts, stop } = await made
    // Some worlds end without a database.
    const isThere = await sql`select 1`.execute(parts.db).then(Boolean, () => false)
    try {
      if (isThere) await eventsAreValid(await made)
    } finally {
      await stop()
    }
  })
  return made
}

/** Some settings name the port of the server. */
export type Settings = Environment | ((port: number) => Environment)

const settingsAt = (settings: Settings, port: number): Environment =>
  typeof settings === 'function' ? { PORT: String(port), ...settings(port) } : settings

async function makeWorld(settings: Settings): Promise<World> {
  const home = await newHome()
  const environment = { ...home.environment, ...settingsAt(settings, await freePort()) }
  const server = await startServer(environment)
  const login = async (email: string, password: string) =>
    person(server.url, { cookie: await signIn(server.url, email, password) })
  const admin = await login(adminLogin.email, adminLogin.password)
  return {
    ...server,
    environment,
    admin,
    login,
    nobody: person(server.url, {}),
    newClient: (name, options) => newClient(server, name, options),
    async stop() {
      await server.stop()
      await home.remove()
    },
  }
}

/** A database and a store that servers can share or follow one another on. */
export async function newHome(): Promise<{ environment: Environment; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'library-'))
  const common: Environment = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    // Seconds of each picture; who tries it sets it.
    MEDIA_OCR: 'off',
    SECRET_KEY: 'a secret key that only the tests know',
    BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
    BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
    // A test asks more in a second than anybody at work; who tries the limits sets them.
    RATE_LIMIT_PRINCIPAL: '0',
    RATE_LIMIT_CLIENT: '0',
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_LINK: '0',
    // So that every route can be tried; who tries what nobody may show sets it.
    EMBED_ORIGINS: 'https://cms.example',
  }
  // A thousand small files: one call takes a fraction of what a thousand take.
  const removeFolder = async () => rmSync(dataDir, { recursive: true, force: true })
  if (process.env.TEST_WORLD !== 'postgres') {
    cpSync(inject('embeddedTemplate'), dataDir, { recursive: true })
    return { environment: common, remove: removeFolder }
  }

  const postgres = inject('postgresUrl')
  const name = `library_${randomUUID().replaceAll('-', '')}`
  await asAdmin(postgres, `create database ${name} template template_library`)
  const dropDatabase = () => asAdmin(postgres, `drop database ${name} with (force)`)
  const onPostgres = { ...common, DATABASE_URL: `${postgres}/${name}` }
  if (process.env.TEST_STORE === 'disk')
    return { environment: onPostgres, remove: () => dropDatabase().then(removeFolder) }

  const r2 = await startR2Simulator()
  return {
    environment: {
      ...onPostgres,
      STORAGE_ACCOUNT_ID: 'account',
      STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
      STORAGE_BUCKET_NAME: r2.bucket,
      STORAGE_ENDPOINT: r2.endpoint,
    },
    async remove() {
      await dropDatabase()
      await r2.stop()
      await removeFolder()
    },
  }
}

export async function startServer(environment: Environment, told?: DestinationStream): Promise<Server> {
  const port = environment.PORT ? Number(environment.PORT) : await freePort()
  const config = readConfig({
    ...environment,
    PORT: String(port),
    PUBLIC_URL: environment.PUBLIC_URL ?? `http://127.0.0.1:${port}`,
  })
  const log = pino({ level: told ? 'info' : config.logLevel }, told)
  const parts = await openParts(config, log)
  await firstAdmin(parts.db, config.bootstrapAdmin)
  const app = await buildApp(parts, { log })
  const background = config.role === 'api' ? undefined : await startBackground(parts, log)
  await app.listen({ port, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${port}`,
    parts,
    app,
    dataDir: config.dataDir,
    async stop() {
      await background?.stop()
      await app.close()
      await parts.close()
    },
  }
}

export async function signIn(url: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (response.status !== 200) throw new Error(`Login failed: ${response.status} ${await response.text()}`)
  return response.headers.get('set-cookie')!.split(';')[0]!
}

/** Put into the database as an admin and a login would: making and checking passwords is slow on purpose. */
export async function newClient(
  { url, parts: { db } }: Pick<Server, 'url' | 'parts'>,
  name = 'Harbour Café',
  { quotaBytes = 100 * 1024 ** 3 }: { quotaBytes?: number } = {},
): Promise<ClientWorld> {
  const clientId = newId('client')
  const atAdmin: Door = {
    assets: `/admin/clients/${clientId}/assets`,
    events: `/admin/clients/${clientId}/events`,
  }
  const atPortal: Door = { assets: '/portal/assets', events: '/portal/events' }
  await db.insertInto('clients').values({ id: clientId, name, quota_bytes: quotaBytes }).execute()
  await db.insertInto('client_counters').values({ client_id: clientId }).execute()

  const users = (['operator', 'viewer', 'client'] as const).map((role) => ({
    role,
    id: newId('user'),
    token: newToken(),
  }))
  await db
    .insertInto('users')
    .values(
      users.map(({ id, role }) => ({
        id,
        role,
        name: role,
        email: `${id}@example.com`,
        password_hash: 'none: this one never types a password',
      })),
    )
    .execute()
  await db
    .insertInto('user_clients')
    .values(users.map(({ id }) => ({ client_id: clientId, user_id: id })))
    .execute()
  await db
    .insertInto('login_sessions')
    .values(
      users.map(({ id, token }) => ({
        token_hash: hashToken(token),
        user_id: id,
        expires_at: new Date(Date.now() + 86_400_000),
      })),
    )
    .execute()

  const keys = (['agent', 'social-agent'] as const).map((role) => ({
    role,
    id: newId('key'),
    token: newToken('cal_'),
  }))
  await db
    .insertInto('api_keys')
    .values(
      keys.map(({ id, role, token }) => ({
        id,
        role,
        name: role,
        token_hash: hashToken(token),
        created_by: 'tests',
      })),
    )
    .execute()
  await db
    .insertInto('api_key_clients')
    .values(keys.map(({ id }) => ({ client_id: clientId, key_id: id })))
    .execute()

  const [operator, viewer, portal] = users.map(({ id, role, token }) =>
    person(url, { cookie: `session=${token}` }, role === 'client' ? atPortal : atAdmin, id),
  )
  const [agent, social] = keys.map(({ id, token }) =>
    person(url, { authorization: `Bearer ${token}` }, atAdmin, id),
  )
  return {
    clientId,
    operator: operator!,
    viewer: viewer!,
    portal: portal!,
    agent: agent!,
    social: social!,
    people: { operator: operator!, viewer: viewer!, client: portal!, agent: agent!, 'social-agent': social! },
  }
}

/** The first sign-in with a password that an admin gave: it is changed, and the session goes on. */
export async function firstSignIn(url: string, email: string, password: string): Promise<string> {
  const cookie = await signIn(url, email, password)
  await person(url, { cookie }).post('/auth/password', { current: password, next: `${password} of my own` })
  return cookie
}

/** As if they had changed the password that an admin gave them. */
export const hasOwnPassword = ({ parts: { db } }: Pick<Server, 'parts'>, email: string) =>
  db.updateTable('users').set({ must_change_password: false }).where('email', '=', email).execute()

export async function asAdmin(postgres: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${postgres}/postgres` })
  await client.connect()
  await client.query(sql)
  await client.end()
}
