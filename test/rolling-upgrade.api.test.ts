import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { ofThisMachine } from './command.ts'
import { type Person, person, puts } from './person.ts'
import { png } from './pictures.ts'
import { freePort } from './setup/postgres.ts'
import { adminLogin, asAdmin, newHome, signIn } from './world.ts'

/** What others run: its migrations are those of the database when the first new node comes. */
const released = '9cff1ce'

const here = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'library-rolling-'))
const home = await newHome()
const database = `rolling_${process.pid}`
await asAdmin(inject('postgresUrl'), `create database ${database}`)
const nodes: ChildProcess[] = []
afterAll(async () => {
  for (const node of nodes) node.kill('SIGKILL')
  await asAdmin(inject('postgresUrl'), `drop database ${database} with (force)`)
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

async function checkOut(commit: string): Promise<string> {
  const checkout = join(folder, commit)
  await mkdir(checkout)
  const archive = execFileSync('git', ['archive', commit], { cwd: here, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  await symlink(join(here, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

async function startNode(checkout: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...ofThisMachine(),
    ...home.environment,
    DATABASE_URL: `${inject('postgresUrl')}/${database}`,
    PORT: String(port),
    PUBLIC_URL: url,
    DEMO: 'false',
    DRAIN_SECONDS: '3',
  }
  const program = join(checkout, 'cli/asset-library.js')
  const node = spawn(process.execPath, [program, 'serve'], { cwd: checkout, env, stdio: 'ignore' })
  nodes.push(node)
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    expect(node.exitCode, checkout).toBeNull()
    await pause(100)
  }
  const leaves = async (left: () => void) => {
    node.kill('SIGTERM')
    while (await isReady()) await pause(50)
    left()
    await once(node, 'exit')
  }
  return { url, leaves }
}

test('old and new nodes stand side by side through the migrations between them, and no request fails', async () => {
  const old = await startNode(await checkOut(released))
  const cookie = await signIn(old.url, adminLogin.email, adminLogin.password)
  const { body: client } = await person(old.url, { cookie }).post('/admin/clients', { name: 'Harbour' })
  const door = { assets: `/admin/clients/${client.clientId}/assets`, events: '' }
  const first = await person(old.url, { cookie }, door).uploads(png(9, 9), { words: { tags: ['Hafen'] } })

  let urls = [old.url]
  let turns = 0
  let over = false
  const failed: unknown[] = []
  const answered = new Map<string, number>()
  const asking = async (work: (one: Person, turn: number) => Promise<{ status: number; body?: unknown }>) => {
    while (!over) {
      const turn = turns++
      const url = urls[turn % urls.length]!
      const { status, body } = await work(person(url, { cookie }, door), turn).catch((error) => ({
        status: 0,
        body: String(error.cause ?? error),
      }))
      answered.set(url, (answered.get(url) ?? 0) + 1)
      if (status < 200 || status >= 400) failed.push({ url, status, body })
      await pause(20)
    }
  }
  const people = [
    asking((one) => one.lists({ limit: 50 })),
    asking((one) => one.lists({ q: 'hafen', limit: 20 })),
    asking((one, turn) => one.edits(first.assetId, { title: `Kiosk ${turn}` })),
    asking((one, turn) => one.post(`${door.assets}/folders`, { name: `Folder ${turn}` })),
    asking(async (one, turn) => {
      const bytes = png(4 + (turn % 50), 7)
      const begun = await one.opensUpload({ expectedSizeBytes: bytes.length })
      if (begun.status !== 201) return begun
      const put = await puts(begun.body, bytes)
      return put.ok ? one.finalizes(begun.body.uploadToken, { tags: ['Hafen', `No ${turn % 7}`] }) : put
    }),
  ]

  const young = await startNode(here)
  urls = [old.url, young.url]
  await expect.poll(() => answered.get(young.url) ?? 0).toBeGreaterThan(100)
  await old.leaves(() => {
    urls = [young.url]
  })
  const soFar = answered.get(young.url)!
  await expect.poll(() => answered.get(young.url)!).toBeGreaterThan(soFar + 50)
  over = true
  await Promise.all(people)
  expect(failed).toEqual([])
})
