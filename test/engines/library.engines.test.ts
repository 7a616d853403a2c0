import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextEvents } from '../event-reader.ts'
import { hasAsset } from '../web/app.ts'
import { adminLogin, hasOwnPassword, ownWorld } from '../world.ts'
import type { Browser, Tab } from './engine.ts'
import { firefox } from './firefox.ts'
import { type Page, pageIn } from './page.ts'
import { webkit } from './webkit.ts'

const world = await ownWorld((port) => ({
  PUBLIC_URL: `http://localhost:${port}`,
  STORAGE_DISK_URL: `http://127.0.0.1:${port}`,
}))
const site = world.parts.config.publicUrl
await hasOwnPassword(world, adminLogin.email)

const film = new URL('../../demo/files/crossing-the-harbour.mp4', import.meta.url)

const tile = '[role=gridcell]'
const dialog = '[role=dialog]'
const titles = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.tile-title')].map((title) => title.textContent.trim()).sort(),
  )
const address = (page: Page) => page.evaluate(() => location.search)

async function signsIn(page: Page) {
  await page.goTo(`${site}/app/`)
  await page.click('input[type=email]')
  await page.type(adminLogin.email)
  await page.click('input[type=password]')
  await page.type(adminLogin.password)
  await page.press('Enter')
  await page.misses('input[type=password]')
}

describe.each([firefox, webkit])('in $name', (engine) => {
  let browser: Browser | undefined
  let tab: Tab | undefined
  beforeEach(({ skip }) => {
    const missing = engine.missing()
    if (missing) skip(missing)
  })
  beforeAll(async () => {
    if (!engine.missing()) browser = await engine.open()
  })
  afterEach(async () => {
    await tab?.close()
    tab = undefined
  })
  afterAll(async () => browser?.close())

  /** The library of a client of its own, and who sees to it over the API. */
  async function opens(...given: string[]) {
    const client = await world.newClient()
    const me = client.operator
    const assets = new Map<string, string>()
    for (const title of given) assets.set(title, (await hasAsset(me, title)).assetId)
    tab = await browser!.newTab()
    const page = pageIn(tab)
    const home = `${site}/app/clients/${client.clientId}/assets`
    const looks = async () => {
      await page.goTo(home)
      for (const title of given) await page.sees(tile, title)
    }
    await signsIn(page)
    await looks()
    return { me, page, looks, idOf: (title: string) => assets.get(title)! }
  }

  /** Month, day and year, with what a person of this browser presses between them. */
  async function typesDay(page: Page, ...parts: string[]) {
    for (const [at, part] of parts.entries()) {
      if (at > 0 && !engine.goesOnToTheNextPart) await page.press('ArrowRight')
      await page.type(part)
      await pause(200)
    }
  }

  test('whoever signs in sees the library with its pictures, and the console has nothing to complain about', async () => {
    const { page } = await opens('Terrace', 'Lanterns', 'Menu')
    const drawn = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLImageElement>('[role=gridcell] img')].filter(
            ({ complete, naturalWidth }) => complete && naturalWidth > 0,
          ).length,
      )
    await expect.poll(drawn).toBe(3)
    expect(await page.complaints()).toEqual([])
  })

  test('the last day of the rights can be typed part by part', async () => {
    const { me, page, looks, idOf } = await opens('Terrace')
    await me.edits(idOf('Terrace'), { rightsExpireAt: '2028-01-01T00:00:00.000Z' })
    await looks()
    await page.click(tile, 'Terrace')
    if ((await page.count('[role=complementary], aside', 'Details')) === 0) await page.press('i')
    const field = 'input[type=date]'
    await page.sees(field, 'May be used until')
    const events = await nextEvents(me)

    await page.evaluate((css) => document.querySelector<HTMLElement>(css)!.focus(), field)
    await typesDay(page, '11', '15')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const saved = async () => (await me.reads(idOf('Terrace'))).body.rightsExpireAt
    await expect.poll(saved, { timeout: 10_000 }).toBe('2027-11-16T00:00:00.000Z')

    await me.edits(idOf('Terrace'), { altText: 'This is the last of the changes' })
    const ends: (string | null)[] = []
    for (;;) {
      const { data } = await events.next()
      if (data?.type !== 'asset.updated') continue
      if (data.data.changed.includes('altText')) break
      ends.push(data.data.asset.rightsExpireAt)
    }
    events.leaves()
    expect(ends).not.toContain(null)
  })

  test('a day can be typed into a filter', async () => {
    const { page } = await opens('Terrace')
    await page.click('button', 'More filters')
    await page.sees('input[type=date]', 'Uploaded from')
    await page.evaluate(() => {
      const seen = new Set<string>()
      Object.assign(window, { addresses: seen })
      setInterval(() => seen.add(location.search), 5)
    })
    await page.evaluate(() => document.querySelector<HTMLElement>('input[type=date]')!.focus())
    await typesDay(page, '10', '31', '2026')
    await expect.poll(() => address(page), { timeout: 10_000 }).toMatch(/[?&]from=2026-10-31(&|$)/)
    const addresses = await page.evaluate(() => [
      ...(window as unknown as { addresses: Set<string> }).addresses,
    ])
    const years = addresses.flatMap((each) => /from=(\d+)/.exec(each)?.[1] ?? [])
    expect(years.filter((year) => Number(year) < 1970)).toEqual([])
  })

  test('a film that the browser plays is shown, not refused', async () => {
    const { me, page, looks } = await opens()
    await me.uploads(await readFile(film), {
      session: { originalFilename: 'crossing.mp4', mimeType: 'video/mp4' },
      words: { title: 'Crossing' },
    })
    const state = () =>
      page.evaluate(() => {
        const look = document.querySelector('[role=dialog]')
        const film = look?.querySelector('video')
        return look?.querySelector('[role=status]')?.textContent || (film?.videoWidth ? 'shown' : 'awaited')
      })
    // Which of what a browser tells of a film comes first is a matter of luck.
    for (let time = 0; time < 6; time++) {
      await looks()
      await page.click(tile, 'Crossing')
      await page.press('Space')
      await page.sees(dialog, 'Crossing')
      await expect.poll(state, { timeout: 20_000 }).not.toBe('awaited')
      await pause(300)
      expect(await state()).toBe('shown')
    }
  })

  test('after signing out, Back shows nothing of the library', async () => {
    const { page } = await opens('Terrace', 'Lanterns')
    await page.click('button', 'Account:')
    await page.click('[role=menuitem]', 'Sign out')
    await page.sees('input[type=password]')
    await page.evaluate(() => void Object.assign(window, { isBefore: true }))
    await page.back()
    const seen = new Set<boolean>()
    for (const until = Date.now() + 3000; Date.now() < until; await pause(50)) {
      const look = () => /Terrace|Lanterns/.test(document.body?.innerText ?? '')
      seen.add(await page.evaluate(look).catch(() => false))
    }
    expect([...seen]).toEqual([false])
    expect(await page.count(tile)).toBe(0)
    await page.sees('input[type=password]')
    expect(await page.evaluate(() => 'isBefore' in window)).toBe(false)
  })

  test('a day’s work goes by keys: rename, choose all, search and look', async () => {
    const { me, page, idOf } = await opens('Terrace', 'Lanterns', 'Menu')
    await page.click(tile, 'Terrace')
    await page.press('F2')
    await page.sees('input', 'Name')
    await page.press('Control+a')
    await page.type('evening terrace')
    await page.press('Enter')
    await expect.poll(async () => (await me.reads(idOf('Terrace'))).body.title).toBe('evening terrace')
    await page.sees(tile, 'evening terrace')

    await page.press('Control+a')
    await page.sees('[role=toolbar] *', '3 selected')
    await page.press('Escape')
    await page.misses('[role=toolbar] *', '3 selected')

    await page.press('/')
    await page.type('even')
    await page.misses(tile, 'Menu')
    await page.sees(tile, 'evening terrace')
    await expect.poll(() => address(page)).toContain('q=even')

    await page.click(tile, 'evening terrace')
    await page.press('Space')
    await page.sees(`${dialog} .quick-look-media`)
    await page.press('Escape')
    await page.misses(dialog)
    expect(await page.complaints()).toEqual([])
    expect(await titles(page)).toEqual(['evening terrace'])
  })
})
