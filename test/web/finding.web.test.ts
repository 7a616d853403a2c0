import type { Request } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

test('a tag is clicked to see everything that has it, and removed like any filter', async () => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Season')
  await hasAsset(client.operator, 'Pier', { tags: ['Boats', 'sea'], folderId })
  await hasAsset(client.operator, 'Sail', { tags: ['boats'] })
  await hasAsset(client.operator, 'Bread')
  const library = libraryOn(await visit(client.operator, `${surfaces[0]!.home(client)}?folder=${folderId}`))
  const { page } = library
  const details = await library.showsDetailsOf('Pier')
  await details.getByRole('button', { name: 'Boats', exact: true }).click()
  await library.asset('Sail').waitFor()
  await library.asset('Pier').waitFor()
  expect(await library.cells.count()).toBe(2)

  // Somebody else's change shows at once.
  await hasAsset(client.portal, 'Lanterns', { tags: ['BOATS'] })
  await library.asset('Lanterns').waitFor()

  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Tag “Boats”: remove this filter' }).click()
  await library.asset('Sail').waitFor({ state: 'detached' })
  await expect.poll(() => library.cells.count(), shows).toBe(1)
  expect(page.url()).not.toContain('tag=')
})

test('words stay in the folder and below when one wants them to', async () => {
  const client = await world.newClient()
  const season = await client.operator.makesFolder('Season')
  const summer = await client.operator.makesFolder('Summer', season.folderId)
  const spring = await client.operator.makesFolder('Spring', summer.folderId)
  const hebrew = await client.operator.makesFolder('אביב', spring.folderId)
  const winter = await client.operator.makesFolder('Winter')
  const menu = (title: string, folderId?: string) =>
    hasAsset(client.operator, title, { ...(folderId && { folderId }) })
  await menu('Menu of the top')
  await menu('Menu of the season', season.folderId)
  await menu('Menu of the summer', summer.folderId)
  const library = libraryOn(await visit(client.portal, `/app/portal/assets?folder=${season.folderId}`))
  const { page } = library
  await library.asset('Menu of the season').waitFor()

  // A filter alone stays there, with words beside it, too; whoever wants more than that has it.
  const stay = page.getByRole('checkbox', { name: 'Only in “Season” and below' })
  const count = page.locator('.toolbar-count')
  const shown = (...said: [boolean, string]) =>
    expect.poll(async () => [await stay.isChecked(), await count.innerText()], shows).toEqual(said)
  await page.getByRole('button', { name: 'Images' }).click()
  await library.asset('Menu of the summer').waitFor()
  await shown(true, '2 assets')
  await stay.uncheck()
  await library.asset('Menu of the top').waitFor()
  await shown(false, '3 assets')
  await page.goBack()
  await shown(true, '2 assets')
  await library.grid.focus()
  await page.keyboard.press('Control+a')
  await page.getByText('2 selected').first().waitFor()
  await library.search.fill('top')
  await page.getByText('Nothing in this folder and below it matches.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Images' }).click()
  await library.folder('Summer').waitFor()

  const here = async () => [
    await library.path.innerText(),
    await library.inTree('Season').getAttribute('aria-selected'),
  ]
  await library.search.fill('menu')
  await library.asset('Menu of the top').waitFor()
  expect(await here()).toEqual(['Results in the whole library', 'false'])
  await stay.check()
  await library.asset('Menu of the top').waitFor({ state: 'detached' })
  expect(await here()).toEqual(['Library\nSeason', 'true'])
  await library.asset('Menu of the summer').waitFor()
  expect(await library.cells.count()).toBe(2)

  // What comes below appears, what comes elsewhere does not, and a folder that moves away takes its own along.
  await menu('Menu of the winter', winter.folderId)
  await menu('Menu of the terrace', summer.folderId)
  await library.asset('Menu of the terrace').waitFor()
  expect(await library.asset('Menu of the winter').count()).toBe(0)
  await client.operator.patch(`${client.operator.door.assets}/folders`, {
    folderId: summer.folderId,
    parentId: null,
  })
  await library.asset('Menu of the terrace').waitFor({ state: 'detached' })
  await expect.poll(() => library.cells.count(), shows).toBe(1)

  await stay.uncheck()
  await library.asset('Menu of the winter').waitFor()
  await expect.poll(() => library.cells.count(), shows).toBe(5)

  // Of a path that is too long for a tile its end is seen, and all of it is heard.
  await menu('Menu of the spring', hebrew.folderId)
  const path = page.locator('[data-id]', { hasText: 'Menu of the spring' }).locator('.tile-path')
  const whole = 'Library / Summer / Spring / \u2068אביב\u2069'
  for (const view of ['Grid', 'List']) {
    await expect
      .poll(() => path.locator('[aria-hidden]').allInnerTexts(), shows)
      .toEqual(['…', ' / Spring', ' / אביב'])
    expect(
      await path.locator(':scope > :last-child').evaluate((last) => last.scrollWidth - last.clientWidth),
    ).toBe(0)
    expect([await path.getAttribute('title'), await path.locator('.unseen').innerText()]).toEqual([
      whole,
      whole,
    ])
    if (view === 'Grid') await page.getByRole('button', { name: 'List', exact: true }).click()
  }
})

test('what is in folders of that name is a click away, stands in the address and is saved with a search', async () => {
  const client = await world.newClient()
  const { operator } = client
  const { folderId } = await operator.makesFolder('Christmas')
  await hasAsset(operator, 'Snow', { folderId })
  await hasAsset(operator, 'Tree', { folderId })
  const library = libraryOn(await visit(operator, `${surfaces[0]!.home(client)}?q=christmas`))
  const { page } = library
  const label = 'Also in folders with this name'
  const offer = page.getByRole('button', { name: label, exact: true })
  const chip = page.getByRole('button', { name: `${label}: remove this filter` })
  const shown = (count: number) => expect.poll(() => library.cells.count(), shows).toBe(count)
  await page.getByText('No asset has these words itself.').waitFor()
  await shown(1)
  await page.getByRole('button', { name: 'Show what is in this folder' }).click()
  await library.asset('Snow').waitFor()
  await shown(3)
  expect(page.url()).toContain('byFolder=true')
  await page.reload()
  await library.asset('Snow').waitFor()
  await chip.waitFor()
  expect(await offer.count()).toBe(0)
  await page.goBack()
  await page.getByText('No asset has these words itself.').waitFor()
  expect([await offer.count(), await chip.count()]).toEqual([1, 0])
  // Where no folder has such a name, there is nothing to offer.
  await library.search.fill('snow')
  await library.asset('Snow').waitFor()
  await page.getByText('Results for “snow”').waitFor()
  expect(await offer.count()).toBe(0)

  // Where it is shown unasked, that is said.
  await library.search.fill('christmas')
  await page.getByText('No asset has these words itself.').waitFor()
  const unasked = page.getByText(/^No asset has .* itself: /)
  await page.getByRole('button', { name: 'Images', exact: true }).click()
  await library.asset('Snow').waitFor()
  expect(await unasked.innerText()).toBe(
    'No asset has this word itself: these are in folders with this name.',
  )
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await library.search.fill('christmas snow')
  await expect
    .poll(() => unasked.allInnerTexts(), shows)
    .toEqual(['No asset has all of these words itself: some are in the names of folders.'])
  await page.getByText('Results for “christmas snow” in the whole library').waitFor()

  // One that has the words itself leaves the others to be asked for.
  await library.search.fill('christmas card')
  await hasAsset(operator, 'Christmas card')
  await library.asset('Christmas card').waitFor()
  await library.search.fill('christmas')
  await shown(2)
  await offer.click()
  await shown(4)
  // All of them are what was found, and not the folder with whatever else is in it.
  await library.asset('Snow').click()
  await page.keyboard.press('Control+a')
  await page.getByText('3 selected').first().waitFor()
  await page.keyboard.press('Escape')
  // What comes to such a folder shows there.
  await hasAsset(operator, 'Candle', { folderId })
  await library.asset('Candle').waitFor()
  await page.getByRole('button', { name: 'Save this search' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { savedSearches } = (await operator.get(`/admin/clients/${client.clientId}/saved-searches`)).body
  expect(savedSearches).toMatchObject([{ search: { q: 'christmas', byFolder: true } }])
  await chip.click()
  await shown(2)
  await page.getByRole('button', { name: 'christmas', exact: true }).click()
  await shown(5)
  // It goes with the words.
  await library.search.fill('')
  await expect.poll(() => page.url(), shows).not.toContain('byFolder')
})

test('whoever looks in a collection is told so, and gets out of it with what was looked for', async () => {
  const client = await world.newClient()
  const { operator } = client
  const { assetId } = await hasAsset(operator, 'Pier')
  await hasAsset(operator, 'Bread')
  const url = `/admin/clients/${client.clientId}/collections`
  const { collectionId } = (await operator.post(url, { name: 'Best of' })).body
  await operator.post(`${url}/${collectionId}/assets`, { assetIds: [assetId] })
  const library = libraryOn(
    await visit(operator, `${surfaces[0]!.home(client)}?collection=${collectionId}&q=pier`),
  )
  const { page } = library
  const further = page.getByRole('button', { name: 'Look in the whole library' })
  await page.getByText('Results for “pier” in the collection “Best of”').waitFor()
  await further.waitFor()
  await library.search.fill('bread')
  await page.getByText('Nothing in the collection “Best of” matches.').waitFor()
  await further.last().click()
  await library.asset('Bread').waitFor()
  await page.getByText('Results for “bread” in the whole library').waitFor()
  await page.goBack()
  await library.search.fill('')
  await page.getByRole('button', { name: 'Images' }).click()
  await page.getByText('In the collection “Best of”', { exact: true }).waitFor()
  await further.click()
  await library.asset('Bread').waitFor()
  await page.getByRole('button', { name: 'Images', pressed: true }).waitFor()
})

test('what lies only in the trash is a click away', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { portal } = client
  const { assetId } = await hasAsset(portal, 'Old menu', { tags: ['paper'] })
  await portal.trashes(assetId)
  const library = libraryOn(await visit(portal, '/app/portal/assets?q=menu'))
  const { page } = library
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.getByRole('button', { name: '1 in the trash' }).click()
  await library.asset('Old menu').waitFor()
  await page.getByText('Results for “menu” in the trash').waitFor()

  // A folder by its name, what has a tag, and nothing at all.
  const { folderId } = await portal.makesFolder('Menus of the winter')
  await portal.deletesFolder(folderId)
  await page.goto('/app/portal/assets?q=menu')
  await page.getByRole('button', { name: '2 in the trash' }).waitFor()
  await page.goto('/app/portal/assets?tag=paper')
  await page.getByRole('button', { name: '1 in the trash' }).waitFor()
  const asked = page.waitForResponse(/trashed=true/)
  await page.goto('/app/portal/assets?q=nobody')
  await (await asked).finished()
  await page.getByText('Try fewer or other words.').waitFor()
  expect(await page.getByRole('button', { name: 'in the trash' }).count()).toBe(0)
})

test('what has no words is no search', async () => {
  const client = await world.newClient()
  const { portal } = client
  await portal.makesFolder('Campaigns')
  await hasAsset(portal, 'Camping by the lake')
  await hasAsset(portal, 'Draft')
  const library = libraryOn(await visit(portal, '/app/portal/assets?q=%22'))
  const { page } = library
  const results = page.getByText(/^Results for/)
  await library.folder('Campaigns').waitFor()
  expect(await results.count()).toBe(0)
  await library.search.fill('camping')
  await results.waitFor()
  // No folder has such a name.
  expect(await page.getByRole('button', { name: 'Also in folders with this name' }).count()).toBe(0)
  await library.search.fill('-')
  await library.folder('Campaigns').waitFor()
  await results.waitFor({ state: 'detached' })
  expect(await library.search.inputValue()).toBe('-')
  await library.search.pressSequentially('draft')
  await library.asset('Draft').waitFor({ state: 'detached' })
  expect(await library.search.inputValue()).toBe('-draft')
})

test('a saved search whose folder went to the trash looks in the whole library, and says so', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { portal } = client
  await hasAsset(portal, 'Menu')
  const { folderId } = await portal.makesFolder('Season')
  const search = { q: 'menu', folderId, below: true }
  await portal.post('/portal/saved-searches', { name: 'Menus', search, for: 'me' })
  const library = libraryOn(await visit(portal, '/app/portal/assets'))
  const { page } = library
  const opener = page.getByRole('button', { name: /^Menus/ })
  const gone = page.getByRole('img', { name: 'Its folder is no longer there.' })
  await opener.waitFor()
  await portal.deletesFolder(folderId)
  await opener.filter({ has: gone }).click()
  await library.asset('Menu').waitFor()
  await portal.post('/portal/assets/folders/restore', { folderId })
  await gone.waitFor({ state: 'detached' })
  await portal.deletesFolder(folderId)
  await gone.waitFor()

  // By an old address, too, what is looked through is not called what it is not.
  await page.goto(`/app/portal/assets?folder=${folderId}&q=menu`)
  await library.asset('Menu').waitFor()
  expect(await page.getByText('Only in').count()).toBe(0)
  await page.goto(`/app/portal/assets?folder=${folderId}&q=menu&scope=below`)
  await page.getByRole('heading', { name: '“Season” is in the trash' }).waitFor()
  expect(await page.getByText('Only in').count()).toBe(0)
})

const drawn = (colour: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="#fff"/>
    <path d="M12 97 61 9l37 71 49-33-21 66zM118 8h33v17h-33zM9 18h22v31H9z" fill="${colour}"/></svg>`,
  )

test('accents and case do not matter, a pasted assetRef is found, and only the same bytes are identical', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator } = client
  const logo = async (title: string, colour: string) =>
    operator.uploads(await sharp(drawn(colour)).png().toBuffer(), {
      session: { originalFilename: `${title}.png`, mimeType: 'image/png' },
      words: { title },
    })
  const red = await logo('Café', '#c22')
  await logo('Cafe in red', '#c22')
  await logo('Überblick', '#22c')
  const library = libraryOn(await visit(operator, surfaces[0]!.home(client)))
  for (const [words, found] of [
    ['CAFÉ', ['Café', 'Cafe in red']],
    ['cafe', ['Café', 'Cafe in red']],
    ['uberblick', ['Überblick']],
    [red.assetRef, ['Café']],
  ] as const) {
    await library.search.fill(words)
    await expect.poll(() => library.cells.count(), shows).toBe(found.length)
    for (const title of found) await library.asset(title).first().waitFor()
  }
  const details = await library.showsDetailsOf('Café')
  for (const name of ['Cafe in red Identical', 'Überblick Alike'])
    await details.getByRole('button', { name }).waitFor()
})

test('a saved search that was renamed or shared is taken back, and what came before it after that', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator } = client
  await hasAsset(operator, 'Terrace')
  const url = `/admin/clients/${client.clientId}/saved-searches`
  await operator.post(url, { name: 'Terraces', search: { q: 'terrace' }, for: 'me' })
  const library = libraryOn(await visit(operator, surfaces[0]!.home(client)))
  const { page } = library
  const said = async () =>
    (await operator.get(url)).body.savedSearches.map((each: { name: string; for: string }) => [
      each.name,
      each.for,
    ])
  await library.asset('Terrace').click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Garden')
  await page.keyboard.press('Enter')
  await library.said('Renamed to “Garden”').waitFor()

  await page.getByRole('button', { name: 'Actions for Terraces' }).click()
  await library.menuItem('Rename or share').click()
  const dialog = page.getByRole('dialog', { name: 'Rename or share' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Gardens')
  await dialog.getByRole('checkbox', { name: 'For everybody who sees this client' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Gardens/ }).waitFor()
  expect(await said()).toEqual([['Gardens', 'client']])
  await page.keyboard.press('Control+z')
  await library.said('Undone: “Gardens” changed').waitFor()
  expect(await said()).toEqual([['Terraces', 'me']])
  await page.getByRole('button', { name: 'Terraces', exact: true }).waitFor()
  await library.asset('Garden').waitFor()
  await page.keyboard.press('Control+z')
  await library.asset('Terrace').waitFor()
})

test('a second saved search of the same name is refused at the field', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { operator } = client
  await hasAsset(operator, 'Terrace')
  const url = `/admin/clients/${client.clientId}/saved-searches`
  await operator.post(url, { name: 'Terraces', search: { q: 'terrace' } })
  const page = await visit(operator, `${surfaces[0]!.home(client)}?q=terr`)
  await page.getByRole('button', { name: 'Save this search' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await name.fill('terraces')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('There is a saved search “terraces” already. Choose another name.').waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await violationsInBoth(page)).toEqual([])
  await name.fill('Begun')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Begun', exact: true }).waitFor()
})

test('a saved search that was opened and narrowed down is updated in its place, and that is taken back', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator, portal } = client
  await hasAsset(operator, 'Terrace')
  const url = `/admin/clients/${client.clientId}/saved-searches`
  await operator.post(url, { name: 'Terraces', search: { q: 'terrace', everywhere: true }, for: 'client' })
  const library = libraryOn(await visit(operator, `${surfaces[0]!.home(client)}?q=menu`))
  const { page } = library
  const opener = page.getByRole('button', { name: /^Terraces/ })
  const update = page.getByRole('button', { name: 'Update “Terraces”' })
  const saved = async () =>
    (await operator.get(url)).body.savedSearches.map((each: { search: object }) => each.search)
  const plain = { q: 'terrace', everywhere: true }
  await page.getByRole('button', { name: 'Save this search' }).waitFor()
  expect(await update.count(), 'no search was opened').toBe(0)
  await opener.click()
  await library.asset('Terrace').waitFor()
  expect(await update.count(), 'nothing was changed').toBe(0)

  await page.getByRole('button', { name: 'Images', exact: true }).click()
  await page.getByRole('button', { name: 'Save as a new search' }).waitFor()
  await page.reload()
  await update.click()
  await library.said('“Terraces” changed').waitFor()
  await update.waitFor({ state: 'detached' })
  expect(await opener.getAttribute('aria-current')).toBe('page')
  expect(await saved()).toEqual([{ ...plain, mimeType: 'image/*' }])
  await page.keyboard.press('Control+z')
  await library.said('Undone: “Terraces” changed').waitFor()
  expect(await saved()).toEqual([plain])
  await update.waitFor()

  // One that was saved just now is open, too.
  await page.getByRole('button', { name: 'Save as a new search' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pictures')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await library.search.fill('menu')
  await page.getByRole('button', { name: 'Update “Pictures”' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => page.url(), shows).not.toContain('saved=')

  // What all find and somebody else made is only saved anew.
  const theirs = libraryOn(await visit(portal, '/app/portal/assets')).page
  await theirs.getByRole('button', { name: /^Terraces/ }).click()
  await theirs.getByRole('searchbox').fill('menu')
  await theirs.getByRole('button', { name: 'Save this search' }).waitFor()
  expect(await theirs.getByRole('button', { name: /^Update/ }).count()).toBe(0)
})

test('what is found as one types takes the place of what was there, and nothing older comes after it', async () => {
  const client = await world.newClient()
  for (const title of ['Mango', 'Market', 'Bread']) await hasAsset(client.operator, title)
  await client.operator.makesFolder('Market stalls')
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  await library.asset('Bread').waitFor()
  const asked: string[] = []
  const stopped: string[] = []
  const wordsOf = (request: Request) => new URL(request.url()).searchParams.get('q') ?? ''
  page.on('requestfailed', (request) => stopped.push(wordsOf(request)))
  const slow = Promise.withResolvers<void>()
  const slowToo = Promise.withResolvers<void>()
  await page.route(/\/assets\?.*q=/, async (route) => {
    const words = wordsOf(route.request())
    asked.push(words)
    if (words === 'ma') await slow.promise
    if (words === 'marktet') await slowToo.promise
    await route.continue().catch(() => {})
  })
  await page.evaluate(() => {
    const main = document.querySelector('main')!
    new MutationObserver(() => {
      if (!main.querySelector('[role=gridcell]')) document.documentElement.dataset.emptied = ''
    }).observe(main, { childList: true, subtree: true })
  })

  await library.search.fill('ma')
  await expect.poll(() => asked, shows).toContain('ma')
  await library.asset('Bread').waitFor()
  const heading = page.getByText(/^(Results for|Nothing has) /)
  const count = page.locator('.toolbar-count')
  expect([await heading.count(), await count.innerText()], 'of what is still shown').toEqual([0, '3 assets'])
  await library.search.fill('mango')
  await library.asset('Bread').waitFor({ state: 'detached' })
  await library.asset('Mango').waitFor()
  expect(await library.cells.count()).toBe(1)
  // The one that was overtaken is no longer waited for.
  expect(stopped).toContain('ma')
  slow.resolve()

  // Whatever is said of it goes and comes with what was found.
  const said = async () => [
    await heading.innerText(),
    await count.innerText(),
    await library.folder('Market stalls').count(),
    await library.cells.count(),
  ]
  const mango = ['Results for “mango” in the whole library', '1 asset', 0, 1]
  await expect.poll(said, shows).toEqual(mango)
  await library.search.fill('marktet')
  await expect.poll(() => asked, shows).toContain('marktet')
  expect(await said()).toEqual(mango)
  await expect.poll(() => page.locator('.results').evaluate(opacity), shows).toBeLessThan(1)
  slowToo.resolve()
  await expect
    .poll(said, shows)
    .toEqual(['Nothing has “marktet”. This is what has “market” in the whole library.', '1 asset', 1, 2])
  expect(await page.locator('html[data-emptied]').count()).toBe(0)
  await library.search.fill('nothing of it')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await library.search.fill('')
  await library.asset('Bread').waitFor()
  expect(await library.cells.count()).toBe(4)
})

const opacity = (element: Element) => Number(getComputedStyle(element).opacity)

test('whoever clears a search types the next one', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page } = library
  const clients = page.getByRole('textbox', { name: 'Search clients' })
  await library.search.fill('harbour')
  await page.getByRole('search').getByRole('button', { name: 'Clear search' }).click()
  await page.keyboard.type('quay')
  expect(await library.search.inputValue()).toBe('quay')

  await page.goto('/app/clients')
  await clients.fill('no such client')
  for (const clear of [page.locator('.mantine-TextInput-section button'), page.getByText('Clear search')]) {
    await clear.last().click()
    await page.keyboard.type('quay')
    expect(await clients.inputValue()).toBe('quay')
  }
})
