import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const hasFocus = (element: Element) => element === document.activeElement

test('the first stop of a page leads past the bar, to what the page is about', async () => {
  const client = await world.newClient()
  for (const title of ['One', 'Two']) await hasAsset(client.operator, title)
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  await library.asset('One').waitFor()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('button', { name: 'Skip to the content' })
  await expect.poll(() => skip.evaluate(hasFocus), shows).toBe(true)
  await expect.poll(async () => (await skip.boundingBox())!.y, shows).toBeGreaterThan(0)
  expect(await violationsInBoth(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => library.grid.evaluate(hasFocus), shows).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => library.asset('One').getAttribute('aria-selected'), shows).toBe('true')

  await page.goto('/app/clients')
  await page
    .getByRole('link', { name: /Harbour Café/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Skip to the content' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('main').evaluate(hasFocus), shows).toBe(true)
})

test('a client card is called by its name and how full it is, once', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'One')
  const page = await visit(client.operator, '/app/clients')
  const card = page.getByRole('link', { name: /Harbour Café/ })
  await card.waitFor()
  const [heard] = (await card.ariaSnapshot()).split('\n')
  expect(heard).toMatch(/link "H?\s*Harbour Café .* of .*"/)
  expect(heard!.match(/ of /g)).toHaveLength(1)
  expect(await card.getByRole('meter').count()).toBe(0)
})

test('one goes from one client to another without leaving the library', async () => {
  const client = await world.newClient()
  const { body: other } = await world.admin.post('/admin/clients', { name: 'Zebra Zoo' })
  const page = await visit(world.admin, surfaces[0]!.home(client))
  await page.getByRole('heading', { name: 'Harbour Café' }).waitFor()
  await page.getByRole('button', { name: 'Switch client' }).click()
  const choice = page.getByRole('dialog', { name: 'Switch client' })
  await choice.getByRole('textbox').fill('zebra')
  await choice.getByRole('link', { name: 'Zebra Zoo' }).waitFor()
  // A link half below the open choice is not there to be aimed at.
  const found = await violationsInBoth(page)
  expect(found.filter((line) => !line.includes('partially obscured'))).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Zebra Zoo' }).waitFor()
  expect(page.url()).toContain(other.clientId)
  await choice.waitFor({ state: 'detached' })
  await page.getByText('Your library starts here').waitFor()

  const portal = libraryOn(await visit(client.portal, '/app/portal/assets'))
  await portal.page.getByText('Your library starts here').waitFor()
  expect(await portal.page.getByRole('button', { name: 'Switch client' }).count()).toBe(0)
})

test('an arrow takes the focus to the grid, where what it selects is read aloud', async () => {
  const client = await world.newClient()
  for (const title of ['One', 'Two']) await hasAsset(client.operator, title)
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  await library.asset('One').waitFor()
  expect(await library.page.evaluate(() => document.activeElement === document.body)).toBe(true)
  await library.page.keyboard.press('ArrowRight')
  await expect.poll(() => library.page.getByRole('gridcell', { selected: true }).count(), shows).toBe(1)
  expect(await library.grid.evaluate(hasFocus)).toBe(true)
})

test('the list is read row by row and column by column', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Season')
  await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, `${surfaces[0]!.home(client)}?view=list`))
  const { page } = library
  const line = page.getByRole('row', { name: /Terrace/ })
  await line.waitFor()
  const heads = page.getByRole('columnheader')
  expect(
    await heads.evaluateAll((all) =>
      all.map((head) => [head.getAttribute('aria-colindex'), (head as HTMLElement).innerText]),
    ),
  ).toEqual([
    ['1', 'Name'],
    ['2', 'Surfaces'],
    ['3', 'Folder'],
    ['4', 'Type'],
    ['5', 'Size'],
    ['6', 'Added'],
  ])
  const cells = line.getByRole('gridcell')
  expect(await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-colindex')))).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
  ])
  expect(await cells.nth(0).innerText()).toBe('Terrace')
  expect(await cells.nth(2).innerText()).toBe('Library')
  expect(await cells.nth(3).innerText()).toBe('PNG')

  await library.grid.focus()
  await page.keyboard.press('End')
  await expect.poll(() => line.getAttribute('aria-selected'), shows).toBe('true')
  expect(await library.grid.getAttribute('aria-activedescendant')).toBe(await line.getAttribute('id'))
  expect(await violationsInBoth(page)).toEqual([])
})

test('how the list is sorted is told in the menu, and a surface has one name', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Boat', { allowedSurfaces: ['website'] })
  const library = libraryOn(await visit(client.operator, `/app/clients/${client.clientId}/assets`))
  const { page } = library
  await library.asset('Boat').getByText('Website', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sort: Newest first' }).click()
  const checked = page.getByRole('menuitemradio', { checked: true })
  await expect.poll(() => checked.allInnerTexts(), shows).toEqual(['Newest first'])
  await page.getByRole('menuitemradio', { name: 'Name, A to Z' }).click()
  await page.getByRole('button', { name: 'Sort: Name, A to Z' }).click()
  await expect.poll(() => checked.allInnerTexts(), shows).toEqual(['Name, A to Z'])
})
