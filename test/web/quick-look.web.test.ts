import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { app, isDrawn, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function looksAt(titles: string[], title: string, options = {}) {
  const client = await world.newClient()
  const me = client.operator
  for (const [at, title] of titles.entries())
    await me.uploads(png(1200, 900, [60 * at, 120, 200]), {
      session: { originalFilename: `${title}.png`, mimeType: 'image/png' },
      words: { title, altText: title },
    })
  const library = libraryOn(await visit(me, surfaces[0]!.home(client), options))
  await library.asset(title).waitFor()
  return { me, library, ...lookOn(library.page) }
}

function lookOn(page: Page) {
  const at = (title: string) => page.getByRole('dialog', { name: `Quick look at ${title}` })
  const picture = page.locator('.quick-look-media')
  return {
    page,
    at,
    picture,
    /** How large and where the picture really is on the screen. */
    box: async () => (await picture.boundingBox())!,
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    },
  }
}

const film = async (me: Person, name: string, title: string) =>
  me.uploads(await readFile(fixturePath(name)), {
    session: { originalFilename: name, mimeType: 'video/mp4' },
    words: { title },
  })

test('a picture is enlarged and moved by wheel, mouse and keys', async () => {
  const { library, page, at, picture, box, press } = await looksAt(['One', 'Two'], 'One')
  await library.asset('One').click()
  await press(' ')
  await at('One').waitFor()
  await isDrawn(picture)
  const fitting = await box()

  await picture.hover()
  await page.mouse.wheel(0, -400)
  await expect.poll(async () => (await box()).width, shows).toBeGreaterThan(fitting.width * 1.5)
  await press('0')
  await expect.poll(async () => (await box()).width, shows).toBe(fitting.width)

  await press('+', '+', '+', '+', '+', '+')
  await expect.poll(async () => (await box()).width, shows).toBeGreaterThan(fitting.width * 4)
  await press('-')
  const large = await box()
  await page.mouse.move(640, 400)
  await page.mouse.down()
  await page.mouse.move(540, 340, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await box()).x, shows).toBeCloseTo(large.x - 100, 0)
  expect((await box()).y).toBeCloseTo(large.y - 60, 0)
  await press('ArrowLeft')
  await expect.poll(async () => (await box()).x, shows).toBeGreaterThan(large.x - 100)
  await at('One').waitFor()

  // At its edge there is nothing more to be seen of it, and the arrow goes on.
  await press('-', '-', '-', '-', ...Array(8).fill('ArrowLeft'))
  await at('Two').waitFor()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByRole('button', { name: '150%' }).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await press('Escape')
  await at('Two').waitFor({ state: 'detached' })
  await expect.poll(() => library.grid.evaluate((grid) => grid === document.activeElement), shows).toBe(true)

  // Whoever came by its address goes on there, too.
  await library.asset('One').click()
  await press(' ')
  await page.waitForURL(/look=/)
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
  await at('One').waitFor()
  await library.asset('Two').waitFor()
  await press('Escape')
  const standsAt = () =>
    library.grid.evaluate(
      (grid) => document.getElementById(`${grid.ariaActiveDescendantElement?.id}`)?.innerText,
    )
  await expect.poll(standsAt, shows).toContain('One')
})

test('the original is shown where the preview has no more to show', async () => {
  const client = await world.newClient()
  await client.operator.uploads(png(2400, 1200, [10, 90, 160]), {
    session: { originalFilename: 'wide.png', mimeType: 'image/png' },
    words: { title: 'Wide' },
  })
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  await library.asset('Wide').dblclick()
  const { picture, press } = lookOn(library.page)
  await isDrawn(picture)
  await press('+')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), shows).toBe(2400)
})

test('two fingers enlarge a picture, one swipes to the next', { tags: 'drill' }, async () => {
  const { library, page, at, picture, box } = await looksAt(['One', 'Two', 'Three'], 'Two', phone)
  await library.asset('Two').tap()
  await at('Two').waitFor()
  await isDrawn(picture)
  const fitting = await box()
  const touch = await fingersOn(page)

  await touch([{ x: 300, y: 300 }], [{ x: 60, y: 310 }])
  await at('One').waitFor()
  await touch([{ x: 60, y: 300 }], [{ x: 300, y: 310 }])
  await at('Two').waitFor()
  await touch([{ x: 180, y: 300 }], [{ x: 190, y: 500 }])
  await at('Two').waitFor()

  await isDrawn(picture)
  await touch(
    [
      { x: 160, y: 300 },
      { x: 200, y: 300 },
    ],
    [
      { x: 60, y: 300 },
      { x: 300, y: 300 },
    ],
  )
  await expect.poll(async () => (await box()).width, shows).toBeGreaterThan(fitting.width * 3)
  // Enlarged, a finger moves the picture.
  const large = await box()
  await touch([{ x: 250, y: 300 }], [{ x: 150, y: 300 }])
  await expect.poll(async () => (await box()).x, shows).toBeLessThan(large.x - 50)
  await at('Two').waitFor()
})

test('details and trash are a key away, and what is said is seen over the picture', async () => {
  const { me, library, page, at, press } = await looksAt(['One', 'Two', 'Three'], 'Two')
  await library.asset('Two').dblclick()
  await at('Two').waitFor()
  await press('Delete')
  await at('One').waitFor()
  await expect.poll(async () => (await me.lists()).body.assets.length, shows).toBe(2)
  const listed = () => page.locator('.tile-title').count()
  await expect.poll(listed, shows).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(listed, shows).toBe(3)
  // The button has gone with the toast, and the keyboard is the picture's again.
  await press('ArrowLeft')
  await at('Two').waitFor()
  await press('ArrowRight')
  await at('One').waitFor()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await at('Two').waitFor()
  await at('Two').focus()
  await expect.poll(listed, shows).toBe(2)
  await press('Control+z')
  await expect.poll(listed, shows).toBe(3)
  const known = at('Two').getByRole('complementary', { name: 'Details' })
  await press('i')
  await known.getByRole('textbox', { name: 'Add a tag' }).waitFor()
  const [picture, beside] = [
    await at('Two').locator('.quick-look-media').boundingBox(),
    await known.boundingBox(),
  ]
  expect(picture!.x + picture!.width).toBeLessThanOrEqual(beside!.x)
  expect(await violationsInBoth(page)).toEqual([])
  await press('ArrowRight')
  await at('One').getByRole('complementary', { name: 'Details' }).waitFor()
  await press('i')
  await expect.poll(() => at('One').getByRole('complementary').count(), shows).toBe(0)
})

test('a film that this browser cannot play is said to be one, and played from the copy that is made', async ({
  skip,
}) => {
  const { encoder } = await world.parts.media.capabilities()
  skip(encoder === 'none', 'nothing on this machine encodes films')
  const client = await world.newClient()
  const { assetId } = await film(client.operator, 'hdr-orange.mp4', 'Phone film')
  await film(client.operator, 'a.mp4', 'Web film')
  const state = async () => (await client.operator.reads(assetId)).body.media.proxy?.state
  await expect.poll(state, { timeout: 120_000 }).toBe('ready')
  await world.parts.db
    .updateTable('assets')
    .set({ proxy_state: 'no-encoder' })
    .where('id', '=', assetId)
    .execute()

  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const { page, at } = lookOn(library.page)
  await library.asset('Phone film').dblclick()
  const dialog = at('Phone film')
  await dialog.getByText('ask your administrator to install ffmpeg').waitFor()
  const download = dialog.getByRole('link', { name: 'Download' }).last()
  expect(await download.getAttribute('href')).toContain('download=true')
  expect(await dialog.locator('video').count()).toBe(0)
  expect(await violationsInBoth(page)).toEqual([])
  await page.keyboard.press('ArrowLeft')
  await at('Web film').locator('video').waitFor()
  await page.keyboard.press('Escape')
  const details = await library.showsDetailsOf('Phone film')
  await details.getByText('This browser cannot play this video').waitFor()

  await library.asset('Phone film').dblclick()
  await dialog.getByRole('button', { name: 'Make a playable copy' }).click()
  expect(await played(dialog.locator('video'))).toEqual({ width: 160, isCopy: true })
  await page.keyboard.press('Escape')
  await details.getByText('This browser cannot play this video').waitFor({ state: 'detached' })

  // One that promised to play it, and plays its sound alone.
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = () => 'maybe'
  })
  await page.goto(surfaces[0]!.home(client))
  await library.asset('Phone film').dblclick()
  const copy = dialog.locator('video[src*="/proxy?"]')
  expect(await played(copy)).toEqual({ width: 160, isCopy: true })
})

/** That its pictures move. */
async function played(video: Locator) {
  await video.waitFor({ timeout: longWait })
  await video.evaluate((film: HTMLVideoElement) => {
    film.muted = true
    return film.play()
  })
  await expect
    .poll(() => video.evaluate((film: HTMLVideoElement) => film.currentTime), shows)
    .toBeGreaterThan(0)
  return video.evaluate((film: HTMLVideoElement) => ({
    width: film.videoWidth,
    isCopy: film.currentSrc.includes('/proxy?'),
  }))
}

test('what could not be loaded says so, and is tried again', { tags: 'drill' }, async () => {
  const { library, page, at, picture } = await looksAt(['One'], 'One')
  await page.route('**/preview?size=large**', (route) => route.fulfill({ status: 503, body: '' }))
  await library.asset('One').dblclick()
  await at('One').getByText('This could not be loaded').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await page.unroute('**/preview?size=large**')
  await at('One').getByRole('button', { name: 'Try again' }).click()
  await isDrawn(picture)
})

interface Spot {
  x: number
  y: number
}

/** Fingers put down, moved in steps, and lifted, as a screen would tell it. */
async function fingersOn(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  return async (from: Spot[], to: Spot[]) => {
    const along = (share: number) =>
      from.map((spot, id) => ({
        id,
        x: spot.x + (to[id]!.x - spot.x) * share,
        y: spot.y + (to[id]!.y - spot.y) * share,
      }))
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: along(0) })
    for (const share of [0.25, 0.5, 0.75, 1])
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: along(share) })
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}
