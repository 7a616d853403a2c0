import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

test('a menu that is dismissed leaves nothing selected', async () => {
  const client = await world.newClient()
  for (const title of ['Terrace', 'Lanterns']) await hasAsset(client.portal, title)
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const look = page.getByRole('dialog', { name: 'Quick look at Lanterns' })
  await library.asset('Terrace').getByRole('button').tap()
  await library.menuItem('Quick look').waitFor()
  await page.keyboard.press('Escape')
  await library.menuItem('Quick look').waitFor({ state: 'detached' })
  expect(await bar.count()).toBe(0)
  await library.asset('Lanterns').tap()
  await look.waitFor()
  await page.getByRole('button', { name: 'Close' }).tap()
  await look.waitFor({ state: 'detached' })

  // The same with details, which are of what is selected.
  await library.asset('Terrace').getByRole('button').tap()
  await library.menuItem('Details').tap()
  const details = page.getByRole('dialog', { name: 'Details' })
  await details.getByRole('button', { name: 'Edit Name: Terrace' }).waitFor()
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await expect.poll(() => bar.count(), shows).toBe(0)
  await library.asset('Lanterns').tap()
  await look.waitFor()
})

test('what is selected can be delivered, planned and copied from the bar', async () => {
  const client = await world.newClient()
  for (const title of ['Terrace', 'Lanterns']) await hasAsset(client.operator, title)
  const library = libraryOn(await visit(client.operator, `/app/clients/${client.clientId}/assets`, phone))
  const { page } = library
  for (const title of ['Terrace', 'Lanterns'])
    await library.asset(title).click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'More' }).tap()
  for (const name of ['Deliver', 'Carousel', 'Copy refs']) await library.menuItem(name).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await library.menuItem('Carousel').tap()
  const dialog = page.getByRole('dialog', { name: 'Plan a post of 2' })
  await dialog.getByText('No system is connected yet.').waitFor()
  await dialog.getByText('2 do not fit. Instagram takes up to 10 in one post.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('all that is here is selected from the bar, in the trash too', async () => {
  const client = await world.newClient()
  const titles = ['Terrace', 'Lanterns', 'Menu']
  for (const title of titles) await hasAsset(client.portal, title)
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const selectsAll = async () => {
    await library.asset('Terrace').click({ modifiers: ['ControlOrMeta'] })
    await bar.getByRole('button', { name: 'More' }).tap()
    await library.menuItem('Select all').tap()
    await bar.getByText('3', { exact: true }).waitFor()
  }
  await selectsAll()
  await bar.getByRole('button', { name: 'Move to trash' }).tap()
  await library.asset('Terrace').waitFor({ state: 'detached' })
  await page.goto('/app/portal/assets?folder=trash')
  await selectsAll()
  await bar.getByRole('button', { name: 'Restore' }).tap()
  await library.asset('Terrace').waitFor({ state: 'detached' })
  await page.goto('/app/portal/assets')
  for (const title of titles) await library.asset(title).waitFor()
})

test('Back closes what lies over the page, and leads nowhere else', async () => {
  const client = await world.newClient()
  const { folderId } = await client.portal.makesFolder('Campaigns of the summer')
  const { folderId: inner } = await client.portal.makesFolder('Opening weekend', folderId)
  const { folderId: innermost } = await client.portal.makesFolder('Pictures for the press', inner)
  await hasAsset(client.portal, 'Terrace', { folderId: innermost })
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  const tree = page.getByRole('dialog', { name: 'Folders' })
  const home = page.url()
  await page.getByRole('button', { name: 'Show folders' }).tap()
  await tree.waitFor()
  await page.goBack()
  await tree.waitFor({ state: 'detached' })
  expect(page.url()).toBe(home)

  // Closed by its own button it leaves no step behind; left for another place, that place takes its step.
  await page.getByRole('button', { name: 'Show folders' }).tap()
  await tree.getByRole('button', { name: 'Close' }).tap()
  await tree.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show folders' }).tap()
  await tree.getByRole('treeitem', { name: 'Campaigns of the summer' }).tap()
  await page.waitForURL(`**folder=${folderId}**`)
  await page.goBack()
  await page.waitForURL(home)

  await page.goto(`/app/portal/assets?folder=${innermost}`)
  await library.asset('Terrace').getByRole('button').tap()
  await library.menuItem('Move to…').tap()
  const dialog = page.getByRole('dialog', { name: /^Move/ })
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await library.asset('Terrace').waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  await page.getByRole('button', { name: 'Camera' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Camera' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('folder')).toBe(innermost)

  // Where one is can be read, and one step leads back.
  const here = library.path.getByText('Pictures for the press')
  expect((await here.boundingBox())!.width).toBeGreaterThan(110)
  await library.path.getByRole('link', { name: 'Opening weekend' }).tap()
  await page.waitForURL(`**folder=${inner}**`)
})

test('the tray opens wherever its bar is touched, and the selection bar says how many', async () => {
  const client = await world.newClient()
  for (const title of ['Terrace', 'Lanterns']) await hasAsset(client.operator, title)
  const narrow = { ...phone, viewport: { width: 320, height: 640 } }
  const page = await visit(client.operator, `/app/clients/${client.clientId}/assets`, narrow)
  const library = libraryOn(page)
  await library.asset('Terrace').waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Files' }).tap(),
  ])
  await chooser.setFiles([{ name: 'bread.png', mimeType: 'image/png', buffer: png(8, 8, [9, 9, 9]) }])
  await library.tray.getByText('1 file uploaded').tap()
  await library.tray.getByText('bread.png').waitFor()
  await library.tray.getByText('1 file uploaded').tap()
  await library.tray.getByText('bread.png').waitFor({ state: 'detached' })
  await library.tray.getByRole('button', { name: 'Close' }).tap()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const count = bar.getByText('3', { exact: true })
  await count.waitFor()
  expect(await count.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true)
})

test.for([
  ['400 %', { width: 320, height: 256 }],
  ['200 %', { width: 640, height: 400 }],
] as const)('at %s zoom the list has the window to itself', { tags: 'drill' }, async ([, viewport]) => {
  const client = await world.newClient()
  for (const n of [1, 2, 3, 4, 5, 6]) await hasAsset(client.operator, `Picture ${n}`)
  const library = libraryOn(
    await visit(client.operator, `/app/clients/${client.clientId}/assets`, { viewport }),
  )
  const { page, grid } = library
  await library.asset('Picture 6').waitFor()
  const inSight = () =>
    grid.evaluate((it) => {
      const box = it.getBoundingClientRect()
      return Math.min(innerHeight, box.bottom) - Math.max(0, box.top)
    })
  // Below the frame one sees that there are pictures, and the wheel brings them.
  expect(await inSight()).toBeGreaterThan(32)
  await page.mouse.move(viewport.width / 2, viewport.height - 8)
  await page.mouse.wheel(0, viewport.height)
  await expect.poll(inSight, shows).toBeGreaterThan(viewport.height * 0.9)
  await page.evaluate(() => scrollTo(0, 0))
  await grid.focus()
  await expect.poll(inSight, shows).toBeGreaterThan(viewport.height * 0.9)
  await page.keyboard.press('End')
  await expect.poll(() => library.asset('Picture 1').getAttribute('aria-selected'), shows).toBe('true')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  expect(await violationsInBoth(page)).toEqual([])
})

async function placeOf(what: Locator) {
  const box = (await what.boundingBox())!
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }
}

test.for([
  ['a phone', { width: 390, height: 844 }],
  ['a low window', { width: 640, height: 400 }],
  ['a small window', { width: 820, height: 600 }],
] as const)(
  'the uploads of two libraries stand in %s without covering each other',
  { tags: 'drill' },
  async ([, viewport]) => {
    const client = await world.newClient()
    const { body: other } = await world.admin.post('/admin/clients', { name: `Zebra Zoo ${viewport.width}` })
    const page = await visit(world.admin, surfaces[0]!.home(client), { viewport })
    const library = libraryOn(page)
    await page.route('**/objects/**', () => {}) // they never end
    await page.getByText('Your library starts here').waitFor()
    const uploads = async (name: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('u')
      const files = page
        .getByRole('menuitem', { name: 'Files…' })
        .or(page.getByRole('button', { name: 'Files', exact: true }))
      await Promise.race([chooser, files.click().catch(() => {})])
      await (await chooser).setFiles([
        { name: `${name} 1.png`, mimeType: 'image/png', buffer: png(20, 20, [9, 9, 9]) },
        { name: `${name} 2.png`, mimeType: 'image/png', buffer: png(20, 20, [9, 9, 99]) },
      ])
    }
    await uploads('Pier')
    await library.tray.waitFor()
    const account = await placeOf(page.getByRole('button', { name: /^Account: / }))
    expect(account.right).toBeGreaterThan(viewport.width - 24)

    await page.getByRole('button', { name: 'Switch client' }).click()
    const clients = page.getByRole('dialog', { name: 'Switch client' })
    // However many there are before it.
    await clients.getByRole('textbox').fill(other.name)
    await clients.getByRole('link', { name: other.name }).click()
    await page.getByRole('heading', { name: other.name }).waitFor()
    // While it closes, it still has the keyboard.
    await page.getByRole('dialog', { name: 'Switch client' }).waitFor({ state: 'hidden' })
    await page.getByText('Your library starts here').waitFor()
    await uploads('Zebra')
    await expect.poll(() => library.tray.count(), shows).toBe(2)
    const [first, second] = [await placeOf(library.tray.first()), await placeOf(library.tray.last())]
    for (const tray of [first, second]) {
      expect(tray.left).toBeGreaterThanOrEqual(0)
      expect(tray.top).toBeGreaterThanOrEqual(0)
      expect(tray.right).toBeLessThanOrEqual(viewport.width)
      expect(tray.bottom).toBeLessThanOrEqual(viewport.height)
      expect(tray.right - tray.left).toBeGreaterThan(300)
    }
    expect(first.bottom <= second.top || second.bottom <= first.top).toBe(true)
  },
)

test('what is selected has its bar in sight, however low the window', async () => {
  const client = await world.newClient()
  for (const n of [1, 2, 3, 4, 5, 6]) await hasAsset(client.operator, `Picture ${n}`)
  const viewport = { width: 640, height: 400 }
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client), { viewport }))
  await library.asset('Picture 6').waitFor()
  // The page stays where it is under the pointer, so the first click is not lost.
  const { left, top: above } = await placeOf(library.asset('Picture 6'))
  await library.page.mouse.click(left + 30, Math.min(above + 30, viewport.height - 10))
  await expect.poll(() => library.asset('Picture 6').getAttribute('aria-selected'), shows).toBe('true')
  await library.page.keyboard.press('Control+a')
  const bar = library.page.getByRole('toolbar', { name: 'Selected items' })
  await bar.waitFor()
  await library.page.evaluate(() => scrollTo(0, 0))
  const { top, bottom } = await placeOf(bar)
  expect(top).toBeGreaterThan(0)
  expect(bottom).toBeLessThanOrEqual(viewport.height)
})

test('how many there are is said once, in a folder as in a search', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { folderId } = await client.portal.makesFolder('Pictures of the summer for the press')
  for (const title of ['Terrace', 'Lanterns']) await hasAsset(client.portal, title, { folderId })
  await hasAsset(client.portal, 'Terrace at the top')
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  const count = async (text: string) => {
    await page.getByText(text, { exact: true }).filter({ visible: true }).waitFor()
    expect(
      await page
        .getByText(/^\d+ assets?$/)
        .filter({ visible: true })
        .count(),
    ).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
  await count('1 asset')
  await page.goto(`/app/portal/assets?folder=${folderId}`)
  await count('2 assets')
  const name = library.path.getByText('Pictures of the summer')
  const bar = (await page.locator('.toolbar').boundingBox())!
  for (const part of [name, page.locator('.toolbar-count')]) {
    const box = (await part.boundingBox())!
    expect(box.y).toBeGreaterThanOrEqual(bar.y)
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y + bar.height)
  }
  // A long name ends before the buttons.
  const ends = async () => {
    const box = (await name.boundingBox())!
    const menu = (await page.locator('.toolbar > button').boundingBox())!
    const acts = (await page.locator('.toolbar-acts').boundingBox())!
    return box.width > 60 && box.x + box.width <= menu.x + 1 && menu.x + menu.width <= acts.x + 1
  }
  await expect.poll(ends, shows).toBe(true)
  expect(await violationsInBoth(page)).toEqual([])
  await library.search.fill('terrace')
  await count('2 assets')
})

test('all that reviews can be shown by is in sight', async () => {
  const client = await world.newClient()
  for (const locale of ['en-GB', 'de-DE']) {
    const page = await visit(client.portal, '/app/portal/review', { ...phone, locale })
    const choices = page.locator('.reviews-filter label')
    await choices.first().waitFor()
    for (const choice of await choices.all()) {
      const { x, width } = (await choice.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(360)
      expect(await choice.evaluate((label) => label.scrollWidth <= label.clientWidth)).toBe(true)
    }
    await choices.last().tap()
    await expect.poll(() => page.url(), shows).toContain('show=approved')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/review-${locale}.png` })
  }
})
