import { mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'
import { plants } from './plants.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const why = (cell: Locator) => cell.locator('.found-in')
const said = (cell: Locator) => why(cell).getAttribute('title')
/** The word is, whatever else has no room. */
const isInSight = (cell: Locator) =>
  cell
    .locator('.found-in mark')
    .first()
    .evaluate((mark) => {
      const line = mark.closest('.found-in')!.parentElement!.getBoundingClientRect()
      const { right } = mark.getBoundingClientRect()
      const { scrollWidth, clientWidth } = mark.parentElement!
      return right <= line.right + 1 && scrollWidth <= clientWidth
    })
const marked = (cell: Locator) => cell.locator('.found-in mark').allInnerTexts()

test.for(surfaces)(
  'a hit says where it has the words, in the $surface frame',
  async ({ who, home, surface }) => {
    const client = await world.newClient()
    const me = who(client)
    const { folderId } = await me.makesFolder('Summer')
    await hasAsset(me, 'Menü of today')
    const row = { original_filename: 'img.png', alt_text: '' }
    const plant = (title: string, more: object) =>
      plants(world, client.clientId, 1, { ...row, title, ...more })
    const description = `A long day at the sea that ended with a look at the Menu ${'of the house '.repeat(20)}`
    await hasAsset(me, 'Tagged', { tags: ['menus'], folderId })
    await plant('Described', { description })
    await plant('Named', { original_filename: 'menu-2024.png' })
    await plant('Alternative', { alt_text: 'Guests read the menu' })
    const { assetId } = await hasAsset(me, 'Pictured')
    await sql`insert into picture_texts (client_id, asset_id, version, text)
      select client_id, id, version, 'Our menu for tonight' from assets where id = ${assetId}`.execute(
      world.parts.db,
    )

    const library = libraryOn(await visit(me, `${home(client)}?q=men%C3%BC`, { colorScheme: 'dark' }))
    const { page } = library
    const says = async (line: (title: string) => Locator) => {
      await expect.poll(() => said(line('Named')), shows).toBe('File name: menu-2024.png')
      expect(await said(line('Tagged'))).toBe('Tag: menus')
      expect(await said(line('Alternative'))).toBe('Alt text: Guests read the menu')
      expect(await said(line('Pictured'))).toBe('Found in the text of the picture')
      expect(await said(line('Described'))).toMatch(/^Description: … .*look at the Menu of the house/)
      expect(await marked(line('Described'))).toEqual(['Menu'])
      for (const title of ['Described', 'Alternative']) expect(await isInSight(line(title))).toBe(true)
      expect(await why(line('Menü of today')).count()).toBe(0)
      expect(await line('Menü of today').locator('.tile-title mark').allInnerTexts()).toEqual(['Menü'])
      expect(await page.locator('.tile-title mark').count()).toBe(1)
    }
    await says(library.asset)
    const heights = async (parts: string) =>
      new Set(
        await page.locator(parts).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height)),
      )
    expect(await library.cells.count()).toBe(6)
    expect((await heights('.tile')).size).toBe(1)
    expect((await heights('.tile-picture')).size).toBe(1)
    await shot(page, `${surface}-grid`)
    expect(await violationsInBoth(page)).toEqual([])

    await page.keyboard.press('v')
    const line = (title: string) => page.getByRole('row', { name: title })
    await says(line)
    await shot(page, `${surface}-list`)
    expect(await violationsInBoth(page)).toEqual([])

    await page.setViewportSize({ width: 390, height: 844 })
    await says(line)
    expect(await heights('.line')).toEqual(new Set([64]))
    await shot(page, `${surface}-list-phone`)
    await page.goto(`${home(client)}?q=menu&view=grid`)
    await says(library.asset)
    expect((await heights('.tile-picture')).size).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await shot(page, `${surface}-grid-phone`)

    await library.search.fill('')
    await expect.poll(() => page.locator('mark').count(), shows).toBe(0)
    await library.asset('Menü of today').waitFor()
  },
)

test('words that were misspelt, or are those of a folder, are marked as they were found', async () => {
  const client = await world.newClient()
  const { portal } = client
  const { folderId } = await portal.makesFolder('Autumn fair')
  await hasAsset(portal, 'Terrace', { description: 'Lanterns above the tables', folderId })
  const library = libraryOn(await visit(portal, '/app/portal/assets?q=lantrens'))
  await expect.poll(() => marked(library.asset('Terrace')), shows).toEqual(['Lanterns'])
  await library.search.fill('lanterns autumn')
  await expect
    .poll(() => said(library.asset('Terrace')), shows)
    .toBe('Description: Lanterns above the tables · Folder: Autumn fair')
})
