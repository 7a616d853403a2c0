import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, longWait, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

test('a group that is kept as it is goes for all, and shows again once somebody wants it to', async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  const named = async (title: string, side: number) =>
    (await operator.uploads(png(side, 60, [40, 90, side]), { words: { title } })).assetId
  for (const title of ['Boat', 'Boat again', 'Boat once more']) await named(title, 90)
  for (const title of ['Pier', 'Pier again']) await named(title, 80)
  const page = await visit(operator, `/app/clients/${clientId}/duplicates`)
  const beside = await visit(client.portal, '/app/portal/duplicates')
  const group = (on: Page, title: string) => on.getByRole('heading', { name: title })
  const [boats, piers] = ['Boat (3 times)', 'Pier (2 times)']
  for (const on of [page, beside]) for (const title of [boats, piers]) await group(on, title).waitFor()
  const keptAs = (count: number) => page.getByRole('button', { name: `Kept as they are (${count})` })
  expect(await keptAs(1).count()).toBe(0)
  await shot(page, 'keep-all')
  expect(await violationsInBoth(page)).toEqual([])

  await page.getByRole('button', { name: 'Keep all: Boat' }).click()
  await page.getByText('All 3 are kept and no longer show as duplicates', { exact: true }).first().waitFor()
  for (const on of [page, beside]) await group(on, boats).waitFor({ state: 'detached' })
  await keptAs(1).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const on of [page, beside]) await group(on, boats).waitFor()
  await keptAs(1).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Keep all: Boat' }).click()
  await group(page, boats).waitFor({ state: 'detached' })
  // Whoever goes on with the keyboard is at the next one.
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused, shows).toBe(piers)
  await page.getByRole('button', { name: 'Keep all: Pier' }).click()
  await page.getByText('Both are kept and no longer show as duplicates', { exact: true }).first().waitFor()
  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()

  await keptAs(2).click()
  for (const title of [boats, piers]) await group(page, title).waitFor()
  await shot(page, 'kept-groups')
  expect(await violationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Show as duplicates again: Boat' }).click()
  await group(page, boats).waitFor({ state: 'detached' })
  await page.getByText('“Boat” shows as a duplicate again', { exact: true }).first().waitFor()
  await group(beside, boats).waitFor()
  await page.keyboard.press('Control+z')
  await group(page, boats).waitFor()
  await group(beside, boats).waitFor({ state: 'detached' })

  // One more of them comes, and all of them show.
  await named('Boat of today', 90)
  await group(beside, 'Boat (4 times)').waitFor()
  await beside.getByRole('button', { name: 'Keep all: Boat' }).click()
  await group(beside, 'Boat (4 times)').waitFor({ state: 'detached' })
  await group(page, 'Boat (4 times)').waitFor()
  await keptAs(2).waitFor()
  await page.getByRole('button', { name: 'Show as duplicates again: Pier' }).click()
  await page.getByRole('button', { name: 'Same file' }).click()
  await group(page, piers).waitFor()
})

test('who may not delete sees what was kept, and cannot change it', async () => {
  const client = await world.newClient()
  const { operator, viewer, clientId } = client
  const ids = [await operator.uploads(png(70, 60)), await operator.uploads(png(70, 60))]
  const assetIds = ids.map(({ assetId }) => assetId)
  await operator.post(`/admin/clients/${clientId}/duplicates/kept-groups`, { assetIds })
  const page = await visit(viewer, `/app/clients/${clientId}/duplicates?kind=kept`)
  await page.getByRole('heading', { name: /\(2 times\)/ }).waitFor()
  expect(await page.getByRole('button', { name: /again/ }).count()).toBe(0)
})

test('on a phone, in German and in the dark there is the same', async () => {
  const { portal } = await world.newClient()
  for (const title of ['Hafen bei Nacht mit einem sehr langen Namen', 'Hafen 2', 'Hafen 3'])
    await portal.uploads(png(90, 60, [200, 120, 30]), { words: { title } })
  const page = await visit(portal, '/app/portal/duplicates', {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  const keepAll = page.getByRole('button', { name: /^Alle behalten/ })
  await keepAll.waitFor()
  await shot(page, 'keep-all-phone')
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  expect(await fits()).toBe(true)
  await keepAll.click()
  await page.getByText('Alle 3 bleiben und gelten nicht mehr als doppelt', { exact: true }).first().waitFor()
  await page.getByRole('heading', { name: 'Nichts doppelt' }).waitFor()
  await shot(page, 'kept-all-phone')
  await page.getByRole('button', { name: 'So belassen (1)' }).click()
  await page.getByText(/^Alle behalten am/).waitFor()
  await shot(page, 'kept-groups-phone')
  expect(await fits()).toBe(true)
  expect(await violationsInBoth(page)).toEqual([])
})
