import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const [operator] = surfaces
const shows = { timeout: longWait }

const boxOf = async (it: Locator) => (await it.boundingBox())!

async function liesIn(inner: Locator, outer: Locator) {
  const [small, large] = [await boxOf(inner), await boxOf(outer)]
  expect(small.x).toBeGreaterThanOrEqual(large.x)
  expect(small.x + small.width).toBeLessThanOrEqual(large.x + large.width)
}

async function standsAbove(upper: Locator, lower: Locator) {
  const above = await boxOf(upper)
  expect(above.y + above.height).toBeLessThanOrEqual((await boxOf(lower)).y)
}

/** Whether a click in the middle of it would reach it. */
const isOnTop = (it: Locator) =>
  it.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

const toasts = (page: Page) => page.locator('.toast')

test('the selection bar keeps to its column in every width, and toasts keep off it', async () => {
  const client = await world.newClient()
  for (const title of ['One', 'Two']) await hasAsset(client.operator, title)
  for (const [locale, width, height] of [
    ['en-GB', 1280, 800],
    ['de-DE', 1280, 800],
    ['en-GB', 1440, 900],
    ['de-DE', 1900, 900],
    ['de-DE', 1024, 800],
    ['de-DE', 320, 640],
    ['en-GB', 320, 200],
  ] as const) {
    const page = await visit(client.operator, operator!.home(client), { locale, viewport: { width, height } })
    await page.getByRole('gridcell').first().waitFor()
    if (width === 1280) await page.keyboard.press('i')
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: /Selected items|Ausgewählte/ })
    await bar.waitFor()
    await liesIn(bar, page.getByRole('main'))
    const acts = await bar.getByRole('button').all()
    expect(acts.length).toBeGreaterThan(5)
    for (const act of acts) {
      if (!(await act.isVisible())) continue
      await liesIn(act, bar)
      expect(await isOnTop(act)).toBe(true)
    }
    if (height < 480) continue
    await bar.getByRole('button', { name: /^(Move to trash|In den Papierkorb)$/ }).click()
    await page.getByRole('button', { name: /^(Undo|Rückgängig)$/ }).click()
    await page.getByRole('gridcell').nth(1).waitFor()
    await page.keyboard.press('Control+a')
    await bar.waitFor()
    await toasts(page).first().waitFor()
    for (const toast of await toasts(page).all()) await standsAbove(toast, bar)
    await page.context().close()
  }
})

test('a toast hides neither the items of a menu nor the title in the quick look', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'One')
  const phone = { viewport: { width: 390, height: 700 }, hasTouch: true }
  const page = await visit(client.operator, operator!.home(client), phone)
  const library = libraryOn(page)
  await library.asset('One').waitFor()
  await page.keyboard.press('Control+z')
  await library.said('Nothing to undo').waitFor()
  await page.getByRole('button', { name: 'Actions for One' }).click()
  await library.menuItem('Move to trash').waitFor()
  for (const item of await page.getByRole('menuitem').all()) {
    await item.scrollIntoViewIfNeeded()
    expect(await isOnTop(item)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Actions for One' }).click()
  await library.menuItem('Quick look').click()
  const title = page.locator('.quick-look-title')
  await title.waitFor()
  await toasts(page).first().waitFor()
  await expect.poll(() => isOnTop(title), shows).toBe(true)
})

test('what is undone no longer offers it, and a deleted thing is named', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Harbour')
  await hasAsset(client.operator, 'Garden')
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  await library.asset('Harbour').click()
  await library.page.keyboard.press('Delete')
  await toasts(library.page).getByText('“Harbour” moved to trash').waitFor()
  await library.page.keyboard.press('Control+z')
  await toasts(library.page).getByText('Undone: “Harbour” moved to trash').waitFor()
  await expect.poll(() => library.page.getByRole('button', { name: 'Undo' }).count(), shows).toBe(0)
})

test('what was typed for something that somebody else deletes meanwhile is not lost', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Garden')
  const { folderId } = await client.operator.makesFolder('Summer')
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  const { page } = library
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async (typed: string) => {
    const toast = toasts(page).filter({ hasText: 'was deleted meanwhile' })
    await toast.getByRole('button', { name: 'Copy what you typed' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), shows).toBe(typed)
    await toast.waitFor({ state: 'detached' })
  }
  const details = await library.showsDetailsOf('Garden')
  await details.getByRole('button', { name: /^Edit Description/ }).click()
  await details.getByRole('textbox', { name: 'Description' }).fill('Roses behind the kitchen')
  await client.operator.trashes(assetId)
  await copied('Roses behind the kitchen')

  await library.folder('Summer').click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Summer by the sea')
  await client.operator.deletesFolder(folderId)
  await copied('Summer by the sea')
})

test('offline is what no request comes through, not what the browser guesses', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Summer')
  const page = await visit(client.operator, operator!.home(client))
  const library = libraryOn(page)
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
  const readAhead = page.waitForResponse(/rest\.en-/)
  await page.reload()
  await library.folder('Summer').waitFor()
  await (await readAhead).finished()
  const banner = page.getByText('You are offline.')
  expect(await banner.count()).toBe(0)
  const asked = page.waitForResponse(/livez/)
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await asked
  expect(await banner.count()).toBe(0)

  await page.context().setOffline(true)
  await banner.waitFor()
  await page.getByText('Uploads wait; other changes are not possible until the connection is back.').waitFor()
  await library.folder('Summer').click()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'Folder name' })
  await field.fill('Winter')
  await field.press('Enter')
  await library.said('“Summer” was not saved').waitFor()
  await expect.poll(() => field.inputValue(), shows).toBe('Winter')
  await page.context().setOffline(false)
  await banner.waitFor({ state: 'detached' })
  await field.press('Enter')
  await library.folder('Winter').waitFor()
  await expect.poll(() => toasts(page).filter({ hasText: 'was not saved' }).count(), shows).toBe(0)
})

test('what was meant for many and did not get through is named, and tried again as it was typed', async () => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Summer')
  const first = await hasAsset(client.operator, 'Harbour')
  await hasAsset(client.operator, 'Garden')
  const page = await visit(client.operator, operator!.home(client))
  const library = libraryOn(page)
  const dialog = page.getByRole('dialog')
  const now = async () => (await client.operator.reads(first.assetId)).body
  const chooses = async (action: string) => {
    await library.asset('Harbour').click()
    await library.asset('Garden').click({ modifiers: ['ControlOrMeta'] })
    await library.choosesIn(library.asset('Garden'), action)
    await dialog.waitFor()
  }
  const triesAgain = async (what: string, button: string) => {
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await page.context().setOffline(false)
    const toast = toasts(page).filter({ hasText: `${what} did not work. The server cannot be reached.` })
    await toast.getByRole('button', { name: 'Try again' }).click()
    await toast.waitFor({ state: 'detached' })
  }

  await chooses('Tag…')
  await dialog.getByRole('combobox', { name: 'Tags to add' }).fill('evening')
  await triesAgain('Tagging', 'Add tags')
  await library.said('2 assets tagged').waitFor()
  expect((await now()).tags).toEqual(['evening'])

  await chooses('Surfaces…')
  await dialog.getByRole('checkbox', { name: 'Website' }).check()
  await triesAgain('Setting surfaces', 'Set surfaces')
  await expect.poll(async () => (await now()).allowedSurfaces, shows).toEqual(['website'])

  await chooses('Move to…')
  await dialog.getByRole('option', { name: 'Summer' }).click()
  await triesAgain('Moving', 'Move here')
  await expect.poll(async () => (await now()).folderId, shows).toBe(folderId)
})

/** At the dialog for the tags of Harbour and Garden. */
async function tagsBoth(client: Awaited<ReturnType<typeof world.newClient>>) {
  const page = await visit(client.operator, operator!.home(client))
  const library = libraryOn(page)
  await library.asset('Harbour').click()
  await library.asset('Garden').click({ modifiers: ['ControlOrMeta'] })
  await library.choosesIn(library.asset('Garden'), 'Tag…')
  return { page, library, dialog: page.getByRole('dialog', { name: 'Tag 2 assets' }) }
}

test('tags that were refused are asked for again as they were typed, with the reason', async () => {
  const client = await world.newClient()
  const first = await hasAsset(client.operator, 'Harbour', { tags: ['sea', 'old'] })
  await hasAsset(client.operator, 'Garden', { tags: ['sea'] })
  const { page, dialog } = await tagsBoth(client)
  const field = dialog.getByRole('combobox', { name: 'Tags to add' })
  const tooLong = 'very '.repeat(20).trim()
  await field.fill('evening')
  await field.press('Enter')
  await dialog.getByRole('checkbox', { name: 'sea' }).uncheck()
  await field.fill(tooLong)
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Change tags' }).click()

  await dialog.getByRole('alert').getByText('Tagging did not work.').waitFor()
  await dialog.getByText(/“very very very .*…” is longer than 60 characters\.$/).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByText('evening', { exact: true }).waitFor()
  await dialog.getByText(tooLong, { exact: true }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'sea' }).isChecked()).toBe(false)
  await field.press('Backspace')
  await dialog.getByRole('button', { name: 'Change tags' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await client.operator.reads(first.assetId)).body.tags, shows)
    .toEqual(['old', 'evening'])
})

test('a tag that is still being typed takes no click away from what lies below it', async () => {
  const client = await world.newClient()
  const first = await hasAsset(client.operator, 'Harbour', { tags: ['sea'] })
  await hasAsset(client.operator, 'Garden', { tags: ['sea'] })
  const { page, dialog } = await tagsBoth(client)
  const field = dialog.getByRole('combobox', { name: 'Tags to add' })
  const sea = dialog.getByRole('checkbox', { name: 'sea' })
  const presses = async (what: Locator) => {
    const { x, y } = await boxOf(what)
    await page.mouse.move(x + 8, y + 3)
    await page.mouse.down()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
    await page.mouse.up()
  }
  await sea.waitFor()
  const tag = 'evening by the quay with all the boats at home'
  await field.fill(tag)
  await presses(sea)
  expect(await sea.isChecked()).toBe(false)
  await field.press('Control+a')
  await field.fill(tag)
  await presses(dialog.getByRole('button', { name: 'Change tags' }))
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await client.operator.reads(first.assetId)).body.tags, shows).toEqual([tag])
})

test('tags that are refused late leave the dialog alone that was opened meanwhile', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Harbour')
  await hasAsset(client.operator, 'Garden')
  const { promise: isOpen, resolve: goOn } = Promise.withResolvers<void>()
  const { page, library, dialog } = await tagsBoth(client)
  const tooLong = 'very '.repeat(20).trim()
  await dialog.getByRole('combobox', { name: 'Tags to add' }).fill(tooLong)
  await page.route(/\/batch$/, async (route) => {
    await isOpen
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Add tags' }).click()
  await dialog.waitFor({ state: 'detached' })
  await library.choosesIn(library.asset('Garden'), 'Move to…')
  const other = page.getByRole('dialog', { name: 'Move' })
  await other.waitFor()
  goOn()
  const toast = toasts(page).filter({ hasText: 'Tagging did not work.' })
  await toast.waitFor()
  await other.getByRole('button', { name: 'Cancel' }).click()
  await other.waitFor({ state: 'detached' })
  await toast.getByRole('button', { name: 'Change tags' }).click()
  await dialog.getByRole('alert').getByText('Tagging did not work.').waitFor()
  await dialog.getByText(tooLong, { exact: true }).waitFor()
})

test('what is done several times in a row is said, and taken back, together', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Summer')
  for (const title of ['Pier', 'Boat', 'Gull', 'Rope']) await hasAsset(client.operator, title)
  const page = await visit(client.operator, operator!.home(client))
  const library = libraryOn(page)
  const deletes = async (title: string) => {
    await library.asset(title).click()
    await page.keyboard.press('Delete')
    await library.asset(title).waitFor({ state: 'detached' })
  }
  await deletes('Pier')
  await toasts(page).getByText('“Pier” moved to trash').waitFor()
  await deletes('Boat')
  await toasts(page).getByText('2 items moved to trash').waitFor()
  await deletes('Gull')
  const three = toasts(page).filter({ hasText: '3 items moved to trash' })
  await three.getByRole('button', { name: 'Undo' }).click()
  await toasts(page).getByText('Undone: 3 items moved to trash').waitFor()
  for (const title of ['Pier', 'Boat', 'Gull']) await library.asset(title).waitFor()

  // A key takes back one after the other, and what was offered for all of them is no longer so.
  await deletes('Pier')
  await deletes('Boat')
  const two = toasts(page).filter({ hasText: '2 items moved to trash' })
  await two.waitFor()
  await page.keyboard.press('Control+z')
  await library.asset('Boat').waitFor()
  await two.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  expect(await library.asset('Pier').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await library.asset('Pier').waitFor()
})

test('a page that was not read before waits for the connection', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Summer')
  const page = await visit(client.operator, operator!.home(client))
  await libraryOn(page).folder('Summer').waitFor()
  await page.context().setOffline(true)
  const banner = page.getByText('You are offline.')
  await banner.waitFor()
  await page.getByRole('link', { name: 'Share links' }).click()
  // As long as the router would take to load the app anew.
  await page.waitForTimeout(1000)
  expect(await page.evaluate(() => document.querySelector('#root') !== null)).toBe(true)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Share links', exact: true }).waitFor()
})

test('a folder that stays does not hold back what was chosen with it', async () => {
  const client = await world.newClient()
  await client.social.makesFolder('Social')
  const { folderId } = await client.operator.makesFolder('Archive')
  await client.operator.makesFolder('Old')
  await hasAsset(client.operator, 'One')
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  const { page } = library
  await library.asset('One').click()
  await library.folder('Old').click({ modifiers: ['Control'] })
  await library.folder('Social').click({ modifiers: ['Control'] })
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move 2 items to…' })
  await dialog.getByRole('combobox').fill('arch')
  await page.keyboard.press('Enter')
  await library.said('2 items moved to Archive').waitFor()
  await library.said('“Social” stays: it belongs to the Social agent.').waitFor()
  await expect.poll(async () => (await client.operator.lists({ folderId })).body.assets.length, shows).toBe(1)
  await hasAsset(client.operator, 'Two')
  await library.asset('Two').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await library.said('2 items moved to trash').waitFor()
  await expect.poll(() => library.cells.count(), shows).toBe(1)
  await library.folder('Social').waitFor()
})

test('a name that is not one is explained, and the field stays open', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Summer')
  for (const [locale, words] of [
    ['en-GB', 'A folder’s name cannot contain “/”'],
    ['de-DE', 'Ein Ordnername darf weder „/“ noch unsichtbare Zeichen enthalten'],
  ] as const) {
    const page = await visit(client.operator, operator!.home(client), { locale })
    const library = libraryOn(page)
    const folder = page.getByRole('gridcell', { name: /Summer/ })
    await folder.click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: /Folder name|Ordnername/ })
    await field.fill('a/b')
    await field.press('Enter')
    await library.said(words).waitFor()
    await expect.poll(() => field.inputValue(), shows).toBe('a/b')
    await field.press('Escape')
    await folder.waitFor()
  }
})

test('the places to move to say where they are', async () => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Campaigns')
  await client.operator.makesFolder('Winter', folderId)
  await client.operator.makesFolder('Raw', folderId)
  await hasAsset(client.operator, 'One')
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  await library.asset('One').click()
  await library.page.keyboard.press('m')
  await library.page.getByRole('combobox', { name: 'Find a folder' }).fill('wint')
  await library.page.getByRole('option', { name: /Winter.*Library › Campaigns/ }).waitFor()
  await library.page.keyboard.press('Enter')
  await library.said('Moved to Winter').waitFor()
})

test('a marquee says in the end how many it has taken', async () => {
  const client = await world.newClient()
  for (let n = 1; n <= 6; n++) await hasAsset(client.operator, `Number ${n}`)
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  const { page } = library
  const first = await boxOf(library.asset('Number 6'))
  const last = await boxOf(library.asset('Number 1'))
  await page.getByText('Library: 6 items shown').waitFor({ state: 'attached' })
  const heard = await page.evaluateHandle(() => {
    const said: string[] = []
    const region = document.querySelector('output[aria-live]')!
    new MutationObserver(() => said.push(region.textContent.trim())).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    return said
  })
  await page.mouse.move(first.x - 6, last.y + last.height + 80)
  await page.mouse.down()
  await page.mouse.move(last.x + 30, first.y + 30, { steps: 40 })
  await page.mouse.up()
  await expect.poll(() => heard.evaluate((said) => said.at(-1)), shows).toMatch(/[456] selected/)
  const count = await page.locator('[role=gridcell][aria-selected=true]').count()
  // No step on the way, nor that nothing was selected before.
  expect(await heard.jsonValue()).toEqual([`${count} selected`])
})

test('in German, keys, targets, days and what other systems report are told in German', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrasse')
  const german = { locale: 'de-DE' }
  const page = await visit(client.operator, `${operator!.home(client)}?asset=${assetId}`, german)
  const details = page.getByRole('complementary', { name: 'Details' })
  for (const target of ['WordPress-Mediathek', 'Facebook-Seite', 'Google-Unternehmensprofil (Galerie)'])
    await details.getByText(target, { exact: true }).waitFor()
  expect(await details.getByText(/WordPress media library|Facebook Page|Business Profile/).count()).toBe(0)
  await page.getByRole('gridcell').first().focus()
  await page.keyboard.press('?')
  await page.getByText('Strg + A').waitFor()
  const keys = (await page.getByRole('dialog').locator('kbd').allInnerTexts()).join(', ')
  expect(keys).toMatch(/Strg \+ A/)
  expect(keys).not.toMatch(/Ctrl|Shift/)

  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'wordpress',
    name: 'Website',
    settings: { siteUrl: 'https://10.0.0.1' },
    secrets: { username: 'me', applicationPassword: 'abcd efgh ijkl mnop qrst uvwx' },
  })
  const connections = `/app/clients/${client.clientId}/connections`
  const admin = await visit(world.admin, connections, german)
  await admin.getByRole('button', { name: 'Prüfen: Website' }).click()
  await admin.locator('.card-why').getByText('10.0.0.1 ist keine öffentliche Adresse.').waitFor()
})

test('days are written as where the person is', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const shown: Record<string, string> = {}
  for (const locale of ['en-GB', 'en-US']) {
    const page = await visit(client.operator, `${operator!.home(client)}?asset=${assetId}`, { locale })
    const details = page.getByRole('complementary', { name: 'Details' })
    shown[locale] = await details.locator('dt:text-is("Added") + dd').innerText()
  }
  expect(shown['en-GB']).toMatch(/^\d{1,2} [A-Z]/)
  expect(shown['en-US']).toMatch(/^[A-Z][a-z]+ \d/)
})

test('a name that is taken is asked about with its folder, and the tray waits for the answer', async () => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Menus')
  await hasAsset(client.operator, 'soup', { folderId })
  const library = libraryOn(await visit(client.operator, `${operator!.home(client)}?folder=${folderId}`))
  await library.asset('soup').waitFor()
  await library.uploads([{ name: 'soup.png', mimeType: 'image/png', buffer: png(8, 8, [9, 9, 9]) }])
  await library.page.getByRole('dialog', { name: '“soup.png” is in “Menus” already' }).waitFor()
  await library.page.getByRole('heading', { name: 'Waiting for your answer', includeHidden: true }).waitFor()
})
