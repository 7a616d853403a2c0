import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command } from './command.ts'
import { type Person, person } from './person.ts'
import { pngOfSize } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { adminLogin, signIn } from './world.ts'

test('backed up while people upload and delete, lost, restored: every row has its bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library-drill-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
    BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
    DEMO: 'false',
    MEDIA_OCR: 'off',
    LOG_LEVEL: 'warn',
  }
  const library = command(settings)
  const server = await serving(settings)
  const admin = person(server.url, {
    cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
  })
  const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
  const door = { assets: `/admin/clients/${client.clientId}/assets`, events: '' }
  const people = [admin.at(door), admin.at(door)]
  const first = await people[0]!.uploads(pngOfSize(30_000, 1), { words: { title: 'The first' } })

  // Uploads come and go without a pause; each stays for the length of one other.
  let over = false
  const busy = people.map(async (one, number) => {
    for (let turn = 0; !over; turn++) {
      const { assetId } = await one.uploads(pngOfSize(20_000 + turn, number * 50 + turn))
      if (turn % 2 === 0) await purges(one, assetId)
    }
  })
  const file = join(folder, 'library.tar')
  const taken = await library.run('backup', file, '--json')
  expect(taken, taken.errors).toMatchObject({ code: 0 })
  over = true
  await Promise.all(busy)
  const last = await people[0]!.uploads(pngOfSize(25_000, 2))
  // Nothing is kept once it is written, and one that was broken off leaves nothing behind either.
  await expect.poll(() => readdir(settings.DATA_DIR)).not.toContain('.backing-up')
  const broken = library.start('backup', join(folder, 'broken.tar'))
  await expect.poll(() => readdir(settings.DATA_DIR), { interval: 5 }).toContain('.backing-up')
  broken.child.kill('SIGKILL')
  await expect.poll(() => readdir(settings.DATA_DIR)).not.toContain('.backing-up')
  await server.stop()

  await rm(settings.DATA_DIR, { recursive: true })
  expect(await library.run('restore', file, '--json')).toMatchObject({ code: 0, json: { clients: 1 } })
  const check = await library.run('check', '--read', '100%', '--json')
  expect(check.json, check.errors).toMatchObject({ faults: [] })
  expect(check.json.read).toBeGreaterThan(0)

  const again = await serving(settings)
  const one = person(again.url, { cookie: await signIn(again.url, adminLogin.email, adminLogin.password) })
  expect((await one.get(`${door.assets}/${first.assetId}`)).body).toMatchObject({ title: 'The first' })
  expect((await one.fetch(`${door.assets}/${first.assetId}/content`)).status).toBe(200)
  expect((await one.get(`${door.assets}/${last.assetId}`)).status).toBe(404)
  await again.stop()

  async function serving(environment: typeof settings) {
    const { child, ended } = command(environment).start('serve')
    const stop = async () => {
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    }
    onTestFinished(() => void child.kill('SIGKILL'))
    for (let said = ''; !said.includes('Client Asset Library is at'); ) {
      const [chunk] = await Promise.race([once(child.stdout!, 'data'), ended.then(Promise.reject)])
      said += chunk
    }
    return { url: environment.PUBLIC_URL, stop }
  }
})

async function purges(one: Person, assetId: string): Promise<void> {
  await one.trashes(assetId)
  await one.delete(`${one.door.assets}/${assetId}?permanently=true`)
}
