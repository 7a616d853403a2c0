import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../setup/postgres.ts'
import type { Browser, Engine, Tab } from './engine.ts'
import { startProgram } from './program.ts'
import { missingScreen, startScreen } from './screen.ts'

const driver = '/usr/bin/WebKitWebDriver'
const language = 'en_US.UTF-8'
const miniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1)

/** What Safari is made of, driven by the older WebDriver, a program beside it. */
export const webkit: Engine = {
  name: 'WebKit',
  goesOnToTheNextPart: false,
  missing() {
    if (!existsSync(driver) || !miniBrowser())
      return 'WebKit is not installed (Debian: webkit2gtk-driver, gstreamer1.0-libav)'
    const languages = execFileSync('locale', ['-a'], { encoding: 'utf8' })
    // In the language C it has no words for days, and the app does not start.
    if (!/^en_US\.utf-?8$/im.test(languages))
      return `the language ${language} is not there (Debian: locales-all)`
    return missingScreen()
  },
  open,
}

// Whatever is not of this machine goes to a port where nobody listens.
const nobody = 'http://127.0.0.1:9'
const proxy = { http_proxy: nobody, https_proxy: nobody, no_proxy: 'localhost,127.0.0.1' }

async function open(): Promise<Browser> {
  const screen = await startScreen()
  const port = await freePort()
  const program = await startProgram(() => [driver, `--port=${port}`, '--host=127.0.0.1'], {
    env: {
      DISPLAY: screen.display,
      LC_ALL: language,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      // Its own walls cannot be built as root or in a container; all it is shown is the app.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      // Neither is there, and it would start them.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      NO_AT_BRIDGE: '1',
      ...proxy,
    },
  })
  const close = async () => {
    await program.end()
    await screen.end()
  }
  const at = `http://127.0.0.1:${port}`
  try {
    await answers(`${at}/status`)
    return { newTab: () => newTab(at), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function answers(url: string) {
  for (const until = Date.now() + 30_000; ; await pause(100)) {
    const response = await fetch(url).catch((error: unknown) => {
      if (Date.now() > until) throw error
    })
    if (response) return
  }
}

/** Each is a browser of its own, for the driver takes one at a time. */
async function newTab(at: string): Promise<Tab> {
  async function ask(method: 'POST' | 'DELETE', path: string, body = {}) {
    const response = await fetch(`${at}/session${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const { value } = await response.json()
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const { sessionId } = await ask('POST', '', {
    capabilities: {
      alwaysMatch: {
        pageLoadStrategy: 'eager',
        timeouts: { script: 10_000 },
        'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
      },
    },
  })
  const inIt = `/${sessionId}`
  const run: Tab['run'] = (script, given) => ask('POST', `${inIt}/execute/sync`, { script, args: [given] })
  const heard: string[] = []
  async function hear() {
    heard.push(...JSON.parse((await run(`return (${listen})()`, ''))!))
    return heard
  }
  // The window has a bar above the page.
  await ask('POST', `${inIt}/window/rect`, { x: 0, y: 0, width: 1280, height: 838 })
  return {
    async goTo(url) {
      await hear()
      await ask('POST', `${inIt}/url`, { url })
      await hear()
    },
    run,
    perform: (actions) => ask('POST', `${inIt}/actions`, { actions }),
    complaints: hear,
    close: () => ask('DELETE', inIt),
  }
}

/**
 * Runs in the page: what it has complained about since this was asked last. The driver does not tell, so nothing is
 * heard of what happens before a page has been read to its end.
 */
function listen(): string {
  const page = window as typeof window & { complaints?: string[] }
  if (!page.complaints) {
    const complaints: string[] = []
    page.complaints = complaints
    addEventListener('error', ({ message }) => complaints.push(message))
    addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
    const said = console.error
    console.error = (...words) => {
      complaints.push(words.map(String).join(' '))
      said(...words)
    }
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      complaints.push(`The policy’s ${effectiveDirective} forbids ${blockedURI}`),
    )
  }
  return JSON.stringify(page.complaints.splice(0))
}
