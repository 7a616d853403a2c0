import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { person } from '../person.ts'
import { png } from '../pictures.ts'
import { signIn } from '../world.ts'
import { podman, root, run } from './bases.ts'
import { doorOf, previewOf } from './doors.ts'

const [tool, ...options] = podman as [string, ...string[]]
const ask = (...args: string[]) => run(tool, ...options, ...args)

let folder: string
let engine: ChildProcess
let isOver = false
let checking: Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-compose-'))
  const secrets = {
    database_password: 'only-the-tests-know-it',
    database_url: 'postgres://library:only-the-tests-know-it@database/library',
    secret_key: 'k'.repeat(64),
    storage_secret_access_key: 's'.repeat(64),
  }
  await mkdir(join(folder, 'secrets'))
  for (const [name, value] of Object.entries(secrets))
    await writeFile(join(folder, 'secrets', name), `${value}\n`)
  const service = ['system', 'service', '--time', '0', `unix://${folder}/podman.sock`]
  engine = spawn(tool, [...options, ...service], { cwd: root, stdio: 'ignore' })
  checking = checkHealth()
})
afterAll(async () => {
  isOver = true
  await checking
  engine.kill()
  await once(engine, 'exit')
  await rm(folder, { recursive: true })
})

/** Where there is no systemd, podman checks only when told. */
async function checkHealth(): Promise<void> {
  while (!isOver) {
    const running = (await ask('ps', '--quiet', '--filter', 'name=^library_')).split('\n').filter(Boolean)
    for (const id of running) await ask('healthcheck', 'run', id).catch(() => undefined)
    await pause(1000)
  }
}

/** The compose file as it is, with stand-ins for the images of others. */
function composed(profile: string) {
  // On a busy machine a container takes a minute to be made.
  const settings = ['COMPOSE_HTTP_TIMEOUT=600', `DOCKER_HOST=unix://${folder}/podman.sock`, `LIBRARY=${root}`]
  settings.push('STORAGE_ENDPOINT=http://10.211.33.7:7070/cdn-cgi/local/r2/s3')
  const said = ['--project-name', 'library', '--project-directory', folder, '--profile', profile]
  said.push('--file', 'deploy/compose.yaml', '--file', 'test/image/stand-ins.yaml')
  const compose = (...args: string[]) => run('env', ...settings, 'docker-compose', ...said, ...args)
  onTestFinished(() => compose('down', '--volumes').then(() => undefined))
  return {
    starts: () => compose('up', '--detach'),
    stops: () => compose('stop'),
    password: async () => /with the password (\S+)/.exec(await compose('logs', '--no-color'))![1]!,
  }
}

const healthOf = (service: string) =>
  ask('inspect', '--format', '{{.State.Health.Status}}', `library_${service}_1`)
const endOf = (service: string) => ask('inspect', '--format', '{{.State.ExitCode}}', `library_${service}_1`)

/** With the password that was printed, and then one of their own. */
async function firstLogin(url: string, current: string) {
  const admin = person(url, { cookie: await signIn(url, 'admin@example.com', current) })
  await admin.post('/auth/password', { current, next: 'correct-horse-battery' })
  return admin
}

test('one service: what was uploaded is there after a stop', async () => {
  const library = composed('one')
  await library.starts()
  await expect.poll(() => healthOf('library'), { timeout: 600_000, interval: 1000 }).toBe('healthy')
  const admin = await firstLogin('http://127.0.0.1:3000', await library.password())
  const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
  const { assetId } = await admin.at(doorOf(client.clientId)).uploads(png(320, 200))
  await library.stops()
  expect(await endOf('library')).toBe('0')

  await library.starts()
  await expect.poll(() => healthOf('library'), { timeout: 600_000, interval: 1000 }).toBe('healthy')
  expect(await previewOf(admin.at(doorOf(client.clientId)), assetId)).toBe(200)
})

test('several nodes: what was uploaded at one is read at the other, and all end well', async () => {
  const nodes = ['api-1', 'api-2', 'worker']
  const library = composed('nodes')
  await library.starts()
  for (const node of nodes)
    await expect.poll(() => healthOf(node), { timeout: 600_000, interval: 1000 }).toBe('healthy')
  const admin = await firstLogin('http://127.0.0.1:3001', await library.password())
  const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
  const door = doorOf(client.clientId)
  const { assetId } = await admin.at(door).uploads(png(320, 200))
  const other = person('http://127.0.0.1:3002', admin.credentials).at(door)
  const madeByWorker = async () => (await other.reads(assetId)).body.media.state
  await expect.poll(madeByWorker, { timeout: 600_000 }).toBe('ready')
  expect(await previewOf(other, assetId)).toBe(200)
  await library.stops()
  for (const node of nodes) expect(await endOf(node)).toBe('0')
})
