import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ofThisMachine } from './command.ts'
import { linkProductionPackages } from './production-packages.ts'
import { freePort } from './setup/postgres.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-installed-'))
  for (const name of ['cli', 'contract', 'demo', 'server', 'web', 'package.json', 'package-lock.json'])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await linkProductionPackages(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(...args: string[]) {
  const env = { ...ofThisMachine(), NODE_ENV: 'production', ...settings }
  const child = spawn(process.execPath, ['cli/asset-library.js', ...args], { cwd: folder, env })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const said = { output: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    said.output += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, said, ended }
}
const settings: Record<string, string> = { DEMO: '0' }

test('a production install starts, and says in a line what is missing for the web app', async () => {
  // What npm start does, one after the other.
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({
    prestart: 'node cli/asset-library.js build --if-possible',
    start: 'node --max-semi-space-size=8 cli/asset-library.js serve',
  })
  const built = await run('build', '--if-possible').ended
  expect(built).toEqual({
    code: 0,
    output: '',
    errors: expect.stringMatching(/^The web app is not built, .*npm run build.*\n$/),
  })
  const port = await freePort()
  Object.assign(settings, { PORT: String(port), DATA_DIR: join(folder, 'data'), SECRET_KEY: 'k'.repeat(40) })
  const server = run('serve')
  while (!server.said.output.includes('Client Asset Library is at')) {
    expect(server.child.exitCode, server.said.errors).toBeNull()
    await pause(50)
  }
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect((await at('/readyz')).status).toBe(200)
  const page = await at('/app/')
  expect([page.status, await page.text()]).toEqual([503, expect.stringMatching(/npm run build, .*\n$/)])
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, errors: '' })

  // Asked to build, it says that it cannot; with a web app that came built, it serves that.
  expect(await run('build').ended).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^The web app is not built.*\n$/),
  })
  await mkdir(join(folder, 'dist', 'web', 'assets'), { recursive: true })
  await writeFile(join(folder, 'dist', 'web', 'index.html'), '<!doctype html><title>Built elsewhere</title>')
  expect(await run('build', '--if-possible').ended).toEqual({ code: 0, output: '', errors: '' })
})
