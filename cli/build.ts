import { existsSync } from 'node:fs'
import { glob, readFile, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { type Command, Failed } from './command.ts'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

const root = fileURLToPath(new URL('../', import.meta.url))
const page = `${root}dist/web/index.html`

export const command: Command = {
  summary: 'Build the web app, unless what is there is newer than everything it is made of.',
  options: {
    force: { explain: 'Build it in any case.' },
    'if-possible': { explain: 'Where what builds it is not installed, say so and go on.' },
  },
  async run(given) {
    if (!given.flag('force') && !(await isStale())) return { lines: [], json: { built: false } }
    if (!canBuild()) {
      if (!given.flag('if-possible')) throw new Failed(cannot())
      console.error(cannot())
      return { lines: [], json: { built: false } }
    }
    await build()
    return { lines: [], json: { built: true } }
  },
}

/** A production install leaves out what only builds and tests. */
const canBuild = () => existsSync(`${root}node_modules/vite`)

const cannot = () =>
  existsSync(page)
    ? 'The web app is served as it was built: what builds it is not installed.'
    : 'The web app is not built, and what builds it is not installed; the API runs without it. For both: npm ci --include=dev && npm run build && npm prune --omit=dev'

async function build(): Promise<void> {
  console.error('Building the web app …')
  const vite = await import('vite')
  for (const mode of ['app', 'guests', 'picker', 'chat'])
    await vite.build({ root: `${root}web`, configFile: `${root}vite.config.ts`, mode, logLevel: 'warn' })
  await compressBuilt()
}

/** Once here instead of at every request; the server sends whichever of the three the browser takes. */
async function compressBuilt(): Promise<void> {
  const folder = `${root}dist/web/assets/`
  for await (const name of glob('*.{js,css,svg}', { cwd: folder })) {
    const bytes = await readFile(folder + name)
    await writeFile(`${folder}${name}.br`, await brotli(bytes))
    await writeFile(`${folder}${name}.gz`, await gzip(bytes, { level: 9 }))
  }
}

async function isStale(): Promise<boolean> {
  const built = await stat(page).catch(() => undefined)
  if (!built) return true
  for await (const file of glob(['web/**/*.*', 'contract/*.ts', 'vite.config.ts', 'package-lock.json'], {
    cwd: root,
  }))
    if ((await stat(`${root}${file}`)).mtimeMs > built.mtimeMs) return true
  return false
}
