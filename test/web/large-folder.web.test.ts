import { describe, expect, test } from 'vitest'
import type { Person } from '../person.ts'
import { app, hasAsset, libraryOn, longWait, surfaces } from './app.ts'
import { plants } from './plants.ts'

const { world, visit } = await app()
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
const totalOf = async (me: Person, query: Parameters<Person['lists']>[0]) =>
  (await me.lists({ ...query, count: true, limit: 1 })).body.total

describe('a folder of five thousand', () => {
  test('is there from its first to its last, and Back returns to where one was', async () => {
    const { client, me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    await hasAsset(me, 'Snow', { folderId })
    await plants(world, client.clientId, 5000)
    const library = await look()
    const { page } = library
    const read: string[] = []
    page.on('request', (request) => {
      if (/\/assets\?/.test(request.url())) read.push(request.url())
    })
    await library.asset('Picture 5000.').waitFor()
    await page.getByText('5,000 assets', { exact: true }).waitFor()
    const scroller = (script: string) =>
      library.grid.evaluate((grid, how) => new Function('grid', how)(grid), script)

    // The bar covers the whole folder, and a jump reads only what is seen.
    await scroller('grid.scrollTop = grid.scrollHeight / 2')
    await expect
      .poll(async () => (await library.cells.allInnerTexts()).join(' '), shows)
      .toMatch(/Picture 2[45]\d\d\./)
    expect(read.length).toBeLessThan(8)

    // What stands in the middle is chosen; another folder is opened; Back.
    const middle = library.cells.filter({ hasText: /Picture 2[45]\d\d\./ }).nth(8)
    const title = /Picture \d+\./.exec(await middle.innerText())![0]
    await library.asset(title).click()
    await expect.poll(() => page.url(), shows).toContain('asset=')
    const top = await scroller('return grid.scrollTop')
    await library.inTree('Winter').click()
    await library.asset('Snow').waitFor()
    await page.goBack()
    await library.asset(title).waitFor()
    expect(await scroller('return grid.scrollTop')).toBe(top)
    await expect
      .poll(async () => library.grid.getAttribute('aria-activedescendant'), shows)
      .toBe(await library.asset(title).getAttribute('id'))

    // End and Home, and the quick look at the end.
    await library.grid.focus()
    await page.keyboard.press('End')
    await expect.poll(() => library.asset('Picture 1.').getAttribute('aria-selected'), shows).toBe('true')
    await page.keyboard.press('Space')
    const quickLook = page.getByRole('dialog', { name: 'Quick look at Picture 1.' })
    await quickLook.getByText('5000 of 5000').or(quickLook.getByText('5,000 of 5,000')).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('dialog', { name: 'Quick look at Picture 2.' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await expect.poll(() => library.folder('Winter').getAttribute('aria-selected'), shows).toBe('true')
    expect(read.length).toBeLessThan(14)

    // A link to what lies deep in it leads there.
    const linked = await look(
      `?asset=${(await me.lists({ q: 'Picture 1234.', everywhere: true })).body.assets[0].assetId}`,
    )
    await linked.asset('Picture 1234.').waitFor()

    // Everything between two that are far apart is chosen, read or not.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+End')
    await bar(library).getByText('5,000 selected').waitFor()

    // A rectangle over what nobody has read asks for it once, when it is drawn.
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/assets\/ids/.test(request.url())) asked.push(request.url())
    })
    await page.route(/\/assets\?/, () => {}) // pages that never come
    await scroller('grid.scrollTop = grid.scrollHeight * 0.7')
    const ground = (await library.grid.boundingBox())!
    await page.mouse.move(ground.x + 4, ground.y + 60)
    await page.mouse.down()
    await page.mouse.move(ground.x + ground.width - 60, ground.y + ground.height - 80, { steps: 20 })
    expect(asked).toEqual([])
    await page.mouse.up()
    await bar(library)
      .getByText(/^[1-3]?\d selected$/)
      .waitFor()
    expect(asked.length).toBeGreaterThan(0)
    expect(new Set(asked).size).toBe(asked.length)
  })
})

describe('more than ten thousand that were searched for', () => {
  test('are shown before they are counted, and counted when somebody goes to their end or chooses all', async () => {
    const { client, look } = await opens()
    await plants(world, client.clientId, 10_050)
    const library = await look()
    const { page } = library
    await page.getByText('10,050 assets', { exact: true }).waitFor()

    // What nobody stays with is not counted.
    const counted: string[] = []
    await page.route(/[?&]count/, async (route) => {
      counted.push(route.request().url())
      await answers.promise
      await route.continue()
    })
    const answers = Promise.withResolvers<void>()
    const box = page.getByRole('searchbox')
    await box.fill('pict')
    await expect.poll(() => page.url(), shows).toContain('q=pict')
    await library.asset('Picture 10050.').waitFor()
    await box.fill('picture')
    await expect.poll(() => counted.length, shows).toBe(1)
    expect(counted[0]).toContain('q=picture')
    await library.asset('Picture 10050.').waitFor()
    expect(await page.getByText(/[\d,]+\+? assets$/).count()).toBe(0)
    answers.resolve()
    await page.getByText('10,000+ assets', { exact: true }).waitFor()

    await expect
      .poll(async () => {
        await library.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
        return library.asset('Picture 1.').count()
      }, shows)
      .toBe(1)

    await library.asset('Picture 1.').click()
    await page.keyboard.press('Control+a')
    await bar(library).getByText('10,050 selected').waitFor()
    await page.getByText('10,050 assets', { exact: true }).waitFor()
  })
})

describe('more than is loaded', () => {
  test('is selected, tagged as one job that can be stopped and outlives the page, and untagged again', async () => {
    const { client, me, look } = await opens()
    await plants(world, client.clientId, 1200)
    const library = await look()
    const { page } = library
    const choosesAll = async () => {
      await library.asset('Picture 1200.').click()
      await page.keyboard.press('Control+a')
      await bar(library).getByText('1,200 selected').waitFor()
    }
    const tags = async (tag: string, count = '1,200') => {
      await bar(library).getByRole('button', { name: 'Tag' }).click()
      const dialog = page.getByRole('dialog', { name: `Tag ${count} assets` })
      await dialog.getByRole('combobox', { name: 'Tags to add' }).fill(tag)
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Add tags' }).click()
    }
    const oneByOne: string[] = []
    page.on('request', (request) => {
      if (/\/assets\/batch$/.test(request.url())) oneByOne.push(request.url())
    })
    await choosesAll()
    await tags('campaign')
    await library.said('1,200 assets tagged').waitFor()
    expect(await totalOf(me, { tag: 'campaign' })).toBe(1200)

    // One of them is taken out again: all but that.
    await library.asset('Picture 1199.').click({ modifiers: ['Control'] })
    await bar(library).getByText('1,199 selected').waitFor()
    await tags('second', '1,199')
    await library.said('1,199 assets tagged').waitFor()
    expect(await totalOf(me, { tag: 'second' })).toBe(1199)
    await page.keyboard.press('Control+z')
    await library.said('Undone: 1,199 assets tagged').waitFor()
    await page.keyboard.press('Control+z')
    await library.said('Undone: 1,200 assets tagged').waitFor()
    expect(await totalOf(me, { tag: 'campaign' })).toBe(0)
    expect(oneByOne).toEqual([])

    // However far it had come when it was stopped, that is said and can be taken back.
    const answers = Promise.withResolvers<void>()
    await page.route('**/assets/batches/*', async (route) => {
      await answers.promise
      await route.continue()
    })
    await choosesAll()
    await tags('stopped')
    const progress = page.getByRole('region', { name: 'Tagging' })
    await expect.poll(() => totalOf(me, { tag: 'stopped' }), shows).toBeGreaterThan(0)
    await progress.getByRole('button', { name: 'Stop' }).click()
    answers.resolve()
    await progress.waitFor({ state: 'detached' })
    const stoppedAt = await totalOf(me, { tag: 'stopped' })
    await library.said(`${stoppedAt.toLocaleString('en-GB')} assets tagged`).waitFor()
    await page.unrouteAll({ behavior: 'wait' })

    // The page is left while it runs: the next one says how it ended.
    await page.route('**/assets/batches/*', () => {})
    await choosesAll()
    await tags('left')
    await progress.waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    const offer = library.said('Tagging: 1,200 done')
    await offer.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => totalOf(me, { tag: 'left' }), shows).toBe(0)
  })

  test('is taken home as one zip, from the bar and from the menus', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    for (const title of ['Snow', 'Ice']) await hasAsset(me, title, { folderId })
    await hasAsset(me, 'Sun')
    const library = await look()
    const { page } = library
    const takes = async (act: () => Promise<unknown>) => {
      const [download] = await Promise.all([page.waitForEvent('download'), act()])
      expect(await download.failure()).toBeNull()
      return download.suggestedFilename()
    }
    await library.asset('Sun').click()
    await page.keyboard.press('Control+a')
    expect(await takes(() => bar(library).getByRole('button', { name: 'Download' }).click())).toMatch(
      /\.zip$/,
    )
    await library.inTree('Winter').click()
    await library.asset('Snow').click()
    await page.keyboard.press('Control+a')
    expect(await takes(() => library.choosesIn(library.asset('Snow'), 'Download zip'))).toBe('Winter.zip')
    await page.keyboard.press('Escape')
    await library.grid.click({ button: 'right', position: { x: 400, y: 500 } })
    expect(await takes(() => library.menuItem('Download zip').click())).toBe('Winter.zip')
  })

  test('goes to the trash only when that has been confirmed, also inside a folder', async () => {
    const { client, me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    await plants(world, client.clientId, 60, { folder_id: folderId })
    await plants(world, client.clientId, 130)
    const library = await look()
    const { page } = library
    const dialog = page.getByRole('dialog')
    const counted = Promise.withResolvers<void>()
    await page.route('**/folders/counts**', async (route) => {
      await counted.promise
      await route.continue()
    })
    await page.reload()
    await library.asset('Picture 130.').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    counted.resolve()
    await page.getByRole('dialog', { name: 'Move 131 items to the trash?' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await totalOf(me, { everywhere: true })).toBe(190)

    await library.choosesIn(library.folder('Winter'), 'Move to trash')
    await page.getByRole('dialog', { name: /^Move \d+ items to the trash\?/ }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await library.folder('Winter').click()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: 'Move 1 item to the trash?' }).waitFor()
    await dialog.getByText('60 more assets go with their folders.').waitFor()
    await dialog.getByRole('button', { name: 'Move to trash' }).click()
    await library.folder('Winter').waitFor({ state: 'detached' })
    await expect.poll(() => totalOf(me, { everywhere: true }), shows).toBe(130)
  })
})
