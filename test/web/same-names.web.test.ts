import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { app, drops, fileOf, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()
const [operator, portal] = surfaces
const desk = await mkdtemp(join(tmpdir(), 'desk-'))
afterAll(() => rm(desk, { recursive: true }))
await mkdir(join(desk, 'Menus'))
for (const [index, name] of ['one.png', 'two.png', 'three.png'].entries())
  await writeFile(join(desk, 'Menus', name), png(64, 48, [index * 80, 40, 90]))

const versionsIn = async (person: Person, folderId?: string) =>
  Object.fromEntries(
    (await person.lists(folderId ? { folderId } : {})).body.assets.map(({ title, version }: Asset) => [
      title,
      version,
    ]),
  )

test('a folder dropped again asks once for all: new versions, and nothing is doubled', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  const again = () => drops(library.page, [join(desk, 'Menus')], library.page.locator('.drop-zone'))
  await again()
  await library.tray.getByText('3 files uploaded').waitFor()
  const [{ folderId }] = (await client.operator.lists()).body.folders

  await again()
  const dialog = library.page.getByRole('dialog')
  await dialog.getByText(/is in “.+” already/).waitFor()
  await dialog.getByRole('checkbox', { name: 'Do the same with 2 other files' }).waitFor()
  await dialog.getByRole('button', { name: 'Replace as a new version' }).click()
  await expect
    .poll(() => versionsIn(client.operator, folderId), { timeout: longWait })
    .toEqual({ one: 2, two: 2, three: 2 })

  await again()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await versionsIn(client.operator, folderId)).toEqual({ one: 2, two: 2, three: 2 })
})

test('one file of several is skipped, the other kept beside the first', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.portal, portal!.home(client)))
  const files = [await fileOf('a.jpg', 'Café.jpg'), await fileOf('plain.jpg', 'b.jpg')]
  await library.uploads(files)
  await library.tray.getByText('2 files uploaded').waitFor()
  await library.uploads(files.map((file) => ({ ...file, name: file.name.toUpperCase().normalize('NFD') })))
  const dialog = library.page.getByRole('dialog')
  await dialog.getByRole('checkbox').uncheck()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await library.tray.getByText('3 files uploaded').waitFor()
  expect(Object.keys(await versionsIn(client.portal)).sort()).toEqual(['B (2)', 'Café', 'b'])

  await library.uploads([files[1]!])
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await library.tray.getByText('4 files uploaded').waitFor()
  expect(Object.keys(await versionsIn(client.portal)).sort()).toEqual(['B (2)', 'Café', 'b', 'b (3)'])

  // What was unticked stays so at the next question, and Escape answers one question only.
  await library.uploads(files)
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(false)
  await library.page.keyboard.press('Escape')
  await dialog
    .getByText(/“b.jpg” is in|b\.jpg/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('files let go over a folder, on its tile or in the tree, go there', async () => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Summer')
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  await drops(library.page, [join(desk, 'Menus', 'one.png')], library.folder('Summer'))
  await library.tray.getByText('1 file uploaded').waitFor()
  await drops(library.page, [join(desk, 'Menus', 'two.png')], library.inTree('Summer'))
  await library.tray.getByText('2 files uploaded').waitFor()
  expect(await versionsIn(client.operator, folderId)).toEqual({ one: 1, two: 1 })
  expect(await versionsIn(client.operator)).toEqual({})
})

test('uploads are seen to on every page', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  const { page } = library
  await page.route('**/objects/**', () => {}) // a store that takes its time
  await library.uploads([await fileOf('a.jpg', 'slow.jpg')])
  await library.tray.getByText('slow.jpg').waitFor()
  await page.getByRole('link', { name: 'Go to the start' }).click()
  await page.waitForURL('**/app/clients')
  await library.tray.getByRole('button', { name: 'Pause slow.jpg' }).click()
  await page.unroute('**/objects/**')
  await library.tray.getByRole('button', { name: 'Resume slow.jpg' }).click()
  await library.tray.getByRole('button', { name: 'Show slow.jpg' }).click()
  await page.waitForURL(`**${operator!.home(client)}**`)
  await library.asset('slow').waitFor()
  expect(await library.tray.count()).toBe(1)
})
