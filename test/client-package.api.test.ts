import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badLine } from './bad-line.ts'
import { ofThisMachine } from './command.ts'
import { json, peer } from './delivery-peers.ts'
import { linkedinPage, linkedinPostsPeer } from './linkedin-posts-peer.ts'
import type { Person } from './person.ts'
import { png, pngOfSize } from './pictures.ts'
import { world } from './world.ts'

const MiB = 1024 ** 2
const w = await world({
  MULTIPART_FROM_BYTES: String(10 * MiB),
  PART_SIZE_BYTES: String(5 * MiB),
  OUTBOUND_ALLOW: '127.0.0.1',
})
const root = fileURLToPath(new URL('../', import.meta.url))

/** An empty folder of somebody else's, with nothing but the package in it. */
const folder = await mkdtemp(join(tmpdir(), 'agent-of-somebody-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const installed = join(folder, 'node_modules/asset-library-agent')
let packed: { name: string; size: number; files: { path: string }[] }

beforeAll(async () => {
  const made = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'agents'),
  })
  expect(made, made.errors).toMatchObject({ code: 0 })
  const [told] = JSON.parse(made.output)
  packed = told
  await writeFile(join(folder, 'package.json'), '{"name": "mine", "version": "1.0.0", "type": "module"}')
  const got = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${told.filename}`])
  expect(got, got.errors).toMatchObject({ code: 0 })
})

interface Ended {
  code: number
  output: string
  errors: string
}

/** A program of theirs: with nothing of ours in its environment. */
const run = (
  command: string,
  args: string[],
  { cwd = folder, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...ofThisMachine(), ...env } }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
  })

const keyOf = (agent: Person) => agent.credentials.authorization!.replace('Bearer ', '')

test('the package is small and whole: built code, its types, and not one dependency', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(await readdir(join(folder, 'node_modules'))).toEqual(
    expect.not.arrayContaining(['typebox', 'client-asset-library']),
  )
  expect(packed.size).toBeLessThan(40_000)
  const paths = packed.files.map(({ path }) => path)
  expect(paths.filter((path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([])
  for (const path of paths.filter((each) => each.startsWith('dist/')))
    expect(await readFile(join(installed, path), 'utf8'), path).not.toMatch(
      /from ['"](?!\.\/[\w-]+\.js['"])|import\(/,
    )
})

test('its types hold in a strict project that has nothing else', async () => {
  await writeFile(
    join(folder, 'mine.ts'),
    `import { type Asset, assetLibrary, isProblem, resumeOf, type UploadResume } from 'asset-library-agent'
const library = assetLibrary({ baseUrl: 'http://x', apiKey: 'k', clientId: 'c' })
export async function all(file: Blob): Promise<string | undefined> {
  const asset: Asset = await library.upload(file, { originalFilename: 'a.png', onOpened: (r: UploadResume) => r.uploadToken })
  const [picture] = await library.resolve([asset.assetRef], { surface: 'social', target: 'instagram' })
  if (!picture?.ok) return picture?.fix
  // @ts-expect-error there is no such surface
  await library.resolve([asset.assetRef], { surface: 'billboard' })
  // @ts-expect-error a delivery names its connection
  await library.deliver({ assetRef: picture.pinnedRef, surface: 'social' })
  const [best] = await library.pick({ q: 'terrace', surface: 'social', ratio: '4:5', unused: true })
  if (best?.why.some(({ code }) => code === 'few-pixels')) return best.asset.title
  // @ts-expect-error a pick is for a surface
  await library.pick({ q: 'terrace' })
  const wrong: number = picture.rendition.width ?? 0
  // @ts-expect-error a title is a text
  const title: number = picture.asset.title
  for await (const event of library.events())
    if (event.type === 'asset.trashed') return event.data.asset.title
  return String(wrong + title)
}
export const again = (error: unknown) => (isProblem(error, 'upload-expired') ? undefined : resumeOf(error)?.expiresAt)
// @ts-expect-error there is no such code
isProblem(new Error(), 'no-such-code')
`,
  )
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['mine.ts'] }))
  const tsc = join(root, 'test/node_modules/typescript/bin/tsc')
  expect(await run(process.execPath, [tsc, '-p', folder])).toEqual({ code: 0, output: '', errors: '' })
})

/** Does what agents do, and says what came of it. */
const program = `
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { assetLibrary, clientsOf, isProblem, resumeOf } from 'asset-library-agent'
const access = { baseUrl: process.env.LIBRARY_URL, apiKey: process.env.LIBRARY_KEY }
const [{ clientId }] = await clientsOf(access)
const library = assetLibrary({ ...access, clientId })
const file = await openAsBlob('large.png')
const sent = []
const upload = (more) => library.upload(file, { originalFilename: 'large.png', onProgress: (bytes) => sent.push(bytes), ...more })
if (process.argv[2] === 'refused') {
  const error = await upload({ title: ' ' }).catch((error) => error)
  writeFileSync('resume.json', JSON.stringify(resumeOf(error)))
  console.log(JSON.stringify({ code: error.code, parts: sent.length }))
} else {
  const asset = await upload({ title: 'Large', resume: JSON.parse(readFileSync('resume.json', 'utf8')) })
  const { folderId } = await library.createFolder({ name: 'Menus' })
  await library.editFolder({ folderId, name: 'Cards' })
  const [moved] = await library.moveAssets([asset.assetId], folderId)
  const found = []
  for await (const { title } of library.searchAssets({ q: 'large', folderId })) found.push(title)
  const [{ pinnedRef }] = await library.resolve([asset.assetRef], { surface: 'social' })
  const [{ asset: best }] = await library.pick({ q: 'large', surface: 'social' })
  const { url, pullGrantId } = await library.createPullGrant({ assetRef: asset.assetRef, surface: 'website', target: 'wordpress', ttlSeconds: 600 })
  const pulled = [(await fetch(url)).status]
  await library.revokePullGrant(pullGrantId)
  pulled.push((await fetch(url)).status)
  const { altText } = await library.editAsset(asset.assetId, { altText: 'A card' })
  const gone = await library.readAsset('asset_none').catch((error) => isProblem(error, 'not-found'))
  let heard
  for await (const event of library.events({ after: 0 })) if ((heard = event.type)) break
  console.log(JSON.stringify({ parts: sent.length, moved: moved.ok, found, pinnedRef: pinnedRef === asset.assetId + '@1', picked: best.assetId === asset.assetId, pulled, altText, gone, heard }))
}
`

describe.each(await nodes())('on Node $version', ({ path }) => {
  test('an upload whose finalize failed goes on in another process, without a byte sent again', async () => {
    const env = { LIBRARY_URL: w.url, LIBRARY_KEY: keyOf((await w.newClient()).social) }
    await writeFile(join(folder, 'large.png'), pngOfSize(12 * MiB))
    await writeFile(join(folder, 'program.js'), program)
    const refused = await run(path, ['program.js', 'refused'], { env })
    expect(refused.errors).toBe('')
    expect(JSON.parse(refused.output)).toEqual({ code: 'invalid-request', parts: 3 })
    const resumed = await run(path, ['program.js', 'resumed'], { env })
    expect(resumed.errors).toBe('')
    expect(JSON.parse(resumed.output)).toEqual({
      parts: 0,
      moved: true,
      found: ['Large'],
      pinnedRef: true,
      picked: true,
      pulled: [200, 404],
      altText: 'A card',
      gone: true,
      heard: 'upload.created',
    })
  })

  test('the example delivers over a bad line', () =>
    delivers(path, join(installed, 'examples/deliver-a-picture.js')))
})

test('the example in Python delivers over a bad line', async ({ skip }) => {
  const { code } = await run('python3', ['--version'])
  skip(code !== 0, 'python3 is not installed')
  await delivers('python3', join(installed, 'examples/deliver-a-picture.py'))
})

/** A file to a system that takes files; what is in the library, with words, to one that publishes. Everything once. */
async function delivers(program: string, example: string): Promise<void> {
  const client = await w.newClient()
  const at = `/admin/clients/${client.clientId}`
  const linkedin = await linkedinPostsPeer()
  const receiver = await peer((_, response) => json(response, { id: 'a', url: 'https://site.example/1' }))
  await w.admin.post(`${at}/connections`, {
    kind: 'linkedin-posts',
    name: 'Company page',
    settings: { ...linkedinPage, baseUrl: linkedin.url },
    secrets: { accessToken: 'linkedin-token' },
  })
  await w.admin.post(`${at}/connections`, {
    kind: 'webhook',
    name: 'Scheduler',
    settings: { url: receiver.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const line = await badLine(w.url)
  const env = { LIBRARY_URL: line.url, LIBRARY_KEY: keyOf(client.agent), PYTHONUTF8: '1' }
  const picture = join(folder, 'harbour.png')
  await writeFile(picture, png(900, 900))

  const sessions = `${at}/assets/upload-session`
  line.expects(
    { kind: 'lost', at: `POST ${sessions}` },
    { kind: 'cut', at: 'PUT ' },
    { kind: 'busy', at: `POST ${sessions}/finalize` },
    { kind: 'lost', at: `POST ${at}/deliveries` },
  )
  const filed = await run(program, [example, picture], { env })
  expect(filed, filed.errors).toMatchObject({ code: 0, errors: '' })
  expect(filed.output).toContain('to Scheduler: done https://site.example/1')
  expect(line.pending()).toEqual([])
  expect(receiver.requests).toHaveLength(1)
  expect((await client.viewer.get(`${at}/assets`)).body.assets).toHaveLength(1)
  const keys = line.requests.filter((one) => one.at === `POST ${sessions}`).map((one) => one.idempotencyKey)
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.any(String)])
  await expect(access(`${picture}.upload.json`)).rejects.toThrow('ENOENT')

  const posted = await run(program, [example, 'harbour', 'Early at the harbour'], { env })
  expect(posted, posted.errors).toMatchObject({ code: 0, errors: '' })
  expect(posted.output).toContain('to Company page: done')
}

/** The Node that runs this and the machine's own; with CLIENT_NODES those that it names, from the registry. */
async function nodes(): Promise<{ version: string; path: string }[]> {
  const found = new Map<string, string>([[process.versions.node, process.execPath]])
  const wanted = process.env.CLIENT_NODES?.split(',') ?? []
  if (wanted.length > 0) {
    const name = `node-${process.platform}-${process.arch}`
    const place = join(folder, 'nodes')
    await mkdir(place)
    const named = wanted.map((version) => `node-${version}@npm:${name}@${version}`)
    const options = ['install', '--prefix', place, '--no-audit', '--no-fund']
    // From the registry as this machine reaches it: certificates and proxies are told in the environment.
    const env = process.env as Record<string, string>
    const got = await run('npm', [...options, ...named], { env })
    for (const version of wanted) {
      const path = join(place, 'node_modules', `node-${version}`, 'bin/node')
      const said = await run(path, ['--version'])
      if (!said.output.startsWith(`v${version}.`))
        throw new Error(`Node ${version} is not there: ${got.errors}`)
      found.set(said.output.trim().slice(1), path)
    }
  }
  for (const place of (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))) {
    const path = join(place, 'node')
    const version = (await run(path, ['--version'], { cwd: root })).output.trim().slice(1)
    if (Number(version.split('.')[0]) >= 20 && !found.has(version)) found.set(version, path)
  }
  return [...found].map(([version, path]) => ({ version, path }))
}
