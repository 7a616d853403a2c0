import { describe, expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, isDrawn, libraryOn, longWait, surfaces } from './app.ts'

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

const isChosen = (library: Library, title: string) =>
  expect.poll(() => library.asset(title).getAttribute('aria-selected'), shows).toBe('true')

describe('a marquee', () => {
  test('leaves every click behind it alive', async () => {
    const { me, look } = await opens()
    for (const title of ['One', 'Two', 'Three']) await hasAsset(me, title)
    const library = await look()
    const { page } = library
    const first = (await library.asset('Three').boundingBox())!
    const second = (await library.asset('Two').boundingBox())!

    await page.mouse.move(first.x + 20, first.y + first.height + 60)
    await page.mouse.down()
    await page.mouse.move(second.x + 40, second.y + 40, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('toolbar', { name: 'Selected items' }).getByText('2 selected').waitFor()

    await library.asset('One').click()
    await isChosen(library, 'One')
    await expect.poll(() => page.locator('[role=gridcell][aria-selected=true]').count(), shows).toBe(1)
  })
})

describe('the folder one is in', () => {
  test('is left for the nearest one alive when it is deleted, by oneself or by somebody else', {
    tags: 'drill',
  }, async () => {
    const { client, me, look } = await opens()
    const campaigns = await me.makesFolder('Campaigns')
    const winter = await me.makesFolder('Winter', campaigns.folderId)
    const raw = await me.makesFolder('Raw', winter.folderId)
    await hasAsset(me, 'Snow', { folderId: raw.folderId })
    await hasAsset(me, 'Plan', { folderId: campaigns.folderId })
    const library = await look(`?folder=${raw.folderId}`)
    await library.asset('Snow').waitFor()

    await client.portal.deletesFolder(winter.folderId)
    await library.said('“Raw” is in the trash').waitFor()
    await library.asset('Plan').waitFor()
    await library.asset('Snow').waitFor({ state: 'detached' })
    await expect.poll(() => library.page.url(), shows).toContain(`folder=${campaigns.folderId}`)

    await library.inTree('Campaigns').click({ button: 'right' })
    await library.menuItem('Move to trash').click()
    await library.said('“Campaigns” is in the trash').waitFor()
    await library.page.getByText('Your library starts here').waitFor()
    await expect.poll(() => library.path.innerText(), shows).toBe('Library')
  })

  test('has a menu of its own beside its name', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Campaigns')
    const library = await look(`?folder=${folderId}`)
    await library.page.getByRole('button', { name: 'Actions for Campaigns', exact: true }).click()
    await library.menuItem('Download zip').waitFor()
    await library.menuItem('Rename').click()
    await library.page.getByRole('textbox', { name: 'Folder name' }).fill('Kampagnen')
    await library.page.keyboard.press('Enter')
    await expect.poll(() => library.path.innerText(), shows).toMatch(/Kampagnen/)
  })
})

describe('folders', () => {
  test('that are many and deleted together are asked for a few times, and no answer is thrown away', {
    tags: 'drill',
  }, async () => {
    const { me, look } = await opens()
    for (let n = 0; n < 24; n++) await me.makesFolder(`Box ${n}`)
    const library = await look()
    await library.folder('Box 23').waitFor()
    const asked: string[] = []
    const aborted: string[] = []
    library.page.on('request', (request) => {
      if (request.method() === 'GET' && /\/assets\/folders(\?|$)/.test(request.url()))
        asked.push(request.url())
    })
    library.page.on('requestfailed', (request) => {
      if (/\/assets(\/folders)?(\?|$)/.test(request.url())) aborted.push(request.url())
    })

    await library.folder('Box 0').click()
    await library.page.keyboard.press('Control+a')
    await library.page.keyboard.press('Delete')
    await library.said('24 items moved to trash').waitFor()
    await library.page.getByText('Your library starts here').waitFor()
    expect(aborted).toEqual([])
    expect(asked.length).toBeLessThan(6)
  })

  test('of the Social agent do not ask where they should go', async () => {
    const { client, look } = await opens()
    await client.social.makesFolder('Social')
    const library = await look()
    await library.folder('Social').click()
    await library.page.keyboard.press('m')
    await library.said('“Social” is managed by the Social agent').waitFor()
    expect(await library.page.getByRole('dialog').count()).toBe(0)
  })

  test('are made once they have a name, and not at all after Esc', async () => {
    const { me, look } = await opens()
    await me.makesFolder('Old')
    const library = await look()
    await library.folder('Old').waitFor()
    const names = async () => (await me.lists()).body.folders.map(({ name }: { name: string }) => name)

    await library.page.keyboard.press('n')
    const field = library.page.getByRole('textbox', { name: 'Folder name' })
    await field.waitFor()
    await library.page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect.poll(() => library.cells.count(), shows).toBe(1)
    expect(await names()).toEqual(['Old'])
    expect((await me.lists({ trashed: true })).body.folders).toEqual([])

    await library.page.keyboard.press('n')
    await field.fill('old')
    await library.page.keyboard.press('Enter')
    await library.said(/already|taken|name/i).waitFor()
    await expect.poll(() => field.inputValue(), shows).toBe('old')
    await field.fill('New')
    await library.page.keyboard.press('Enter')
    await library.folder('New').waitFor()
    await library.inTree('New').waitFor()
    expect(await names()).toEqual(['New', 'Old'])
  })
})

test('what is done often with a selection has its word in the bar, and what has none a tooltip', async () => {
  const { me, look } = await opens()
  for (const title of ['Pier', 'Quay']) await hasAsset(me, title)
  const library = await look()
  const { page } = library
  await page.setViewportSize({ width: 1366, height: 768 })
  await library.showsDetailsOf('Quay')
  await library.grid.focus()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'More' }).waitFor()
  for (const name of ['Move', 'Tag', 'Download', 'Move to trash'])
    await bar.getByRole('button', { name, exact: true }).getByText(name).waitFor()
  const bare = await bar.locator('button:not([data-worded])').all()
  expect(await Promise.all(bare.map((it) => it.getAttribute('title')))).toEqual(
    await Promise.all(bare.map((it) => it.getAttribute('aria-label'))),
  )
  await bar.getByRole('button', { name: 'More' }).click()
  await library.menuItem('Copy refs').waitFor()
})

test('toasts stand apart, and leave even when the pointer rests on them', { tags: 'drill' }, async () => {
  const { me, look } = await opens()
  await hasAsset(me, 'One')
  const library = await look()
  const { page } = library
  await library.asset('One').waitFor()
  await page.clock.install()
  const toasts = page.locator('.toast')
  await library.asset('One').click()
  await page.keyboard.press('Control+z')
  await expect.poll(() => toasts.count(), shows).toBe(1)
  await page.keyboard.press('Delete')
  await library.asset('One').waitFor({ state: 'detached' })
  await page.clock.runFor(400)
  await expect.poll(() => toasts.count(), shows).toBe(2)
  const boxes = await toasts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
  const [upper, lower] = boxes.sort((a, b) => a.top - b.top)
  expect(lower!.top - upper!.bottom).toBeGreaterThanOrEqual(8)

  await page.mouse.move(lower!.left + 20, lower!.top + 20)
  await page.clock.runFor(30_000)
  await expect.poll(() => toasts.count(), shows).toBe(0)
})

test('a tall picture stands on plain ground once it is there', { tags: 'drill' }, async () => {
  const { me, look } = await opens()
  await me.uploads(png(40, 120, [200, 30, 30]), {
    session: { originalFilename: 'tall.png', mimeType: 'image/png' },
    words: { title: 'Tall' },
  })
  const library = await look()
  await isDrawn(library.asset('Tall').locator('img'))
  await expect
    .poll(
      () =>
        library
          .asset('Tall')
          .locator('.picture')
          .evaluate((picture) => getComputedStyle(picture).backgroundImage),
      shows,
    )
    .toBe('none')
  // In the details nothing of any picture is cut off, so there is ground beside it.
  await hasAsset(me, 'Lanterns')
  const picture = (await library.showsDetailsOf('Lanterns')).locator('.picture')
  await isDrawn(picture.locator('img'))
  await expect.poll(() => picture.evaluate((it) => getComputedStyle(it).backgroundImage), shows).toBe('none')
})

test('tags that differ by case are one tag', async () => {
  const { me, look } = await opens()
  const { assetId } = await hasAsset(me, 'Lanterns', { tags: ['Fest', 'fest'] })
  await hasAsset(me, 'Bread')
  const tags = async () => (await me.reads(assetId)).body.tags
  expect(await tags()).toEqual(['Fest'])
  const library = await look()
  const details = await library.showsDetailsOf('Lanterns')
  await details.getByRole('textbox', { name: 'Add a tag' }).fill('FEST')
  await library.page.keyboard.press('Enter')
  await details.getByRole('textbox', { name: 'Add a tag' }).fill('boats')
  await library.page.keyboard.press('Enter')
  await expect.poll(tags, shows).toEqual(['Fest', 'boats'])
  await expect.poll(() => details.locator('.tag').allInnerTexts(), shows).toEqual(['Fest', 'boats'])
})

test('the clients page says how much is stored now', async () => {
  const { me } = await opens()
  const page = await visit(me, '/app/clients')
  const card = page.getByRole('main').getByRole('link').first()
  await expect.poll(() => card.innerText(), shows).toMatch(/^\D*0 B/)
  await card.click()
  await page.getByText('Your library starts here').waitFor()
  await me.uploads(png(300, 200, [1, 2, 3]), {
    session: { originalFilename: 'a.png', mimeType: 'image/png' },
  })
  await page.goBack()
  await expect.poll(() => card.innerText(), shows).not.toMatch(/^\D*0 B/)
})

test.for(['en-GB', 'de-DE'])(
  'the bar says what is done most as far as there is room, in %s',
  async (locale) => {
    const client = await world.newClient()
    for (const title of ['Terrace', 'Lanterns']) await hasAsset(client.operator, title)
    const library = libraryOn(
      await visit(client.operator, `/app/clients/${client.clientId}/assets`, {
        locale,
        viewport: { width: 1440, height: 800 },
      }),
    )
    const { page } = library
    await library.asset('Terrace').waitFor()
    await library.grid.focus()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: /Selected items|Ausgewählte/ })
    const often =
      locale === 'en-GB'
        ? ['Move', 'Tag', 'Download', 'Move to trash']
        : ['Verschieben', 'Schlagwörter', 'Herunterladen', 'In den Papierkorb']
    const worded = async () => {
      const inside = await bar.evaluate((one) => {
        const [own, around] = [one, one.parentElement!].map((each) => each.getBoundingClientRect())
        const last = one.lastElementChild!.getBoundingClientRect()
        return own!.left >= around!.left && own!.right <= around!.right && last.right <= own!.right
      })
      const all = await bar.locator('.batch-act span').all()
      const shown = await Promise.all(
        all.map(async (one) => ((await one.isVisible()) ? one.innerText() : '')),
      )
      return { inside, shown: shown.filter(Boolean) }
    }
    await expect.poll(worded, shows).toEqual({ inside: true, shown: expect.arrayContaining(often) })
    const unworded = bar.getByRole('button', { name: /Copy refs|Refs kopieren/ })
    expect(await unworded.getAttribute('title')).toMatch(/refs/i)

    // Where not even all icons have room, those that are rarely used stand in a menu.
    await page.setViewportSize({ width: 800, height: 800 })
    await bar.getByRole('button', { name: /^(More|Mehr)$/ }).waitFor()
    await expect.poll(async () => (await worded()).inside, shows).toBe(true)
    expect(await unworded.count()).toBe(0)
    await page.setViewportSize({ width: 2200, height: 800 })
    await expect.poll(async () => (await worded()).shown.length, shows).toBeGreaterThan(8)
    expect((await worded()).inside).toBe(true)

    // On a phone a menu has words for all of it.
    await page.setViewportSize({ width: 390, height: 844 })
    await bar.getByRole('button', { name: /^(More|Mehr)$/ }).click()
    for (const name of often) await page.getByRole('menuitem', { name, exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  },
)
