import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { entriesOf } from '../cli/backup/tar.ts'
import { ofThisMachine } from './command.ts'
import { person } from './person.ts'
import { png } from './pictures.ts'
import { linkProductionPackages } from './production-packages.ts'
import { freePort } from './setup/postgres.ts'
import { firstSignIn } from './world.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
let folder: string
let releases: string[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-package-'))
  releases = await Promise.all(['here', 'in another place'].map(released))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `npm run release` on a copy of the source, so that nothing that was built before is in it. */
async function released(place: string): Promise<string> {
  const copy = join(folder, place)
  const notSource = new Set(['.git', 'bench', 'data', 'dist', 'node_modules', 'test'])
  await cp(root, copy, { recursive: true, filter: (path) => !notSource.has(basename(path)) })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await promisify(execFile)('npm', ['run', 'release'], { cwd: copy, env: ofThisMachine(), maxBuffer: 1e8 })
  return join(copy, 'dist/release')
}

const tarballIn = async (release: string) =>
  join(release, (await readdir(release)).find((name) => name.endsWith('.tgz'))!)

test('made twice, in two places, a release is the same to the byte', async () => {
  const made = await Promise.all(
    releases.map(async (release) => {
      const names = (await readdir(release)).sort()
      const files = await Promise.all(names.map((name) => readFile(join(release, name))))
      return names.map((name, at) => [name, createHash('sha256').update(files[at]!).digest('hex')])
    }),
  )
  expect(made[0]!.map(([name]) => name)).toEqual([
    'LICENCES.txt',
    'SHA256SUMS',
    expect.stringMatching(/\.tgz$/),
    'sbom.json',
  ])
  expect(made[0]).toEqual(made[1])
})

test('what is installed with it and what is built into it is named, with its licence, and nothing else', async () => {
  const listed = await readFile(join(releases[0]!, 'LICENCES.txt'), 'utf8')
  const ids = [...listed.matchAll(/^\S.* (\S+@\d\S*)/gm)].map(([, id]) => id!)
  const { components } = JSON.parse(await readFile(join(releases[0]!, 'sbom.json'), 'utf8'))
  const inBill = components.map(({ purl }: { purl: string }) =>
    decodeURIComponent(/^pkg:npm\/([^?#]+)/.exec(purl)![1]!),
  )
  expect(inBill.sort()).toEqual(ids.sort())
  const names = new Set(ids.map((id) => id.replace(/@[^@]*$/, '')))
  // Of the server, of the app, of the page in a chat, which holds its scripts itself; none that only builds.
  for (const name of ['fastify', '@mantine/core', 'react', '@modelcontextprotocol/ext-apps'])
    expect(names).toContain(name)
  for (const name of ['vite', 'vitest', '@types/node']) expect(names).not.toContain(name)
})

test('the package runs from an empty folder: a login, an upload, its preview, the web app', async () => {
  const empty = join(folder, 'empty')
  await mkdir(empty)
  await install(await tarballIn(releases[0]!), empty)

  const port = await freePort()
  const server = npx(empty, { PORT: String(port), DEMO: '0' })
  const { password } = (await server.says(/with the password (?<password>\S+)/)).groups!
  const url = `http://127.0.0.1:${port}`
  const admin = person(url, { cookie: await firstSignIn(url, 'admin@example.com', password!) })
  const { body: client } = await admin.post('/admin/clients', { name: 'Harbour Café' })
  const path = `/admin/clients/${client.clientId}`
  const operator = admin.at({ assets: `${path}/assets`, events: `${path}/events` })
  const { assetId } = await operator.uploads(png(320, 200))
  const preview = await operator.fetch(`${path}/assets/${assetId}/preview?size=thumb`)
  expect([preview.status, preview.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\//),
  ])
  const app = await admin.fetch('/app/')
  expect([app.status, await app.text()]).toEqual([200, expect.stringContaining('<script type="module"')])

  await server.stops()
})

/** As `npm install` would, of what is here already. */
async function install(tarball: string, empty: string): Promise<void> {
  await linkProductionPackages(empty)
  const modules = join(empty, 'node_modules')
  for await (const { name, body } of entriesOf(createReadStream(tarball).pipe(createGunzip()))) {
    const file = join(modules, 'client-asset-library', relative('package', name))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, body)
  }
  const { bin } = JSON.parse(await readFile(join(modules, 'client-asset-library', 'package.json'), 'utf8'))
  const program = join(modules, 'client-asset-library', bin['asset-library'])
  await chmod(program, 0o755)
  await mkdir(join(modules, '.bin'))
  await symlink(program, join(modules, '.bin', 'asset-library'))
}

/** As people start it: `npx asset-library serve`. */
function npx(cwd: string, settings: Record<string, string>) {
  const child: ChildProcess = spawn('npx', ['asset-library', 'serve'], {
    cwd,
    env: { ...ofThisMachine(), ...settings },
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'close')
  const kill = (signal: NodeJS.Signals) => process.kill(-child.pid!, signal)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) kill('SIGKILL')
  })
  return {
    /** With it npx ends, whose answer tells nothing of the server's. */
    async stops(): Promise<void> {
      kill('SIGTERM')
      await ended
      expect(said).toContain('SIGTERM: finishing what is under way')
      await expect(fetch(`http://127.0.0.1:${settings.PORT}/livez`)).rejects.toThrow()
    },
    async says(words: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = words.exec(said)
        if (found) return found
        if (child.exitCode !== null) throw new Error(`Ended without ${words}: ${said}`)
        await Promise.race([once(child.stdout!, 'data'), ended])
      }
    },
  }
}
