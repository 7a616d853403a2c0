import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { person } from '../person.ts'
import { aFilm, filmSession, png } from '../pictures.ts'
import { freePort } from '../setup/postgres.ts'
import { signIn } from '../world.ts'
import { podman, run } from './bases.ts'
import { doorOf, previewOf } from './doors.ts'

const image = inject('image')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-image-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const [tool, ...options] = podman as [string, ...string[]]
const password = 'correct-horse-battery'

/** One container on its own data, with a root that cannot be written. */
async function container(data: string, port: number, user: number) {
  const settings = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO: 0,
    DRAIN_SECONDS: 20,
    STOP_SECONDS: 600,
    BOOTSTRAP_ADMIN_PASSWORD: password,
  }
  const child = spawn(
    tool,
    [
      ...options,
      ...[
        'run',
        '--rm',
        '--name',
        `library-${port}`,
        '--network',
        'host',
        '--read-only',
        '--cap-drop',
        'all',
      ],
      ...['--user', `${user}:${user}`, '--volume', `${data}:/data`],
      ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      image,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'close').then(([code]) => code as number)
  const ask = (...args: string[]) => run(tool, ...options, ...args)
  onTestFinished(async () => {
    if (child.exitCode === null) await ask('kill', `library-${port}`)
  })
  while (!said.includes('Client Asset Library is at')) {
    if (child.exitCode !== null) throw new Error(said)
    await Promise.race([once(child.stdout, 'data'), ended])
  }
  const url = settings.PUBLIC_URL
  return {
    ended,
    admin: person(url, { cookie: await signIn(url, 'admin@example.com', password) }),
    sends: (signal: string) => ask('kill', '--signal', signal, `library-${port}`),
    does: (...command: string[]) => ask('exec', `library-${port}`, ...command),
    isHealthy: () =>
      ask('healthcheck', 'run', `library-${port}`).then(
        () => true,
        () => false,
      ),
  }
}

test.each([
  ['its own user', 10001],
  ['a user that nobody knows', 4711],
])('as %s: a login, uploads, a stop, a kill, and the same data each time', async (_, user) => {
  const data = join(folder, String(user))
  await mkdir(data)
  await chown(data, user, user)
  const port = await freePort()

  const first = await container(data, port, user)
  const { body: client } = await first.admin.post('/admin/clients', { name: 'Harbour Café' })
  const door = doorOf(client.clientId)
  const { assetId } = await first.admin.at(door).uploads(png(320, 200))
  const film = await first.admin.at(door).uploads(await aFilm(), filmSession)
  expect(await previewOf(first.admin.at(door), assetId)).toBe(200)
  expect(await previewOf(first.admin.at(door), film.assetId)).toBe(200)
  const { media } = (await first.admin.get('/status')).body.checks
  expect(media).toMatchObject({ status: 'ok' })
  // It gives up after five seconds, and is asked again.
  await expect.poll(() => first.isHealthy(), { timeout: 60_000, interval: 1000 }).toBe(true)
  await expect(first.does('touch', '/opt/asset-library/written')).rejects.toThrow(/Read-only file system/)
  expect(await first.does('id', '-u')).toBe(String(user))
  await first.sends('TERM')
  expect(await first.ended).toBe(0)

  const second = await container(data, port, user)
  expect((await second.admin.at(door).reads(assetId)).body).toMatchObject({ assetId })
  const { assetId: later } = await second.admin.at(door).uploads(png(200, 320))
  await second.sends('KILL')
  expect(await second.ended).toBe(137)

  const third = await container(data, port, user)
  for (const each of [assetId, film.assetId, later]) {
    expect((await third.admin.at(door).reads(each)).status).toBe(200)
    expect(await previewOf(third.admin.at(door), each)).toBe(200)
  }
  await third.sends('TERM')
  const isLeaving = async () => (await third.admin.get('/readyz')).status
  await expect.poll(isLeaving).toBe(503)
  expect(await third.isHealthy()).toBe(false)
  expect((await third.admin.at(door).reads(assetId)).status).toBe(200)
  expect(await third.ended).toBe(0)
})

test('the image stays below 350 MB', async () => {
  const bytes = Number(await run(tool, ...options, 'image', 'inspect', '--format', '{{.Size}}', image))
  console.log(`The image has ${Math.round(bytes / 1e6)} MB.`)
  expect(bytes).toBeLessThan(350e6)
})
