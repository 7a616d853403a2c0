import { existsSync } from 'node:fs'
import type { Browser, Engine, Tab } from './engine.ts'
import { startProgram } from './program.ts'
import { missingScreen, startScreen } from './screen.ts'

const program = () => ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

/** Driven by WebDriver BiDi, which it speaks itself. */
export const firefox: Engine = {
  name: 'Firefox',
  goesOnToTheNextPart: true,
  missing: () => (program() ? missingScreen() : 'Firefox is not installed (Debian: firefox-esr)'),
  open,
}

/** It reaches this machine and nothing else, and does not try to. */
const preferences = {
  // Whatever is not of this machine goes to a port where nobody listens.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': 'localhost,127.0.0.1',
  'network.proxy.allow_hijacking_localhost': false,
  'network.proxy.failover_direct': false,
  'network.trr.mode': 5,
  'network.dns.disablePrefetch': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'app.update.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.blockedURIs.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.usage.uploadEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.blocklist.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'media.gmp-provider.enabled': false,
  'messaging-system.rsexperimentloader.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': 'data:,',
  'toolkit.telemetry.unified': false,
  // The words of the app and the order of a day's parts.
  'intl.accept_languages': 'en-US',
  'intl.regional_prefs.use_os_locales': false,
}

async function open(): Promise<Browser> {
  const screen = await startScreen()
  const browser = await startProgram(
    (home) => [program()!, '--no-remote', '--profile', home, '--remote-debugging-port', '0'],
    {
      env: { DISPLAY: screen.display, LC_ALL: 'C.UTF-8' },
      files: {
        'user.js': Object.entries(preferences)
          .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
          .join(''),
      },
    },
  )
  const close = async () => {
    await browser.end()
    await screen.end()
  }
  try {
    const [, address] = await browser.says(/WebDriver BiDi listening on (ws:\S+)/)
    const talk = await connected(`${address}/session`)
    await talk.ask('session.new', { capabilities: {} })
    await talk.ask('session.subscribe', { events: ['log.entryAdded'] })
    return { newTab: () => newTab(talk), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Talk = Awaited<ReturnType<typeof connected>>

/** Questions with their answers, and what is written to the console of each tab. */
async function connected(address: string) {
  const socket = new WebSocket(address)
  const asked = new Map<number, { answered(result: Answer): void; failed(error: Error): void }>()
  const complaints = new Map<string, string[]>()
  let count = 0
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`Nobody answers at ${address}`))
  })
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data))
    if (message.method === 'log.entryAdded') {
      const { level, text, source } = message.params
      if (level === 'error') complaints.get(source.context)?.push(text)
    }
    const question = asked.get(message.id)
    asked.delete(message.id)
    if (message.type === 'error') question?.failed(new Error(`${message.error}: ${message.message}`))
    else question?.answered(message.result)
  }
  socket.onclose = () => {
    for (const { failed } of asked.values()) failed(new Error('Firefox has ended'))
  }

  return {
    complaints,
    ask: (method: string, params: object) =>
      new Promise<Answer>((answered, failed) => {
        asked.set(++count, { answered, failed })
        socket.send(JSON.stringify({ id: count, method, params }))
      }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each method answers something else
type Answer = any

async function newTab({ ask, complaints }: Talk): Promise<Tab> {
  const { userContext } = await ask('browser.createUserContext', {})
  const { context } = await ask('browsingContext.create', { type: 'window', userContext })
  complaints.set(context, [])
  await ask('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } })
  return {
    goTo: (url) => ask('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(body, given) {
      const { type, result, exceptionDetails } = await ask('script.callFunction', {
        functionDeclaration: `function () { ${body} }`,
        arguments: [{ type: 'string', value: given }],
        target: { context },
        awaitPromise: true,
      })
      if (type === 'exception') throw new Error(exceptionDetails.text)
      return result.value ?? null
    },
    perform: (actions) => ask('input.performActions', { context, actions }),
    complaints: async () => complaints.get(context)!,
    close: () => ask('browser.removeUserContext', { userContext }),
  }
}
