import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
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
  // Tags that are there are offered, with how many have them; one that was only begun means the first of them.
  const tag = panel.getByRole('combobox', { name: 'Tag' })
  await tag.fill('M')
  const offered = page.getByRole('option', { name: 'menu 2 assets' })
  await offered.waitFor()
  await shot(page, 'filters')
  await offered.click()
  await isShown('Tall menu')
  await tag.fill('nobody has it')
  await page.keyboard.press('Enter')
  await panel.getByText('No asset has this tag.').waitFor()
  expect(page.url()).not.toContain('nobody')
  await tag.fill('su')
  await page.keyboard.press('Enter')
  await filters
    .getByRole('button', { name: 'Tag “summer”: remove this filter', includeHidden: true })
    .waitFor()
  await filters
    .getByRole('button', { name: 'Tag “summer”: remove this filter', includeHidden: true })
    .evaluate((chip: HTMLElement) => chip.click())
  await tag.fill('summer')
  await panel.getByRole('combobox', { name: 'Uploaded by' }).selectOption({ label: 'Me' })
  // What was there pales until the answer is.
  const opacity = () => page.locator('.grid-scroller').evaluate((grid) => getComputedStyle(grid).opacity)
  await expect.poll(opacity, shows).toBe('1')
  expect(await violationsInBoth(page)).toEqual([])
  await panel.getByRole('button', { name: 'Done' }).click()
  await panel.waitFor({ state: 'detached' })
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused, shows).toMatch(/^More filters/)
  await chip('Portrait').waitFor()
  await chip('By me').waitFor()
  await filters.getByRole('button', { name: 'Tag “summer”: remove this filter' }).click()
  await filters.getByRole('button', { name: 'More filters 3 filters are on' }).waitFor()
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
  // What it would be called takes no key to be replaced.
  await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Tall menus')
  await dialog.getByRole('checkbox', { name: 'For everybody who sees this client' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await filters.getByRole('button', { name: 'Save this search' }).waitFor({ state: 'detached' })
  const hasFocus = (one: Locator) => one.evaluate((it) => it === document.activeElement)
  await expect.poll(() => hasFocus(page.getByRole('main').getByRole('grid')), shows).toBe(true)
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await isShown('Tall menu', 'Tall team', 'Wide menu')
  const saved = page.getByRole('region', { name: 'Saved searches' })
  const opener = saved.getByRole('button', { name: /^Tall menus/ })
  expect(await opener.getAttribute('aria-current')).toBe(null)
  await opener.click()
  await isShown('Tall menu')
  await chip('Portrait').waitFor()
  await expect.poll(() => opener.getAttribute('aria-current'), shows).toBe('page')
  expect(await violationsInBoth(page)).toEqual([])
  // It is saved already, and not the whole library.
  expect(await page.getByRole('navigation', { name: 'Folders' }).locator('[aria-current]').count()).toBe(1)
  expect(await filters.getByRole('button', { name: 'Save this search' }).count()).toBe(0)

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

  // What somebody saved for all is not the client's people's to take away; whoever may is asked first.
  expect(await portal.page.getByRole('button', { name: 'Actions for Tall menus' }).count()).toBe(0)
  await saved.getByRole('button', { name: 'Actions for Tall menus' }).click()
  await library.menuItem('Delete saved search').click()
  const question = page.getByRole('dialog', { name: 'Delete “Tall menus” for everybody?' })
  await question.getByRole('button', { name: 'Delete saved search' }).click()
  await saved.waitFor({ state: 'detached' })
})

test('a tag on a tile, in a row or in the details narrows down what is shown, and a misspelt word finds what was meant', async () => {
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
  const tagOf = (title: string, tag: string) =>
    library.asset(title).getByRole('button', { name: tag, exact: true })
  const narrowedTo = async (tag: string, gone: string) => {
    const title = page.locator('[data-act="title"]', { hasText: gone })
    await title.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Tag “${tag}”: remove this filter` }).click()
    await title.waitFor()
  }
  await shot(page, 'tags-on-tiles')
  await tagOf('Wide menu', 'menu').click()
  await narrowedTo('menu', 'Tall team')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await shot(page, 'tags-in-rows')
  await tagOf('Tall team', 'summer').click()
  await narrowedTo('summer', 'Wide menu')
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await library.search.fill('widde menu')
  await page
    .getByText('Nothing has “widde menu”. This is what has “wide menu” in the whole library.')
    .waitFor()
  await library.asset('Wide menu').waitFor()
  await expect.poll(() => library.cells.count(), shows).toBe(1)

  // Whoever clears filters keeps the words; where both find nothing, either can go.
  const clears = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const videos = page.getByRole('button', { name: 'Videos', exact: true })
  for (const clear of [
    () => clears('Clear filters').first().click(),
    () => clears('Clear filters').last().click(),
  ]) {
    await videos.click()
    await page.getByText('Try fewer words or clear the filters.').waitFor()
    await clear()
    await library.asset('Wide menu').waitFor()
    expect(await library.search.inputValue()).toBe('widde menu')
  }
  await page.getByRole('button', { name: 'More filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await panel.getByText('Portrait').click()
  await page.getByText('Try fewer words or clear the filters.').waitFor()
  await panel.getByRole('button', { name: 'Clear filters' }).click()
  await library.asset('Wide menu').waitFor()
  await panel.getByRole('button', { name: 'Done' }).click()
  await videos.click()
  await clears('Clear search').last().click()
  await page.getByText('Try fewer filters.').waitFor()
  expect([await library.search.inputValue(), await videos.getAttribute('aria-pressed')]).toEqual(['', 'true'])
})

test('of many tags a tile and a row say how many more there are', async () => {
  const client = await pictures()
  await client.operator.uploads(png(30, 30, [3, 3, 3]), {
    words: { title: 'Garden', altText: 'A garden', tags: ['summer', 'evening', 'lake', 'party', 'boats'] },
  })
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  const more = library.asset('Garden').getByText('+2', { exact: true })
  await more.waitFor()
  expect(await more.getAttribute('title')).toBe('party, boats')
  expect(await page.getByText(/^\+\d/).count(), 'of those with few').toBe(1)
  await page.keyboard.press('v')
  await page.getByRole('columnheader').first().waitFor()
  await more.waitFor()
  await shot(page, 'more-tags')

  // Where there is less room there are fewer, and it is in sight.
  await client.operator.uploads(png(30, 30, [9, 3, 3]), {
    words: { title: 'Quay', tags: ['boats', 'lake'], allowedSurfaces: ['website', 'social', 'gbp'] },
  })
  await page.setViewportSize({ width: 390, height: 740 })
  await page.goto(`${surfaces[0]!.home(client)}?view=grid`)
  const beside = library.asset('Garden').getByText('+3', { exact: true })
  await beside.waitFor()
  // Nor do other marks push it out of sight.
  const full = library.asset('Quay').getByText('+2', { exact: true })
  await full.waitFor()
  const isInSight = (it: Element) =>
    it.contains(document.elementFromPoint(it.getBoundingClientRect().x + 2, it.getBoundingClientRect().y + 8))
  await full.scrollIntoViewIfNeeded()
  expect(await full.evaluate(isInSight)).toBe(true)
  const [inner, row] = [beside, library.asset('Garden').locator('.badges')].map((it) => it.boundingBox())
  expect((await inner)!.y).toBeLessThan((await row)!.y + (await row)!.height - 10)
})

test('the list stays where it is when the first filter is chosen, and no chip is cut off', async () => {
  const client = await pictures()
  for (const width of [1366, 1280, 1024]) {
    const viewport = { width, height: 800 }
    const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client), { viewport }))
    const { page } = library
    await library.asset('Wide menu').waitFor()
    const top = async () => (await library.grid.boundingBox())!.y
    const before = await top()
    const chips = page.getByRole('group', { name: 'Filters' })
    const areInSight = async () => {
      for (const chip of await chips.getByRole('button').all())
        expect(await chip.evaluate(isAllInSight), `${await chip.textContent()} at ${width}`).toBe(true)
    }
    await areInSight()
    await chips.getByRole('button', { name: 'Images' }).click()
    await chips.getByRole('button', { name: 'Save this search' }).waitFor()
    await areInSight()
    expect(await top(), `at ${width}`).toBe(before)
    await shot(page, `filters-${width}`)
  }
})

test('tags can be read in a tile and in a row, whatever else is said there', async () => {
  const client = await world.newClient()
  await client.operator.uploads(png(30, 30, [3, 3, 3]), {
    words: {
      title: 'Garden',
      altText: 'A garden',
      tags: ['harbour lights', 'summer evenings'],
      description: 'Seen from the terrace on a long evening, '.repeat(9),
    },
  })
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  const tag = library.grid.getByRole('button', { name: 'harbour lights', includeHidden: true })
  const widthOfTag = async () => (await tag.boundingBox())!.width
  await tag.waitFor()
  expect(await widthOfTag()).toBeGreaterThan(68)
  await shot(page, 'tags-in-tile')
  await page.keyboard.press('v')
  await page.getByRole('columnheader').first().waitFor()
  expect(await widthOfTag()).toBeGreaterThan(68)
  await shot(page, 'tags-in-row')
})

test('a day is typed into a filter part by part, and is another one only once it is there', async () => {
  const client = await pictures()
  const page = await visit(client.portal, '/app/portal/assets')
  await page.getByRole('button', { name: 'More filters' }).click()
  const day = page.getByRole('dialog', { name: 'Filters' }).getByLabel('Uploaded from')
  const places: (string | null)[] = []
  page.on('framenavigated', () => places.push(new URL(page.url()).searchParams.get('from')))
  const types = async (text: string) => {
    await day.focus()
    await page.keyboard.type(text, { delay: 60 })
  }
  await types('10312026')
  await page.waitForURL('**from=2026-10-31*')
  expect(await day.inputValue()).toBe('2026-10-31')

  // On the way from the 31st there is no such day.
  await day.blur()
  await types('1115')
  await page.waitForURL('**from=2026-11-15*')
  expect(new Set(places), 'nothing on the way').toEqual(new Set(['2026-10-31', '2026-11-15']))
  // Half a day is none, and leaves the one that was there.
  await day.focus()
  await page.keyboard.press('Delete')
  await day.blur()
  expect(await day.inputValue()).toBe('2026-11-15')
  await day.fill('')
  await day.blur()
  await page.waitForURL((url) => !url.searchParams.has('from'))
})

test('a first day after the last one is said where both are, and where nothing is found', {
  tags: 'drill',
}, async () => {
  const client = await pictures()
  const page = await visit(client.portal, '/app/portal/assets?from=2026-05-02&to=2026-05-01')
  const said = page.getByText('The first day is after the last one.')
  await said.waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  const day = panel.getByLabel('Uploaded from')
  await expect.poll(() => day.getAttribute('aria-invalid'), shows).toBe('true')
  await panel.getByText('The first day is after the last one.').waitFor()
  await shot(page, 'days-reversed')
  await day.fill('2026-04-30')
  await said.first().waitFor({ state: 'detached' })
})

test('on a phone the filters are a sheet', { tags: 'drill' }, async () => {
  const client = await pictures()
  const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }
  const library = libraryOn(await visit(client.portal, '/app/portal/assets', phone))
  const { page } = library
  await library.asset('Wide menu').waitFor()
  await page.getByRole('button', { name: 'More filters' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  const done = sheet.getByRole('button', { name: 'Done' })
  expect(await done.evaluate(coveredBy), 'wherever the sheet is scrolled to').toEqual([])
  await sheet.getByText('Landscape').tap()
  // What was there pales until the answer is.
  await library.asset('Tall menu').waitFor({ state: 'detached' })
  const opacity = () => page.locator('.grid-scroller').evaluate((grid) => getComputedStyle(grid).opacity)
  await expect.poll(opacity, shows).toBe('1')
  expect(await violationsInBoth(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await library.asset('Tall menu').waitFor({ state: 'detached' })
  await library.asset('Wide menu').waitFor()
  await page.getByRole('button', { name: 'Landscape: remove this filter' }).waitFor()
  // However far along its chip is, it shows that a filter is on.
  await page.getByRole('button', { name: 'More filters 1 filter is on' }).tap()
  await sheet.getByRole('combobox', { name: 'Duplicates' }).selectOption({ label: 'There more than once' })
  await sheet.getByRole('combobox', { name: 'Alt text' }).selectOption({ label: 'No alt text' })
  await sheet.getByRole('button', { name: 'Done' }).tap()
  const more = page.getByRole('button', { name: 'More filters 3 filters are on' })
  await page.getByRole('button', { name: 'Rights ended' }).scrollIntoViewIfNeeded()
  await expect.poll(async () => (await more.boundingBox())!.x, shows).toBeGreaterThanOrEqual(0)
  await shot(page, 'filters-phone')
  // However far they are pushed along, nothing lies over another, and what ends or keeps the search is in sight.
  const group = page.getByRole('group', { name: 'Filters' })
  for (const name of ['Clear filters', 'Save this search'])
    expect(await group.getByRole('button', { name }).evaluate(isAllInSight), name).toBe(true)
  expect(await page.getByRole('button', { name: 'Rights ended' }).evaluate(isAllInSight)).toBe(true)
  await page.getByRole('button', { name: 'There more than once: remove this filter' }).tap()
  // How many there are is said here, too.
  await page.getByRole('main').getByText('1 asset', { exact: true }).waitFor()

  // The table of texts is a tap away, with fields that look like fields.
  await page.getByRole('button', { name: 'Show folders' }).tap()
  await page.getByRole('button', { name: 'Texts as a table' }).tap()
  const alt = page.getByRole('textbox', { name: /Alt text/ }).first()
  await alt.waitFor()
  expect(await alt.evaluate((field) => getComputedStyle(field).borderTopWidth)).toBe('1px')
  await shot(page, 'texts-phone')
})

/** Both ends of it are seen where they stand. */
function isAllInSight(button: Element): boolean {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  return [left + 8, right - 8].every((x) => button.contains(document.elementFromPoint(x, (top + bottom) / 2)))
}

/** What lies over a button while what it stands in is scrolled from end to end. */
function coveredBy(button: Element): string[] {
  let frame = button.parentElement!
  while (frame.scrollHeight <= frame.clientHeight || getComputedStyle(frame).overflowY === 'visible')
    frame = frame.parentElement!
  const { x, y, width, height } = button.getBoundingClientRect()
  const found = new Set<string>()
  for (let to = 0; to < frame.scrollHeight; to += 10) {
    frame.scrollTop = to
    const there = document.elementFromPoint(x + width / 2, y + height / 2)
    if (!there || !button.contains(there)) found.add(there?.textContent ?? '')
  }
  frame.scrollTop = 0
  return [...found]
}

test('what was imported is by the library itself, and not by somebody who has left', {
  tags: 'drill',
}, async () => {
  const { operator, clientId } = await world.newClient()
  await operator.uploads()
  await world.parts.db
    .updateTable('assets')
    .set({ created_by: 'command-line' })
    .where('client_id', '=', clientId)
    .execute()
  const { page } = libraryOn(await visit(operator, `/app/clients/${clientId}/assets`))
  await page.getByRole('button', { name: 'More filters' }).click()
  const uploaders = page.getByRole('combobox', { name: 'Uploaded by' })
  await uploaders.waitFor()
  await expect
    .poll(() => uploaders.locator('option').allInnerTexts(), shows)
    .toEqual(['Any', 'The library itself'])
})
