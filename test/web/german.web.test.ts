import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, fileOf, hasAsset, libraryOn, surfaces } from './app.ts'

const { world, visit } = await app()
const [operator, portal] = surfaces
const german = { locale: 'de-DE' }

test('a refused rename is explained in German, and what was typed is kept', async () => {
  const client = await world.newClient()
  await client.operator.makesFolder('Sommer')
  await client.operator.makesFolder('Winter')
  const page = await visit(client.operator, operator!.home(client), german)
  const library = libraryOn(page)
  const winter = page.getByRole('gridcell', { name: /Winter/ })
  await winter.click()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: 'Ordnername' })
  await field.fill('Sommer')
  await page.keyboard.press('Enter')
  await library.said('Hier gibt es schon einen Ordner „Sommer“. Wählen Sie einen anderen Namen.').waitFor()
  await expect.poll(() => field.inputValue()).toBe('Sommer')
  await field.fill('Sommer 2026')
  await page.keyboard.press('Enter')
  await page.getByRole('gridcell', { name: /Sommer 2026/ }).waitFor()
})

test('where an asset fits is told in German, with German numbers', async () => {
  const client = await world.newClient()
  const { assetId } = await client.operator.uploads(png(3000, 2000, [20, 90, 160]), {
    session: { originalFilename: 'breit.png', mimeType: 'image/png' },
    words: { title: 'Breit', allowedSurfaces: ['website', 'social'] },
  })
  for (const { who, home } of [operator!, portal!]) {
    const page = await visit(who(client), `${home(client)}?asset=${assetId}`, german)
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByText('Instagram nimmt kein image/png.').first().waitFor()
    await details.getByText('höchstens 1.440 Pixel Breite; dies hat 3.000.').first().waitFor()
    await details.getByText('Dieser Kanal ist nicht angekreuzt.').first().waitFor()
    expect(await details.getByText(/does not take|takes up to|asks for|not allowed/).count()).toBe(0)
  }
})

test('ratios are written with a decimal comma', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Steg')
  const page = await visit(client.operator, operator!.home(client), german)
  await page.getByRole('button', { name: 'Weitere Filter' }).click()
  const ratio = page.getByRole('combobox', { name: 'Seitenverhältnis' })
  await ratio.selectOption('1,91:1')
  await page.getByRole('button', { name: '1,91:1: diesen Filter entfernen', includeHidden: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('ratio')).toBe('1.91:1')
})

test('a file that is not what its name says is not told to become what it is called', async () => {
  const client = await world.newClient()
  const page = await visit(client.operator, operator!.home(client), german)
  await page.getByRole('button', { name: 'Hochladen', exact: true }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Dateien…' }).click(),
  ])
  const noise = { mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') }
  await chooser.setFiles([
    { ...noise, name: 'strand.jpg' },
    { ...noise, name: 'brief.docx' },
  ])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText(/Inhalt.*Typ/).waitFor()
  await tray.getByText(/DOCX.*JPG/).waitFor()
  expect(await tray.getByText(/JPG-Dateien werden nicht/).count()).toBe(0)
})

test('a picture with too many pixels and a film without pictures are not called damaged', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Klein')
  const page = await visit(client.operator, operator!.home(client), german)
  await page.getByRole('gridcell', { name: /Klein/ }).waitFor()
  await page.getByRole('button', { name: 'Hochladen', exact: true }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Dateien…' }).click(),
  ])
  // Its header says 30,000 × 30,000; what follows does not matter any more.
  const huge = Buffer.from(png(64, 48, [1, 2, 3]))
  huge.writeUInt32BE(30_000, 16)
  huge.writeUInt32BE(30_000, 20)
  const { crc32 } = await import('node:zlib')
  huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
  await chooser.setFiles([
    { name: 'riesig.png', mimeType: 'image/png', buffer: huge },
    await fileOf('audio-only.mp4', 'nur-ton.mp4'),
  ])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText(/zu viele Pixel/).waitFor()
  await tray.getByText(/In diesem Video sind keine Bilder/).waitFor()
  expect(await tray.getByText(/beschädigt/).count()).toBe(0)

  const library = libraryOn(await visit(client.operator, operator!.home(client)))
  await library.uploads([
    { name: 'huge.png', mimeType: 'image/png', buffer: huge },
    await fileOf('audio-only.mp4', 'sound.mp4'),
  ])
  await library.tray.getByText(/too many pixels/).waitFor()
  await library.tray.getByText(/There are no pictures in this video/).waitFor()
  expect(await library.tray.getByText(/damaged/).count()).toBe(0)
})

test('who uploaded something is named in the right case, in a filter, too', async () => {
  const client = await world.newClient()
  const { body: me } = await client.portal.get('/auth/me')
  for (const [uploader, said] of [
    [me.id, 'Von mir'],
    ['user_01m00000000000000000000000', 'Von jemandem, der nicht mehr da ist'],
    ['request_01m00000000000000000000000', 'Von einem Gast, über eine Upload-Anfrage'],
    ['system', 'Von der Bibliothek selbst'],
  ]) {
    const page = await visit(client.portal, `${portal!.home(client)}?uploader=${uploader}`, german)
    await page.getByRole('group', { name: 'Filter' }).getByText(said).first().waitFor()
  }
})
