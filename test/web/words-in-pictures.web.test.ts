import { mkdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import { app, libraryOn, longWait, violationsInBoth } from './app.ts'

const { world, visit } = await app({ MEDIA_OCR: 'de,en' })
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

test('the languages of a client are chosen in its settings', async () => {
  const { clientId } = await world.newClient()
  const settings = await visit(world.admin, `/app/clients/${clientId}/settings`, { locale: 'de-DE' })
  const chosen = async () => (await world.admin.get(`/admin/clients/${clientId}`)).body.ocrLanguages
  const tick = (name: string) => settings.getByRole('checkbox', { name, exact: true })
  expect(await tick('Wie auf dem ganzen Server').isChecked()).toBe(true)
  await tick('Englisch').click()
  await expect.poll(chosen, shows).toEqual(['en'])
  await tick('Deutsch').click()
  await expect.poll(chosen, shows).toEqual(['en', 'de'])
  await tick('Polnisch').click()
  await settings.getByText('Text in Bildern kann hier nicht gelesen werden auf: Polnisch.').waitFor(shows)
  expect(await violationsInBoth(settings)).toEqual([])
  await shot(settings, 'settings')
  await tick('Englisch').click()
  await expect.poll(chosen, shows).toEqual(['de'])
  await tick('Deutsch').click()
  await expect.poll(chosen, shows).toEqual([])
  await tick('Wie auf dem ganzen Server').click()
  await expect.poll(chosen, shows).toBeNull()
})

test('the words of a menu come into its details by themselves, folded', async () => {
  const { portal } = await world.newClient()
  const page = await visit(portal, '/app/portal/assets')
  const library = libraryOn(page)
  const { assetId } = await portal.uploads(readFileSync(fixturePath('menu.png')), {
    words: { title: 'Aushang' },
  })
  const details = await library.showsDetailsOf('Aushang')
  const words = details.getByRole('region', { name: 'Words in the picture' })
  // It is read behind all else that the machine has to do.
  const text = async () => (await portal.reads(assetId)).body.pictureText
  await expect.poll(text, { timeout: 240_000 }).toEqual(expect.stringMatching(/^Gasthaus zum Löwen\n/))
  await words.getByText('Käsespätzle mit Röstzwiebeln 12,90 €').waitFor(shows)
  const folded = (await words.getByText('Gasthaus').boundingBox())!.height
  await words.getByRole('button', { name: 'Show all' }).click()
  expect((await words.getByText('Gasthaus').boundingBox())!.height).toBeGreaterThan(folded)
  await words.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'details')
  await page.setViewportSize({ width: 390, height: 780 })
  await shot(page, 'details-phone')
})
