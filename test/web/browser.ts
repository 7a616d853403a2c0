import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * A real Chromium: the machine's own where there is one, else the one that a package carries (x64 only), else
 * Debian's, installed now.
 */
export async function openBrowser(more: string[] = []): Promise<Browser> {
  const wanted = [...quiet, ...more]
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  )
  if (system) return chromium.launch({ executablePath: system, args: wanted })
  if (process.arch === 'x64') {
    const { default: carried } = await import('@sparticuz/chromium')
    return chromium.launch({
      executablePath: await carried.executablePath(),
      args: [...carried.args, ...wanted],
    })
  }
  installDebian()
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: wanted })
}

function installDebian(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(
      'The browser tests need Chromium: install it as /usr/bin/chromium (apt-get install chromium).',
    )
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
}
