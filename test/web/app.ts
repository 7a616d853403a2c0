import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'
import type { Environment } from '../../server/config.ts'
import { fixturePath, typeByName } from '../../server/media/fixtures/fixture.ts'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { type ClientWorld, ownWorld, type World } from '../world.ts'
import { openBrowser } from './browser.ts'

export interface App {
  world: World
  browser: Browser
  /** Where people open the page. The disk store stands on another origin. */
  site: string
  /** A browser of its own, signed in as this person; nobody for the login page. */
  visit(person: Person | null, path: string, options?: Visit): Promise<Page>
}

export type Visit = BrowserContextOptions & {
  /** Another address of the same server. */
  site?: string
}

export const longWait = 60_000

/** How many times slower than this machine the browser is to be: what passes only on a fast one fails. */
const slowness = Number(process.env.SLOW_BROWSER ?? 1)

/** A server with the built app and a browser, for one file; what a test opens is closed after it. */
export async function app(settings: Environment = {}, its?: Browser): Promise<App> {
  const made = await ownWorld((free) => {
    const port = settings.PORT ?? free
    return {
      PUBLIC_URL: `http://localhost:${port}`,
      STORAGE_DISK_URL: `http://127.0.0.1:${port}`,
      OUTBOUND_ALLOW: '127.0.0.1',
      ...settings,
    }
  })
  const site = made.parts.config.publicUrl
  const browser = its ?? (await newBrowser())
  const crashes: Error[] = []
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    expect(crashes.splice(0)).toEqual([])
  })

  return {
    world: made,
    browser,
    site,
    async visit(person, path, { site: at = site, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: at,
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(longWait)
      if (person) await context.addCookies([{ ...cookieOf(person), url: at }])
      const page = await context.newPage()
      page.on('pageerror', (error) => crashes.push(error))
      // Whoever begins to listen in the moment of a key or click may hear nothing of the dialog it opens.
      page.on('filechooser', () => {})
      if (slowness > 1) await slowDown(page)
      await page.goto(path)
      return page
    },
  }
}

async function slowDown(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
}

/** Where there is none, tests are skipped before they would use it. */
async function newBrowser(): Promise<Browser> {
  if ('missing' in inject('chromium')) return { contexts: () => [] } as unknown as Browser
  // Some pages of others, such as the sign-in of an identity provider, would load their fonts from the internet.
  const names = `MAP ${officeName} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1`
  const browser = await openBrowser([`--host-resolver-rules=${names}`])
  afterAll(() => browser.close())
  return browser
}

/** A name in the office's own network, without a certificate: not what browsers call a secure page. */
export const officeName = 'library.test'

export function cookieOf({ credentials }: Person) {
  const [name, value] = credentials.cookie!.split('=') as [string, string]
  return { name, value }
}

/** The two frames of the library, each with the person who works in it. */
export const surfaces = [
  {
    surface: 'admin',
    who: (client: ClientWorld) => client.operator,
    home: ({ clientId }: ClientWorld) => `/app/clients/${clientId}/assets`,
  },
  {
    surface: 'portal',
    who: (client: ClientWorld) => client.portal,
    home: () => '/app/portal/assets',
  },
]

/** What a person sees of the library, by the names a screen reader says. */
export function libraryOn(page: Page) {
  const named = (name: string | RegExp) => page.getByRole('gridcell', { name })
  const menuItem = (name: string) => page.getByRole('menuitem', { name })
  const it = {
    page,
    grid: page.getByRole('grid'),
    cells: page.getByRole('gridcell'),
    asset: (title: string) => named(title),
    folder: (name: string) => named(new RegExp(`^Folder: ${name}`)),
    inTree: (name: string) => page.getByRole('treeitem', { name }),
    details: page.getByRole('complementary', { name: 'Details' }),
    tray: page.getByRole('region', { name: 'Uploads' }),
    search: page.getByRole('searchbox', { name: 'Search' }),
    path: page.getByRole('navigation', { name: 'Folder path' }),
    menuItem,
    said: (text: string | RegExp) =>
      page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text }).last(),

    async opensMenu(cell: Locator) {
      await cell.click({ button: 'right' })
    },
    async choosesIn(cell: Locator, action: string) {
      await it.opensMenu(cell)
      await menuItem(action).click()
    },
    async showsDetailsOf(title: string) {
      await named(title).click()
      if (!(await it.details.isVisible())) await page.keyboard.press('i')
      await it.details.waitFor()
      return it.details
    },
    async uploads(files: Parameters<Locator['setInputFiles']>[0]) {
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), menuItem('Files…').click()])
      await chooser.setFiles(files as string[])
    },
  }
  return it
}

export const fileOf = async (fixture: string, name = fixture) => ({
  name,
  mimeType: typeByName(fixture),
  buffer: await readFile(fixturePath(fixture)),
})

/** An asset that is there before the story begins; the title decides its colour. */
export async function hasAsset(
  person: Person,
  title: string,
  { folderId, ...words }: { folderId?: string; [word: string]: unknown } = {},
) {
  const hash = [...title].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffff, 7)
  return person.uploads(png(64, 48, [hash & 255, (hash >> 8) & 255, hash >> 16]), {
    session: { originalFilename: `${title}.png`, mimeType: 'image/png', ...(folderId && { folderId }) },
    words: { title, altText: `A picture: ${title}`, ...words },
  })
}

/** Files and folders let go over the page, as the desktop would. */
export async function drops(page: Page, paths: string[], onto: Locator) {
  const box = (await onto.boundingBox())!
  const cdp = await page.context().newCDPSession(page)
  const at = {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    data: { items: [], files: paths, dragOperationsMask: 1 },
  }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, ...at })
  await cdp.detach()
}

/** A picture that the browser has really drawn. */
export async function isDrawn(picture: Locator) {
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0), {
      timeout: 2 * longWait, // it is made first
    })
    .toBe(true)
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules that look at colours: all that can differ between light and dark. */
const colours = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong with the page as it stands, one line each. */
export const violations = (page: Page) => findings(page, { type: 'tag', values: standards })

/** The same in the light, and of the colours in the dark. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const inLight = await violations(page)
  await turns(page, 'dark')
  const inDark = await findings(page, { type: 'rule', values: colours })
  await turns(page, 'light')
  return [...inLight, ...inDark.map((line) => `in the dark: ${line}`)]
}

async function turns(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

async function findings(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }
    // What is in order is not written down: that takes longer than to look.
    const { violations } = await axe.run({ runOnly: only, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
  }, runOnly)
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
}
