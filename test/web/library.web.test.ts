import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, drops, fileOf, hasAsset, isDrawn, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

async function opens({ who, home } = surfaces[0]!) {
  const client = await world.newClient()
  const me = who(client)
  return {
    client,
    me,
    look: async (query = '') => libraryOn(await visit(me, home(client) + query)),
  }
}

describe('in the library', () => {
  test('a picture is uploaded straight to the store and seen', async () => {
    const { me, look } = await opens()
    const library = await look()
    await library.page.getByText('Your library starts here').waitFor()

    const put = library.page.waitForRequest((request) => request.method() === 'PUT')
    await library.uploads([await fileOf('a.jpg', 'Summer menu.jpg')])
    expect(new URL((await put).url()).hostname).toBe('127.0.0.1')

    await library.tray.getByText('1 file uploaded').waitFor()
    await isDrawn(library.asset('Summer menu').locator('img'))
    expect((await me.lists()).body.assets).toMatchObject([
      { title: 'Summer menu', originalFilename: 'Summer menu.jpg', mimeType: 'image/jpeg' },
    ])

    await library.tray.getByRole('button', { name: 'Show Summer menu.jpg' }).click()
    await expect.poll(() => library.asset('Summer menu').getAttribute('aria-selected'), shows).toBe('true')
  })

  test('Enter moves to the first folder that was found, and to none that nobody chose', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Campaigns')
    for (const name of ['Winter', 'Windows']) await me.makesFolder(name, folderId)
    await hasAsset(me, 'Terrace at noon')
    await hasAsset(me, 'Terrace at night', { folderId })
    const library = await look('?q=terrace')
    const { page } = library
    await library.asset('Terrace at night').waitFor()
    await library.grid.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move 2 items to…' })
    const field = dialog.getByRole('combobox', { name: 'Find a folder' })
    await field.press('Enter')
    await field.fill('attic')
    await field.press('Enter')
    await page.getByRole('status').getByText('No folder has that name.').waitFor()
    await field.fill('win')
    await dialog.getByRole('option', { name: /^Windows/, selected: true }).waitFor()
    await field.press('Enter')
    await library.said('2 items moved to Windows').waitFor()
  })

  test('a folder dropped on the page is re-made with everything in it', async () => {
    const { me, look } = await opens()
    const place = await mkdtemp(join(tmpdir(), 'drop-'))
    await mkdir(join(place, 'Summer', 'Raw', 'Day one'), { recursive: true })
    await mkdir(join(place, 'Summer', 'Empty'))
    await writeFile(join(place, 'Summer', 'terrace.png'), png(9, 9, [1, 2, 3]))
    await writeFile(join(place, 'Summer', 'Raw', 'Day one', 'door.png'), png(9, 9, [4, 5, 6]))
    await writeFile(join(place, 'Summer', 'notes.txt'), 'not a picture')
    const library = await look()
    await library.page.getByText('Your library starts here').waitFor()

    await drops(library.page, [join(place, 'Summer')], library.page.getByRole('main'))

    await library.inTree('Summer').waitFor()
    await library.tray.getByText('TXT files are not supported', { exact: false }).waitFor()
    await library.tray.getByText('1 upload needs you').waitFor()
    await library.inTree('Summer').click()
    await library.asset('terrace').waitFor()
    await library.folder('Empty').waitFor()
    await library.folder('Raw').dblclick()
    await library.folder('Day one').dblclick()
    await library.asset('door').waitFor()
    await expect.poll(() => library.path.innerText(), shows).toMatch(/Library\s*Summer\s*Raw\s*Day one/)
    expect((await me.lists({ everywhere: true })).body.assets).toHaveLength(2)
    await rm(place, { recursive: true })
  })

  test('names and words are edited where they stand, and seen everywhere at once', async () => {
    const { me, look } = await opens()
    const { assetId } = await hasAsset(me, 'IMG 4711')
    await me.makesFolder('Sommer')
    const library = await look()
    const details = await library.showsDetailsOf('IMG 4711')

    await library.asset('IMG 4711').click()
    await library.page.keyboard.press('F2')
    await library.page.getByRole('textbox', { name: 'Name' }).fill('Harbour at dawn')
    await library.page.keyboard.press('Enter')
    await library.asset('Harbour at dawn').waitFor()
    await details.getByRole('button', { name: 'Edit Name: Harbour at dawn' }).waitFor()

    await details.getByRole('button', { name: /^Edit Description/ }).click()
    await details.getByRole('textbox', { name: 'Description' }).fill('Boats before the first ferry')
    await library.page.keyboard.press('Enter')
    await library.page.getByRole('button', { name: 'List', exact: true }).click()
    await library.asset('Boats before the first ferry').waitFor()
    await expect
      .poll(async () => (await me.reads(assetId)).body, shows)
      .toMatchObject({
        title: 'Harbour at dawn',
        description: 'Boats before the first ferry',
      })

    await library.folder('Sommer').click()
    await library.page.keyboard.press('F2')
    await library.page.getByRole('textbox', { name: 'Folder name' }).fill('Summer')
    await library.page.keyboard.press('Enter')
    await library.folder('Summer').waitFor()
    await library.inTree('Summer').waitFor()

    await library.page.keyboard.press('Control+z')
    await library.inTree('Sommer').waitFor()

    // Also where the folders at the left have the keyboard.
    await library.inTree('Sommer').click()
    await library.page.keyboard.press('F2')
    await library.page.getByRole('textbox', { name: 'Folder name' }).fill('Summer')
    await library.page.keyboard.press('Enter')
    await library.said('Renamed to “Summer”').waitFor()
    await library.page.keyboard.press('Control+z')
    await library.inTree('Sommer').waitFor()
  })

  test('assets and folders move by drag and by choice, and come back', async () => {
    const { me, look } = await opens()
    const { assetId } = await hasAsset(me, 'Terrace')
    const campaigns = await me.makesFolder('Campaigns')
    const raw = await me.makesFolder('Raw')
    const library = await look()
    const placeOf = async () => (await me.reads(assetId)).body.folderId

    await library.asset('Terrace').dragTo(library.inTree('Campaigns'))
    await library.said('Moved to Campaigns').waitFor()
    await expect.poll(placeOf, shows).toBe(campaigns.folderId)
    await library.asset('Terrace').waitFor({ state: 'detached' })

    await library.page.getByRole('button', { name: 'Undo' }).click()
    await library.asset('Terrace').waitFor()
    await expect.poll(placeOf, shows).toBe(null)

    await library.choosesIn(library.asset('Terrace'), 'Move to…')
    const dialog = library.page.getByRole('dialog')
    await dialog.getByRole('option', { name: 'Raw' }).click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await library.said('Moved to Raw').waitFor()
    await expect.poll(placeOf, shows).toBe(raw.folderId)

    await library.folder('Raw').dragTo(library.folder('Campaigns'))
    await library.folder('Raw').waitFor({ state: 'detached' })
    await library.inTree('Campaigns').click()
    await library.folder('Raw').waitFor()
  })

  test('what went elsewhere is no longer selected, by whomever it was moved', async () => {
    const { me, look } = await opens()
    const { assetId } = await hasAsset(me, 'Terrace')
    for (const title of ['Lanterns', 'Menu', 'Garden', 'Bar']) await hasAsset(me, title)
    const campaigns = await me.makesFolder('Campaigns')
    const library = await look()
    const { page } = library
    await library.asset('Terrace').click()
    for (const title of ['Lanterns', 'Menu', 'Garden', 'Bar'])
      await library.asset(title).click({ modifiers: ['ControlOrMeta'] })
    const bar = page.getByRole('toolbar', { name: 'Selected items' })
    await bar.getByText('5 selected').waitFor()

    await me.edits(assetId, { folderId: campaigns.folderId })
    await bar.getByText('4 selected').waitFor()
    await library.asset('Lanterns').dragTo(library.inTree('Campaigns'))
    await library.asset('Lanterns').waitFor({ state: 'detached' })
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('Delete')
    await library.inTree('Campaigns').click()
    for (const title of ['Terrace', 'Lanterns', 'Menu', 'Garden', 'Bar']) await library.asset(title).waitFor()
  })

  test('what is deleted waits in the trash and can be brought back', async () => {
    const { me, look } = await opens()
    await hasAsset(me, 'Old menu')
    const { folderId } = await me.makesFolder('Winter')
    const { assetId } = await hasAsset(me, 'Snow', { folderId })
    await hasAsset(me, 'Ice', { folderId })
    const library = await look()

    await library.choosesIn(library.asset('Old menu'), 'Move to trash')
    await library.asset('Old menu').waitFor({ state: 'detached' })
    await library.choosesIn(library.folder('Winter'), 'Move to trash')
    await library.inTree('Winter').waitFor({ state: 'detached' })

    await library.page.getByRole('button', { name: 'Trash', exact: true }).click()
    const note = /^30 days left · deleted \w+/
    await library.asset('Old menu').getByText(note).waitFor()
    await library.asset('Old menu').getByText('Library', { exact: true }).first().waitFor()
    await library.asset('Old menu').click()
    await library.page.keyboard.press('F2')
    expect(await library.page.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
    expect(await library.asset('Old menu').getByTitle('Rename').count()).toBe(0)
    await library.page.getByRole('button', { name: 'Restore' }).click()
    await library.asset('Old menu').waitFor({ state: 'detached' })
    await library.said('Restored to Library').waitFor()

    // What went with a folder is counted, seen and found there; without its folder it comes back to the top.
    await library.page.getByRole('gridcell', { name: 'Folder: Winter, 2 assets' }).dblclick()
    await library.asset('Snow').waitFor()
    await library.path.getByText('Winter', { exact: true }).waitFor()
    await library.page.getByText('“Winter” is in the trash').waitFor()
    await library.search.fill('ice')
    await library.page.getByText('Results for “ice” in the trash').waitFor()
    await library.asset('Ice').getByText('Winter', { exact: true }).first().waitFor()
    await library.asset('Ice').getByText(note).waitFor()
    await library.choosesIn(library.asset('Ice'), 'Restore')
    await library
      .said('Restored. The folder of “Ice” is in the trash or deleted, so it is in “Library” now')
      .waitFor()
    await library.asset('Ice').waitFor({ state: 'detached' })

    // A link to what lies there says so, and offers it back.
    const linked = await look(`?asset=${assetId}`)
    await linked.details.getByText('This has been in the trash since').waitFor()
    await linked.details.getByRole('button', { name: 'Restore' }).waitFor()
    const toFolder = await look(`?folder=${folderId}`)
    await toFolder.page.getByRole('heading', { name: '“Winter” is in the trash' }).waitFor()
    await toFolder.page.getByRole('button', { name: 'Look into it there' }).click()
    await toFolder.asset('Snow').waitFor()
    await toFolder.page.getByRole('button', { name: 'Restore “Winter”' }).click()
    await library.inTree('Winter').click()
    await library.asset('Snow').waitFor()
    await library.page.getByRole('button', { name: 'Library', exact: true }).click()
    await library.asset('Old menu').waitFor()
    await library.asset('Ice').waitFor()
  })

  test('what was done is undone from wherever one has gone, after coming back, and in that library alone', async () => {
    const { me, client } = await opens()
    const { clientId } = await world.newClient('Corner Bakery')
    const { assetId } = await hasAsset(me, 'Old menu')
    await hasAsset(me, 'Terrace')
    const library = libraryOn(await visit(world.admin, surfaces[0]!.home(client)))
    const { page } = library
    const goesTo = (tab: string) => page.getByRole('link', { name: tab, exact: true }).click()

    await library.asset('Terrace').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Garden')
    await page.keyboard.press('Enter')
    await library.said('Renamed to “Garden”').waitFor()
    await library.asset('Old menu').click()
    await page.keyboard.press('Delete')
    await library.said('“Old menu” moved to trash').waitFor()
    await goesTo('Activity')
    await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await library.said('Undone: “Old menu” moved to trash').waitFor()
    expect((await me.reads(assetId)).body.trashedAt).toBe(null)

    await goesTo('Assets')
    await library.asset('Old menu').waitFor()
    const home = page.url()
    const others = page.getByRole('dialog', { name: 'Switch client' })
    await page.getByRole('button', { name: 'Switch client' }).click()
    await others.getByRole('link', { name: 'Corner Bakery' }).click()
    await page.waitForURL(`**/${clientId}/**`)
    await others.waitFor({ state: 'hidden' })
    await page.getByText('Your library starts here').waitFor()
    await page.keyboard.press('Control+z')
    await library.said('Nothing to undo').waitFor()
    await page.goBack()
    await page.waitForURL(home)
    await library.asset('Garden').waitFor()
    await page.keyboard.press('Control+z')
    await library.said('Undone: Renamed to “Garden”').waitFor()
    await library.asset('Terrace').waitFor()
  })

  test('a folder is downloaded as a zip by the browser itself', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Summer')
    await hasAsset(me, 'Terrace', { folderId })
    const library = await look()
    const started = library.page.waitForEvent('download')
    await library.choosesIn(library.folder('Summer'), 'Download zip')
    const download = await started
    expect(download.suggestedFilename()).toBe('Summer.zip')
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
    expect(bytes.includes('Terrace.png')).toBe(true)
  })

  test('words and filters find assets, and the address leads back to what was found', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Summer')
    await hasAsset(me, 'Lanterns', { folderId, allowedSurfaces: ['social'] })
    const terrace = await hasAsset(me, 'Terrace', { altText: '' })
    await hasAsset(me, 'Bread', { allowedSurfaces: ['website'] })
    const library = await look()
    await library.asset('Terrace').waitFor()

    await library.search.fill('lant')
    await library.asset('Lanterns').waitFor()
    await library.asset('Terrace').waitFor({ state: 'detached' })
    await expect.poll(() => library.page.url(), shows).toContain('q=lant')
    await library.search.fill('no such thing')
    await library.page.getByText('Nothing matches').waitFor()
    expect(await library.page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0)
    await library.page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()

    await library.page.getByRole('button', { name: 'Social', exact: true }).click()
    await library.asset('Bread').waitFor({ state: 'detached' })
    await library.asset('Lanterns').waitFor()
    await expect.poll(() => library.page.url(), shows).toContain('surface=social')
    await library.page.getByRole('button', { name: 'Social', exact: true }).click()
    await library.page.getByRole('button', { name: 'No alt text' }).click()
    await library.asset('Bread').waitFor({ state: 'detached' })
    await library.asset('Terrace').click()
    await expect.poll(() => library.page.url(), shows).toContain(`asset=${terrace.assetId}`)

    await library.page.reload()
    await expect.poll(() => library.asset('Terrace').getAttribute('aria-selected'), shows).toBe('true')
    await library.details.getByRole('button', { name: 'Edit Name: Terrace' }).waitFor()
    await library.page.goBack()
    await library.asset('Bread').waitFor()

    const linked = await look(`?folder=${folderId}&sort=-title`)
    await linked.asset('Lanterns').waitFor()
    await linked.page.getByRole('button', { name: 'Sort: Newest first' }).waitFor()
  })

  test('many are selected and tagged, limited and deleted together', async () => {
    const { me, look } = await opens()
    for (const title of ['One', 'Two', 'Three', 'Four']) await hasAsset(me, title)
    const library = await look()
    await library.asset('Four').click()
    await library.asset('Two').click({ modifiers: ['Shift'] })
    await library.asset('One').click({ modifiers: ['ControlOrMeta'] })
    await library.asset('Three').click({ modifiers: ['ControlOrMeta'] })
    const bar = library.page.getByRole('toolbar', { name: 'Selected items' })
    await bar.getByText('3 selected').waitFor()

    await bar.getByRole('button', { name: 'Tag' }).click()
    const dialog = library.page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Tags to add' }).pressSequentially('campaign;summer')
    await library.page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add tags' }).click()
    await library.said('3 assets tagged').waitFor()

    await bar.getByRole('button', { name: 'Surfaces' }).click()
    await dialog.getByRole('checkbox', { name: 'Website' }).check()
    await dialog.getByRole('button', { name: 'Set surfaces' }).click()
    await library.said('Surfaces of 3 assets set').waitFor()
    const { assets } = (await me.lists({ sort: 'title' })).body
    expect(assets).toMatchObject([
      { title: 'Four', tags: ['campaign', 'summer'], allowedSurfaces: ['website'] },
      { title: 'One', tags: ['campaign', 'summer'], allowedSurfaces: ['website'] },
      { title: 'Three', tags: [], allowedSurfaces: [] },
      { title: 'Two', tags: ['campaign', 'summer'], allowedSurfaces: ['website'] },
    ])

    await bar.getByRole('button', { name: 'Move to trash' }).click()
    await library.said('3 items moved to trash').waitFor()
    await expect.poll(() => library.cells.count(), shows).toBe(1)
    await library.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => library.cells.count(), shows).toBe(4)
  })

  test('the folders of the Social agent are locked and say why', async () => {
    const { client, look } = await opens()
    await client.social.makesFolder('Social')
    const library = await look()
    await library.inTree('Social, Managed by the Social agent').waitFor()
    await library.opensMenu(library.folder('Social'))
    await library.menuItem('Open').waitFor()
    await library.page.getByRole('menu').getByText('Managed by the Social agent').waitFor()
    for (const refused of ['Rename', 'Move to…', 'Move to trash'])
      expect(await library.menuItem(refused).count()).toBe(0)
    await library.page.keyboard.press('Escape')
    await library.folder('Social').click()
    await library.page.keyboard.press('F2')
    await library.page.keyboard.press('Delete')
    await library.said('“Social” is managed by the Social agent').waitFor()
    expect(await library.page.getByRole('textbox', { name: 'Folder name' }).count()).toBe(0)
  })

  test('quick look shows pictures and plays videos', async () => {
    const { me, look } = await opens()
    await hasAsset(me, 'Terrace')
    const { buffer } = await fileOf('a.mp4')
    await me.uploads(buffer, {
      session: { originalFilename: 'boats.mp4', mimeType: 'video/mp4' },
      words: { title: 'Boats', altText: 'Boats passing' },
    })
    const library = await look()
    await library.asset('Boats').dblclick()
    const quickLook = library.page.getByRole('dialog', { name: /^Quick look/ })
    const video = quickLook.locator('video')
    await expect
      .poll(() => video.evaluate((film: HTMLVideoElement) => film.readyState > 0 && film.duration > 0), shows)
      .toBe(true)
    await video.evaluate((film: HTMLVideoElement) => {
      film.muted = true
      return film.play()
    })
    await expect
      .poll(() => video.evaluate((film: HTMLVideoElement) => film.currentTime), shows)
      .toBeGreaterThan(0)

    await quickLook.getByRole('button', { name: 'Next' }).click()
    await library.page.getByRole('dialog', { name: 'Quick look at Terrace' }).waitFor()
    await isDrawn(quickLook.getByRole('img', { name: 'A picture: Terrace' }))
    await library.page.keyboard.press('Escape')
    await quickLook.waitFor({ state: 'detached' })
  })

  test('an assetRef is copied for an agent to use', async () => {
    const { me, look } = await opens()
    const { assetRef } = await hasAsset(me, 'Terrace')
    const library = await look()
    await library.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await library.choosesIn(library.asset('Terrace'), 'Copy assetRef')
    await library.said('assetRef copied').waitFor()
    expect(await library.page.evaluate(() => navigator.clipboard.readText())).toBe(assetRef)
  })
})

// The rooms are the same; each of these asks the portal's own door.
test('in the portal a client does all of it from one page', async () => {
  const { client, me, look } = await opens(surfaces[1]!)
  await client.social.makesFolder('Social')
  const { folderId } = await me.makesFolder('Winter')
  await hasAsset(me, 'Snow', { folderId })
  const film = await fileOf('a.mp4')
  const library = await look()
  const { page } = library
  await library.inTree('Social, Managed by the Social agent').waitFor()

  const place = await mkdtemp(join(tmpdir(), 'drop-'))
  await mkdir(join(place, 'Summer'))
  await writeFile(join(place, 'Summer', 'terrace.png'), png(9, 9, [1, 2, 3]))
  await drops(page, [join(place, 'Summer')], page.getByRole('main'))
  await library.folder('Summer').waitFor()
  const put = page.waitForRequest((request) => request.method() === 'PUT')
  await library.uploads([await fileOf('a.jpg', 'Menu.jpg'), { ...film, name: 'Boats.mp4' }])
  expect(new URL((await put).url()).hostname).toBe('127.0.0.1')
  await library.tray.getByText('3 files uploaded').waitFor()
  await library.tray.getByRole('button', { name: 'Close' }).click()
  await isDrawn(library.asset('Menu').locator('img'))
  await rm(place, { recursive: true })

  await library.asset('Boats').dblclick()
  const quickLook = page.getByRole('dialog', { name: 'Quick look at Boats' })
  await expect
    .poll(() => quickLook.locator('video').evaluate((video: HTMLVideoElement) => video.readyState), shows)
    .toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await quickLook.waitFor({ state: 'detached' })

  await library.asset('Menu').click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Summer menu')
  await page.keyboard.press('Enter')
  await library.said('Renamed to “Summer menu”').waitFor()
  await library.asset('Boats').click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Tags to add' }).fill('campaign')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await library.said('2 assets tagged').waitFor()

  await library.asset('Summer menu').dragTo(library.inTree('Summer'))
  await library.said('2 items moved to Summer').waitFor()
  await library.asset('Summer menu').waitFor({ state: 'detached' })
  await library.choosesIn(library.folder('Winter'), 'Move to trash')
  await library.inTree('Winter').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await library.choosesIn(library.folder('Winter'), 'Restore')
  await library.inTree('Winter').click()
  await library.asset('Snow').waitFor()

  await library.inTree('Summer').click()
  await library.choosesIn(library.asset('Summer menu'), 'Move to trash')
  await library.asset('Summer menu').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await library.asset('Summer menu').waitFor()
  await library.search.fill('boats')
  await library.asset('Summer menu').waitFor({ state: 'detached' })
  await library.search.fill('')
  await library.asset('Summer menu').waitFor()
  await page.getByRole('button', { name: 'Library', exact: true }).click()
  const started = page.waitForEvent('download')
  await library.choosesIn(library.folder('Summer'), 'Download zip')
  const bytes = await readFile(await (await started).path())
  for (const name of ['terrace.png', 'Summer menu.jpg', 'Boats.mp4']) expect(bytes.includes(name)).toBe(true)
  expect((await me.lists({ q: 'menu', everywhere: true })).body.assets).toMatchObject([
    { title: 'Summer menu', tags: ['campaign'], originalFilename: 'Menu.jpg' },
  ])
})
