import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const [admin, portal] = surfaces as [(typeof surfaces)[number], (typeof surfaces)[number]]

test('what is in the trash is deleted for good once the word is typed, and never what is held', async () => {
  const client = await world.newClient()
  const { operator } = client
  const [menu, claim] = [await hasAsset(operator, 'Old menu'), await hasAsset(operator, 'Claim photo')]
  const { folderId } = await operator.makesFolder('Winter')
  await hasAsset(operator, 'Snow', { folderId })
  for (const { assetId } of [menu, claim]) await operator.trashes(assetId)
  await operator.deletesFolder(folderId)

  const boss = libraryOn(await visit(world.admin, `${admin.home(client)}?folder=trash`))
  const details = await boss.showsDetailsOf('Claim photo')
  await details.getByRole('button', { name: 'Put under a legal hold…' }).click()
  const hold = boss.page.getByRole('dialog', { name: 'Put “Claim photo” under a legal hold' })
  await hold.getByRole('textbox', { name: 'Reason' }).fill('Claim 4711')
  await hold.getByRole('button', { name: 'Put under a legal hold…' }).click()
  await details.getByText('Claim 4711').waitFor()
  expect(await violationsInBoth(boss.page)).toEqual([])

  const library = libraryOn(await visit(operator, `${admin.home(client)}?folder=trash`))
  const { page } = library
  const held = await library.showsDetailsOf('Claim photo')
  await held.getByText('set by Administrator').waitFor()
  await held.getByRole('button', { name: 'Close' }).click()
  const dialog = page.getByRole('dialog')
  await library.choosesIn(library.asset('Old menu'), 'Delete for good…')
  const button = dialog.getByRole('button', { name: 'Delete for good' })
  expect(await button.isDisabled()).toBe(true)
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('textbox').fill('delete')
  await button.click()
  await library.asset('Old menu').waitFor({ state: 'detached' })
  await library.choosesIn(library.asset('Claim photo'), 'Delete for good…')
  await dialog.getByRole('textbox').fill('delete')
  await button.click()
  await dialog.getByRole('alert').getByText('under a legal hold (Claim 4711)').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // All of it would go, and not only what was found.
  await library.search.fill('claim')
  await page.getByText('Results for “claim” in the trash').waitFor()
  expect(await page.getByRole('button', { name: 'Empty the trash…' }).count()).toBe(0)
  await library.search.fill('')
  await page.getByRole('button', { name: 'Empty the trash…' }).click()
  await dialog.getByText('1 asset is under a legal hold and stays.').waitFor()
  await dialog.getByRole('textbox').fill('Delete')
  await dialog.getByRole('textbox').press('Enter')
  await library.said('1 asset had to stay').waitFor()
  await library.folder('Winter').waitFor({ state: 'detached' })
  await library.asset('Claim photo').waitFor()
  expect((await operator.get(`${operator.door.assets}/trash`)).body).toMatchObject({ assets: 0, folders: 0 })

  const theirs = libraryOn(await visit(client.portal, `${portal.home(client)}?folder=trash`))
  await theirs.asset('Claim photo').click()
  await theirs.page.getByRole('button', { name: 'Restore' }).waitFor()
  for (const name of ['Delete for good…', 'Empty the trash…'])
    expect(await theirs.page.getByRole('button', { name }).count()).toBe(0)
})

test('a full library is offered the room that the trash takes', async () => {
  const [old, fresh] = [png(80, 80, [1, 2, 3]), png(80, 80, [3, 2, 1])]
  const client = await world.newClient('Full', { quotaBytes: old.length })
  const { assetId } = await client.operator.uploads(old)
  await client.operator.trashes(assetId)
  const library = libraryOn(await visit(client.operator, admin.home(client)))
  await library.uploads([{ name: 'fresh.png', mimeType: 'image/png', buffer: fresh }])
  await library.tray.getByRole('button', { name: /^Free .* from the trash…$/ }).click()
  const dialog = library.page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('delete')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await library.asset('fresh').waitFor()
  expect((await client.operator.reads(assetId)).status).toBe(404)
})

test.for([
  { screen: 'desk', viewport: { width: 1280, height: 800 } },
  { screen: 'phone', viewport: { width: 390, height: 780 } },
])('two versions are compared on a $screen, and the old one is deleted', async ({ screen, viewport }) => {
  const client = await world.newClient()
  const { operator } = client
  const { assetId } = await operator.uploads(png(300, 200, [200, 0, 0]), { words: { title: 'Logo' } })
  await operator.uploads(png(400, 100, [0, 0, 200]), { session: { replacesAssetId: assetId } })
  const page = await visit(operator, `${admin.home(client)}?asset=${assetId}`, { viewport })
  const details = page.getByRole(screen === 'phone' ? 'dialog' : 'complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Compare with the current version: Version 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of “Logo”' })
  await dialog.getByRole('row', { name: 'Dimensions 300 × 200 400 × 100' }).waitFor()
  const panes = [1, 2].map((n) => dialog.getByRole('region', { name: `Version ${n}` }))
  for (const pane of panes)
    await expect
      .poll(() => pane.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth), shows)
      .toBeGreaterThan(0)
  // What one shows, the other does.
  await dialog.getByRole('slider', { name: 'Enlarge both' }).fill('4')
  const end = (pane: Element) => Math.round((100 * pane.scrollLeft) / (pane.scrollWidth - pane.clientWidth))
  await panes[0]!.evaluate((pane) => pane.scrollTo(pane.scrollWidth, 0))
  await expect.poll(() => panes[1]!.evaluate(end), shows).toBe(100)
  expect(await violationsInBoth(page)).toEqual([])
  expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/compare-${screen}.png` })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })

  await details.getByRole('button', { name: 'Delete this version for good: Version 1' }).click()
  const sure = page.getByRole('dialog', { name: 'Delete version 1 for good?' })
  await sure.getByRole('button', { name: 'Delete this version for good' }).click()
  await sure.waitFor({ state: 'detached' })
  await details.getByText('Versions', { exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => details.locator(':focus').count(), shows).toBe(1)
  const { body } = await operator.get(`${operator.door.assets}/${assetId}/versions`)
  expect(body.versions).toMatchObject([{ version: 2 }])
})

test('an admin deletes a user, and removes a client once its name is typed', async () => {
  const client = await world.newClient('Harbour & Sons')
  await hasAsset(client.operator, 'Boats')
  const { body: user } = await world.admin.post('/admin/users', {
    email: `${client.clientId}@example.com`,
    name: `Old hand ${client.clientId}`,
    role: 'viewer',
  })
  const page = await visit(world.admin, '/app/admin/users')
  await page.getByRole('textbox', { name: 'Search people' }).fill(user.name)
  await page.getByRole('button', { name: `Delete ${user.name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
  await libraryOn(page).said(`${user.name} is deleted`).waitFor()
  await page.goto(`${new URL(page.url()).origin}/app/admin/clients`)
  await page.getByRole('button', { name: 'Remove Harbour & Sons' }).click()
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: 'Remove for good' })
  await dialog.getByRole('textbox').fill('Harbour')
  expect(await button.isDisabled()).toBe(true)
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('textbox').fill('Harbour & Sons')
  await button.click()
  const report = page.getByRole('dialog', { name: '“Harbour & Sons” is out of reach' })
  await report.getByText('All gone').waitFor(shows)
  await report.getByText('1 asset, 1 version').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await report.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: 'Harbour & Sons' }).waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: client.clientId })
  await row.getByText('All gone').waitFor()
  await row.getByRole('link', { name: client.clientId }).click()
  await page.getByText('Client removed').waitFor()
})
