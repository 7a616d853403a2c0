import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

export type { BrowserContextOptions, CDPSession, Page, Request, Response } from 'playwright-core'

// Ours alone: the arguments that the package of Chromium recommends switch the same-origin policy off and end the
// browser with its first context.
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Instead of Playwright's own list, which takes from frames of other sites what people's browsers give them: a
  // storage apart.
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding,Translate',
]

export const openBrowser = async (more: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: await findChromium(),
    args: [...quiet, ...more],
    // Where no language is set, it would call every file with an umlaut in its name “download”.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
