import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const titlesOn = (page: Page) =>
  page
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => cell.querySelector('[data-act=title]')?.textContent))

const collectionsOf = (person: Person) => person.door.assets.replace(/assets$/, 'collections')
const itemsOf = (person: Person, collectionId: string) => `${collectionsOf(person)}/${collectionId}/assets`

test('assets are collected by drag and by choice, put in order, shared, and stay when the collection goes', async () => {
  const client = await world.newClient()
  const { operator, portal } = client
  const { folderId } = await operator.makesFolder('Raw')
  await hasAsset(operator, 'Terrace', { folderId })
  for (const title of ['Pier', 'Sail', 'Bread']) await hasAsset(operator, title)
  const library = libraryOn(await visit(operator, surfaces[0]!.home(client)))
  const { page } = library
  const list = page.getByRole('region', { name: 'Collections' })
  const inList = (name: string) => list.getByRole('button', { name: new RegExp(`^${name}`) })
  const dialog = page.getByRole('dialog')
  const found: Record<string, string[]> = {}

  // A new one by name, filled by drag.
  await list.getByRole('button', { name: 'New collection' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Best of')
  found.naming = await violationsInBoth(page)
  await page.keyboard.press('Enter')
  const said = page.getByText(/^(Nothing collected yet|This collection is gone)$/)
  await said.waitFor()
  expect(await said.innerText()).toBe('Nothing collected yet')
  found.empty = await violationsInBoth(page)
  await page.getByRole('button', { name: 'Library', exact: true }).click()
  await library.asset('Pier').dragTo(inList('Best of'))
  await inList('Best of').filter({ hasText: '1' }).waitFor()
  await library.asset('Sail').click()
  await library.asset('Bread').click({ modifiers: ['ControlOrMeta'] })
  await library.choosesIn(library.asset('Bread'), 'Add to collection…')
  await dialog.getByRole('combobox').fill('best')
  await dialog.getByRole('option', { name: /Best of/ }).waitFor()
  await shot(page, 'collect-dialog')
  found.choosing = await violationsInBoth(page)
  await page.keyboard.press('Enter')
  await inList('Best of').filter({ hasText: '3' }).waitFor()

  // It shows what is in it in its own order, which is changed by drag and by menu, and taken back.
  await inList('Best of').click()
  await library.asset('Bread').waitFor()
  expect(page.url()).toContain('collection=collection_')
  const inOrder = (titles: string[]) => expect.poll(() => titlesOn(page), shows).toEqual(titles)
  const stands = async () => (await titlesOn(page)).join()
  const first = await stands()
  expect(first.startsWith('Pier,')).toBe(true)
  const [, second, third] = (await titlesOn(page)) as [string, string, string]
  const pier = (await library.asset('Pier').boundingBox())!
  await library.asset(third).dragTo(library.asset('Pier'), {
    targetPosition: { x: 10, y: pier.height / 2 },
  })
  await inOrder([third, 'Pier', second])
  await library.choosesIn(library.asset(third), 'Move later')
  await inOrder(['Pier', third, second])
  await page
    .getByRole('status')
    .filter({ hasText: /^Moved to place 2 of 3/ })
    .waitFor({ state: 'attached' })
  const takenBack = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.keyboard.press('ControlOrMeta+z')
  await inOrder([third, 'Pier', second])
  await takenBack
  await page.context().setOffline(true)
  await library.choosesIn(library.asset(third), 'Move later')
  await library.said('Putting in order did not work.').waitFor()
  await inOrder([third, 'Pier', second])
  await page.context().setOffline(false)
  found.collection = await violationsInBoth(page)

  // Somebody else’s changes appear.
  const collectionId = new URL(page.url()).searchParams.get('collection')!
  const { body: terrace } = await portal.lists({ q: 'Terrace', everywhere: true })
  const { body: pierFound } = await portal.lists({ q: 'Pier', everywhere: true })
  await portal.post(itemsOf(portal, collectionId), {
    assetIds: [terrace.assets[0].assetId],
    before: pierFound.assets[0].assetId,
  })
  await inOrder([third, 'Terrace', 'Pier', second])
  await portal.trashes(terrace.assets[0].assetId)
  await inOrder([third, 'Pier', second])
  await portal.restores(terrace.assets[0].assetId)
  await inOrder([third, 'Terrace', 'Pier', second])

  await library.choosesIn(library.asset('Pier'), 'Take out of this collection')
  await library.said('1 asset taken out').getByRole('button', { name: 'Undo' }).click()
  await inOrder([third, 'Terrace', 'Pier', second])
  await library.asset('Pier').click()
  await page.keyboard.press('Delete')
  await inOrder([third, 'Terrace', second])
  expect((await portal.lists({ q: 'Pier', everywhere: true })).body.assets).toHaveLength(1)
  await page.keyboard.press('ControlOrMeta+z')
  await inOrder([third, 'Terrace', 'Pier', second])

  // So it goes where one is looked at large.
  const large = (title: string) => page.getByRole('dialog', { name: `Quick look at ${title}` })
  await library.asset('Pier').click()
  await page.keyboard.press(' ')
  await large('Pier').getByRole('button', { name: 'Move to trash, everywhere' }).waitFor()
  await page.keyboard.press('Delete')
  await large(second).waitFor()
  await page.keyboard.press('Delete')
  await large('Terrace').getByRole('button', { name: 'Take out of this collection' }).click()
  await large(third).waitFor()
  await inOrder([third])
  expect((await portal.lists({ everywhere: true })).body.assets).toHaveLength(4)
  for (const titles of [
    [third, 'Terrace'],
    [third, 'Terrace', second],
    [third, 'Terrace', 'Pier', second],
  ]) {
    await page.keyboard.press('ControlOrMeta+z')
    await inOrder(titles)
  }
  await page.keyboard.press('Escape')
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('heading', { name: 'In collections' }).waitFor()
  await details.getByRole('button', { name: 'Best of' }).waitFor()
  await shot(page, 'collection')
  found.details = await violationsInBoth(page)

  // By its own menu it is shared, renamed and deleted.
  const menu = () => library.page.getByRole('button', { name: 'Actions for Best of' }).last().click()
  await menu()
  await library.menuItem('Share…').click()
  await dialog.getByText('Shows what is in the collection, in its order').waitFor()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const url = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const guest = await visit(null, new URL(url).pathname)
  await guest.getByRole('heading', { name: 'Best of' }).waitFor()
  const tiles = guest.getByRole('button', { name: /^Show / })
  await expect
    .poll(() => tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('aria-label'))), shows)
    .toEqual([third, 'Terrace', 'Pier', second].map((title) => `Show ${title}`))
  await menu()
  await library.menuItem('Rename').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The best')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await library.path.getByText('The best').waitFor()
  await inList('The best').click({ button: 'right' })
  await library.menuItem('Delete collection').click()
  await dialog.getByRole('button', { name: 'Delete collection' }).click()
  await library.asset('Pier').waitFor()
  await inList('The best').waitFor({ state: 'detached' })
  expect(page.url()).not.toContain('collection=')

  // Which is taken back, in its order; what is uploaded there is put into it and lies at the top of the library.
  await page.getByRole('button', { name: 'Undo' }).click()
  await inList('The best').click()
  await inOrder([third, 'Terrace', 'Pier', second])
  await library.uploads([{ name: 'Fresh.png', mimeType: 'image/png', buffer: png(7, 7) }])
  await inOrder([third, 'Terrace', 'Pier', second, 'Fresh'])
  const { body: top } = await operator.lists({})
  expect(top.assets.map(({ title }: { title: string }) => title)).toContain('Fresh')
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])))
})

test('what was taken out is not looked at again, though an older answer still has it', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator, portal } = client
  const assetIds: string[] = []
  for (const title of ['Terrace', 'Pier', 'Sail']) assetIds.push((await hasAsset(operator, title)).assetId)
  const { body } = await operator.post(collectionsOf(operator), { name: 'Best of', assetIds })
  const library = libraryOn(
    await visit(operator, `${surfaces[0]!.home(client)}?collection=${body.collectionId}`),
  )
  const { page } = library
  const large = (title: string) => page.getByRole('dialog', { name: `Quick look at ${title}` })
  await library.asset('Pier').click()
  await page.keyboard.press(' ')
  await large('Pier').waitFor()

  // What is asked for now is answered when it is no longer so.
  const late = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname.endsWith('/assets') && url.searchParams.has('collectionId'),
    async (route) => {
      const response = await route.fetch()
      isAsked.resolve()
      await late.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await portal.patch(itemsOf(portal, body.collectionId), { assetIds: [assetIds[2]] })
  await isAsked.promise
  await page.keyboard.press('Delete')
  await large('Sail').waitFor()
  const answered = page.waitForResponse((response) => response.url().includes('collectionId'))
  late.resolve()
  await answered
  await library.asset('Pier').waitFor()
  await page.keyboard.press('Delete')
  await large('Terrace').waitFor()
})

test('keys that follow each other fast never lead back to what was taken out', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator } = client
  const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  const assetIds: string[] = []
  for (const title of titles) assetIds.push((await hasAsset(operator, title)).assetId)
  const { body } = await operator.post(collectionsOf(operator), { name: 'Best of', assetIds })
  const library = libraryOn(
    await visit(operator, `${surfaces[0]!.home(client)}?collection=${body.collectionId}`),
  )
  const { page } = library
  const shown = () => page.getByRole('dialog', { name: /^Quick look at/ }).getAttribute('aria-label')
  await library.asset('Three').click()
  await page.keyboard.press(' ')
  await page.getByRole('dialog', { name: 'Quick look at Three' }).waitFor()
  for (const [taken, left] of [
    ['Four', 'Three'],
    ['Five', 'Three'],
  ]) {
    await Promise.all(['ArrowRight', 'Delete', 'ArrowLeft'].map((key) => page.keyboard.press(key)))
    await page.getByRole('dialog', { name: `Quick look at ${left}` }).waitFor()
    await library.asset(taken!).waitFor({ state: 'detached' })
    expect(await shown()).toBe(`Quick look at ${left}`)
  }
})

test('a collection is put in order by keys, which the help tells of', async () => {
  const client = await world.newClient()
  const { portal } = client
  const titles = ['One', 'Two', 'Three', 'Four', 'Five']
  const assetIds: string[] = []
  for (const title of titles) assetIds.push((await hasAsset(portal, title)).assetId)
  const { body } = await portal.post('/portal/collections', { name: 'Best of', assetIds })
  const library = libraryOn(await visit(portal, `/app/portal/assets?collection=${body.collectionId}`))
  const { page } = library
  const inOrder = (order: string) =>
    expect.poll(async () => (await titlesOn(page)).join(' '), shows).toBe(order)
  const says = (text: string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(`Alt+Shift+${key}`)
  }
  await library.asset('One').click()
  await press('ArrowRight', 'ArrowRight')
  await inOrder('Two Three One Four Five')
  await says('Moved to place 3 of 5')
  await press('End')
  await inOrder('Two Three Four Five One')
  await says('Moved to place 5 of 5')
  // There is nothing behind the end.
  await press('ArrowRight', 'Home')
  await inOrder('One Two Three Four Five')
  // However soon one follows the other: no timer fires between these.
  await page.evaluate(async () => {
    const pressed = { key: 'ArrowRight', altKey: true, shiftKey: true, bubbles: true }
    for (let time = 0; time < 3; time++) {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', pressed))
      for (let turn = 0; turn < 100; turn++) await null
    }
  })
  await inOrder('Two Three Four One Five')
  await press('Home')
  await inOrder('One Two Three Four Five')
  expect(await library.grid.getAttribute('aria-activedescendant')).toBe(`cell-${assetIds[0]}`)
  await library.asset('Two').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('v')
  const rows = page.getByRole('row').filter({ has: page.locator('[data-act=title]') })
  const lines = async () => (await rows.locator('[data-act=title]').allInnerTexts()).join(' ')
  await expect.poll(lines, shows).toBe('One Two Three Four Five')
  await press('ArrowDown')
  await expect.poll(lines, shows).toBe('Three One Two Four Five')
  await says('2 moved to place 2 of 5')
  const stands = async () =>
    (await portal.lists({ collectionId: body.collectionId })).body.assets
      .map(({ title }: { title: string }) => title)
      .join(' ')
  expect(await stands()).toBe('Three One Two Four Five')

  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move later Alt ⇧ →' }).waitFor()
  await page.keyboard.press('Escape')

  // What somebody else does meanwhile shows, and takes back nothing that is not answered yet.
  const { promise: mayAnswer, resolve: answers } = Promise.withResolvers<void>()
  await page.route('**/collections/*/assets', async (route) => {
    await mayAnswer
    await route.continue()
  })
  await press('End')
  await expect.poll(lines, shows).toBe('Three Four Five One Two')
  const { assetId: six } = await hasAsset(portal, 'Six')
  const inCollection = `/portal/collections/${body.collectionId}/assets`
  await portal.post(inCollection, { assetIds: [six] })
  await expect.poll(lines, shows).toBe('Three Four Five Six One Two')
  await press('ArrowUp')
  await expect.poll(lines, shows).toBe('Three Four Five One Two Six')
  answers()
  await expect.poll(stands).toBe('Three Four Five One Two Six')
  await portal.delete(inCollection, { assetIds: [six] })
  await expect.poll(lines, shows).toBe('Three Four Five One Two')
  await press('Home', 'ArrowDown')
  await expect.poll(lines, shows).toBe('Three One Two Four Five')
  await expect.poll(stands).toBe('Three One Two Four Five')

  // What was not saved goes back, however often the key was pressed.
  await page.context().setOffline(true)
  await press('ArrowDown', 'ArrowDown')
  await library.said('Putting in order did not work.').waitFor()
  await expect.poll(lines, shows).toBe('Three One Two Four Five')
  await page.context().setOffline(false)

  // What is sorted by something else has no order to change.
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(lines, shows).toBe('Five Four One Three Two')
  await library.grid.focus()
  await press('End')
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Change the order of a collection').waitFor()
  expect(await stands()).toBe('Three One Two Four Five')
})

test('a collection counts what is there when a folder goes and comes back', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { portal } = client
  const { folderId } = await portal.makesFolder('Raw')
  const assets = [await hasAsset(portal, 'Terrace', { folderId }), await hasAsset(portal, 'Pier')]
  const { body } = await portal.post('/portal/collections', {
    name: 'Best of',
    assetIds: assets.map(({ assetId }) => assetId),
  })
  const library = libraryOn(await visit(portal, `/app/portal/assets?collection=${body.collectionId}`))
  const { page } = library
  const counts = async (count: number) => {
    await expect.poll(() => page.locator('.collection-count').innerText(), shows).toBe(`${count}`)
    await expect.poll(() => library.cells.count(), shows).toBe(count)
  }
  await counts(2)
  await portal.deletesFolder(folderId)
  await counts(1)
  await portal.post('/portal/assets/folders/restore', { folderId })
  await counts(2)
})

test('one that is gone leads back to the library', async () => {
  const client = await world.newClient()
  const { portal } = client
  await hasAsset(portal, 'Pier')
  const { body } = await portal.post('/portal/collections', { name: 'Best of' })
  await portal.delete(`/portal/collections/${body.collectionId}`)
  const library = libraryOn(await visit(portal, `/app/portal/assets?collection=${body.collectionId}`))
  const { page } = library
  await page.getByRole('heading', { name: 'This collection is gone' }).waitFor()
  await page.getByRole('button', { name: 'Go to the library' }).click()
  await library.asset('Pier').waitFor()
  expect(page.url()).not.toContain('collection=')
})

test('on a phone, in German, a collection is chosen from the drawer and put in order from the menu', async () => {
  const client = await world.newClient()
  const { portal } = client
  const assets = [await hasAsset(portal, 'Steg'), await hasAsset(portal, 'Brot')]
  await portal.post('/portal/collections', { name: 'Sommer', assetIds: assets.map(({ assetId }) => assetId) })
  const library = libraryOn(
    await visit(portal, '/app/portal/assets', {
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    }),
  )
  const { page } = library
  await page.getByRole('button', { name: 'Ordner zeigen' }).click()
  const list = page.getByRole('region', { name: 'Sammlungen' })
  await shot(page, 'collection-drawer')
  await list.getByRole('button', { name: /^Sommer/ }).click()
  await library.asset('Brot').waitFor()
  await expect.poll(() => titlesOn(page), shows).toEqual(['Steg', 'Brot'])
  await shot(page, 'collection-phone')
  expect(await violationsInBoth(page)).toEqual([])
  await library.asset('Steg').locator('.tile-more').click()
  await library.menuItem('Weiter nach hinten').click()
  await expect.poll(() => titlesOn(page), shows).toEqual(['Brot', 'Steg'])
  await library.asset('Brot').locator('.tile-more').click()
  await library.menuItem('In Sammlung legen…').click()
  await page.getByRole('dialog').getByRole('combobox').fill('Winter')
  await page.getByRole('dialog').getByRole('button', { name: 'Hineinlegen' }).click()
  await library.said('1 Datei in „Winter“ gelegt').waitFor()
})
