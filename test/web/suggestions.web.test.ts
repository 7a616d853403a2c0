import { expect, test } from 'vitest'
import { aiModel, aiPeer, completion, embeddingsModel } from '../ai-peer.ts'
import { json } from '../delivery-peers.ts'
import { png } from '../pictures.ts'
import { app, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'
import { onEmbedded } from './on-embedded.ts'

onEmbedded()
const model = await aiPeer()
const { world, visit } = await app({ ...model.environment })
const shows = { timeout: longWait }
/** For a look at them: SHOTS names a folder. */
const shots = process.env.SHOTS

test('a model suggests, once an administrator has consented; people accept, edit, decline and take back', async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const { assetId } = await me.uploads(png(300, 200), { words: { title: 'First' } })
  const { assetId: second } = await me.uploads(png(301, 200), { words: { title: 'Second' } })
  const now = async (id = assetId) => (await me.reads(id)).body

  // Without consent nothing speaks of it.
  const library = libraryOn(await visit(me, home(client)))
  await library.showsDetailsOf('First')
  await library.details.getByRole('heading', { name: 'Tags' }).waitFor()
  const ask = library.details.getByRole('button', { name: 'Suggest texts' })
  expect(await ask.count()).toBe(0)

  const settings = await visit(world.admin, `/app/clients/${client.clientId}/settings`)
  const consent = settings.getByRole('region', { name: 'Use of AI' })
  await consent.getByText(`goes to ${new URL(model.url).host} alone`).waitFor()
  await consent
    .getByText(`for suggested texts (${aiModel}): of each that is asked about, a preview`)
    .waitFor()
  await consent.getByText(`for search by meaning (${embeddingsModel}): titles, alt texts, tags`).waitFor()
  await consent.getByRole('radio', { name: 'When somebody asks for it' }).check()
  await consent.getByRole('combobox', { name: 'Language that people write in' }).waitFor()
  expect(await violationsInBoth(settings)).toEqual([])
  if (shots) await settings.screenshot({ path: `${shots}/settings.png`, fullPage: true })

  await library.page.reload()
  await library.showsDetailsOf('First')
  await ask.click()
  const { details } = library
  const of = (name: string) => details.getByRole('button', { name, exact: true })
  await of('Accept Title').waitFor()
  await details
    .getByText(new RegExp(`^${aiModel}, `))
    .first()
    .waitFor()
  expect(await now()).toMatchObject({ title: 'First', altText: '', tags: [] })
  expect(await violationsInBoth(library.page)).toEqual([])
  if (shots) {
    await of('Accept Title').scrollIntoViewIfNeeded()
    await library.page.screenshot({ path: `${shots}/details.png` })
    await library.page.emulateMedia({ colorScheme: 'dark' })
    await library.page.screenshot({ path: `${shots}/details-dark.png` })
    await library.page.emulateMedia({ colorScheme: 'light' })
  }

  await of('Edit Alt text').click()
  await details.getByRole('textbox', { name: 'Edit Alt text' }).fill('All of it is red.')
  await of('Accept this').click()
  await expect.poll(async () => (await now()).altText, shows).toBe('All of it is red.')
  await of('Decline Tags').click()
  await of('Decline Tags').waitFor({ state: 'detached' })
  await library.said('Tags declined').getByRole('button', { name: 'Undo' }).click()
  await of('Decline Tags').click()
  await of('Decline Tags').waitFor({ state: 'detached' })
  await of('Accept Title').click()
  await expect.poll(async () => (await now()).title, shows).toBe('A red square')
  await library.said('Title accepted').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await now()).title, shows).toBe('First')
  await of('Accept Title').waitFor()
  expect(await now()).toMatchObject({ altText: 'All of it is red.', tags: [] })

  // The table: asked for as a whole, decided by key, by pointer, and all at once.
  const sheet = await visit(me, home(client).replace('/assets', '/texts'))
  const cell = (row: number, column: number) => sheet.locator(`[data-cell="${row} ${column}"]`)
  const at = (row: number, column: number) => sheet.locator('td', { has: cell(row, column) })
  await cell(1, 1).waitFor()
  const underWay = sheet.getByRole('progressbar', { name: 'The model is looking at it…' }).waitFor()
  await sheet.getByRole('button', { name: 'Suggest texts' }).click()
  await underWay
  await at(0, 1).getByText('A square that is red all over.').waitFor()
  expect(await violationsInBoth(sheet)).toEqual([])
  if (shots) {
    await sheet.screenshot({ path: `${shots}/sheet.png` })
    await sheet.emulateMedia({ colorScheme: 'dark' })
    await sheet.screenshot({ path: `${shots}/sheet-dark.png` })
    await sheet.emulateMedia({ colorScheme: 'light' })
  }
  await cell(0, 1).focus()
  await sheet.keyboard.press('Alt+y')
  await expect.poll(async () => (await now(second)).altText, shows).toBe('A square that is red all over.')
  await expect.poll(() => cell(0, 1).inputValue(), shows).toBe('A square that is red all over.')
  await cell(0, 0).focus()
  await sheet.keyboard.press('Alt+n')
  await at(0, 0).getByRole('button', { name: 'Accept Title' }).waitFor({ state: 'detached' })
  await at(0, 3).getByRole('button', { name: 'Decline Tags' }).click()
  await at(0, 3).getByRole('button', { name: 'Decline Tags' }).waitFor({ state: 'detached' })
  expect(await cell(0, 3).evaluate((area) => area === document.activeElement)).toBe(true)
  await sheet.getByRole('button', { name: 'Accept all shown (3)' }).click()
  await expect.poll(async () => (await now()).tags, shows).toEqual(['red', 'square'])
  expect(await now()).toMatchObject({ title: 'A red square', altText: 'A square that is red all over.' })
  expect(await now(second)).toMatchObject({ title: 'Second', tags: [] })
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await now()).tags, shows).toEqual([])
  expect(await now()).toMatchObject({ title: 'First', altText: 'All of it is red.' })
  await sheet.getByRole('button', { name: 'Accept all shown (3)' }).waitFor()
})

test('what is sent only since a consent was given is not in it, until an administrator allows it too', async () => {
  const client = await world.newClient()
  const path = `/admin/clients/${client.clientId}/suggestion-settings`
  const now = async () => (await world.admin.get(path)).body
  await world.admin.put(path, { mode: 'on-request', language: 'en', consentedTo: ['pictures'] })
  const page = await visit(world.admin, `/app/clients/${client.clientId}/settings`)
  const consent = page.getByRole('region', { name: 'Use of AI' })
  const allow = consent.getByRole('button', { name: 'Allow this, too' })
  await consent.getByText('nobody spoke of these: words.').waitFor()
  await consent.getByRole('radio', { name: 'about every new file' }).check()
  await expect.poll(async () => (await now()).mode, shows).toBe('on-upload')
  expect(await now()).toMatchObject({ consentedTo: ['pictures'] })
  expect(await violationsInBoth(page)).toEqual([])
  if (shots) await page.screenshot({ path: `${shots}/consent-to-more.png`, fullPage: true })
  await allow.click()
  await allow.waitFor({ state: 'detached' })
  expect(await now()).toMatchObject({ mode: 'on-upload', consentedTo: ['pictures', 'words'] })
})

test('many that are chosen are suggested to as one job, which is found again after a reload', {
  tags: 'drill',
}, async () => {
  const { who, home } = surfaces[0]!
  const client = await world.newClient()
  const me = who(client)
  const path = `/admin/clients/${client.clientId}/suggestion-settings`
  await world.admin.put(path, { mode: 'on-request', language: 'en', consentedTo: ['pictures'] })
  const assets = [1, 2, 3].map((at) => me.uploads(png(300 + at, 200), { words: { title: `Number ${at}` } }))
  const ids = (await Promise.all(assets)).map(({ assetId }) => assetId)
  const said = { title: 'Seen', altText: 'Something to be seen.', tags: ['seen'] }
  const seen = Promise.withResolvers<void>()
  model.says(async (response) => {
    await seen.promise
    json(response, completion(JSON.stringify(said)))
  }, said)

  const library = libraryOn(await visit(me, home(client)))
  const { page } = library
  await library.asset('Number 1').click()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Suggest texts' }).click()
  const progress = page.getByRole('region', { name: 'The model is looking at it…' })
  await progress.waitFor()
  await page.reload()
  await progress.waitFor()
  seen.resolve()
  await library.said('3 pictures looked at. Decide on them').waitFor()
  await progress.waitFor({ state: 'detached' })
  for (const assetId of ids) {
    const { body } = await me.get(`${me.door.assets.replace(/assets$/, 'suggestions')}?assetId=${assetId}`)
    expect(body.suggestions).toHaveLength(3)
  }
  model.says()
  await library.showsDetailsOf('Number 1')
  await library.details.getByRole('button', { name: 'Accept Title' }).waitFor()
})

test('on a phone, in German and for the client’s own people; what the model cannot do is told', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const path = `/admin/clients/${client.clientId}/suggestion-settings`
  await world.admin.put(path, { mode: 'on-request', language: 'de' })
  const me = client.portal
  await me.uploads(png(200, 300))
  const page = await visit(me, '/app/portal/texts', {
    viewport: { width: 390, height: 800 },
    locale: 'de-DE',
    hasTouch: true,
  })
  model.says('Das kann ich nicht.')
  const ask = page.getByRole('button', { name: 'Texte vorschlagen' })
  await ask.click()
  await page.getByText('Die KI hat nicht so geantwortet').first().waitFor()
  model.says()
  await ask.click()
  await page.getByText('A square that is red all over.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await violationsInBoth(page)).toEqual([])
  if (shots) await page.screenshot({ path: `${shots}/phone.png` })
  await page.getByRole('button', { name: 'Titel übernehmen' }).click()
  await expect.poll(async () => (await me.lists()).body.assets[0].title, shows).toBe('A red square')
})
