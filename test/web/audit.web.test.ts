import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, longWait, violations } from './app.ts'

const { world, visit } = await app()
const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

test('an admin finds out who did what, and from where', async () => {
  const client = await world.newClient('Bolt Bakery')
  await world.newClient('Harbour Café')
  const asset = await hasAsset(client.portal, 'Terrace')
  await client.operator.edits(asset.assetId, { title: 'Terrace at noon' })
  await client.operator.makesFolder('Summer')

  const page = await visit(world.admin, '/app/')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Audit trail' }).click()
  const changed = page.getByRole('row', { name: /Asset changed/ })
  await changed.getByRole('link', { name: 'operator' }).waitFor()
  await changed.getByText('127.0.0.1').waitFor()

  const filters = page.getByRole('search', { name: 'Filter the audit trail' })
  await filters.getByRole('combobox', { name: 'Client' }).selectOption('Bolt Bakery')
  await filters.getByRole('combobox', { name: 'What' }).selectOption('Folders')
  await changed.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Folder created.*Summer/ }).waitFor()
  expect(page.url()).toContain(`client=${client.clientId}`)
  await page.reload()
  await page.getByRole('row', { name: /Folder created.*Summer/ }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)

  await filters.getByRole('combobox', { name: 'Client' }).selectOption('Harbour Café')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  expect(await violations(page)).toEqual([])
  await filters.getByLabel('From day').fill('2026-05-02')
  await filters.getByLabel('To day').fill('2026-05-01')
  await filters.getByText('The first day is after the last one.').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
  await changed.waitFor()

  // By keyboard: open the details, and go on to everything about the thing.
  await changed.locator('summary').focus()
  await page.keyboard.press('Enter')
  await changed.getByText('changed', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByRole('row').allInnerTexts(), { timeout: longWait })
    .toEqual([
      expect.stringContaining('Who'),
      expect.stringContaining('Asset changed'),
      expect.stringContaining('Asset added'),
    ])
  await changed.getByRole('link', { name: 'Terrace at noon' }).click()
  await page.getByRole('complementary', { name: 'Details' }).getByText('Terrace at noon').first().waitFor()
})

test('the activity of a client leads to what was decided about, commented on and merged, and says into what', async () => {
  const client = await world.newClient()
  const { operator, portal } = client
  const at = (path: string) => operator.door.assets.replace(/assets$/, path)
  const kept = await hasAsset(operator, 'Kept')
  await portal.put(`${portal.door.assets}/${kept.assetId}/approval`, { version: 1, decision: 'approved' })
  await portal.post(`${portal.door.assets}/${kept.assetId}/comments`, { text: 'Lovely' })
  const { body } = await operator.post(at('collections'), { name: 'Best', assetIds: [kept.assetId] })
  const alike = png(64, 48, [1, 2, 3])
  const same = [
    await operator.uploads(alike, { words: { title: 'Original' } }),
    await operator.uploads(alike, { words: { title: 'Copy' } }),
  ] as const
  await operator.post(at('duplicates/keep'), { keep: same[0].assetId, others: [same[1].assetId] })

  const page = await visit(operator, `/app/clients/${client.clientId}/activity`)
  const line = (what: string) => page.getByRole('listitem').filter({ hasText: what })
  for (const what of ['Approved', 'Comment written'])
    expect(await line(what).getByRole('link', { name: 'Kept' }).getAttribute('href')).toContain(
      `asset=${kept.assetId}`,
    )
  expect(await line('Collection created').getByRole('link', { name: 'Best' }).getAttribute('href')).toContain(
    `collection=${body.collectionId}`,
  )
  const merged = line('Duplicate merged')
  expect(await merged.locator('.activity-into').innerText()).toBe('into Original')
  expect(await violations(page)).toEqual([])
  await merged.getByRole('link', { name: 'Original' }).click()
  await page.getByRole('complementary', { name: 'Details' }).getByText('Original').first().waitFor()
})

test('says so when the trail cannot be read, and reads it when asked again', async () => {
  const page = await visit(world.admin, '/app/clients')
  const trail = /\/\/[^/]+\/admin\/audit/
  await page.route(trail, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"detail":"Not now."}' }),
  )
  await page.goto('/app/admin/audit')
  await page.getByText('This could not be loaded.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.unroute(trail)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: /Person added.*Administrator/ }).waitFor()
})

test('is read on a phone, in German, in the dark', async () => {
  const page = await visit(world.admin, '/app/admin/audit', {
    ...small,
    locale: 'de-DE',
    colorScheme: 'dark',
  })
  await page.getByRole('heading', { name: 'Protokoll' }).waitFor()
  await page.getByText('Person angelegt').first().waitFor()
  // The field writes days as the browser does; below it they are said in the language of the page.
  await page.getByLabel('Bis Tag').fill('2031-03-02')
  await page.getByText('2. März 2031').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  const here = (await page.getByRole('link', { name: 'Protokoll' }).boundingBox())!
  expect(here.x + here.width).toBeLessThanOrEqual(360)
  const [first, second] = await Promise.all(
    ['Ab Tag', 'Bis Tag'].map((name) => page.getByLabel(name).boundingBox()),
  )
  expect(first!.width).toBe(second!.width)
  expect(await violations(page)).toEqual([])
})

test('is not for others', async () => {
  const { operator } = await world.newClient()
  const page = await visit(operator, '/app/admin/audit')
  await page.getByRole('heading', { name: 'This page is for administrators' }).waitFor()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Audit trail' }).count()).toBe(0)
})
