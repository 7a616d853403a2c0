import type { Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { json, peer } from '../delivery-peers.ts'
import { png } from '../pictures.ts'
import type { ClientWorld } from '../world.ts'
import { app, hasAsset, isDrawn, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'
import { plants } from './plants.ts'
import { slowPictures } from './slow-pictures.ts'

const { world, visit, site } = await app()
const shows = { timeout: longWait }

async function opens({ who, home } = surfaces[0]!) {
  const client = await world.newClient()
  const me = who(client)
  return {
    client,
    me,
    look: async (query = '', options = {}) => libraryOn(await visit(me, home(client) + query, options)),
  }
}

type Library = ReturnType<typeof libraryOn>
const bar = ({ page }: Library) => page.getByRole('toolbar', { name: 'Selected items' })
const titles = async ({ page }: Library) =>
  (await page.locator('.tile-title').allInnerTexts()).map((title) => title.trim())

describe('a mixed selection', () => {
  test('gets an end of its rights and an origin in one go, and each has its own back', async () => {
    const { me, look } = await opens()
    const one = await hasAsset(me, 'One', { rightsExpireAt: '2031-01-01T00:00:00.000Z' })
    const two = await hasAsset(me, 'Two', { provenance: 'camera' })
    const rightsOf = async () =>
      Promise.all(
        [one, two].map(async ({ assetId }) => {
          const { rightsExpireAt, provenance } = (await me.reads(assetId)).body
          return [rightsExpireAt?.slice(0, 4) ?? null, provenance]
        }),
      )
    const library = await look()
    const { page } = library
    await library.asset('One').click()
    await page.keyboard.press('Control+a')
    await library.choosesIn(library.asset('One'), 'Rights and origin…')
    const dialog = page.getByRole('dialog', { name: 'Rights and origin of these 2 assets' })
    await dialog.getByText(/^Now: 1 without an end · 1 ends on/).waitFor()
    await dialog.getByText('Now: 1 × Own photo or video · 1 × Not known').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    const set = dialog.getByRole('button', { name: 'Set', exact: true })
    await set.click()
    await dialog.getByRole('alert').filter({ hasText: 'Choose what is to be changed.' }).waitFor()
    await dialog.getByLabel('May be used until').selectOption({ label: 'Ends after a day…' })
    await set.click()
    await dialog.getByRole('alert').filter({ hasText: 'Choose the last day' }).waitFor()
    await dialog.getByLabel('Last day').fill('2033-05-04')
    await dialog.getByLabel('Origin').selectOption({ label: 'Stock picture' })
    await set.click()
    await library.said('Rights or origin of 2 assets set').waitFor()
    expect(await rightsOf()).toEqual([
      ['2033', 'stock'],
      ['2033', 'stock'],
    ])
    // Elsewhere that brings back what was taken back: here it takes nothing.
    await page.keyboard.press('Control+Shift+z')
    await page.keyboard.press('Control+z')
    await library.said('Undone: Rights or origin of 2 assets set').waitFor()
    expect(await rightsOf()).toEqual([
      ['2031', 'unknown'],
      [null, 'camera'],
    ])
  })

  test('shows mixed surfaces, changes only what is touched, and Ctrl+Z brings each back', async () => {
    const { me, look } = await opens()
    const one = await hasAsset(me, 'One', { allowedSurfaces: ['gbp'] })
    const two = await hasAsset(me, 'Two', { allowedSurfaces: ['gbp', 'website'] })
    const surfacesOf = async () =>
      Promise.all([one, two].map(async ({ assetId }) => (await me.reads(assetId)).body.allowedSurfaces))
    const library = await look()
    const { page } = library
    await library.asset('One').click()
    await page.keyboard.press('Control+a')
    await bar(library).getByRole('button', { name: 'Surfaces' }).click()
    const dialog = page.getByRole('dialog')
    const box = (name: string) => dialog.getByRole('checkbox', { name })
    const isMixed = (name: string) =>
      box(name).evaluate((input: HTMLInputElement) => (input.indeterminate ? 'mixed' : input.checked))
    await expect.poll(() => isMixed('Google profile'), shows).toBe(true)
    expect(await isMixed('Website')).toBe('mixed')
    expect(await isMixed('Social')).toBe(false)
    expect(await isMixed('Everywhere')).toBe(false)
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Set surfaces' }).isDisabled(), shows)
      .toBe(true)

    await box('Social').check()
    await dialog.getByText('1 asset: only on Social, Google profile').waitFor()
    await dialog.getByText('1 asset: only on Website, Social, Google profile').waitFor()
    await dialog.getByRole('button', { name: 'Set surfaces' }).click()
    await library.said('Surfaces of 2 assets set').waitFor()
    expect(await surfacesOf()).toEqual([
      ['gbp', 'social'],
      ['gbp', 'social', 'website'],
    ])
    await page.keyboard.press('Control+z')
    await library.said('Undone: Surfaces of 2 assets set').waitFor()
    expect(await surfacesOf()).toEqual([['gbp'], ['gbp', 'website']])

    // Nothing ticked is everywhere, and says so.
    await bar(library).getByRole('button', { name: 'Surfaces' }).click()
    await expect.poll(() => isMixed('Google profile'), shows).toBe(true)
    await box('Everywhere').check()
    await dialog.getByText('2 assets: everywhere').waitFor()
    expect(await isMixed('Google profile')).toBe(false)
    await dialog.getByRole('button', { name: 'Set surfaces' }).click()
    await expect.poll(surfacesOf, shows).toEqual([[], []])

    // Taken away, it leaves each of them ticked: here for two, and in the details of one.
    await bar(library).getByRole('button', { name: 'Surfaces' }).click()
    await expect.poll(() => isMixed('Everywhere'), shows).toBe(true)
    await box('Everywhere').click()
    await dialog.getByText('2 assets: only on Website, Social, Google profile').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const details = await library.showsDetailsOf('One')
    await details.getByRole('checkbox', { name: 'Everywhere' }).click()
    await expect.poll(surfacesOf, shows).toEqual([['gbp', 'social', 'website'], []])
    await expect.poll(() => details.getByRole('checkbox', { checked: true }).count(), shows).toBe(3)
  })

  test('is given back by undo but for what somebody else has done since', async () => {
    const { client, me, look } = await opens()
    const { portal } = client
    const { folderId: videos } = await me.makesFolder('Videos')
    const { folderId: odd } = await me.makesFolder('Odd')
    const [one, two] = [await hasAsset(me, 'One'), await hasAsset(me, 'Two')]
    const asset = async ({ assetId }: { assetId: string }) => (await me.reads(assetId)).body
    const library = await look()
    const { page } = library
    const undoes = async (said: string) => {
      await library.grid.focus()
      await page.keyboard.press('Control+z')
      await library.said(said).waitFor()
    }
    const both = async () => {
      await library.asset('One').click()
      await library.asset('Two').click({ modifiers: ['ControlOrMeta'] })
    }
    // Each shows what the other has done before it is undone: what counts is what one did oneself.
    const isShown = (text: string) => library.asset('One').getByText(text).waitFor()

    await both()
    await bar(library).getByRole('button', { name: 'Surfaces' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Website' }).check()
    await dialog.getByRole('button', { name: 'Set surfaces' }).click()
    await library.said('Surfaces of 2 assets set').waitFor()
    await portal.edits(one.assetId, { allowedSurfaces: ['social'] })
    await isShown('Social')
    await undoes('Undone, but for what somebody has changed since: Surfaces of 2 assets set')
    await library.said('1 of 2 could not be changed (“One”)').waitFor()
    expect([(await asset(one)).allowedSurfaces, (await asset(two)).allowedSurfaces]).toEqual([['social'], []])

    await library.asset('One').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await page.keyboard.press('Enter')
    await library.said('Renamed to “Mine”').waitFor()
    await portal.edits(one.assetId, { title: 'Theirs' })
    await library.asset('Theirs').waitFor()
    await undoes('Not undone: Renamed to “Mine”. Somebody else has changed it meanwhile.')
    expect((await asset(one)).title).toBe('Theirs')

    await library.folder('Odd').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Even')
    await page.keyboard.press('Enter')
    await library.said('Renamed to “Even”').waitFor()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Evener')
    await page.keyboard.press('Enter')
    await library.said('Renamed to “Evener”').waitFor()
    await undoes('Undone: Renamed to “Evener”')
    await undoes('Undone: Renamed to “Even”')
    await library.folder('Odd').waitFor()

    await me.post(`${me.door.assets}/batch`, { assetIds: [one.assetId], action: 'move', folderId: videos })
    await library.folder('Videos').getByTitle('1 asset').waitFor()
    await portal.changesFolder(videos, { parentId: odd })
    // What a folder takes with it counts where it comes to.
    await library.folder('Odd').getByTitle('1 asset').waitFor()
  })

  test('shows whose tags are whose, and undo goes back one step at a time and no further', {
    tags: 'drill',
  }, async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    const one = await hasAsset(me, 'One', { tags: ['boats', 'old'] })
    const two = await hasAsset(me, 'Two', { tags: ['boats'] })
    const tagsOf = async () =>
      Promise.all([one, two].map(async ({ assetId }) => (await me.reads(assetId)).body.tags.toSorted()))
    const library = await look()
    const { page } = library
    await library.asset('Two').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Second')
    await page.keyboard.press('Enter')
    await library.said('Renamed to “Second”').waitFor()

    await library.asset('One').click()
    await library.asset('Second').click({ modifiers: ['ControlOrMeta'] })
    await bar(library).getByRole('button', { name: 'Tag' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('on 1 of them').waitFor()
    await dialog.getByRole('checkbox', { name: 'boats' }).uncheck()
    await dialog.getByRole('combobox', { name: 'Tags to add' }).fill('new')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Change tags' }).click()
    await library.said('2 assets tagged').waitFor()
    expect(await tagsOf()).toEqual([['new', 'old'], ['new']])

    const details = await library.showsDetailsOf('One')
    const social = details.getByRole('checkbox', { name: 'Social' })
    await social.click()
    await expect.poll(() => social.isChecked(), shows).toBe(true)
    await expect
      .poll(async () => (await me.reads(one.assetId)).body.allowedSurfaces, shows)
      .toEqual(['social'])
    await details.getByRole('button', { name: 'Remove tag old' }).click()
    await expect.poll(tagsOf, shows).toEqual([['new'], ['new']])

    await library.grid.focus()
    await page.keyboard.press('Control+z')
    await library.said('Undone: Tag “old” taken from “One”').waitFor()
    expect(await tagsOf()).toEqual([['new', 'old'], ['new']])
    await page.keyboard.press('Control+z')
    await library.said('Undone: Surfaces of “One” changed').waitFor()
    expect((await me.reads(one.assetId)).body.allowedSurfaces).toEqual([])
    await page.keyboard.press('Control+z')
    await library.said('Undone: 2 assets tagged').waitFor()
    expect(await tagsOf()).toEqual([['boats', 'old'], ['boats']])
    expect((await me.reads(two.assetId)).body).toMatchObject({ title: 'Second', folderId: null })
    await page.keyboard.press('Control+z')
    await library.said('Undone: Renamed to “Second”').waitFor()
    await library.asset('Two').waitFor()
    await page.keyboard.press('Control+z')
    await library.said('Nothing to undo').waitFor()
    expect(folderId).toBeTruthy()
  })

  test('what arrives before the answer does not undo on the screen what was just changed', async () => {
    const { me, look } = await opens()
    const one = await hasAsset(me, 'One', { tags: ['boats'] })
    const library = await look()
    const { page } = library
    const answer = Promise.withResolvers<void>()
    const held = async (route: Route) => {
      if (route.request().method() !== 'GET') await answer.promise
      await route.continue()
    }
    await page.route(`**/assets/${one.assetId}`, held)
    await page.route('**/assets/batch', held)

    const details = await library.showsDetailsOf('One')
    const social = details.getByRole('checkbox', { name: 'Social' })
    const boats = details.getByRole('button', { name: 'Remove tag boats' })
    await social.check()
    await boats.click()
    await me.edits(one.assetId, { title: 'Uno' })
    await library.asset('Uno').waitFor()
    expect(await social.isChecked()).toBe(true)
    expect(await boats.isVisible()).toBe(false)
    answer.resolve()
    await expect
      .poll(async () => (await me.reads(one.assetId)).body, shows)
      .toMatchObject({ title: 'Uno', allowedSurfaces: ['social'], tags: [] })
    await expect.poll(() => social.isChecked(), shows).toBe(true)
  })

  test('is delivered together, and its refs are copied', async () => {
    const { client, me, look } = await opens()
    const refs = [(await hasAsset(me, 'One')).assetRef, (await hasAsset(me, 'Two')).assetRef]
    const system = await peer((_, response) => json(response, { id: 'item-7', url: 'https://example.com/7' }))
    await connects(client, system.url)
    const library = await look()
    const { page } = library
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await library.asset('Two').click()
    await page.keyboard.press('Control+a')
    await bar(library).getByRole('button', { name: 'Copy refs' }).click()
    await library.said('2 assetRefs copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n').toSorted()).toEqual(refs.toSorted())

    await bar(library).getByRole('button', { name: 'Deliver' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deliver 2 assets' })
    await dialog.getByLabel('Used for').selectOption('Social')
    await dialog.getByRole('button', { name: 'Deliver', exact: true }).click()
    await library.said('2 deliveries to Menu screen started').waitFor()
    const { body } = await me.get(`/admin/clients/${client.clientId}/deliveries`)
    expect(body.deliveries.map(({ assetId }: { assetId: string }) => assetId).toSorted()).toEqual(
      refs.toSorted(),
    )
  })
})

test('what was done to many at once is one line of the activity, which opens', async () => {
  const { client, me, look } = await opens()
  const gone: string[] = []
  for (const title of ['Bread', 'Apples', 'Coffee', 'Dates']) gone.push((await hasAsset(me, title)).assetId)
  // A zip is nothing that can be opened.
  const zip = await me.post(`${me.door.assets}/download`, { assetIds: gone })
  await (await me.fetch(new URL(zip.body.url).pathname)).arrayBuffer()
  await me.post(`${me.door.assets}/batch`, { assetIds: gone, action: 'trash' })
  const { page } = await look()
  await page.goto(surfaces[0]!.home(client).replace(/assets$/, 'activity'))
  const line = page.getByRole('listitem').filter({ hasText: 'Asset moved to the trash' }).first()
  await line.getByText('4 times').waitFor()
  const links = line.getByRole('link')
  expect(await links.count()).toBe(0)
  await line.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => links.allInnerTexts(), shows).toEqual(expect.arrayContaining(['Bread', 'Dates']))
  expect(await links.count()).toBe(4)
  await line.getByRole('button', { name: 'Show as one' }).click()
  await expect.poll(() => links.count(), shows).toBe(0)
  const fetched = page.getByRole('listitem').filter({ hasText: 'Original downloaded' })
  await fetched.getByText('.zip').waitFor()
  expect(await fetched.getByRole('link').count()).toBe(0)
})

describe('the list', () => {
  test('sorts by its columns, both ways', async () => {
    const { me, look } = await opens()
    for (const title of ['Bread', 'apples', 'Coffee']) await hasAsset(me, title)
    const library = await look('?view=list')
    const { page } = library
    const head = (name: string) => page.getByRole('columnheader', { name })
    await expect.poll(() => titles(library), shows).toEqual(['Coffee', 'apples', 'Bread'])
    expect(await head('Added').getAttribute('aria-sort')).toBe('descending')
    await head('Name').getByRole('button').click()
    await expect.poll(() => titles(library), shows).toEqual(['apples', 'Bread', 'Coffee'])
    await head('Name').getByRole('button').click()
    await expect.poll(() => titles(library), shows).toEqual(['Coffee', 'Bread', 'apples'])
    expect(await head('Name').getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => page.url(), shows).toContain('sort=title-desc')
    await head('Added').getByRole('button').click()
    await head('Added').getByRole('button').click()
    await expect.poll(() => titles(library), shows).toEqual(['Bread', 'apples', 'Coffee'])
  })

  test('of the trash has what was deleted last on top', async () => {
    const { me, look } = await opens()
    const gone: string[] = []
    for (const title of ['Bread', 'Apples', 'Coffee']) gone.push((await hasAsset(me, title)).assetId)
    for (const at of [2, 0, 1]) await me.trashes(gone[at]!)
    const library = await look('?view=list&folder=trash')
    const { page } = library
    const head = (name: string) => page.getByRole('columnheader', { name })
    await expect.poll(() => titles(library), shows).toEqual(['Apples', 'Bread', 'Coffee'])
    expect(await head('Deleted').getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'Sort: Deleted most recently' }).click()
    await page.getByRole('menuitemradio', { name: 'Deleted longest ago' }).click()
    await expect.poll(() => titles(library), shows).toEqual(['Coffee', 'Bread', 'Apples'])
    await head('Deleted').getByRole('button').click()
    await expect.poll(() => titles(library), shows).toEqual(['Apples', 'Bread', 'Coffee'])
    // Elsewhere nothing was deleted.
    await page.goto(page.url().replace('folder=trash', 'folder=').replace('sort=trashed', 'sort=trashed-asc'))
    await page.getByRole('button', { name: 'Sort: Newest first' }).click()
    await page.getByRole('menuitemradio', { name: 'Name, A to Z' }).waitFor()
    expect(await page.getByRole('menuitemradio', { name: /^Deleted/ }).count()).toBe(0)
  })

  test('of the trash says what was merged, and into what', async () => {
    const { me, look } = await opens()
    const ids: Record<string, string> = {}
    for (const title of ['Kept', 'Twin', 'Gone'])
      ids[title] = (await me.uploads(png(64, 48, [9, 9, 9]), { words: { title } })).assetId
    await me.trashes(ids.Gone!)
    const merge = { keep: ids.Kept, others: [ids.Twin] }
    const library = await look('?folder=trash')
    const { page } = library
    const note = (title: string) => library.asset(title).locator('.trash-note')
    await note('Gone').waitFor()
    // It comes while somebody looks.
    expect((await me.post(me.door.assets.replace(/assets$/, 'duplicates/keep'), merge)).status).toBe(200)
    await expect.poll(() => note('Twin').innerText(), shows).toMatch(/^merged into “Kept” · 30 days left$/)
    expect(await note('Gone').innerText()).toMatch(/ · deleted at \d+:\d+$/)
    expect(await note('Gone').getAttribute('title')).toMatch(/ · deleted .*\d{4}.*\d+:\d+$/)
    const details = await library.showsDetailsOf('Twin')
    await details.getByText('It was merged as a duplicate').waitFor()
    await details.getByRole('button', { name: 'Kept', exact: true }).click()
    await expect.poll(() => page.url(), shows).toContain(`asset=${ids.Kept}`)
    await library.asset('Kept').waitFor()
    await page.goBack()
    await library.showsDetailsOf('Twin')
    await details.getByRole('button', { name: 'Restore' }).click()
    await library.said('Restored. References to “Twin” lead to it again, no longer to “Kept”').waitFor()

    // Among others, it is said of which.
    expect((await me.post(me.door.assets.replace(/assets$/, 'duplicates/keep'), merge)).status).toBe(200)
    await note('Twin').waitFor()
    await library.asset('Twin').click()
    await library.asset('Gone').click({ modifiers: ['ControlOrMeta'] })
    await page
      .getByRole('toolbar', { name: 'Selected items' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await library
      .said('2 items restored. References to “Twin” lead to it again, no longer to “Kept”')
      .waitFor()
  })

  test('leaves room for names on a tablet', async () => {
    const { me, look } = await opens()
    await hasAsset(me, 'Oysters on ice', { tags: ['Fish', 'Starters'] })
    const { page } = await look('?view=list&q=oysters')
    await page.setViewportSize({ width: 800, height: 800 })
    const title = page.locator('.tile-title [data-act=title]')
    await title.waitFor()
    const isWhole = () => title.evaluate((text) => text.scrollWidth <= text.parentElement!.clientWidth)
    await expect.poll(isWhole, shows).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800)
  })

  test('shows no column as sorted while the best match comes first', async () => {
    const { me, look } = await opens()
    await hasAsset(me, 'Bread')
    await hasAsset(me, 'Rolls', { description: 'Beside the bread' })
    const library = await look('?view=list&q=bread')
    const { page } = library
    await expect.poll(() => titles(library), shows).toEqual(['Bread', 'Rolls'])
    const sorted = page.locator('[role=columnheader][aria-sort]')
    const arrows = page.locator('[role=columnheader] svg')
    for (const shown of [sorted, arrows]) expect(await shown.count()).toBe(0)

    const added = page.getByRole('columnheader', { name: 'Added' })
    await added.getByRole('button').click()
    await expect.poll(() => titles(library), shows).toEqual(['Rolls', 'Bread'])
    expect(await added.getAttribute('aria-sort')).toBe('descending')
    for (const shown of [sorted, arrows]) expect(await shown.count()).toBe(1)
  })
})

describe('the tree', () => {
  test('is not sent again to a page that is loaded anew, unless it has changed', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Menus')
    const library = await look()
    await library.inTree('Menus').waitFor()
    const notSent = async () =>
      (await world.parts.metrics.requests.get()).values.filter(
        ({ labels }) => /\/assets\/folders$/.test(String(labels.route)) && labels.status === 304,
      )[0]?.value ?? 0
    const before = await notSent()
    await library.page.reload()
    await library.inTree('Menus').waitFor()
    await expect.poll(notSent, shows).toBeGreaterThan(before)
    await me.changesFolder(folderId, { name: 'Cards' })
    await library.page.reload()
    await library.inTree('Cards').waitFor()
  })
})

describe('the grid', () => {
  test('has tiles as large as one likes, and remembers it', async () => {
    const { me, look } = await opens()
    for (const title of ['One', 'Two']) await hasAsset(me, title)
    const library = await look()
    const { page } = library
    const width = async () => (await library.asset('One').boundingBox())!.width
    const slider = page.getByRole('slider', { name: 'Size of the tiles' })
    const before = await width()
    await slider.fill('400')
    await expect.poll(width, shows).toBeGreaterThan(before + 80)
    const after = await width()
    await page.reload()
    await expect.poll(width, shows).toBe(after)
    await slider.fill('140')
    await expect.poll(width, shows).toBeLessThan(before)
    await slider.press('ArrowRight')
    expect(await slider.inputValue()).toBe('144')
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Selected items' }).getByText('2 selected').waitFor()
  })

  test('has a menu on its empty ground', async () => {
    const { me, look } = await opens()
    for (const title of ['One', 'Two']) await hasAsset(me, title)
    const library = await look()
    const { page } = library
    await library.asset('One').waitFor()
    const ground = (await library.grid.boundingBox())!
    const opensMenu = () =>
      page.mouse.click(ground.x + ground.width / 2, ground.y + ground.height - 40, { button: 'right' })
    await opensMenu()
    await library.menuItem('Select all').click()
    await bar(library).getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await opensMenu()
    await library.menuItem('Upload').waitFor()
    await library.menuItem('New folder').click()
    await page.getByRole('textbox', { name: 'Folder name' }).fill('Winter')
    await page.keyboard.press('Enter')
    await library.folder('Winter').waitFor()

    // A second Enter, while the server does not know it yet, leads nowhere.
    const late = Promise.withResolvers<void>()
    await page.route(
      (url) => url.pathname.endsWith('/folders'),
      async (route) => {
        await late.promise
        await route.continue()
      },
    )
    await opensMenu()
    await library.menuItem('New folder').click()
    await page.getByRole('textbox', { name: 'Folder name' }).fill('Autumn')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    late.resolve()
    await library.folder('Autumn').waitFor()
    expect(page.url()).not.toMatch(/folder=/)
  })

  test('says how many assets are in a folder, and where what was found is', { tags: 'drill' }, async () => {
    const { me, look } = await opens()
    const campaigns = await me.makesFolder('Campaigns')
    const winter = await me.makesFolder('Winter', campaigns.folderId)
    await hasAsset(me, 'Snow', { folderId: winter.folderId })
    const library = await look()
    const { page } = library
    const says = (count: string) =>
      page.getByRole('gridcell', { name: `Folder: Campaigns, ${count}` }).waitFor()
    await says('1 asset')
    await hasAsset(me, 'Ice', { folderId: campaigns.folderId })
    await says('2 assets')
    // While one looks at another page, too.
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('list', { name: 'Activity' }).waitFor()
    await hasAsset(me, 'Frost', { folderId: winter.folderId })
    await page.getByRole('list', { name: 'Activity' }).getByText('Frost').first().waitFor()
    await page.getByRole('link', { name: 'Assets', exact: true }).click()
    await says('3 assets')

    await library.search.fill('snow')
    await expect
      .poll(() => library.asset('Snow').innerText(), shows)
      .toContain('Library / Campaigns / Winter')
    await library.search.fill('winter')
    await page.getByRole('gridcell', { name: 'Folder: Winter, Library / Campaigns' }).waitFor()
  })
})

async function connects({ clientId }: ClientWorld, url: string) {
  const { status } = await world.admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Menu screen',
    settings: { url },
    secrets: { signingSecret: `whsec_${Buffer.from('a key of at least 24 bytes').toString('base64')}` },
  })
  expect(status).toBe(201)
}

test('while pictures are being made, whatever else is asked for gets through', {
  tags: 'drill',
}, async () => {
  const { client, me, look } = await opens()
  const { folderId } = await me.makesFolder('Winter')
  await plants(world, client.clientId, 40, { media_state: 'pending' })
  await plants(world, client.clientId, 20, { media_state: 'pending', folder_id: folderId })
  const front = await slowPictures(site)
  onTestFinished(front.close)
  const library = await look('', { site: front.url })
  await library.asset('Picture 40.').waitFor()
  await expect.poll(front.held, shows).toBe(4)
  await library.inTree('Winter').click()
  await library.asset('Picture 20.').waitFor()
  await (await library.showsDetailsOf('Picture 20.')).getByText('planted.png').waitFor()
  // What went out of sight is not waited for: others have taken its places.
  await expect.poll(front.held, shows).toBe(4)
})

test('a picture that a busy server or no connection kept back comes by itself once it can', {
  tags: 'drill',
}, async () => {
  const { me, look } = await opens()
  for (const name of ['Busy', 'Cut off']) {
    const { folderId } = await me.makesFolder(name)
    const { assetId } = await hasAsset(me, `${name} boat`, { folderId })
    await expect.poll(async () => (await me.reads(assetId)).body.media.state, shows).toBe('ready')
  }
  const library = await look()
  const { page } = library
  let asked = 0
  let answer: (route: Route) => Promise<void> = (route) => route.fulfill({ status: 503 })
  await page.route(/\/preview\?/, (route) => {
    asked++
    return answer(route)
  })
  const icon = page.locator('.picture-icon')
  await library.inTree('Busy').click()
  await library.asset('Busy boat').locator(icon).waitFor()
  answer = (route) => route.continue()
  await isDrawn(library.asset('Busy boat').locator('img'))
  await icon.waitFor({ state: 'detached' })

  answer = (route) => route.abort()
  await library.inTree('Cut off').click()
  await library.asset('Cut off boat').locator(icon).waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  // With a second try in vain, the next by itself would be a quarter of a minute later.
  const before = asked
  await expect.poll(() => asked, shows).toBeGreaterThan(before)
  answer = (route) => route.continue()
  const isBack = Date.now()
  await page.context().setOffline(false)
  await isDrawn(library.asset('Cut off boat').locator('img'))
  expect(Date.now() - isBack).toBeLessThan(12_000)
  expect(asked).toBeLessThan(10)
})

test('what somebody did is done although they left the page before it was sent', async () => {
  const { me, look } = await opens()
  const { assetId } = await hasAsset(me, 'Terrace')
  const library = await look()
  const { page } = library
  await library.asset('Terrace').click()
  // As many answers as a browser waits for at once, none of which ends: whatever is asked now waits for them.
  await page.evaluate((events) => {
    for (let n = 0; n < 6; n++) void fetch(`${events}?lastEventId=${n}`).catch(() => {})
  }, me.door.events)
  await page.keyboard.press('Delete')
  await library.asset('Terrace').waitFor({ state: 'detached' })
  await page.goto('about:blank')
  await expect.poll(async () => (await me.reads(assetId)).body.trashedAt, shows).not.toBeNull()
})
