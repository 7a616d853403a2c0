import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, patience, violationsInBoth } from './app.ts'

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
