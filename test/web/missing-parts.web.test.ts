import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app({ ROLE: 'api' })
const shots = process.env.SHOTS

async function openLibrary(options = {}) {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Bread')
  const home = surfaces[0]!.home(client)
  const page = await visit(client.operator, home, options)
  const library = libraryOn(page)
  const details = await library.showsDetailsOf('Bread')
  const draft = details.getByRole('textbox', { name: 'Your comment' })
  await details.getByRole('button', { name: 'Comment', exact: true }).click()
  await draft.fill('Half a thought')
  // What is read ahead is there.
  await library.opensMenu(library.asset('Bread'))
  await library.menuItem('Move to…').waitFor()
  return {
    home,
    page,
    library,
    draft,
    dialog: page.getByRole('dialog'),
    missing: page
      .getByRole('alert')
      .filter({ hasText: /A part of the app could not be loaded\.|There is no connection\./ }),
    newer: page.getByRole('alert').filter({ hasText: 'There is a new version of the app.' }),
  }
}

test('a part that does not come without a connection is said to be missing, and comes with it', async () => {
  const { page, library, draft, dialog, missing } = await openLibrary({
    viewport: { width: 1280, height: 800 },
  })
  await page.context().setOffline(true)
  await library.menuItem('Move to…').click()
  await missing.getByText('There is no connection. This opens as soon as it is back.').waitFor()
  await missing.getByRole('button', { name: 'Try again' }).click()
  await missing.waitFor()
  expect(await draft.inputValue()).toBe('Half a thought')
  expect(await violationsInBoth(page)).toEqual([])
  if (shots) await page.screenshot({ path: `${shots}/missing.png` })
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Move here' }).waitFor()
  await missing.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  expect(await draft.inputValue()).toBe('Half a thought')
})

test('a page that does not come while the server is away says so, and comes with it, however late', {
  tags: 'drill',
}, async () => {
  const { page, missing } = await openLibrary()
  await page.keyboard.press('Escape')
  let asked = 0
  await page.route(
    () => true,
    (route) => {
      if (/\/assets\/share-links-page-[^/]*\.js$/.test(route.request().url())) asked++
      return route.abort('connectionrefused')
    },
  )
  await page.getByRole('link', { name: 'Share links' }).click()
  await missing.getByText('There is no connection. This opens as soon as it is back.').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  if (shots) await page.screenshot({ path: `${shots}/page-offline.png` })
  // Now it would be tried again in a minute.
  await expect.poll(() => asked, { timeout: longWait }).toBeGreaterThanOrEqual(3)
  await page.unrouteAll()
  const isBack = Date.now()
  await page.getByRole('heading', { name: 'Share links', exact: true }).waitFor()
  expect(Date.now() - isBack).toBeLessThan(30_000)
  await missing.waitFor({ state: 'detached' })
})

test('every page says that there is no connection, and what could not be read is read once it is back', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Bread')
  const of = `/app/clients/${client.clientId}`
  const page = await visit(client.operator, '/app/clients')
  const strip = page.locator('.offline')
  for (const path of ['review', 'connections', 'share-links', 'activity', 'texts', '../../account']) {
    await page.goto(`${of}/${path}`)
    await page.getByRole('button', { name: /^Account/ }).waitFor()
    await page.context().setOffline(true)
    await strip.waitFor()
    await page.context().setOffline(false)
    await strip.waitFor({ state: 'detached' })
  }

  // The server may be away though the network is there.
  await page.goto(`${of}/activity`)
  await page.getByText('Asset added').waitFor()
  for (const [name, shown] of [
    ['Activity', 'Asset added'],
    ['Share links', 'No share links yet'],
  ] as const) {
    await page.getByRole('link', { name: 'Assets', exact: true }).click()
    await libraryOn(page).asset('Bread').waitFor()
    await page.route(/\/(admin|livez)/, (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name }).click()
    await page.getByText('This could not be loaded.').first().waitFor()
    await strip.getByText('The server cannot be reached.').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await page.unrouteAll()
    await page.getByText('This could not be loaded.').first().waitFor({ state: 'detached' })
    await strip.waitFor({ state: 'detached' })
    await page.getByText(shown).waitFor()
  }
})

test('a page that came stays in sight, though its words come late', async () => {
  const client = await world.newClient()
  const page = await visit(client.operator, '/app/clients')
  await page.addInitScript(() => {
    const watch = new MutationObserver((changes) => {
      for (const { target } of changes as unknown as { target: HTMLElement }[])
        if (
          target.style.display === 'none' &&
          (target.matches('.app-bar') || target.querySelector('.app-bar'))
        )
          Object.assign(window, { wentAgain: true })
    })
    watch.observe(document, { subtree: true, attributes: true, attributeFilter: ['style'] })
  })
  // Whatever comes without them has come by then.
  await page.route(/\/assets\/rest\.en-[^/]*\.js$/, (route) =>
    setTimeout(() => route.continue().catch(() => {}), 1500),
  )
  for (const path of ['connections', 'activity', 'settings']) {
    await page.goto(`/app/clients/${client.clientId}/${path}`)
    await page.getByRole('button', { name: /^Account/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => 'wentAgain' in window), path).toBe(false)
  }
})

test('a part that the server does not find is tried again by a press, with its looks', async () => {
  const { page, library, dialog, missing } = await openLibrary()
  const lost = /\/assets\/(?:move-dialog|quick-look)-[^/]*\.(?:js|css)$/
  await page.route(lost, (route) => route.fulfill({ status: 404 }))
  await library.menuItem('Move to…').click()
  await missing.waitFor()
  await page.unroute(lost)
  await missing.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('button', { name: 'Move here' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await missing.waitFor({ state: 'detached' })

  await page.route(lost, (route) => route.fulfill({ status: 404 }))
  await library.grid.focus()
  await page.keyboard.press('Space')
  await missing.waitFor()
  await page.unroute(lost)
  await missing.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(() => page.locator('.quick-look').evaluate((look) => getComputedStyle(look).position))
    .toBe('fixed')
})

test('where a newer version took a part away, reloading is offered; the page stays until then', async () => {
  const { home, page, library, draft, dialog, newer } = await openLibrary()
  await page.keyboard.press('Escape')
  await page.evaluate(() => Object.assign(window, { isOld: true }))
  const gone = /\/assets\/share-links-page-[^/]*\.js$/
  await page.route(gone, (route) => route.fulfill({ status: 404 }))
  await page.route(
    (url) => url.pathname === home,
    (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/app/assets/new.js">' })
        : route.continue(),
  )
  // Whoever only passes over a link is told nothing.
  const link = page.getByRole('link', { name: 'Share links' })
  const asked = page.waitForResponse(gone)
  await link.hover()
  await asked
  await library.asset('Bread').hover()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  expect(await newer.count()).toBe(0)

  await link.click()
  await newer.waitFor()
  expect(await draft.inputValue()).toBe('Half a thought')
  expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
  if (shots) await page.screenshot({ path: `${shots}/newer.png` })
  await page.unroute(gone)
  await newer.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('heading', { name: 'Share links', exact: true }).waitFor()
  expect(await page.evaluate(() => 'isOld' in window)).toBe(false)
  expect(await dialog.count()).toBe(0)
})

test('a page that does not come lets nothing be done to the one in sight, and one may stay there', {
  tags: 'drill',
}, async () => {
  const { home, page, library, missing } = await openLibrary()
  await page.keyboard.press('Escape')
  const gone = /\/assets\/share-links-page-[^/]*\.js$/
  await page.route(gone, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Share links' }).click()
  await missing.waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  // What is behind it takes no focus.
  expect(
    await page.evaluate(() => {
      const search = document.querySelector<HTMLInputElement>('.search-box input')!
      search.focus()
      return document.activeElement === search
    }),
  ).toBe(false)
  await missing.getByRole('button', { name: 'Stay here' }).click()
  await missing.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(home)
  await library.asset('Bread').click()
  expect(new URL(page.url()).pathname).toBe(home)
})

test('a dialog that was cancelled before it came stays closed, and opens when it is wanted again', {
  tags: 'drill',
}, async () => {
  const { page, library, dialog, missing } = await openLibrary()
  const wantsToMove = async () => {
    await library.opensMenu(library.asset('Bread'))
    await library.menuItem('Move to…').click()
  }
  await page.keyboard.press('Escape')
  for (const cancel of [
    () => page.keyboard.press('Escape'),
    () => missing.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await page.context().setOffline(true)
    await wantsToMove()
    await missing.waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await cancel()
    await missing.waitFor({ state: 'detached' })
    expect(await library.asset('Bread').getAttribute('aria-selected')).toBe('true')
    await isBack(page)
    expect(await dialog.count()).toBe(0)
  }
  await wantsToMove()
  await dialog.getByRole('button', { name: 'Move here' }).waitFor()
})

test('a menu that was cancelled before it came stays closed', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Bread')
  const page = await visit(client.operator, '/app')
  const lost = /\/assets\/soon-[^/]*\.js$/
  await page.route(lost, (route) => route.fulfill({ status: 404 }))
  await page.goto(surfaces[0]!.home(client))
  const library = libraryOn(page)
  await library.asset('Bread').click({ button: 'right' })
  const missing = page.getByRole('alert').filter({ hasText: 'A part of the app could not be loaded.' })
  await missing.getByRole('button', { name: 'Cancel' }).click()
  await missing.waitFor({ state: 'detached' })
  await page.unroute(lost)
  await isBack(page)
  expect(await page.getByRole('menu').count()).toBe(0)
  await library.opensMenu(library.asset('Bread'))
  await library.menuItem('Move to…').waitFor()
})

/** With a connection, and after the first time that what is missing would be tried again. */
async function isBack(page: Page) {
  await page.context().setOffline(false)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 6000)))
}
