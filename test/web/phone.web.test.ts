import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, patience, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: patience }
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

test.for([
  ['400 %', { width: 320, height: 200 }],
  ['200 %', { width: 640, height: 400 }],
] as const)('at %s zoom the list has the window to itself', async ([, viewport]) => {
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
] as const)('the uploads of two libraries stand in %s without covering each other', async ([, viewport]) => {
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
  await page.getByRole('dialog', { name: 'Switch client' }).getByRole('link', { name: other.name }).click()
  await page.getByRole('heading', { name: other.name }).waitFor()
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
})

test('what is selected has its bar in sight, however low the window', async () => {
  const client = await world.newClient()
  for (const n of [1, 2, 3, 4, 5, 6]) await hasAsset(client.operator, `Picture ${n}`)
  const viewport = { width: 640, height: 400 }
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client), { viewport }))
  await library.asset('Picture 6').click()
  await library.page.keyboard.press('Control+a')
  const bar = library.page.getByRole('toolbar', { name: 'Selected items' })
  await bar.waitFor()
  await library.page.evaluate(() => scrollTo(0, 0))
  const { top, bottom } = await placeOf(bar)
  expect(top).toBeGreaterThan(0)
  expect(bottom).toBeLessThanOrEqual(viewport.height)
})
