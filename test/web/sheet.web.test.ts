import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { app, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'
import { plants } from './plants.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

/** As a spreadsheet puts it on the clipboard. */
const pastes = (cell: Locator, text: string, html = '') =>
  cell.evaluate(
    (area, [plain, rich]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', plain!)
      if (rich) clipboardData.setData('text/html', rich)
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [text, html],
  )

/** Chooses a file of these lines. */
async function imports(page: Page, lines: string[]) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import CSV' }).click(),
  ])
  await chooser.setFiles({
    name: 'own.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
  })
}

test('texts are written as in a spreadsheet: by keys, by pasting a column, and through a CSV', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const { folderId } = await me.makesFolder('Menus')
  const ids = await plants(world, client.clientId, 320, { folder_id: folderId, alt_text: '' })
  const wordsOf = async (at: number) => (await me.reads(ids[ids.length - 1 - at]!)).body
  const library = libraryOn(await visit(me, `${home(client)}?folder=${folderId}`))
  const { page } = library
  await library.asset('Picture 320.').waitFor()
  await library.grid.click({ button: 'right', position: { x: 2, y: 2 } })
  await library.menuItem('Texts as a table').click()

  const cell = (row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`)
  await cell(0, 1).waitFor()
  expect(await cell(0, 0).inputValue()).toBe('Picture 320.')
  expect(await page.locator('.sheet-of').innerText()).toBe('Library / Menus')
  expect(await page.locator('.sheet-folder').first().innerText()).toBe('Library / Menus')
  expect(await page.locator('tbody tr').count()).toBeLessThan(60)

  // Enter saves and goes down, arrows and Tab go on from there.
  await cell(0, 1).click()
  await page.keyboard.type('A table')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(1, 1).evaluate((area) => area === document.activeElement), shows).toBe(true)
  await page.keyboard.type('Two')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Of the garden')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await wordsOf(0)).altText, shows).toBe('A table')
  await expect
    .poll(async () => [(await wordsOf(1)).altText, (await wordsOf(1)).description], shows)
    .toEqual(['Two', 'Of the garden'])
  const state = (text: string) => page.getByRole('status').filter({ hasText: text })
  await state('Everything is saved').waitFor()
  // What is only typed is not.
  await cell(0, 1).click()
  await page.keyboard.type('!')
  await state('Not saved yet').waitFor()
  await page.keyboard.press('Escape')
  await state('Everything is saved').waitFor()

  // A column, with a cell of two lines; beyond what has been read, too.
  await cell(2, 1).focus()
  await page.keyboard.press('Control+a')
  await pastes(cell(2, 1), 'three\tIII\r\n"fo""ur\nlines"\tIV\r\n')
  await expect.poll(async () => (await wordsOf(3)).altText, shows).toBe('fo"ur\nlines')
  await expect.poll(async () => (await wordsOf(2)).description, shows).toBe('III')
  // A click is enough, into one that has a text, too; whoever types pastes into that.
  await cell(2, 1).click()
  await pastes(cell(2, 1), '3\n4')
  await expect
    .poll(async () => [(await wordsOf(2)).altText, (await wordsOf(3)).altText], shows)
    .toEqual(['3', '4'])
  // Taken back at once, and pasted anew; what is typed after that is the browser's to take back.
  await page.keyboard.press('Control+z')
  await library.said('2 cells are as they were').waitFor()
  expect([(await wordsOf(2)).altText, (await wordsOf(3)).altText]).toEqual(['three', 'fo"ur\nlines'])
  await pastes(cell(2, 1), '3\n4')
  await page.keyboard.type('!')
  await page.keyboard.press('Control+z')
  await expect.poll(() => cell(2, 1).inputValue(), shows).toBe('3')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => [(await wordsOf(2)).altText, (await wordsOf(3)).altText], shows)
    .toEqual(['3', '4'])
  await cell(2, 1).click()
  await page.keyboard.type('!')
  await pastes(cell(2, 1), 'not\nhere')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await wordsOf(2)).altText, shows).toBe('3!')
  expect((await wordsOf(3)).altText).toBe('4')

  await cell(0, 3).focus()
  await pastes(cell(0, 3), Array.from({ length: 330 }, (_, row) => `all, "row, ${row}"`).join('\n'))
  await library.said('10 rows were beyond the end of the table').waitFor()
  await expect.poll(async () => (await wordsOf(319)).tags, shows).toEqual(['all', 'row, 319'])
  await page.getByRole('status').filter({ hasText: 'Everything is saved' }).waitFor()
  await page.locator('.sheet-acts').getByRole('button', { name: 'Undo' }).click()
  await library.said('320 cells are as they were').waitFor()
  expect((await wordsOf(319)).tags).toEqual([])

  // Who would lose what was typed is asked.
  const asked = page.waitForEvent('dialog')
  await cell(7, 2).click()
  await page.keyboard.type('A long sentence')
  void page.reload().catch(() => {})
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(await cell(7, 2).inputValue()).toBe('A long sentence')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await wordsOf(7)).description, shows).toBe('A long sentence')

  // Without a connection it waits.
  await page.context().setOffline(true)
  await cell(8, 2).fill('Typed on a train')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Not saved yet' }).waitFor()
  expect(await cell(8, 2).inputValue()).toBe('Typed on a train')
  await page.context().setOffline(false)
  await expect.poll(async () => (await wordsOf(8)).description, shows).toBe('Typed on a train')
  await page.getByRole('status').filter({ hasText: 'Everything is saved' }).waitFor()

  // What cannot be said is told in the cell, and stays there until it is let go.
  await cell(4, 0).fill('')
  await page.keyboard.press('Enter')
  const refused = page.locator('td', { has: cell(4, 0) })
  await refused.getByRole('alert').getByText('every asset has a title').waitFor()
  expect(await cell(4, 0).inputValue()).toBe('')
  await refused.getByRole('button', { name: 'Discard' }).click()
  expect(await cell(4, 0).inputValue()).toBe('Picture 316.')
  // Another word of it is no reason.
  await me.edits(ids[ids.length - 7]!, { title: 'Renamed' })
  await cell(6, 1).fill('Mine')
  await page.keyboard.press('Enter')
  await expect.poll(wordsOfSixth, shows).toEqual(['Renamed', 'Mine'])
  async function wordsOfSixth() {
    const { title, altText } = await wordsOf(6)
    return [title, altText]
  }

  // Out and in again: what would change is shown first, and what has changed since is left out.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Texts – \S.* – Menus – \d{4}-\d\d-\d\d\.csv$/)
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.startsWith('\ufeffid,file name,folder,title,alt text,description,tags,as of\r\n')).toBe(true)
  const lines = csv.split('\r\n')
  await me.edits(ids[ids.length - 9]!, { altText: 'Since' })
  lines[8] = lines[8]!.replace('Picture 313.,,', "Picture 313.,'=5 o’clock,")
  lines[9] = lines[9]!.replace('Picture 312.,,', 'Picture 312.,From the file,')
  lines[10] = lines[10]!.replace('asset_', 'asset_x')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import CSV' }).click(),
  ])
  await chooser.setFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  const dialog = page.getByRole('dialog', { name: 'Import texts' })
  await dialog.getByText('One cell in one row would change').first().waitFor()
  await dialog.getByText('=5 o’clock').waitFor()
  const problems = dialog.getByRole('list', { name: '2 rows are left out' })
  expect((await problems.getByRole('listitem').allInnerTexts()).map((text) => text.split(':')[0])).toEqual([
    expect.stringMatching(/^Row 1\d$/),
    expect.stringMatching(/^Row 1\d$/),
  ])
  expect((await wordsOf(7)).altText).toBe('')
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Change them' }).click()
  await expect.poll(async () => (await wordsOf(7)).altText, shows).toBe('=5 o’clock')
  expect((await wordsOf(8)).altText).toBe('Since')

  // A file of one's own needs no more than ids: what is there now is changed, and what turns a text is left out.
  const own = `id;title\r\n${ids[ids.length - 9]};Of \u202emy own\r\n`
  const [again] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import CSV' }).click(),
  ])
  await again.setFiles({ name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(own) })
  await dialog.getByText('One cell in one row would change').first().waitFor()
  await dialog.getByRole('button', { name: 'Change them' }).click()
  await expect.poll(async () => (await wordsOf(8)).title, shows).toBe('Of my own')
  expect(await violationsInBoth(page)).toEqual([])

  // Where everything is in folders, all of them are a click away.
  await page.goto(home(client).replace('/assets', '/texts'))
  await page.getByRole('button', { name: 'Show all folders' }).click()
  await cell(0, 0).waitFor()
  expect(await page.locator('.sheet-of').innerText()).toBe('All folders')
  await page.reload()
  await cell(0, 0).waitFor()
})

test('what somebody else writes shows in the table at once, but not over what is being typed', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const ids = (await plants(world, client.clientId, 3, { alt_text: '' })).reverse()
  const altTextOf = async (row: number) => (await me.reads(ids[row]!)).body.altText
  const [page, beside] = await Promise.all(
    ['?alt=missing', ''].map((only) => visit(me, home(client).replace('/assets', `/texts${only}`))),
  )
  const cell = (row: number, column: number, on = page!) => on.locator(`[data-cell="${row} ${column}"]`)
  const around = (row: number, column: number) => page!.locator('td', { has: cell(row, column) })
  await Promise.all([cell(0, 1).waitFor(), cell(0, 1, beside).waitFor()])
  const types = async (row: number, text: string, on = page!) => {
    await cell(row, 1, on).fill(text)
    await on.keyboard.press('Tab')
  }
  await types(0, 'Mine')
  await around(0, 1).getByText('Saved').waitFor()
  await expect.poll(() => cell(0, 1, beside).inputValue(), shows).toBe('Mine')
  await types(0, 'Theirs', beside)
  await expect.poll(() => cell(0, 1).inputValue(), shows).toBe('Theirs')
  // It is no longer what was saved here, and may be written over by who has read it.
  await around(0, 1).getByText('Saved').waitFor({ state: 'detached' })
  await types(0, 'Mine again')
  await expect.poll(() => altTextOf(0), shows).toBe('Mine again')

  await cell(1, 1).fill('Begun')
  await types(1, 'Meanwhile', beside)
  await expect.poll(() => altTextOf(1), shows).toBe('Meanwhile')
  await types(2, 'Another', beside)
  await expect.poll(() => cell(2, 1).inputValue(), shows).toBe('Another')
  expect(await cell(1, 1).inputValue()).toBe('Begun')
  await cell(1, 1).press('Tab')
  await around(1, 1).getByRole('alert').getByText('Meanwhile').waitFor()
  expect(await altTextOf(1)).toBe('Meanwhile')

  // All of the table is saved to a file, though it has alt texts by now.
  const [download] = await Promise.all([
    page!.waitForEvent('download'),
    page!.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.map((line) => line.split(',')[4])).toEqual(['Mine again', 'Meanwhile', 'Another'])
})

test('what somebody else saves while an import is looked at, or tried again, is not written over', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const [outside, ...ids] = (await plants(world, client.clientId, 4, { alt_text: '' })).reverse()
  await me.edits(outside!, { altText: 'A menu' })
  const altOf = async (id: string) => (await me.reads(id)).body.altText
  const page = await visit(me, home(client).replace('/assets', '/texts?alt=missing'))
  const cell = (row: number) => page.locator(`[data-cell="${row} 1"]`)
  const around = (row: number) => page.locator('td', { has: cell(row) })
  await cell(2).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Import texts' })
  const apply = dialog.getByRole('button', { name: 'Change them' })

  // In one that the table does not have, no more than a letter.
  await imports(page, ['id;alt text', `${outside};Mine`, `${ids[0]};Size`, `${ids[1]};Mine`])
  await dialog.getByText('3 cells in 3 rows would change').first().waitFor()
  await me.edits(outside!, { altText: 'a menu' })
  await me.edits(ids[0]!, { altText: 'Theirs' })
  await expect.poll(() => cell(0).inputValue(), shows).toBe('Theirs')
  await apply.click()
  await around(0).getByRole('alert').getByText('Theirs').waitFor()
  await expect.poll(() => altOf(ids[1]!), shows).toBe('Mine')
  expect([await altOf(ids[0]!), await altOf(outside!)]).toEqual(['Theirs', 'a menu'])
  const unsaved = (text: string) => page.getByRole('button', { name: text })
  await unsaved('2 cells are not saved: show the first').click()
  await expect.poll(() => isFocused(cell(0)), shows).toBe(true)
  await around(0).getByRole('button', { name: 'Keep yours' }).click()
  await expect.poll(() => altOf(ids[0]!), shows).toBe('Size')
  await unsaved('One cell is not saved: show it').click()
  await around(3).getByRole('alert').getByText('a menu').waitFor()
  await around(3).getByRole('button', { name: 'Keep theirs' }).click()

  // What the table has heard of by the time that it tries again was not in sight either.
  await imports(page, ['id;alt text', `${ids[2]};Mine`])
  await dialog.getByText('One cell in one row would change').first().waitFor()
  const { promise: isHeard, resolve: goOn } = Promise.withResolvers<void>()
  let tries = 0
  await page.route(/\/words$/, async (route) => {
    if (route.request().postDataJSON().dryRun || tries++ > 0) return route.continue()
    await isHeard
    await route.abort()
  })
  const isDry = (sent: string | null) => sent?.includes('dryRun') ?? false
  await apply.click()
  await expect.poll(() => tries, shows).toBe(1)
  const heard = page.waitForResponse((answer) => isDry(answer.request().postData()))
  await me.edits(ids[2]!, { altText: 'Theirs' })
  await (await heard).finished()
  goOn()
  await around(2).getByRole('alert').getByText('Theirs').waitFor()
  expect(await altOf(ids[2]!)).toBe('Theirs')
})

test('prose is pasted into one cell; a paste into many says how many it replaced, and is taken back by itself', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const ids = (await plants(world, client.clientId, 4, { alt_text: 'Before' })).reverse()
  const altTexts = () => Promise.all(ids.map(async (id) => (await me.reads(id)).body.altText))
  const library = libraryOn(await visit(me, home(client).replace('/assets', '/texts')))
  const { page } = library
  const cell = (row: number) => page.locator(`[data-cell="${row} 1"]`)
  await cell(0).click()

  // Of a mail, with an empty line in it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('A table.\n\nFrom the garden.'))
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+v')
  await page.keyboard.press('Tab')
  await expect.poll(altTexts, shows).toEqual(['A table.\n\nFrom the garden.', 'Before', 'Before', 'Before'])

  // Of a spreadsheet, with an empty cell in it.
  await cell(1).click()
  await pastes(cell(1), 'Two\n\nFour\n', '<table><tr><td>Two<tr><td><tr><td>Four</table>')
  await library.said('3 cells replaced').waitFor()
  expect(await Promise.all([1, 2, 3].map((row) => cell(row).inputValue()))).toEqual(['Two', '', 'Four'])
  // What is written after it stays.
  await cell(0).fill('Later')
  await page.keyboard.press('Tab')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await library.said('3 cells are as they were').waitFor()
  await expect.poll(altTexts, shows).toEqual(['Later', 'Before', 'Before', 'Before'])
})

test('columns that are pasted beyond the last one are told of, as rows are', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const [id] = await plants(world, client.clientId, 1, { alt_text: '' })
  const library = libraryOn(await visit(me, home(client).replace('/assets', '/texts')))
  const { page } = library
  const cell = page.locator('[data-cell="0 2"]')
  await cell.click()
  await pastes(cell, 'A table\tgarden\tlost\tlost\n')
  await library.said('2 columns were beyond the end of the table').waitFor()
  await expect.poll(async () => (await me.reads(id!)).body.tags, shows).toEqual(['garden'])
  await cell.focus()
  await page.keyboard.press('Control+a')
  await pastes(cell, 'A chair\thouse\tlost\nmore\n')
  const said = library.said('One column was beyond the end of the table')
  await said.waitFor()
  expect(await said.innerText()).toContain('One row was beyond the end of the table')
})

/** What others do is not told of. */
const isFocused = (it: Locator) => it.evaluate((element) => element === document.activeElement)

const hearsNothing = async (page: Page) => {
  await page.route(/\/events\?/, (route) => route.abort())
  await page.reload()
}

test('what is typed into a cell that somebody else has changed, or put into the trash, is not lost', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const ids = (await plants(world, client.clientId, 6, { alt_text: '' })).reverse()
  const wordsOf = async (row: number) => (await me.reads(ids[row]!)).body
  const page = await visit(me, home(client).replace('/assets', '/texts'))
  await hearsNothing(page)
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`)
  const around = (row: number, column: number) => page.locator('td', { has: cell(row, column) })
  const types = async (row: number, column: number, text: string) => {
    await cell(row, column).fill(text)
    await page.keyboard.press('Tab')
  }
  await cell(0, 1).waitFor()

  // Both are to be read, by those who listen too, and the person chooses: by keys alone.
  for (const row of [0, 1, 2]) await me.edits(ids[row]!, { altText: `Theirs ${row}` })
  await types(0, 1, 'Mine')
  const alert = around(0, 1).getByRole('alert')
  await alert.getByText('somebody else has changed it too').waitFor()
  expect(await alert.innerText()).toContain('Theirs 0')
  expect(await cell(0, 1).inputValue()).toBe('Mine')
  expect(await cell(0, 1).getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'))
  expect(await cell(0, 1).getAttribute('aria-invalid')).toBe('true')
  expect(await violationsInBoth(page)).toEqual([])
  await cell(0, 1).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await wordsOf(0)).altText, shows).toBe('Mine')
  await alert.waitFor({ state: 'detached' })
  expect(await cell(0, 1).evaluate((area) => area === document.activeElement)).toBe(true)
  await types(1, 1, 'Mine')
  await around(1, 1).getByRole('button', { name: 'Keep theirs' }).click()
  expect(await cell(1, 1).inputValue()).toBe('Theirs 1')
  expect((await wordsOf(1)).altText).toBe('Theirs 1')
  // Whoever has read both puts them together.
  await types(2, 1, 'Mine')
  await around(2, 1).getByRole('alert').waitFor()
  await types(2, 1, 'Mine and Theirs 2')
  await expect.poll(async () => (await wordsOf(2)).altText, shows).toBe('Mine and Theirs 2')

  // Of what is pasted only the cell that was changed is refused.
  await me.edits(ids[3]!, { altText: 'Theirs 3' })
  await cell(3, 0).click()
  await pastes(cell(3, 0), 'My title\tMine')
  await around(3, 1).getByRole('alert').waitFor()
  await expect.poll(async () => (await wordsOf(3)).title, shows).toBe('My title')
  expect(await cell(3, 1).inputValue()).toBe('Mine')

  // What comes to light while somebody types is not written over either.
  await me.edits(ids[4]!, { altText: 'Theirs 4' })
  const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(/\/words$/, async (route) => {
    await isTyped
    await route.continue()
  })
  await types(4, 0, 'Title 4')
  await page.keyboard.type('Mine')
  goOn()
  await expect.poll(async () => (await wordsOf(4)).title, shows).toBe('Title 4')
  await around(4, 0).getByText('Saved').waitFor()
  await page.keyboard.press('Tab')
  await around(4, 1).getByRole('alert').getByText('Theirs 4').waitFor()
  expect((await wordsOf(4)).altText).toBe('Theirs 4')

  // How many are not saved stands above, and leads to the first.
  const unsaved = page.getByRole('status').getByRole('button', { name: '2 cells are not saved' })
  await unsaved.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(3, 1).evaluate((area) => area === document.activeElement), shows).toBe(true)
  for (const row of [3, 4]) await around(row, 1).getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('status').filter({ hasText: 'Everything is saved' }).waitFor()

  // What was refused is nothing to take back: what was saved before it is.
  await me.edits(ids[1]!, { altText: 'Theirs again' })
  await types(1, 1, 'Mine')
  await around(1, 1).getByRole('button', { name: 'Keep theirs' }).click()
  await page.locator('.sheet-acts').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').filter({ hasText: 'One cell is as it was' }).last().waitFor()
  expect((await wordsOf(4)).title).toBe('Picture 2.')

  await me.trashes(ids[5]!)
  await types(5, 1, 'A long sentence')
  await around(5, 1).getByText('the asset is in the trash now').waitFor()
  expect(await cell(5, 1).inputValue()).toBe('A long sentence')
  await me.restores(ids[5]!)
  await around(5, 1).getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await wordsOf(5)).altText, shows).toBe('A long sentence')
})

test.each([
  { width: 1280, height: 800, column: 1 },
  { width: 800, height: 800, column: 3 },
  { width: 390, height: 780, column: 3 },
])(
  'what may be done about a cell that was refused is in sight, $width wide',
  { tags: 'drill' },
  async (window) => {
    const { who, home } = surfaces[0]!
    const client = await world.newClient()
    const me = who(client)
    const ids = (await plants(world, client.clientId, 30, { alt_text: '' })).reverse()
    const page = await visit(me, home(client).replace('/assets', '/texts'), { viewport: window })
    await hearsNothing(page)
    const cell = (row: number) => page.locator(`[data-cell="${row} ${window.column}"]`)
    await cell(0).waitFor()
    await page.waitForLoadState('networkidle')
    const words = ['title', 'altText', 'description', 'tags'][window.column]!
    const isInSight = (it: Locator) =>
      it.evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return [top + 3, bottom - 3].every((y) =>
          [left + 3, right - 3].every((x) => element.contains(document.elementFromPoint(x, y))),
        )
      })
    // At the lower edge of the table: whoever goes on below stays in sight, too.
    for (const [row, key] of [
      [4, 'Enter'],
      [5, 'Tab'],
      [9, 'Enter'],
    ] as const) {
      await me.edits(ids[row]!, {
        [words]: words === 'tags' ? ['theirs'] : 'Theirs, and a sentence about it',
      })
      await cell(row).evaluate((area) => area.closest('td')!.scrollIntoView({ block: 'end' }))
      await cell(row).fill('mine')
      await page.keyboard.press(key)
      const refused = page.locator('td', { has: cell(row) })
      for (const button of ['Keep yours', 'Keep theirs'])
        await expect.poll(() => isInSight(refused.getByRole('button', { name: button })), shows).toBe(true)
      expect(await page.evaluate(() => document.activeElement!.closest('.sheet') !== null)).toBe(true)
      expect(await isInSight(page.locator(':focus'))).toBe(true)
    }
  },
)

test('whoever signs out at the table is asked about what is not saved, and may stay signed in', {
  tags: 'drill',
}, async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const ids = (await plants(world, client.clientId, 2, { alt_text: '' })).reverse()
  const page = await visit(me, home(client).replace('/assets', '/texts'))
  await hearsNothing(page)
  const cell = page.locator('[data-cell="1 1"]')
  await cell.waitFor()
  await me.edits(ids[1]!, { altText: 'Theirs' })
  await cell.fill('Mine')
  const dialog = page.getByRole('dialog', { name: 'Leave the table?' })
  const signsOut = async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signsOut()
  await dialog.getByText('One cell is not saved').waitFor()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await cell.inputValue()).toBe('Mine')
  await expect.poll(() => isFocused(cell), shows).toBe(true)
  expect((await page.request.get('/auth/me')).status()).toBe(200)

  let isAskedTwice = false
  page.on('dialog', (asked) => {
    isAskedTwice = true
    void asked.accept()
  })
  await signsOut()
  await dialog.getByRole('button', { name: 'Leave and lose 1 cell' }).click()
  await page.waitForURL(/login/)
  expect(isAskedTwice).toBe(false)
  expect((await page.request.get('/auth/me')).status()).toBe(401)
})

test('whoever leaves the table is asked about what is not saved, and only about that', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const ids = (await plants(world, client.clientId, 5, { alt_text: '' })).reverse()
  const altOf = async (row: number) => (await me.reads(ids[row]!)).body.altText
  const library = libraryOn(await visit(me, home(client)))
  const { page } = library
  await hearsNothing(page)
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`)
  const opens = async () => {
    await library.asset('Picture 5.').waitFor()
    await library.grid.click({ button: 'right', position: { x: 2, y: 2 } })
    await library.menuItem('Texts as a table').click()
    await cell(0, 1).waitFor()
  }
  const goesBack = () => page.evaluate(() => history.back())
  const back = page.getByRole('link', { name: 'Back to the assets' })
  const dialog = page.getByRole('dialog', { name: 'Leave the table?' })
  const stay = dialog.getByRole('button', { name: 'Stay' })

  // What is still being saved is waited for.
  await opens()
  const { promise: isClicked, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(/\/words$/, async (route) => {
    await isClicked
    await route.continue()
  })
  await cell(0, 1).fill('Saved')
  await back.click()
  expect(await dialog.count()).toBe(0)
  goOn()
  await library.asset('Picture 5.').waitFor()
  expect(await altOf(0)).toBe('Saved')
  await page.unroute(/\/words$/)

  // What somebody else has changed too: by Back, out of the cell, by a link and by another page.
  await opens()
  await me.edits(ids[1]!, { altText: 'Theirs' })
  await cell(1, 1).fill('Mine')
  const leaves = [
    goesBack,
    () => back.click(),
    () => page.getByRole('link', { name: 'Activity' }).click(),
    goesBack,
  ]
  for (const leave of leaves) {
    await leave()
    await dialog.getByText('One cell is not saved').waitFor()
    await stay.click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname, shows).toContain('/texts')
    expect(await cell(1, 1).inputValue()).toBe('Mine')
    await expect.poll(() => isFocused(cell(1, 1)), shows).toBe(true)
  }
  // And what no cell can say.
  await cell(2, 0).fill('')
  await back.click()
  await dialog.getByText('2 cells are not saved').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Leave and lose 2 cells' }).click()
  await library.asset('Picture 5.').waitFor()
  expect(await altOf(1)).toBe('Theirs')

  // Without a connection: it goes on by itself when everything is saved after all.
  await opens()
  await page.context().setOffline(true)
  await cell(3, 1).fill('Typed on a train')
  await goesBack()
  await dialog.getByText('One cell is not saved').waitFor()
  await page.context().setOffline(false)
  await library.asset('Picture 5.').waitFor()
  await expect.poll(() => altOf(3), shows).toBe('Typed on a train')
  // What somebody chose to lose is not saved later.
  await opens()
  await page.context().setOffline(true)
  await cell(4, 1).fill('Not this')
  await goesBack()
  await dialog.getByRole('button', { name: 'Leave and lose 1 cell' }).click()
  await library.asset('Picture 5.').waitFor()
  await page.context().setOffline(false)
  await opens()
  await cell(3, 2).fill('Later')
  await back.click()
  await library.asset('Picture 5.').waitFor()
  expect((await me.reads(ids[3]!)).body.description).toBe('Later')
  expect(await altOf(4)).toBe('')

  // On a phone the question is a step in the browser's history, too.
  await opens()
  await page.setViewportSize({ width: 390, height: 844 })
  await cell(0, 0).fill('')
  await goesBack()
  await stay.click()
  await dialog.waitFor({ state: 'detached' })
  await goesBack()
  await dialog.getByRole('button', { name: 'Leave and lose 1 cell' }).click()
  await library.asset('Picture 5.').waitFor()
})

test.each(['operator', 'viewer'] as const)(
  'with a selection the table of %s is of just that, also after a reload',
  { tags: 'drill' },
  async (who) => {
    const { home } = surfaces[0]!
    const client = await world.newClient()
    await plants(world, client.clientId, 19)
    const library = libraryOn(await visit(client.people[who], home(client)))
    const { page } = library
    const names = () =>
      page
        .locator('[data-cell$=" 0"]')
        .evaluateAll((all: HTMLTextAreaElement[]) => all.map(({ value }) => value))
    const opens = () => page.getByRole('button', { name: 'Texts as a table' }).click()
    await library.asset('Picture 7.').click()
    await library.asset('Picture 12.').click({ modifiers: ['ControlOrMeta'] })
    await opens()
    await expect.poll(names, shows).toEqual(['Picture 12.', 'Picture 7.'])
    expect(await page.locator('.sheet-of').innerText()).toContain('2 selected')
    await page.reload()
    await expect.poll(names, shows).toEqual(['Picture 12.', 'Picture 7.'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(3)

    // Everything but one is the list without it.
    await page.getByRole('link', { name: 'Back to the assets' }).click()
    await library.asset('Picture 7.').click()
    await page.keyboard.press('Control+a')
    await library.asset('Picture 12.').click({ modifiers: ['ControlOrMeta'] })
    await opens()
    await page.getByRole('status').filter({ hasText: '18 rows' }).waitFor()
    expect(await names()).not.toContain('Picture 12.')
  },
)

test('on a phone, in German and for the client’s own people each row is a card', {
  tags: 'drill',
}, async () => {
  const { who } = surfaces[1]!
  const client = await world.newClient()
  const me = who(client)
  const [id] = await plants(world, client.clientId, 3, { alt_text: '' })
  const page = await visit(me, '/app/portal/texts', {
    viewport: { width: 390, height: 800 },
    locale: 'de-DE',
    hasTouch: true,
  })
  const alt = page.getByRole('textbox', { name: 'Alternativtext von planted.png' }).nth(2)
  await alt.fill('Ein Tisch')
  await alt.blur()
  await expect.poll(async () => (await me.reads(id!)).body.altText, shows).toBe('Ein Tisch')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await violationsInBoth(page)).toEqual([])

  // Forward is a way to leave, too.
  await page.getByRole('link', { name: 'Zurück zu den Medien' }).click()
  await page.getByRole('grid').waitFor()
  await page.evaluate(() => history.back())
  await alt.waitFor()
  await page.getByRole('textbox', { name: 'Titel von planted.png' }).first().fill('')
  await page.evaluate(() => history.forward())
  const dialog = page.getByRole('dialog', { name: 'Tabelle verlassen?' })
  await dialog.getByText('Eine Zelle ist nicht gespeichert').waitFor()
  await dialog.getByRole('button', { name: 'Verlassen und 1 Zelle verlieren' }).click()
  await page.getByRole('grid').waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/portal/assets')
})

test.for(surfaces)(
  'the table says that it leaves out folders, and takes them in, in the $surface frame',
  async ({ who, home }) => {
    const client = await world.newClient()
    const me = who(client)
    const season = await me.makesFolder('Season')
    const summer = await me.makesFolder('Summer', season.folderId)
    await me.makesFolder('Empty')
    const plant = (title: string, folder_id: string | null) =>
      plants(world, client.clientId, 1, { title, folder_id })
    await plant('Of the top', null)
    await plant('Of the season', season.folderId)
    await plant('Of the summer', summer.folderId)
    const library = libraryOn(await visit(me, home(client)))
    const { page } = library
    await library.asset('Of the top').waitFor()
    await page.getByRole('button', { name: 'Texts as a table' }).click()
    const about = page.locator('.sheet-of')
    const below = page.getByRole('checkbox', { name: 'Also what is in its folders' })
    const titles = () =>
      page
        .locator('[data-cell$=" 0"]')
        .evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value))
    const covers = (...all: string[]) => expect.poll(async () => (await titles()).sort(), shows).toEqual(all)
    await covers('Of the top')
    expect(await about.innerText()).toBe('Library · without its folders')
    await below.click()
    await covers('Of the season', 'Of the summer', 'Of the top')
    expect(await about.innerText()).toBe('All folders')
    expect(await below.isChecked()).toBe(true)
    await page.reload()
    await covers('Of the season', 'Of the summer', 'Of the top')
    expect(await violationsInBoth(page)).toEqual([])

    // What is not saved is asked about, as anywhere else.
    await page.locator('[data-cell="0 0"]').fill('')
    await page.keyboard.press('Enter')
    await page.getByText('every asset has a title').waitFor()
    await below.click()
    await page.getByRole('button', { name: 'Leave and lose 1 cell' }).click()
    await covers('Of the top')

    const texts = home(client).replace('/assets', '/texts')
    await page.goto(`${texts}?folder=${season.folderId}`)
    await covers('Of the season')
    expect(await about.innerText()).toBe('Library / Season · without its folders')
    await below.click()
    await covers('Of the season', 'Of the summer')
    expect(await about.innerText()).toBe('Library / Season · with all folders in it')
    await page.getByRole('link', { name: 'Back to the assets' }).click()
    await library.asset('Of the season').waitFor()

    // Where there are none, or what was searched for comes from all of them, nothing is left out.
    await page.goto(`${texts}?folder=${summer.folderId}`)
    await covers('Of the summer')
    expect([await about.innerText(), await below.count()]).toEqual(['Library / Season / Summer', 0])
    await page.goto(`${texts}?q=season`)
    await covers('Of the season')
    expect(await below.count()).toBe(0)
    // What it is narrowed down to is said in words.
    await page.goto(`${texts}?q=season&type=image&used=no`)
    await covers('Of the season')
    expect(await about.innerText()).toBe('Results for “season” · All folders · Images · Not used yet')
  },
)
