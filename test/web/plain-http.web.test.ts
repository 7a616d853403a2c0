import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, officeName, surfaces } from './app.ts'

const { world, visit, site } = await app()
const plain = { site: site.replace('localhost', officeName) }

test('makes folders and copies on a page that is not secure', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client), plain))
  const { page } = library
  await library.asset('Terrace').waitFor()
  expect(
    await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator]),
  ).toEqual([false, false, false])

  await library.grid.focus()
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Summer')
  await page.keyboard.press('Enter')
  await library.folder('Summer').waitFor()

  await library.choosesIn(library.asset('Terrace'), 'Copy link')
  await library.said('Link copied').waitFor()
  await library.search.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect
    .poll(() => library.search.inputValue(), { timeout: longWait })
    .toContain(`http://${officeName}`)
})

test('copies there what is shown only once', async () => {
  const page = await visit(world.admin, '/app/admin/users', plain)
  await page.getByRole('button', { name: 'New person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ola Berg')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('ola@example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const password = (await dialog.locator('code').innerText()).trim()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const search = page.getByRole('textbox', { name: /^Search/ })
  await search.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect.poll(() => search.inputValue(), { timeout: longWait }).toBe(password)
})
