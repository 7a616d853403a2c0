import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { testCard } from '../test-card.ts'
import { app, isDrawn, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function hasCard(me: Person, title: string, width: number, height: number, at = { x: 0.5, y: 0.9 }) {
  const { assetId } = await me.uploads(await testCard(width, height, at), {
    session: { originalFilename: `${title}.png` },
    words: { title, altText: `The card ${title}` },
  })
  const read = async (): Promise<Asset> => (await me.reads(assetId)).body
  await expect.poll(async () => (await read()).media.state, shows).toBe('ready')
  return { assetId, read }
}

const cropping = (page: Page, title: string) => page.getByRole('dialog', { name: `Crop “${title}”` })

/** From one place of the picture to another, 0 to 1 each way. */
async function drags(stage: Locator, from: { x: number; y: number }, to = from) {
  const page = stage.page()
  const { x, y, width, height } = (await stage.boundingBox())!
  await page.mouse.move(x + from.x * width, y + from.y * height)
  await page.mouse.down()
  await page.mouse.move(x + to.x * width, y + to.y * height, { steps: 4 })
  await page.mouse.up()
}

/** Whether one covers some of the other. */
async function lie(one: Locator, other: Locator) {
  const [a, b] = [(await one.boundingBox())!, (await other.boundingBox())!]
  return a.y >= b.y + b.height || b.y >= a.y + a.height ? 'apart' : 'over each other'
}

test.for(surfaces)(
  'a click sets what a crop keeps, and a frame what one ratio keeps: $surface',
  async (door) => {
    const client = await world.newClient()
    const me = door.who(client)
    const card = await hasCard(me, 'Tall', 640, 960)
    const page = await visit(me, door.home(client))
    const library = libraryOn(page)
    await library.choosesIn(library.asset('Tall'), 'Crop…')
    const dialog = cropping(page, 'Tall')
    const stage = dialog.locator('.crop-stage')
    await isDrawn(stage.locator('img'))
    await dialog.getByText('This is a guess: what draws the eye.').waitFor()
    const instagram = dialog.getByRole('listitem').filter({ hasText: 'Instagram' })
    const shownFrom = () =>
      instagram.locator('img').evaluate((image: HTMLElement) => Number.parseFloat(image.style.top))
    await expect.poll(shownFrom, shows).toBeCloseTo(-20, 0)

    await drags(stage, { x: 0.25, y: 0.1 })
    await expect.poll(async () => (await card.read()).focalPointIsGuess, shows).toBe(false)
    const { focalPoint } = await card.read()
    expect([focalPoint!.x, focalPoint!.y].map((share) => Math.round(share * 20) / 20)).toEqual([0.25, 0.1])
    await expect.poll(shownFrom, shows).toBeCloseTo(0, 1)
    await dialog.getByRole('slider', { name: 'Top to bottom' }).focus()
    await page.keyboard.press('End')
    await expect.poll(async () => (await card.read()).focalPoint!.y, shows).toBe(1)
    await expect.poll(shownFrom, shows).toBeCloseTo(-20, 0)

    await dialog.getByRole('radio', { name: '4:5' }).check()
    await drags(stage, { x: 0.5, y: 0.6 }, { x: 0.5, y: 0.2 })
    await expect.poll(async () => (await card.read()).crops['4:5']?.y, shows).toBe(0)
    await dialog.getByRole('slider', { name: 'Size' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(async () => (await card.read()).crops['4:5']?.width, shows).toBe(0.2)
    await dialog.getByRole('slider', { name: 'Left to right' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(async () => (await card.read()).crops['4:5']?.x, shows).toBe(0)
    const sent = await me.fetch(`${me.door.assets}/${card.assetId}/rendition?target=linkedin&ratio=4:5`)
    expect(sent.status).toBe(200)
    expect(await violationsInBoth(page)).toEqual([])

    // What is said about it stands clear of the dialog, whose buttons can be used meanwhile.
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    const said = page.locator('.toast').last()
    await expect.poll(() => lie(said, dialog), shows).toBe('apart')
    await undo.click()
    await expect.poll(async () => (await card.read()).crops['4:5']?.x, shows).toBeGreaterThan(0)
    await dialog.getByRole('button', { name: 'Follow the focal point' }).click()
    await expect.poll(async () => (await card.read()).crops, shows).toEqual({})
    await dialog.getByRole('radio', { name: 'Focal point' }).check()
    await dialog.getByRole('button', { name: 'Back to the guess' }).click()
    await expect.poll(async () => (await card.read()).focalPointIsGuess, shows).toBe(true)
  },
)

test('a carousel is planned: as it will be, and which does not fit', async () => {
  const client = await world.newClient()
  const me = client.operator
  const [tall, wide] = [await hasCard(me, 'Tall', 640, 960), await hasCard(me, 'Wide', 900, 600)]
  await me.uploads(png(100, 100), { session: { originalFilename: 'Tiny.png' }, words: { title: 'Tiny' } })
  const page = await visit(me, surfaces[0]!.home(client))
  const library = libraryOn(page)
  for (const title of ['Tall', 'Wide', 'Tiny']) {
    await library.asset(title).waitFor()
    await library.asset(title).click({ modifiers: ['Control'] })
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Carousel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan a post of 3' })
  await dialog.getByText('1 does not fit.').waitFor()
  const pictures = dialog.getByRole('list', { name: 'The pictures as they will be' }).getByRole('listitem')
  await pictures.filter({ hasText: 'Tiny' }).getByText('at least 320').waitFor()
  const ratioOf = async (title: string) => {
    const { width, height } = (await pictures.filter({ hasText: title }).locator('.cropped').boundingBox())!
    return width / height
  }
  expect([await ratioOf('Tall'), await ratioOf('Wide')].map((ratio) => ratio.toFixed(1))).toEqual([
    '1.0',
    '1.0',
  ])
  expect(await violationsInBoth(page)).toEqual([])

  await dialog.getByRole('combobox', { name: 'Ratio' }).selectOption('4:5')
  await expect.poll(() => ratioOf('Wide'), shows).toBeCloseTo(0.8, 1)
  await pictures.filter({ hasText: 'Wide' }).getByRole('button', { name: 'Crop “Wide”' }).click()
  const crop = cropping(page, 'Wide')
  await crop.getByRole('radio', { name: '4:5', checked: true }).waitFor()
  await crop.getByRole('slider', { name: 'Left to right' }).focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await wide.read()).crops['4:5']?.x, shows).toBeGreaterThan(0.4)
  await page.keyboard.press('Escape')
  await crop.waitFor({ state: 'detached' })
  await pictures.filter({ hasText: 'Wide' }).getByText('Cropped as set').waitFor()
  await pictures
    .last()
    .getByRole('button', { name: /forward/ })
    .click()
  await expect
    .poll(() => pictures.last().getByRole('button', { name: /back/ }).getAttribute('aria-disabled'), shows)
    .toBe('true')
  expect((await tall.read()).crops).toEqual({})
})

test('on a phone, in German, a finger sets the focal point', async () => {
  const client = await world.newClient()
  const card = await hasCard(client.portal, 'Hoch', 640, 960)
  const page = await visit(client.portal, `/app/portal/assets?asset=${card.assetId}`, {
    ...phone,
    locale: 'de-DE',
  })
  await page.getByRole('button', { name: 'Zuschneiden…' }).click()
  const dialog = page.getByRole('dialog', { name: '„Hoch“ zuschneiden' })
  const stage = dialog.locator('.crop-stage')
  await isDrawn(stage.locator('img'))
  const { width, height } = (await stage.boundingBox())!
  await stage.tap({ position: { x: width / 2, y: height / 4 } })
  await expect.poll(async () => Math.round((await card.read()).focalPoint!.y * 20) / 20, shows).toBe(0.25)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  // Of the two that lie over each other Escape closes one; and of what is typed, nothing but the typing.
  const drawer = page.getByRole('dialog', { name: 'Details' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await drawer.getByRole('button', { name: 'Name bearbeiten: Hoch' }).click()
  await page.keyboard.press('Escape')
  await drawer.getByRole('button', { name: 'Name bearbeiten: Hoch' }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})
