import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

async function pictures() {
  const client = await world.newClient()
  const has = (title: string, bytes: Buffer, tags: string[] = []) =>
    client.operator.uploads(bytes, { words: { title, tags } })
  await has('Tall menu', png(20, 40, [1, 2, 3]), ['menu', 'summer'])
  await has('Tall team', png(20, 40, [4, 5, 6]), ['summer'])
  await has('Wide menu', png(40, 20, [7, 8, 9]), ['menu'])
  return client
}

test('filters combine, stand in the address as chips, and are saved under a name', async () => {
  const client = await pictures()
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  const filters = page.getByRole('group', { name: 'Filters' })
  const chip = (name: string) => filters.getByRole('button', { name: `${name}: remove this filter` })
  const isShown = (...titles: string[]) =>
    expect.poll(async () => (await library.cells.count()) === titles.length, shows).toBe(true)

  await filters.getByRole('button', { name: 'More filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await panel.getByText('Portrait').click()
  await isShown('Tall menu', 'Tall team')
  await panel.getByRole('textbox', { name: 'Tag' }).fill('menu')
  await panel.getByRole('button', { name: 'Add' }).click()
  await isShown('Tall menu')
  await panel.getByRole('combobox', { name: 'Uploaded by' }).selectOption({ label: 'Me' })
  expect(await violationsInBoth(page)).toEqual([])
  await panel.getByRole('button', { name: 'Done' }).click()
  await panel.waitFor({ state: 'detached' })
  await chip('Portrait').waitFor()
  await chip('By Me').waitFor()
  expect(page.url()).toMatch(/orientation=portrait/)
  expect(page.url()).toMatch(/tag=menu/)

  // A chip goes by a click and comes back with Back; the address alone is enough for somebody else.
  await chip('Portrait').click()
  await isShown('Tall menu', 'Wide menu')
  await page.goBack()
  await isShown('Tall menu')
  const colleague = libraryOn(await visit(client.operator, page.url()))
  await colleague.asset('Tall menu').waitFor()
  expect(await colleague.cells.count()).toBe(1)
  await colleague.page.close()

  await filters.getByRole('button', { name: 'Save this search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this search' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tall menus')
  await dialog.getByRole('checkbox', { name: 'For everybody who sees this client' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await isShown('Tall menu', 'Tall team', 'Wide menu')
  const saved = page.getByRole('region', { name: 'Saved searches' })
  await saved.getByRole('button', { name: 'Tall menus', exact: false }).first().click()
  await isShown('Tall menu')
  await chip('Portrait').waitFor()
  expect(await violationsInBoth(page)).toEqual([])

  // Others have it, too, and are told what of it is gone.
  const [tall] = (await client.operator.lists({ q: 'tall menu', everywhere: true })).body.assets
  await client.operator.edits(tall.assetId, { tags: [] })
  const { assets } = (await client.operator.lists({ tag: 'menu', everywhere: true })).body
  for (const { assetId } of assets) await client.operator.edits(assetId, { tags: [] })
  const portal = libraryOn(await visit(client.portal, '/app/portal/assets'))
  await portal.page.getByRole('img', { name: 'Nothing has its tag any more.' }).waitFor()
  await portal.page
    .getByRole('button', { name: /Tall menus/ })
    .first()
    .click()
  await portal.page.getByText('Nothing has its tag any more.').first().waitFor()

  await saved.getByRole('button', { name: 'Actions for Tall menus' }).click()
  await library.menuItem('Delete saved search').click()
  await saved.waitFor({ state: 'detached' })
})

test('a tag in the details narrows down what is shown, and a misspelt word finds what was meant', async () => {
  const client = await pictures()
  const library = libraryOn(await visit(client.portal, '/app/portal/assets?orientation=portrait'))
  const { page } = library
  const details = await library.showsDetailsOf('Tall menu')
  await details.getByRole('button', { name: 'menu', exact: true }).click()
  await library.asset('Tall team').waitFor({ state: 'detached' })
  await library.asset('Tall menu').waitFor()
  expect(await library.cells.count()).toBe(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await library.asset('Wide menu').waitFor()
  await library.search.fill('widde menu')
  await page.getByText('Nothing has “widde menu”. This is what has “wide menu”.').waitFor()
  await library.asset('Wide menu').waitFor()
  await expect.poll(() => library.cells.count(), shows).toBe(1)
})

test('on a phone the filters are a sheet', async () => {
  const client = await pictures()
  const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  await library.asset('Wide menu').waitFor()
  await page.getByRole('button', { name: 'More filters' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByText('Landscape').tap()
  expect(await violationsInBoth(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await library.asset('Tall menu').waitFor({ state: 'detached' })
  await library.asset('Wide menu').waitFor()
  await page.getByRole('button', { name: 'Landscape: remove this filter' }).waitFor()
})
