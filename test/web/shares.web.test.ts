import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import {
  app,
  fileOf,
  hasAsset,
  isDrawn,
  libraryOn,
  longWait,
  surfaces,
  violations,
  violationsInBoth,
} from './app.ts'

const { world, visit, site } = await app()
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const linksOf = (person: Person) => person.door.assets.replace(/assets$/, 'share-links')

async function shares(person: Person, wish: object): Promise<string> {
  const { body } = await person.post(linksOf(person), { title: 'Summer on the terrace', ...wish })
  return new URL(body.url).pathname
}

const isInSight = (it: Element) => {
  const { top, bottom } = it.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

async function revokes(person: Person) {
  const { shareLinks } = (await person.get(linksOf(person))).body
  for (const { shareLinkId } of shareLinks) await person.delete(`${linksOf(person)}/${shareLinkId}`)
}

describe.each(surfaces)('in the $surface', ({ who, home }) => {
  test('somebody shares a folder, a stranger looks at it, and it ends when it is revoked', async () => {
    const client = await world.newClient()
    const person = who(client)
    const { folderId } = await person.makesFolder('Terrace')
    for (const title of ['Morning', 'Noon', 'Evening']) await hasAsset(person, title, { folderId })
    const page = await visit(person, home(client))
    const library = libraryOn(page)
    await library.choosesIn(library.folder('Terrace'), 'Share…')
    const dialog = page.getByRole('dialog', { name: 'Share this folder' })
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Terrace')
    await dialog.getByLabel('Note for those who open it').fill('Which one do you like?')
    await dialog.getByLabel('They may').selectOption('Download originals')
    await dialog.getByLabel('Good for').selectOption('1 day')
    expect(await violations(page)).toEqual([])
    await shot(page, `dialog-${home(client).includes('portal')}`)
    // Whoever leaves while it is made would never see it.
    await page.route('**/share-links', async (route) => {
      await page.keyboard.press('Escape')
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const made = page.getByRole('dialog', { name: 'Your link' })
    await made.getByRole('button', { name: 'Copy' }).and(page.locator(':focus')).waitFor()
    const url = await made.locator('code').innerText()
    await page.unroute('**/share-links')
    await made.getByText(/until \d.*20\d\d.*\d:\d\d/).waitFor()
    await made.getByRole('button', { name: 'Done' }).click()

    const guest = await visit(null, new URL(url).pathname)
    await guest.getByRole('heading', { name: 'Terrace' }).waitFor()
    await guest.getByText('Which one do you like?').waitFor()
    await guest.getByText(/Available until .*20\d\d.*\d:\d\d/).waitFor()
    expect(await guest.title()).toBe('Terrace')
    const tiles = guest.getByRole('button', { name: /^Show / })
    await expect.poll(() => tiles.count(), shows).toBe(3)
    await isDrawn(tiles.first().locator('img'))
    // The stand-in would show through a transparent picture.
    await expect
      .poll(() => tiles.first().evaluate((tile) => getComputedStyle(tile).backgroundImage), shows)
      .toBe('none')
    expect(await violations(guest)).toEqual([])
    await shot(guest, 'full')

    await tiles.first().click()
    const viewer = guest.getByRole('dialog')
    await viewer.getByText('1 of 3').waitFor()
    await isDrawn(viewer.locator('img'))
    await guest.keyboard.press('ArrowRight')
    await viewer.getByText('2 of 3').waitFor()
    await viewer.getByRole('button', { name: 'Next' }).click()
    await viewer.getByText('3 of 3').waitFor()
    expect(await viewer.getByRole('button', { name: 'Next' }).isVisible()).toBe(false)
    expect(await violations(guest)).toEqual([])
    await shot(guest, 'viewer')
    const [one] = await Promise.all([
      guest.waitForEvent('download'),
      viewer.getByRole('link', { name: 'Download Evening' }).click(),
    ])
    expect(one.suggestedFilename()).toBe('Evening.png')
    await guest.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    const [all] = await Promise.all([
      guest.waitForEvent('download'),
      guest.getByRole('link', { name: 'Download all' }).click(),
    ])
    expect(all.suggestedFilename()).toBe('Terrace.zip')

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Share links' }).click()
    const card = page.getByRole('listitem').filter({ hasText: 'Which one do you like?' })
    await card.getByText(/^Opened once/).waitFor()
    await card.getByText(/until .*20\d\d.*\d:\d\d/i).waitFor()
    await card.getByRole('button', { name: 'Who opened it' }).click()
    await card.getByText('Chrome, Linux').waitFor()
    await card.getByText('127.0.0.0/24').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await shot(page, 'list')
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('listitem').filter({ hasText: 'A guest: Terrace' }).first().waitFor()
    await page.goBack()
    await card.getByRole('button', { name: 'Revoke the link “Terrace”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await card.getByText('Revoked', { exact: true }).waitFor()
    await guest.getByRole('link', { name: 'Download all' }).click()
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    expect(await violations(guest)).toEqual([])
    await shot(guest, 'gone')
    await guest.reload()
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  })
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

test('on a German phone in the dark: a password, pictures to swipe, a film that plays', async () => {
  const { operator } = await world.newClient()
  const { buffer } = await fileOf('a.mp4')
  const session = { originalFilename: 'wellen.mp4', mimeType: 'video/mp4' } as const
  const film = await operator.uploads(buffer, { session, words: { title: 'Wellen' } })
  const pictures = [await hasAsset(operator, 'Hafen'), await hasAsset(operator, 'Fähre')]
  const password = 'zwölf Zeichen lang'
  const assetIds = [...pictures, film].map(({ assetId }) => assetId)
  const path = await shares(operator, { assetIds, allows: 'download', files: 'rendition', password })
  const page = await visit(null, path, { ...phone, locale: 'de-DE', colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Dieser Link hat ein Passwort' }).waitFor()
  await page.getByLabel('Passwort').fill('falsch geraten')
  await page.getByRole('button', { name: 'Öffnen' }).click()
  await page.getByRole('alert').filter({ hasText: 'nicht das Passwort' }).waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'password')
  await page.getByLabel('Passwort').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Summer on the terrace' }).waitFor()
  await page.getByText('3 Dateien').waitFor()
  await isDrawn(page.getByRole('button', { name: 'Hafen ansehen' }).locator('img'))
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await shot(page, 'phone')

  await page.getByRole('button', { name: 'Hafen ansehen' }).tap()
  const viewer = page.getByRole('dialog')
  await viewer.getByText('1 von 3').waitFor()
  await isDrawn(viewer.locator('img'))
  const touch = await page.context().newCDPSession(page)
  const at = (x: number) => ({ touchPoints: [{ x, y: 400 }] })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(300) })
  for (const x of [250, 180, 110])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await viewer.getByText('2 von 3').waitFor()
  await viewer.getByRole('button', { name: 'Nächstes' }).click()
  await viewer.locator('video').evaluate((video: HTMLVideoElement) => {
    video.muted = true
    return video.play()
  })
  await shot(page, 'phone-film')
  await page.goBack()
  await viewer.waitFor({ state: 'detached' })

  // Copies are made first, in sight.
  const [zip] = await Promise.all([
    page.waitForEvent('download', { timeout: 2 * longWait }),
    page.getByRole('button', { name: 'Alle herunterladen' }).click(),
  ])
  expect(zip.suggestedFilename()).toBe('Summer on the terrace.zip')

  // Seen when a picture is opened that does not come any more, and when all are asked for.
  const late = await visit(null, path, { locale: 'de-DE' })
  await late.getByLabel('Passwort').fill(password)
  await late.keyboard.press('Enter')
  await late.getByRole('button', { name: 'Fähre ansehen' }).waitFor()
  // One that still comes would tell it by itself.
  const areThere = (pictures: HTMLImageElement[]) => pictures.every(({ naturalWidth }) => naturalWidth > 0)
  await expect.poll(() => late.locator('main img').evaluateAll(areThere as never), shows).toBe(true)
  await revokes(operator)
  await page.getByRole('button', { name: 'Alle herunterladen' }).click()
  await page.getByRole('heading', { name: 'Dieser Link funktioniert nicht mehr' }).waitFor()
  expect(await violations(page)).toEqual([])
  await late.getByRole('button', { name: 'Fähre ansehen' }).click()
  await late.getByRole('heading', { name: 'Dieser Link funktioniert nicht mehr' }).waitFor()
  expect(new URL(late.url()).pathname).toBe(path)
})

test('somebody asks for files, a guest sends them from a German phone over a line that breaks, and they wait', async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  await operator.makesFolder('Terrace')
  const { folderId: pressId } = await operator.makesFolder('Press')
  const page = await visit(operator, `/app/clients/${clientId}/assets`)
  const library = libraryOn(page)
  await library.choosesIn(library.folder('Terrace'), 'Ask for files…')
  const asking = page.getByRole('dialog', { name: 'Ask somebody for files' })
  expect(await asking.getByLabel('Title').inputValue()).toBe('Files for Terrace')
  await asking.getByLabel('Note for those who open it').fill('Landscape, please.')
  expect(await violations(page)).toEqual([])
  await shot(page, 'ask')
  await asking.getByRole('button', { name: 'Make the link' }).click()
  const made = page.getByRole('dialog', { name: 'Your link' })
  const url = await made.locator('code').innerText()
  await made.getByRole('button', { name: 'Done' }).click()

  const options = { ...phone, locale: 'de-DE', colorScheme: 'dark' } as const
  const guest = await visit(null, new URL(url).pathname, options)
  await guest.getByRole('heading', { name: 'Files for Terrace' }).waitFor()
  await guest.getByText('Landscape, please.').waitFor()
  await guest.setViewportSize({ width: 375, height: 667 })
  await guest.getByText('Für Harbour Café').waitFor()
  await shot(guest, 'upload')
  const taken = await guest.locator('.upload-types').innerText()
  expect(taken).toMatch(/JPG.*Bilder bis 104 MB, Videos bis 10 GB\.\s+Platz für noch 100 Dateien/)
  await guest.getByRole('button', { name: 'Dateien auswählen' }).tap()
  await guest.getByRole('alert').filter({ hasText: 'wer Sie sind' }).waitFor()
  expect(await violations(guest)).toEqual([])
  await guest.getByLabel('Ihr Name').fill('<b>Anna</b>')
  await guest.getByLabel('Hinweis').fill('Vom Steg & vom Boot')

  // The line breaks while the first bytes travel.
  const context = guest.context()
  await guest.route('**/objects/**', async (route) => {
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  const named = (name: string, colour: [number, number, number]) => ({
    name,
    mimeType: 'image/png',
    buffer: png(60, 40, colour),
  })
  const files = guest.locator('input[type=file]')
  await files.setInputFiles([
    named('steg.png', [20, 90, 160]),
    named('boot.png', [160, 90, 20]),
    {
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    },
    { name: 'leer.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
  ])
  await guest.getByText('Wartet auf die Verbindung').first().waitFor()
  await shot(guest, 'upload-broken')
  await guest.unroute('**/objects/**')
  await context.setOffline(false)
  await guest.getByText('2 von 4 gesendet').waitFor()
  await guest.getByText('Diese Art von Datei wird nicht angenommen.').waitFor()
  await guest.getByText('Diese Datei ist leer.').waitFor()
  const thanks = guest.getByRole('status').filter({ hasText: 'Vielen Dank' })
  await thanks.getByText(/^2 Dateien sind angekommen\./).waitFor()
  await thanks.getByText(/^2 Dateien wurden nicht angenommen\./).waitFor()
  await guest.getByText(/Platz für noch 98 Dateien/).waitFor()
  await expect.poll(() => thanks.getByRole('heading').evaluate(isInSight), shows).toBe(true)
  expect(await violations(guest)).toEqual([])
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await shot(guest, 'upload-thanks')

  await page.getByRole('link', { name: 'Share links, 2 files wait' }).click()
  await page.getByRole('heading', { name: '2 files from guests wait' }).waitFor()
  const steg = page.getByRole('listitem').filter({ hasText: 'steg.png' })
  await steg.getByText('<b>Anna</b>').waitFor()
  await steg.getByText('Vom Steg & vom Boot').waitFor()
  await isDrawn(steg.locator('img'))
  await steg.getByRole('button', { name: 'Look at steg.png' }).click()
  const look = page.getByRole('dialog', { name: 'steg.png' })
  await isDrawn(look.getByRole('img', { name: 'steg.png' }))
  expect(await violations(page)).toEqual([])
  await shot(page, 'waiting-look')
  await page.keyboard.press('Escape')
  await look.waitFor({ state: 'detached' })
  await page.getByText('2 waiting · 0 accepted').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'waiting')
  await steg.getByRole('checkbox', { name: 'steg.png' }).check()
  await page.getByRole('button', { name: 'Accept 1' }).click()
  const accepting = page.getByRole('dialog', { name: 'Accept this file' })
  await accepting.getByText('steg.png', { exact: true }).waitFor()
  const folders = accepting.getByLabel('Folder')
  expect(await folders.locator('option:checked').textContent()).toBe('Terrace, as it was asked for')
  await folders.selectOption('Press')
  const choice = accepting.locator('label').filter({ hasText: 'Everywhere' })
  expect((await choice.boundingBox())!.height).toBeGreaterThanOrEqual(32)
  await accepting.getByLabel('Everywhere').uncheck()
  expect(await violations(page)).toEqual([])
  await shot(page, 'accept')
  await accepting.getByRole('button', { name: 'Accept 1' }).click()
  await page.getByRole('heading', { name: '1 file from guests waits' }).waitFor()
  expect((await operator.lists({ folderId: pressId })).body.assets).toMatchObject([
    { title: 'steg', allowedSurfaces: ['gbp', 'social', 'website'] },
  ])
  await page.getByRole('button', { name: 'Decline all…' }).click()
  const declining = page.getByRole('dialog', { name: 'Decline this file' })
  await declining.getByText('boot.png', { exact: true }).waitFor()
  await declining.getByLabel('Why (optional)').fill('Blurred')
  expect(await violations(page)).toEqual([])
  await declining.getByRole('button', { name: 'Decline 1' }).click()
  await page.getByText('0 waiting · 1 accepted').waitFor()

  // Somebody else decides meanwhile: what one is asked about stays named, and then is told to be over.
  await files.setInputFiles([named('ufer.png', [90, 20, 60])])
  await page.getByRole('button', { name: 'Accept all…' }).click()
  await accepting.getByText('ufer.png', { exact: true }).waitFor()
  const waitingRoom = operator.door.assets.replace(/assets$/, 'waiting-room')
  const [ufer] = (await operator.get(waitingRoom)).body.files
  await operator.post(`${waitingRoom}/decline`, { uploadSessionIds: [ufer.uploadSessionId] })
  await page.getByText('0 waiting · 1 accepted').waitFor()
  await accepting.getByText('ufer.png', { exact: true }).waitFor()
  await accepting.getByRole('button', { name: 'Accept 1' }).click()
  await page
    .locator('output')
    .filter({ hasText: 'One file was decided on by somebody else meanwhile' })
    .waitFor()
  await accepting.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Revoke the request “Files for Terrace”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  await files.setInputFiles([named('spät.png', [20, 90, 60])])
  await guest.getByRole('heading', { name: 'Dieser Link funktioniert nicht mehr' }).waitFor()
})

test('a picture that a busy server kept back from a guest comes by itself once it can', {
  tags: 'drill',
}, async () => {
  const { operator } = await world.newClient()
  const { assetId } = await hasAsset(operator, 'Terrace')
  await expect.poll(async () => (await operator.reads(assetId)).body.media.state, shows).toBe('ready')
  const path = await shares(operator, { assetIds: [assetId] })
  let isBusy = true
  const page = await visit(null, 'about:blank')
  await page.route(/\/preview\?/, (route) => (isBusy ? route.fulfill({ status: 503 }) : route.continue()))
  await page.goto(path)
  const tile = page.getByRole('button', { name: 'Show Terrace' })
  await tile.locator('.share-tile-failed').waitFor()
  expect(await tile.locator('img').isVisible()).toBe(false)
  isBusy = false
  await isDrawn(tile.locator('img'))
  await tile.locator('.share-tile-failed').waitFor({ state: 'detached' })

  isBusy = true
  await tile.click()
  const viewer = page.getByRole('dialog')
  await viewer.getByText('No preview').waitFor()
  isBusy = false
  await isDrawn(viewer.locator('img'))
  expect(await viewer.locator('.viewer-failed').count()).toBe(0)
})

test('messengers are told the title and shown a picture, but nothing behind a password; a dead or empty link says so', {
  tags: 'drill',
}, async () => {
  const { operator } = await world.newClient()
  const { assetId } = await hasAsset(operator, 'Secret dish')
  const open = await shares(operator, { assetIds: [assetId], title: '“Menu” <b>&' })
  const html = await (await fetch(site + open)).text()
  expect(html).toContain('<meta property="og:title" content="“Menu” &#60;b&#62;&#38;" />')
  const image = /og:image" content="([^"]+)"/.exec(html)![1]!
  const shown = await fetch(image.replaceAll('&#38;', '&'))
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const closed = await shares(operator, {
    assetIds: [assetId],
    title: 'Secret',
    password: 'a tasty password',
  })
  expect(await (await fetch(site + closed)).text()).not.toMatch(/Secret|og:title|og:image|asset_/)

  const page = await visit(null, open)
  expect(await page.getByRole('link', { name: /Download/ }).count()).toBe(0)
  await operator.trashes(assetId)
  await page.reload()
  await page.getByText('Nothing here at the moment').waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'empty')
  const dead = await visit(null, `/s/${'x'.repeat(43)}`)
  await dead.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('somebody without an account points to a place, comments, answers and approves', async () => {
  const { operator } = await world.newClient()
  const { assetId } = await operator.uploads(png(900, 1800, [90, 140, 60]), { words: { title: 'Menu' } })
  const path = await shares(operator, { assetIds: [assetId], review: true })
  const page = await visit(null, path, phone)
  await page.getByRole('button', { name: 'Show Menu' }).tap()
  const viewer = page.getByRole('dialog')
  await isDrawn(viewer.locator('img'))
  await viewer.getByText('Not answered yet').waitFor()
  await viewer.getByLabel('Your name').fill('Ada')
  await viewer.getByRole('button', { name: 'Point to a place' }).tap()
  await viewer.getByRole('button', { name: 'Set the pin here' }).tap()
  await viewer.getByLabel('Your comment').fill('Bigger here')
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'guest-review')
  await viewer.getByRole('button', { name: 'Send comment' }).tap()
  const comments = viewer.getByRole('list', { name: 'Comments' })
  await comments.getByText('Bigger here').waitFor()
  const at = `${operator.door.assets}/${assetId}/comments`
  const { commentId } = (await operator.get(at)).body.comments[0]
  await operator.post(at, { text: 'This much?', threadId: commentId })
  await comments.getByRole('button', { name: 'Answer Ada' }).tap()
  await viewer.getByRole('textbox', { name: 'Answer Ada' }).fill('A little more')
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'guest-answer')
  await viewer.getByRole('button', { name: 'Send answer' }).tap()
  await comments.getByText('A little more').waitFor()
  expect(await comments.getByRole('paragraph').allTextContents()).toEqual([
    ...['Bigger here', 'This much?', 'A little more'],
  ])
  await viewer.getByLabel('Your comment').fill('Too dark as well')
  await viewer.getByRole('button', { name: 'Ask for changes' }).tap()
  const answer = viewer.getByRole('paragraph').filter({ hasText: 'Too dark as well' })
  await answer.waitFor()
  await expect.poll(() => viewer.getByLabel('Your comment').inputValue(), shows).toBe('')
  await page.reload()
  await page.getByRole('button', { name: 'Show Menu' }).tap()
  await answer.waitFor()
  await viewer.locator('.viewer-over').getByText('1', { exact: true }).waitFor()
  await comments.getByText('1', { exact: true }).waitFor()
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'guest-changes')
  await operator.patch(`${at}/${commentId}`, { resolved: true })
  await viewer.getByRole('button', { name: 'Approve', exact: true }).tap()
  await viewer.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
  await comments.getByText('Resolved').waitFor()
  await viewer.getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('button', { name: 'Show Menu, Approved' }).waitFor()
  await page.getByRole('button', { name: 'Needs your answer' }).tap()
  await page.getByText('Everything here is answered').waitFor()
  expect(await violationsInBothOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Needs your answer' }).tap()
  await page.getByRole('button', { name: 'Show Menu, Approved' }).waitFor()
  await shot(page, 'guest-gallery')
  const { body } = await operator.get(at)
  const guest = { kind: 'guest', name: 'Ada' }
  expect(body.comments).toMatchObject([
    { text: 'A little more', threadId: commentId, author: guest },
    { text: 'This much?', threadId: commentId },
    { text: 'Bigger here', author: guest },
  ])
  expect(body.comments[2].pin.x).toBeCloseTo(0.5, 1)
  expect((await operator.reads(assetId)).body.approval).toBe('approved')

  await page.getByRole('button', { name: 'Show Menu, Approved' }).tap()
  await viewer.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
  await revokes(operator)
  await viewer.getByLabel('Your comment').fill('Too late')
  await viewer.getByRole('button', { name: 'Send comment' }).tap()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('a guest is told what others have said since they looked', async () => {
  const { operator } = await world.newClient()
  const { assetId } = await hasAsset(operator, 'Pier')
  const path = await shares(operator, { assetIds: [assetId], review: true })
  const page = await visit(null, path)
  const viewer = page.getByRole('dialog')
  const state = (said: string) => viewer.getByRole('status').filter({ hasText: said }).waitFor()
  await page.clock.install()
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await state('Not answered yet')
  await viewer.getByLabel('Your name').fill('Ada')
  await viewer.getByRole('textbox', { name: 'Your comment' }).fill('Is this the old pier?')
  await viewer.getByRole('button', { name: 'Send comment' }).click()
  const comments = viewer.getByRole('list', { name: 'Comments' })
  await comments.getByText('Is this the old pier?').waitFor()

  const at = `${operator.door.assets}/${assetId}`
  const [{ commentId }] = (await operator.get(`${at}/comments`)).body.comments
  await operator.post(`${at}/comments`, { text: 'The new one', threadId: commentId })
  await page.clock.runFor(20_000)
  await comments.getByText('The new one').waitFor()
  // The way to answer stands below what was said last.
  await comments.getByRole('listitem').last().getByRole('button', { name: 'Answer Ada' }).waitFor()

  await operator.put(`${at}/approval`, { version: 1, decision: 'changes-requested' })
  await viewer.getByRole('button', { name: 'Approve', exact: true }).click()
  await viewer.getByRole('alert').filter({ hasText: 'Somebody else has decided meanwhile.' }).waitFor()
  await state('Changes wanted')
  await shot(page, 'guest-decided-meanwhile')
  expect((await operator.reads(assetId)).body.approval).toBe('changes-requested')
  await viewer.getByRole('button', { name: 'Approve', exact: true }).click()
  await state('Approved')
})

test('a guest who goes by keys answers, points and looks on, and the focus is never lost', async () => {
  const { operator } = await world.newClient()
  const pier = await operator.uploads(png(60, 40, [9, 90, 9]), { words: { title: 'Pier' } })
  const quay = await operator.uploads(png(60, 40, [90, 9, 9]), { words: { title: 'Quay' } })
  const assetIds = [pier.assetId, quay.assetId]
  const page = await visit(null, await shares(operator, { assetIds, review: true }))
  const viewer = page.getByRole('dialog')
  const button = (name: string) => viewer.getByRole('button', { name, exact: true })
  const presses = async (one: Locator, key = 'Enter') => {
    await one.focus()
    await page.keyboard.press(key)
  }
  const hasFocus = (one: Locator) =>
    expect.poll(() => one.evaluate((it) => it === document.activeElement), shows).toBe(true)
  await presses(page.getByRole('button', { name: 'Show Pier' }))
  await viewer.getByLabel('Your name').fill('Ada')
  await presses(button('Approve'))
  await viewer.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
  await hasFocus(button('Approve'))

  await presses(button('Next'))
  await viewer.getByText('2 of 2').waitFor()
  await hasFocus(viewer)
  await page.keyboard.press('ArrowLeft')
  await viewer.getByText('1 of 2').waitFor()
  await page.keyboard.press('ArrowRight')
  await isDrawn(viewer.locator('img'))
  await presses(button('Point to a place'))
  await hasFocus(button('Set the pin here'))
  expect(await button('Next').count()).toBe(0)
  await page.keyboard.press('Enter')
  const pin = button('Your pin; the arrows move it')
  await hasFocus(pin)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await viewer.getByLabel('Your comment').fill('Bigger here')
  await presses(button('Send comment'))
  await viewer.getByRole('list', { name: 'Comments' }).getByText('Bigger here').waitFor()
  await hasFocus(button('Send comment'))
  const { body } = await operator.get(`${operator.door.assets}/${quay.assetId}/comments`)
  expect(body.comments[0].pin).toEqual({ x: 0.51, y: 0.4 })

  await presses(viewer, 'Escape')
  await hasFocus(page.getByRole('button', { name: 'Show Quay' }))
  await presses(page.getByRole('button', { name: 'Needs your answer' }))
  await page.getByRole('button', { name: 'Show Pier' }).waitFor({ state: 'detached' })
  await presses(page.getByRole('button', { name: 'Show Quay' }))
  await viewer.getByText('1 of 1').waitFor()
  expect(await violationsInBothOf(page)).toEqual([])
})

test('what a guest has half written waits while they look elsewhere, and they are asked before it is lost', async () => {
  const { operator } = await world.newClient()
  const assetIds: string[] = []
  for (const title of ['Pier', 'Quay']) assetIds.push((await hasAsset(operator, title)).assetId)
  const page = await visit(null, await shares(operator, { assetIds, review: true }))
  const viewer = page.getByRole('dialog')
  const name = viewer.getByLabel('Your name')
  const comment = viewer.getByRole('textbox', { name: 'Your comment' })
  const answers = viewer.getByRole('textbox', { name: 'Answer Ada' })
  const pin = viewer.getByRole('button', { name: 'Remove the pin' })
  const saysNothing = () => expect.poll(() => comment.inputValue(), shows).toBe('')
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await name.fill('Ada')
  await comment.fill('Half a thought')
  await viewer.getByRole('button', { name: 'Point to a place' }).click()
  await viewer.getByRole('button', { name: 'Set the pin here' }).click()
  await viewer.getByRole('button', { name: 'Next', exact: true }).click()
  await viewer.getByText('2 of 2').waitFor()
  await saysNothing()
  expect(await name.inputValue()).toBe('Ada')
  expect(await pin.count()).toBe(0)
  await viewer.getByRole('button', { name: 'Previous' }).click()
  await viewer.getByText('1 of 2').waitFor()
  await expect.poll(() => comment.inputValue(), shows).toBe('Half a thought')
  expect(await name.inputValue()).toBe('Ada')
  await pin.waitFor()

  await page.context().setOffline(true)
  await viewer.getByRole('button', { name: 'Send comment' }).click()
  await viewer.getByRole('alert').filter({ hasText: 'not sent' }).waitFor()
  await viewer.getByRole('button', { name: 'Close' }).click()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await expect.poll(() => comment.inputValue(), shows).toBe('Half a thought')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await asked).dismiss()

  await viewer.getByRole('button', { name: 'Send comment' }).click()
  await viewer.getByRole('button', { name: 'Answer Ada' }).click()
  await answers.fill('Half an answer')
  await viewer.getByRole('button', { name: 'Cancel' }).click()
  await saysNothing()
  await viewer.getByRole('button', { name: 'Answer Ada' }).click()
  await expect.poll(() => answers.inputValue(), shows).toBe('Half an answer')
  await viewer.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await expect.poll(() => answers.inputValue(), shows).toBe('Half an answer')
})

test('a guest says what should be changed, in a comment on this version at least', async () => {
  const { operator } = await world.newClient()
  const { assetId } = await hasAsset(operator, 'Pier')
  const page = await visit(null, await shares(operator, { assetIds: [assetId], review: true }))
  const viewer = page.getByRole('dialog')
  const comment = viewer.getByRole('textbox', { name: 'Your comment' })
  const asks = () => viewer.getByRole('button', { name: 'Ask for changes' }).click()
  const unsaid = viewer.getByRole('alert').filter({ hasText: 'Say what should be changed first.' })
  const state = (said: string) => viewer.getByRole('status').filter({ hasText: said }).waitFor()
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await viewer.getByLabel('Your name').fill('Ada')
  await asks()
  await unsaid.waitFor()
  expect(await comment.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'guest-unsaid')
  await comment.fill('Bigger')
  await unsaid.waitFor({ state: 'detached' })
  await viewer.getByRole('button', { name: 'Send comment' }).click()
  await viewer.getByRole('list', { name: 'Comments' }).getByText('Bigger').waitFor()
  const hasFocus = (one: Locator) =>
    expect.poll(() => one.evaluate((it) => it === document.activeElement)).toBe(true)
  await hasFocus(viewer.getByRole('button', { name: 'Send comment' }))
  await asks()
  await state('Changes wanted')
  await hasFocus(viewer.getByRole('button', { name: 'Ask for changes' }))

  await operator.uploads(png(60, 40, [9, 90, 9]), { session: { replacesAssetId: assetId } })
  await page.reload()
  await page.getByRole('button', { name: 'Show Pier' }).click()
  await state('Waiting for an answer')
  await viewer.getByRole('list', { name: 'Comments' }).getByText('Bigger').waitFor()
  await asks()
  await unsaid.waitFor()
  expect((await operator.reads(assetId)).body.approval).toBe('pending')

  await isDrawn(viewer.locator('img'))
  await viewer.getByRole('button', { name: 'Point to a place' }).click()
  await viewer.getByRole('button', { name: 'Set the pin here' }).click()
  await comment.fill('Darker here')
  await asks()
  await state('Changes wanted')
  const { body: said } = await operator.get(`${operator.door.assets}/${assetId}/comments`)
  expect(said.comments[0]).toMatchObject({ text: 'Darker here', pin: { x: 0.5, y: 0.5 } })
  expect(await viewer.getByRole('button', { name: 'Remove the pin' }).count()).toBe(0)
})

test('a guest who has not said who they are is asked to when they answer', async () => {
  const { operator } = await world.newClient()
  const { assetId } = await hasAsset(operator, 'Pier')
  const page = await visit(null, await shares(operator, { assetIds: [assetId], review: true }))
  await page.getByRole('button', { name: 'Show Pier' }).click()
  const viewer = page.getByRole('dialog')
  const unnamed = viewer.getByRole('alert').filter({ hasText: 'Say who you are first.' })
  await viewer.getByRole('button', { name: 'Approve', exact: true }).click()
  await unnamed.waitFor()
  const name = viewer.getByLabel('Your name')
  expect(await name.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'guest-unnamed')
  await name.fill('Ada')
  await unnamed.waitFor({ state: 'detached' })
  await viewer.getByRole('button', { name: 'Approve', exact: true }).click()
  await viewer.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
})

test('files that a guest gives before they say who they are wait for their name', async () => {
  const { operator } = await world.newClient()
  const { body } = await operator.post(operator.door.assets.replace(/assets$/, 'upload-requests'), {
    title: 'Photos',
  })
  const page = await visit(null, new URL(body.url).pathname)
  const files = page.locator('input[type=file]')
  const gives = (name: string, blue: number) =>
    files.setInputFiles([{ name, mimeType: 'image/png', buffer: png(60, 40, [20, 90, blue]) }])
  await page.getByRole('heading', { name: 'Photos' }).waitFor()
  await gives('pier.png', 10)
  await page.getByRole('alert').filter({ hasText: 'Say who you are first.' }).waitFor()
  await page.getByText('1 file is not sent yet.').waitFor()
  await gives('quay.png', 90)
  await page.getByText('2 files are not sent yet.').waitFor()
  expect(await violationsInBothOf(page)).toEqual([])
  await shot(page, 'upload-unnamed')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await asked).dismiss()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Note').fill('Both of the harbour')
  await page.getByRole('button', { name: 'Send 2 files' }).click()
  await page.getByText('2 of 2 sent').waitFor()
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
})

test('how a film stands covers nothing else on a small tile, and keeps within it', async () => {
  const { operator, clientId } = await world.newClient()
  const { buffer } = await fileOf('rotated.mp4')
  const session = { originalFilename: 'wellen.mp4', mimeType: 'video/mp4' } as const
  const film = await operator.uploads(buffer, { session, words: { title: 'Wellen' } })
  const picture = await operator.uploads(png(450, 900, [90, 140, 60]), { words: { title: 'Menü' } })
  const assetIds = [film, picture].map(({ assetId }) => assetId)
  await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds })
  await operator.put(`${operator.door.assets}/${picture.assetId}/approval`, {
    version: 1,
    decision: 'changes-requested',
  })
  const path = await shares(operator, { assetIds, review: true })
  const page = await visit(null, path, { ...phone, locale: 'de-DE' })
  const tiles = page.getByRole('button', { name: /Wellen|Menü/ })
  const states = tiles.locator('.share-tile-state')
  await expect
    .poll(() => states.allTextContents(), shows)
    .toEqual([...['Wartet auf eine Antwort', 'Änderungen gewünscht']])
  await isDrawn(tiles.first().locator('img'))
  await isDrawn(tiles.last().locator('img'))
  await shot(page, 'phone-states')
  const boxOf = async (it: Locator) => (await it.boundingBox())!
  const [state, length] = [await boxOf(states.first()), await boxOf(page.locator('.share-tile-film'))]
  expect(
    state.x + state.width <= length.x ||
      state.y + state.height <= length.y ||
      length.y + length.height <= state.y,
  ).toBe(true)
  for (const tile of await tiles.all()) {
    const [its, around] = [await boxOf(tile.locator('.share-tile-state')), await boxOf(tile)]
    expect(its.x + its.width).toBeLessThanOrEqual(around.x + around.width - 4)
    expect(its.y + its.height).toBeLessThanOrEqual(around.y + around.height - 4)
  }
})

/** Guests' pages follow the system in light and dark. */
async function violationsInBothOf(page: Page): Promise<string[]> {
  const inLight = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await violations(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark]
}
