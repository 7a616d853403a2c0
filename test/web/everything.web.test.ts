import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Person } from '../person.ts'
import { app, libraryOn, longWait, surfaces } from './app.ts'
import { plants } from './plants.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

const totalOf = async (me: Person, query: Parameters<Person['lists']>[0]) =>
  (await me.lists({ everywhere: true, ...query, count: true, limit: 1 })).body.total

/** What a zip is made of; no byte of it is read. */
const haveVersions = (clientId: string) =>
  sql`insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type,
      size_bytes, crc32, details, created_by)
    select client_id, id, version, 'upload_of_' || id, 'assets/' || id, original_filename, mime_type, size_bytes, 1, details,
      created_by from assets where client_id = ${clientId}`.execute(world.parts.db)

/** A library of seven hundred assets and a folder, in a browser, and what was asked for by name or one by one. */
async function opens() {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const { folderId } = await me.makesFolder('Archive')
  await plants(world, client.clientId, 700)
  const library = libraryOn(await visit(me, home(client)))
  const { page } = library
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const act = (name: string) => bar.getByRole('button', { name, exact: true })
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/(ids|batch$)/.test(request.url())) asked.push(request.url())
  })
  const choosesAll = async (first: string, count: string) => {
    await library.asset(first).click()
    await page.keyboard.press('Control+a')
    await bar.getByText(`${count} selected`).waitFor()
  }
  /** All assets but one, and not the folder. */
  const choosesMost = async () => {
    await choosesAll('Picture 700.', '701')
    await library.asset('Picture 699.').click({ modifiers: ['Control'] })
    await library.folder('Archive').click({ modifiers: ['Control'] })
    await bar.getByText('699 selected').waitFor()
  }
  return { client, me, folderId, home: home(client), library, page, bar, act, asked, choosesAll, choosesMost }
}

test('everything a list means is chosen at once, but for some, tagged, limited and taken home', async () => {
  const { client, me, library, page, bar, act, asked, choosesMost } = await opens()
  // With a folder beside them, and one that is taken out again, put back, and taken out.
  await choosesMost()
  for (const count of ['700', '699']) {
    await library.asset('Picture 699.').click({ modifiers: ['Control'] })
    await bar.getByText(`${count} selected`).waitFor()
  }
  await expect.poll(() => library.asset('Picture 699.').getAttribute('aria-selected'), shows).toBe('false')
  await library.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
  await expect.poll(() => library.asset('Picture 1.').getAttribute('aria-selected'), shows).toBe('true')

  await act('Tag').click()
  const tagging = page.getByRole('dialog', { name: 'Tag 699 assets' })
  await tagging.getByRole('combobox', { name: 'Tags to add' }).fill('chosen')
  await tagging.getByRole('button', { name: 'Add tags' }).click()
  await library.said('699 assets tagged').waitFor()
  expect(await totalOf(me, { tag: 'chosen' })).toBe(699)

  await act('Tag').click()
  await tagging.getByRole('checkbox', { name: 'chosen' }).waitFor()
  await page.keyboard.press('Escape')
  await act('Surfaces').click()
  const limiting = page.getByRole('dialog', { name: 'Where may these 699 assets be used?' })
  await limiting.getByText('699 assets: everywhere').waitFor()
  await limiting.getByRole('checkbox', { name: 'Website' }).click()
  await limiting.getByText('699 assets: only on').waitFor()
  await limiting.getByRole('button', { name: 'Set surfaces' }).click()
  await expect.poll(() => totalOf(me, { surface: 'social' }), shows).toBe(1)

  // Of its bytes there are none, so nothing is to be made of them.
  await haveVersions(client.clientId)
  await page.route('**/assets/downloads/*', (route) => route.abort())
  const [download] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/assets/download')),
    act('Download').click(),
  ])
  expect(await download.json()).toMatchObject({ files: 699 })
  await sql`delete from asset_versions where client_id = ${client.clientId}`.execute(world.parts.db)
  expect(await act('Share').count()).toBe(0)
  expect(asked).toEqual([])
})

test('what is done to all that misspelt words find is done to what the list shows', {
  tags: 'drill',
}, async () => {
  const { client, me, folderId, library, page, bar, act, asked } = await opens()
  await plants(world, client.clientId, 600, { folder_id: folderId, title: 'Drawing' })
  const q = 'archvie drawnig'
  await library.search.fill(q)
  await page
    .getByText(`Nothing has “${q}”. This is what has “archive drawing” in the whole library.`)
    .waitFor()
  await library.asset('Drawing').first().click()
  await page.keyboard.press('Control+a')
  await bar.getByText('600 selected').waitFor()
  await act('Tag').click()
  const tagging = page.getByRole('dialog', { name: 'Tag 600 assets' })
  await tagging.getByRole('combobox', { name: 'Tags to add' }).fill('drawn')
  await tagging.getByRole('button', { name: 'Add tags' }).click()
  await library.said('600 assets tagged').waitFor()
  expect(await totalOf(me, { tag: 'drawn' })).toBe(600)
  expect(asked).toEqual([])

  await haveVersions(client.clientId)
  await page.route('**/assets/downloads/*', (route) => route.abort())
  await page.keyboard.press('Escape')
  await library.grid.click({ button: 'right', position: { x: 4, y: 300 } })
  const [download] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/assets/download')),
    library.menuItem('Download zip').click(),
  ])
  expect(await download.json()).toMatchObject({ files: 600 })
  await sql`delete from asset_versions where client_id = ${client.clientId}`.execute(world.parts.db)
  await page.getByRole('button', { name: 'Texts as a table' }).click()
  await page.getByRole('textbox', { name: 'Title of planted.png' }).first().waitFor()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('q'), searchParams.get('byFolder')]).toEqual(['archive drawing', 'true'])
})

test('everything is moved, goes to the trash and comes back as one job each', async () => {
  const { me, folderId, home, library, page, bar, act, asked, choosesAll, choosesMost } = await opens()
  await choosesMost()
  await act('Move').click()
  const moving = page.getByRole('dialog', { name: 'Move 699 items to…' })
  await moving.getByRole('option', { name: 'Archive' }).click()
  await moving.getByRole('button', { name: 'Move here' }).click()
  await library.said('699 items moved to Archive').waitFor()
  await bar.waitFor({ state: 'detached' })
  expect(await totalOf(me, { everywhere: false, folderId })).toBe(699)

  await library.inTree('Archive').click()
  await choosesAll('Picture 700.', '699')
  await act('Move to trash').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  await library.said('699 items moved to trash').waitFor()
  expect(await totalOf(me, {})).toBe(1)

  // In which order they went there is the job's affair.
  await page.goto(`${home}?folder=trash&sort=title`)
  await choosesAll('Picture 1.', '699')
  await act('Restore').click()
  await library.said('699 items restored').waitFor()
  expect(await totalOf(me, {})).toBe(700)
  await library.said('699 items restored').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => totalOf(me, {}), shows).toBe(1)
  expect(asked).toEqual([])
})

test('as many are asked about as are then said to have gone, and none that stays', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  await client.social.makesFolder('Social')
  const { folderId } = await me.makesFolder('Archive')
  await plants(world, client.clientId, 7, { folder_id: folderId })
  await plants(world, client.clientId, 50)
  const library = libraryOn(await visit(me, home(client)))
  const { page } = library
  await library.asset('Picture 50.').click()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: 'Selected items' }).getByText('52 selected').waitFor()
  await page.keyboard.press('Delete')
  const asking = page.getByRole('dialog', { name: /to the trash\?$/ })
  expect(await asking.getByRole('heading').innerText()).toBe('Move 51 items to the trash?')
  await asking.getByText('7 more assets go with their folders.').waitFor()
  await asking.getByRole('button', { name: 'Move to trash' }).click()
  await library.said('51 items moved to trash').waitFor()
})

test('everything is collected and put up for review by names that are asked for then', {
  tags: 'drill',
}, async () => {
  const { me, library, page, act, asked, choosesMost } = await opens()
  await choosesMost()
  await act('Collect').click()
  const collecting = page.getByRole('dialog', { name: /699/ })
  await collecting.getByRole('combobox').fill('Summer')
  await page.keyboard.press('Enter')
  await library.said('699 assets added to “Summer”').waitFor()
  await page.getByRole('region', { name: 'Collections' }).getByText('699').waitFor()
  await act('Ask for review').click()
  await page.getByRole('dialog', { name: /699/ }).getByRole('button', { name: 'Ask for a review' }).click()
  await expect.poll(() => totalOf(me, { approval: 'pending' }), shows).toBe(699)
  expect(asked.length).toBe(2)
})

test('a link leads into the middle of a list that is still being counted', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const ids = await plants(world, client.clientId, 700)
  const page = await visit(who(client), home(client))
  const counts = Promise.withResolvers<void>()
  await page.route(/[?&]count=/, async (route) => {
    await counts.promise
    await route.continue()
  })
  await page.goto(`${home(client)}?asset=${ids[300]}`)
  await expect
    .poll(() => libraryOn(page).asset('Picture 301.').getAttribute('aria-selected'), shows)
    .toBe('true')
  counts.resolve()
})
