import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { json, peer } from '../delivery-peers.ts'
import { sendsFile } from '../guest-file.ts'
import { app, fileOf, hasAsset, libraryOn, longWait, surfaces, violations, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

describe('axe finds nothing wrong, in light and dark:', () => {
  async function opens({ who, home }: (typeof surfaces)[number]) {
    const client = await world.newClient()
    const me = who(client)
    await client.social.makesFolder('Social')
    const { folderId } = await me.makesFolder('Summer')
    await hasAsset(me, 'Terrace', { tags: ['campaign'], allowedSurfaces: ['website'] })
    await hasAsset(me, 'Lanterns', { altText: '' })
    const gone = await hasAsset(me, 'Old menu')
    await me.trashes(gone.assetId)
    const library = libraryOn(await visit(me, home(client)))
    const found: Record<string, string[]> = {}
    const check = async (screen: string) => {
      found[screen] = await violationsInBoth(library.page)
    }
    return { library, page: library.page, at: home(client), folderId, found, check }
  }

  const uploadsTwo = async (library: ReturnType<typeof libraryOn>) => {
    await library.uploads([
      await fileOf('a.jpg'),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
    ])
    await library.tray.getByText('1 upload needs you').waitFor()
  }

  test('the admin library, screen by screen', { tags: 'drill' }, async () => {
    const { library, page, at, folderId, found, check } = await opens(surfaces[0]!)
    await library.asset('Terrace').waitFor()
    await check('grid')
    await library.showsDetailsOf('Lanterns')
    await library.details.getByRole('heading', { name: 'Fit per surface' }).waitFor()
    await check('details')
    await page.keyboard.press('v')
    await library.page.getByRole('columnheader').first().waitFor()
    await check('list')
    await page.keyboard.press('v')
    await library.asset('Terrace').click({ modifiers: ['ControlOrMeta'] })
    await page.getByRole('toolbar').waitFor()
    await check('selection')
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByRole('option', { name: 'Summer' }).waitFor()
    await check('move dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('toolbar').getByRole('button', { name: 'Tag' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Tags to add' }).waitFor()
    await check('tag dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await library.opensMenu(library.folder('Social'))
    await library.menuItem('Open').waitFor()
    await check('menu')
    await page.keyboard.press('Escape')
    await library.menuItem('Open').waitFor({ state: 'detached' })
    await library.grid.focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await check('help')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await library.asset('Terrace').dblclick()
    await page
      .getByRole('dialog', { name: /^Quick look/ })
      .getByRole('img')
      .waitFor()
    await check('quick look')
    await page.keyboard.press('Escape')
    await uploadsTwo(library)
    await check('uploads')
    await page.goto(`${at}?folder=${folderId}`)
    await page.getByText('Drop files here').waitFor()
    await check('empty folder')
    await page.goto(`${at}?q=nothing+like+it`)
    await page.getByText('Nothing matches').waitFor()
    await check('no match')
    await page.goto(`${at}?folder=trash`)
    await library.asset('Old menu').click()
    await page.getByRole('toolbar').waitFor()
    await check('trash')
    await page.goto(`${at}?folder=folder_01hzzzzzzzzzzzzzzzzzzzzzzz`)
    await page.getByText('This folder is not here').waitFor()
    await check('error')
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])))
  })

  // What lies over the library is the same in both frames.
  test('the portal library, where its frame can be seen', { tags: 'drill' }, async () => {
    const { library, page, at, found, check } = await opens(surfaces[1]!)
    await library.asset('Terrace').waitFor()
    await check('grid')
    await library.showsDetailsOf('Lanterns')
    await library.details.getByRole('heading', { name: 'Fit per surface' }).waitFor()
    await uploadsTwo(library)
    await check('details and uploads')
    await page.goto(`${at}?folder=trash`)
    await library.asset('Old menu').click()
    await page.getByRole('toolbar').waitFor()
    await check('trash')
    await page.goto(`${at}?folder=folder_01hzzzzzzzzzzzzzzzzzzzzzzz`)
    await page.getByText('This folder is not here').waitFor()
    await check('error')
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])))
  })

  test('the pages around it, and the library on a phone', { tags: 'drill' }, async () => {
    const client = await world.newClient()
    await hasAsset(client.portal, 'Terrace')
    const found: Record<string, string[]> = {}
    const entry = await visit(null, '/app/login')
    await entry.getByRole('button', { name: 'Sign in' }).waitFor()
    found.login = await violationsInBoth(entry)
    const page = await visit(world.admin, '/app/clients')
    await page
      .getByRole('link', { name: /Harbour Café/ })
      .first()
      .waitFor()
    found.clients = await violationsInBoth(page)
    for (const [path, create] of [
      ['/app/admin/users', 'New person'],
      ['/app/admin/keys', 'New key'],
      ['/app/admin/clients', 'New client'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('table').or(page.getByText('No API keys yet')).first().waitFor()
      found[path] = await violationsInBoth(page)
      await page.getByRole('button', { name: create }).first().click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
      found[create] = await violationsInBoth(page)
    }
    const phone = libraryOn(await visit(client.portal, '/app/portal/assets', small))
    await phone.asset('Terrace').waitFor()
    found.phone = await violationsInBoth(phone.page)
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])))
  })
})

test('axe finds nothing wrong with the pages of a client, of the house and of oneself', async () => {
  const client = await world.newClient()
  const { clientId, operator, portal } = client
  const { assetId } = await hasAsset(operator, 'Terrace')
  const root = `/admin/clients/${clientId}`
  await operator.post(`${root}/reviews`, { assetIds: [assetId] })
  await portal.post(`/portal/assets/${assetId}/comments`, { text: 'Warmer here', pin: { x: 0.3, y: 0.4 } })
  await operator.post(`${root}/share-links`, { title: 'For the printer', assetIds: [assetId] })
  const { url } = (await operator.post(`${root}/upload-requests`, { title: 'Summer party' })).body
  await sendsFile(world.nobody, new URL(url).pathname)
  await world.admin.post(`${root}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: 'https://example.com' },
    secrets: { username: 'editor', applicationPassword: 'a b c d' },
  })
  const pages = [
    [world.admin, `/app/clients/${clientId}/review`, 'Terrace'],
    [world.admin, `/app/clients/${clientId}/share-links`, 'For the printer'],
    [world.admin, `/app/clients/${clientId}/connections`, 'Site'],
    [world.admin, `/app/clients/${clientId}/activity`, 'For the printer'],
    [world.admin, `/app/clients/${clientId}/settings`, 'Save'],
    [world.admin, `/app/clients/${clientId}/assets?look=${assetId}&panel=review`, 'Warmer here'],
    [world.admin, '/app/admin/webhooks', 'No webhooks yet'],
    [world.admin, '/app/admin/audit', 'For the printer'],
    [world.admin, '/app/account', 'Set up an app'],
    [portal, '/app/portal/review', 'Terrace'],
    [portal, '/app/portal/share-links', 'menu.png'],
    [portal, '/app/portal/activity', 'For the printer'],
    [null, new URL(url).pathname, 'Summer party'],
  ] as const
  const found: Record<string, string[]> = {}
  for (const [who, path, there] of pages) {
    const page = await visit(who, path)
    if (path.endsWith('/review')) await page.getByText('All', { exact: true }).click()
    await page.getByText(there).first().waitFor()
    found[path] = who ? await violationsInBoth(page) : await violations(page)
    await page.context().close()
  }
  // Where nothing lies half under it.
  const page = await visit(portal, '/app/portal/review')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: 'Choose what you are told of' }).waitFor()
  found.notifications = await violationsInBoth(page)
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])))
})

const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

test('a whole job is done by keyboard alone, from the upload to the trash and back', async () => {
  const client = await world.newClient()
  const me = client.operator
  const screen = await peer((_, response) => json(response, { id: 'item-7' }))
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'webhook',
    name: 'Menu screen',
    settings: { url: screen.url },
    secrets: { signingSecret: `whsec_${Buffer.from('a key of at least 24 bytes').toString('base64')}` },
  })
  await me.makesFolder('Autumn')
  await hasAsset(me, 'Terrace')
  const library = libraryOn(await visit(me, surfaces[0]!.home(client)))
  const { page } = library
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const tabsTo = async (it: Locator) => {
    await it.waitFor()
    for (let presses = 0; presses < 80; presses++) {
      if (await it.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error(`Tab does not reach ${it}`)
  }
  const chooses = async (button: Locator) => {
    await tabsTo(button)
    await press('Enter')
  }
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const dialog = page.getByRole('dialog')
  const found = async () => (await me.lists({ q: 'soup', everywhere: true })).body.assets
  await library.asset('Terrace').waitFor()

  // The part of the page that takes files may still be on its way.
  const choosing = page.waitForEvent('filechooser')
  await expect
    .poll(async () => press('u').then(() => Promise.race([choosing.then(() => true), pause(300)])), shows)
    .toBe(true)
  const chooser = await choosing
  await chooser.setFiles([await fileOf('a.jpg', 'soup.jpg'), await fileOf('plain.jpg', 'soup at noon.jpg')])
  await library.asset('soup at noon').waitFor()
  await library.asset('soup').first().waitFor()
  await press('/')
  await page.keyboard.type('soup')
  await library.asset('Terrace').waitFor({ state: 'detached' })
  await tabsTo(library.grid)
  await press('Control+a')
  await bar.getByText('2 selected').waitFor()

  await chooses(bar.getByRole('button', { name: 'Tag' }))
  await tabsTo(dialog.getByRole('combobox', { name: 'Tags to add' }))
  await page.keyboard.type('Menu')
  await press('Enter')
  await chooses(dialog.getByRole('button', { name: 'Add tags' }))
  await library.said('2 assets tagged').waitFor()
  await chooses(bar.getByRole('button', { name: 'Surfaces' }))
  await tabsTo(dialog.getByRole('checkbox', { name: 'Website' }))
  await press(' ')
  await chooses(dialog.getByRole('button', { name: 'Set surfaces' }))
  await library.said('Surfaces of 2 assets set').waitFor()
  await expect
    .poll(found, shows)
    .toMatchObject([{ tags: ['Menu'], allowedSurfaces: ['website'] }, { tags: ['Menu'] }])

  await chooses(bar.getByRole('button', { name: 'Deliver' }))
  await tabsTo(dialog.getByRole('combobox', { name: 'Where to?' }))
  await chooses(dialog.getByRole('button', { name: 'Deliver', exact: true }))
  await library.said('2 deliveries to Menu screen started').waitFor()
  await expect.poll(() => screen.requests.length, shows).toBe(2)

  await press('m')
  await tabsTo(dialog.getByRole('combobox', { name: 'Find a folder' }))
  await page.keyboard.type('autumn')
  await press('Enter')
  await library.said('2 assets moved to Autumn').or(library.said('2 items moved to Autumn')).first().waitFor()
  await press('Control+z')
  await library.said(/^Undone: 2 /).waitFor()
  expect((await found()).map(({ folderId }: { folderId: string | null }) => folderId)).toEqual([null, null])

  await tabsTo(library.grid)
  await press('Home', ' ')
  await page.getByRole('dialog', { name: /^Quick look at soup/ }).waitFor()
  await press('i')
  await dialog.getByRole('complementary', { name: 'Details' }).waitFor()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await press('Delete')
  await expect.poll(async () => (await found()).length, shows).toBe(1)
  await chooses(page.getByRole('button', { name: 'Trash', exact: true }))
  await library.asset('soup').first().waitFor()
  await tabsTo(library.grid)
  await press('Home')
  await chooses(bar.getByRole('button', { name: 'Restore' }))
  await expect.poll(async () => (await found()).length, shows).toBe(2)
})

test('everything is done by keyboard alone', async () => {
  const client = await world.newClient()
  const me = client.operator
  for (const title of ['One', 'Two', 'Three']) await hasAsset(me, title)
  const library = libraryOn(await visit(me, surfaces[0]!.home(client)))
  const { page } = library
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const selected = () => page.getByRole('gridcell', { selected: true }).allInnerTexts()
  await library.asset('Three').waitFor()

  // Tab reaches the grid; the arrows go from picture to picture.
  for (let presses = 0; presses < 40; presses++) {
    if (await library.grid.evaluate((grid) => grid === document.activeElement)) break
    await press('Tab')
  }
  await press('ArrowRight')
  await expect.poll(async () => (await selected())[0], shows).toContain('Two')
  await press('Home', 'Shift+ArrowRight')
  await expect.poll(async () => (await selected()).length, shows).toBe(2)
  await press('Escape')
  await expect.poll(async () => (await selected()).length, shows).toBe(0)
  await press('End')
  await expect.poll(async () => (await selected())[0], shows).toContain('One')

  await press('F2')
  await page.keyboard.type('Uno')
  await press('Enter')
  await library.asset('Uno').waitFor()
  await press('Control+z')
  await library.asset('One').waitFor()

  await press(' ')
  await page.getByRole('dialog', { name: 'Quick look at One' }).waitFor()
  await press('ArrowLeft')
  await page.getByRole('dialog', { name: 'Quick look at Two' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Taken back at once, while the server has not yet answered.
  const late = async (route: Route) => {
    await pause(1000)
    await route.continue()
  }
  await page.route('**/assets/batch', late)
  await press('Delete')
  await library.asset('Two').waitFor({ state: 'detached' })
  await press('Control+z')
  await library.asset('Two').waitFor()
  await page.unroute('**/assets/batch')

  // And one goes on while a folder is being made.
  await page.route('**/folders', late)
  await press('n')
  await page.getByRole('textbox', { name: 'Folder name' }).waitFor()
  await page.keyboard.type('Summer')
  const made = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await press('Enter')
  await library.folder('Summer').waitFor()
  await press('End')
  await made
  await page.unroute('**/folders')
  await library.said('Folder “Summer” created').waitFor({ state: 'attached' })
  await press('m')
  await page.getByRole('combobox', { name: 'Find a folder' }).fill('summ')
  await page
    .getByRole('option', { name: /Summer/ })
    .first()
    .waitFor()
  await press('ArrowDown', 'Enter')
  await library.asset('One').waitFor({ state: 'detached' })
  await press('Home', 'Enter')
  await library.asset('One').waitFor()
  await press('Alt+ArrowUp')
  await library.asset('Two').waitFor()

  await press('/')
  await page.keyboard.type('three')
  await library.asset('Two').waitFor({ state: 'detached' })
  await press('Escape')
  await library.asset('Two').waitFor()
  await press('Escape', 'i')
  await library.details.waitFor()
  await press('v')
  await page.getByRole('columnheader').first().waitFor()
  await press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('Home', 'Shift+F10')
  await library.menuItem('Open').waitFor()
  await press('Escape')
})

test('what is done is said once to those who listen', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  await library.asset('Terrace').click()
  await page.evaluate(listens)
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
  const words = (await page.locator('.toast-line > span').first().innerText()).trim()
  await page.locator('output').filter({ hasText: words }).waitFor({ state: 'attached' })
  await expect.poll(heard, shows).toContainEqual(expect.stringContaining(words))
  expect((await heard()).filter((text) => text.includes(words))).toHaveLength(1)
})

/** Writes down what a screen reader would say: whatever comes to stand in a live region. */
function listens() {
  const heard: string[] = []
  Object.assign(globalThis, { heard })
  const isLive = (region: Element) => {
    const said = region.getAttribute('aria-live')
    const live = region.matches('output, [role=status], [role=alert], [role=log]')
    return said ? said !== 'off' : live
  }
  const regionOf = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement
    return element?.closest('[aria-live], output, [role=status], [role=alert], [role=log]')
  }
  new MutationObserver((changes) => {
    const changed = changes.flatMap(({ target, addedNodes }) =>
      addedNodes.length > 0 ? [...addedNodes] : [target],
    )
    const said = new Set(
      changed.flatMap((node) => [
        regionOf(node),
        ...(node instanceof Element
          ? node.querySelectorAll('[aria-live], output, [role=status], [role=alert]')
          : []),
      ]),
    )
    for (const region of said)
      if (region && isLive(region) && region.textContent) heard.push(region.textContent)
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}

test('a client works on a small phone', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { folderId } = await client.portal.makesFolder('Summer')
  await hasAsset(client.portal, 'Terrace')
  await hasAsset(client.portal, 'Lanterns', { folderId })
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', small))
  const { page } = library
  await library.asset('Terrace').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await library.asset('Terrace').tap()
  await page.getByRole('dialog', { name: 'Quick look at Terrace' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Show folders' }).tap()
  await page.getByRole('dialog').getByRole('treeitem', { name: 'Summer' }).tap()
  await library.asset('Lanterns').waitFor()

  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  const sheet = page.getByRole('dialog', { name: 'Upload from' })
  for (const source of ['Camera', 'Files']) await sheet.getByRole('button', { name: source }).waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    sheet.getByRole('button', { name: 'Photos' }).tap(),
  ])
  await chooser.setFiles([await fileOf('a.jpg', 'From the phone.jpg')])
  await library.asset('From the phone').waitFor()
  await library.tray.getByText('1 file uploaded').waitFor()
  await library.tray.getByRole('button', { name: 'Close' }).tap()

  await holds(library.asset('Lanterns'))
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByText('1 selected').waitFor()
  await library.asset('From the phone').tap()
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Move to trash' }).tap()
  await page.getByText('Drop files here').waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await library.asset('Lanterns').waitFor()
})

async function holds(cell: ReturnType<typeof libraryOn>['grid']) {
  const page = cell.page()
  const box = (await cell.boundingBox())!
  const cdp = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect.poll(() => cell.getAttribute('aria-selected'), shows).toBe('true')
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await cdp.detach()
}
