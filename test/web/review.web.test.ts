import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import type { Person } from '../person.ts'
import { png } from '../pictures.ts'
import { app, hasAsset, isDrawn, libraryOn, longWait, violations, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const middleOf = async (it: Locator) => {
  const { x, y, width, height } = (await it.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

test('what waits is approved in one go, but for what was not ticked or decided meanwhile, and taken back', async () => {
  const { operator, portal, clientId } = await world.newClient()
  const [mole, quay, pier, buoy] = await Promise.all(
    ['Mole', 'Quay', 'Pier', 'Buoy'].map((title) => hasAsset(operator, title, { title })),
  )
  const all = [mole!, quay!, pier!, buoy!]
  await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds: all.map(({ assetId }) => assetId) })
  const approvals = () =>
    Promise.all(all.map(async ({ assetId }) => (await operator.reads(assetId)).body.approval))
  const page = await visit(portal, '/app/portal/review')
  const box = (name: string) => page.getByRole('checkbox', { name })
  await box('Select all that are shown').check()
  await page.getByRole('status').filter({ hasText: '4 selected' }).waitFor()
  await box('Select “Buoy”').uncheck()
  await shot(page, 'chosen')
  expect(await violationsInBoth(page)).toEqual([])

  // Somebody decides while the page does not hear of it.
  await page.route('**/events*', (route) => route.abort())
  await page.route('**/reviews/decide', async (route) => {
    await operator.put(`${operator.door.assets}/${pier!.assetId}/approval`, {
      ...{ version: 1, decision: 'changes-requested', note: 'Too dark' },
    })
    await page.unroute('**/reviews/decide')
    await route.continue()
  })
  await page.getByRole('button', { name: 'Approve 3 versions' }).click()
  const said = (text: string | RegExp) =>
    page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text }).last()
  await said('2 versions approved').waitFor()
  await said(/^“Pier” was not decided on/).waitFor()
  await shot(page, 'approved-many')
  expect(await approvals()).toEqual(['approved', 'approved', 'changes-requested', 'pending'])
  await page.getByText('Needs your answer (1)').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await said('Undone: 2 versions approved').waitFor()
  expect(await approvals()).toEqual(['pending', 'pending', 'changes-requested', 'pending'])
})

test('a comment that is written says what is to be changed, at its place', async () => {
  const { operator, portal, clientId } = await world.newClient()
  const { assetId } = await operator.uploads(png(1200, 900, [40, 120, 200]), { words: { title: 'Terrace' } })
  await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds: [assetId] })
  const page = await visit(portal, `/app/portal/assets?look=${assetId}&panel=review`)
  await page.getByRole('textbox', { name: 'Your comment' }).fill('This corner is too dark')
  await page.getByRole('button', { name: 'Point to a place' }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the pin' }).waitFor()
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await expect
    .poll(async () => (await operator.reads(assetId)).body.approval, shows)
    .toBe('changes-requested')
  const { body } = await operator.get(`${operator.door.assets}/${assetId}/comments`)
  expect(body.comments).toMatchObject([{ text: 'This corner is too dark', pin: { x: 0.5, y: 0.5 } }])
})

test('an operator points to a place and mentions the client, who answers, asks for changes and approves', async () => {
  const client = await world.newClient()
  const { operator, portal } = client
  const { assetId } = await operator.uploads(png(1200, 900, [40, 120, 200]), {
    session: { originalFilename: 'terrace.png', mimeType: 'image/png' },
    words: { title: 'Terrace', altText: 'A terrace' },
  })
  const page = await visit(operator, `/app/clients/${client.clientId}/assets`)
  const library = libraryOn(page)
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('button', { name: 'Ask for a review' }).click()
  await details.getByText('Waiting for a yes').waitFor()
  await library.asset('Terrace').getByText('Waiting for a yes').waitFor()
  await details.getByRole('button', { name: 'Close' }).click()

  await library.asset('Terrace').click()
  await page.keyboard.press(' ')
  const look = page.getByRole('dialog', { name: 'Quick look at Terrace' })
  const picture = look.locator('.quick-look-media')
  await isDrawn(picture)
  await page.keyboard.press('i')
  await look.getByRole('button', { name: 'Point to a place' }).click()
  const ground = look.getByRole('button', { name: 'Set the pin here' })
  const box = (await ground.boundingBox())!
  await ground.click({ position: { x: box.width / 4, y: (box.height * 3) / 4 } })
  const field = look.getByRole('textbox', { name: 'Your comment' })
  const hasFocus = (it: Locator) => it.evaluate((element) => element === document.activeElement)
  await expect.poll(() => hasFocus(field), shows).toBe(true)
  // By the keys alone it is moved next.
  await look.getByRole('button', { name: 'Remove the pin' }).click()
  await look.getByRole('button', { name: 'Point to a place' }).press('Enter')
  const newPin = look.getByRole('button', { name: 'Your pin; the arrows move it' })
  for (const key of ['Enter', 'ArrowLeft']) {
    await expect.poll(() => hasFocus(ground), shows).toBe(true)
    await ground.press(key)
    await expect.poll(() => hasFocus(newPin), shows).toBe(true)
    await look.getByRole('button', { name: 'Remove the pin' }).click()
    if (key === 'Enter') await look.getByRole('button', { name: 'Point to a place' }).press('Enter')
  }
  await look.getByRole('button', { name: 'Point to a place' }).click()
  await ground.click({ position: { x: box.width / 4, y: (box.height * 3) / 4 } })
  await expect.poll(() => hasFocus(field), shows).toBe(true)
  await page.keyboard.type('Brighter here, ')
  await field.press('End')
  await field.pressSequentially('@cli')
  await look.getByRole('option', { name: 'client' }).waitFor()
  await field.press('Enter')
  await expect.poll(() => field.inputValue(), shows).toBe('Brighter here, @client ')
  expect(await violationsInBoth(page)).toEqual([])
  await look.getByRole('button', { name: 'Send' }).click()
  const pin = look.getByRole('button', { name: 'Comment 1: Brighter here, @client' })
  await pin.waitFor()

  // The focus goes on from a form that closes, and from a comment that goes.
  const edit = look.getByRole('button', { name: 'Edit', exact: true })
  await edit.click()
  await look.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => hasFocus(edit), shows).toBe(true)
  const answer = look.getByRole('button', { name: 'Answer' })
  await answer.click()
  await look.getByRole('textbox', { name: 'Your answer' }).fill('Never mind')
  await page.keyboard.press('Tab')
  const sends = look.getByRole('form', { name: 'Answer' }).getByRole('button', { name: 'Send' })
  await expect.poll(() => hasFocus(sends), shows).toBe(true)
  await page.keyboard.press('Enter')
  // What cannot be brought back is asked about first.
  const remove = look.getByRole('button', { name: 'Delete' }).nth(1)
  await remove.click()
  const asks = page.getByRole('dialog', { name: 'Delete this comment?' })
  await asks.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => hasFocus(remove), shows).toBe(true)
  await look.getByText('Never mind').waitFor()
  await remove.click()
  await shot(page, 'delete')
  await asks.getByRole('button', { name: 'Delete' }).click()
  await look.getByText('Never mind').waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(answer), shows).toBe(true)

  // Another wording waits while somebody looks at something else, and goes by a key.
  await edit.click()
  const wording = look.locator('.thread').getByRole('textbox')
  await wording.press('!')
  await look.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press(' ')
  await page.keyboard.press('i')
  await expect.poll(() => wording.inputValue(), shows).toBe('Brighter here, @client!')
  await wording.press('Backspace')
  await wording.press('ControlOrMeta+Enter')
  await wording.waitFor({ state: 'detached' })

  // What is on its way when somebody leaves is saved, and waits no more.
  await edit.click()
  await wording.press('?')
  const { promise: hasLeft, resolve: leaves } = Promise.withResolvers<void>()
  await page.route('**/comments/*', (route) => hasLeft.then(() => route.continue()), { times: 1 })
  await wording.press('ControlOrMeta+Enter')
  await look.getByRole('button', { name: 'Close' }).click()
  await look.waitFor({ state: 'detached' })
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  leaves()
  await saved
  await page.keyboard.press(' ')
  await page.keyboard.press('i')
  await look.locator('.comment-text').filter({ hasText: '@client?' }).waitFor()
  await expect.poll(() => wording.count(), shows).toBe(0)
  // So is a comment, to which nothing is written while it is sent.
  const { promise: hasGone, resolve: goes } = Promise.withResolvers<void>()
  const toComments = (url: URL) => url.pathname.endsWith('/comments')
  await page.route(toComments, async (route) => {
    if (route.request().method() === 'POST') await hasGone
    await route.continue()
  })
  const saying = look.getByRole('textbox', { name: 'Your comment' })
  await saying.fill('Nearly there')
  await saying.press('ControlOrMeta+Enter')
  await expect.poll(() => saying.isEditable(), shows).toBe(false)
  await look.getByRole('button', { name: 'Close' }).click()
  await look.waitFor({ state: 'detached' })
  const sent = page.waitForResponse((answer) => answer.request().method() === 'POST')
  goes()
  const { commentId: nearly } = await (await sent).json()
  await page.unroute(toComments)
  await page.keyboard.press(' ')
  await page.keyboard.press('i')
  await look.getByText('Nearly there').waitFor()
  await expect.poll(() => saying.inputValue(), shows).toBe('')
  const commentsOf = (person: Person) => `${person.door.assets}/${assetId}/comments`
  await operator.delete(`${commentsOf(operator)}/${nearly}`)
  await look.getByText('Nearly there').waitFor({ state: 'detached' })

  // An answer that is being written stays, though the thread is resolved or deleted meanwhile.
  const { body: said } = await portal.post(commentsOf(portal), { text: 'Too blue?', version: 1 })
  await look.getByText('Too blue?').waitFor()
  await answer.nth(1).click()
  const answering = look.getByRole('textbox', { name: 'Your answer' })
  await answering.fill('Not at all')
  // Whoever comes back finds it as they left it.
  await look.getByRole('button', { name: 'Close' }).click()
  await look.waitFor({ state: 'detached' })
  await page.keyboard.press(' ')
  await page.keyboard.press('i')
  await expect.poll(() => answering.inputValue(), shows).toBe('Not at all')
  await answering.press('End')
  await operator.patch(`${commentsOf(operator)}/${said.commentId}`, { resolved: true })
  await look.locator('.thread[data-resolved=true]').waitFor()
  expect(await answering.inputValue()).toBe('Not at all')
  expect((await portal.delete(`${commentsOf(portal)}/${said.commentId}`)).status).toBe(204)
  await look.getByText('Too blue?').waitFor({ state: 'detached' })
  await expect.poll(() => field.inputValue(), shows).toBe('Not at all')
  await expect.poll(() => hasFocus(field), shows).toBe(true)
  await library.said('stands below as a comment of its own').waitFor()
  await field.fill('')

  // It stays at its place however the picture is enlarged.
  const isAtItsPlace = async () => {
    const [at, { x, y, width, height }] = [await middleOf(pin), (await picture.boundingBox())!]
    return Math.hypot(at.x - (x + width / 4), at.y - (y + (height * 3) / 4)) < 2
  }
  await expect.poll(isAtItsPlace, shows).toBe(true)
  const small = (await pin.boundingBox())!.width
  await look.getByRole('button', { name: 'Zoom in' }).click()
  await look.getByRole('button', { name: '150%' }).waitFor()
  await expect.poll(isAtItsPlace, shows).toBe(true)
  expect((await pin.boundingBox())!.width).toBeCloseTo(small, 0)
  await shot(page, 'look')

  // The client finds it on a phone, and answers.
  const theirs = await visit(portal, '/app/portal/review', phone)
  await theirs.getByText('mentions you').waitFor()
  expect(await violationsInBoth(theirs)).toEqual([])
  await shot(theirs, 'phone-list')
  await theirs.getByRole('link', { name: 'Terrace' }).click()
  const theirLook = theirs.getByRole('dialog', { name: 'Quick look at Terrace' })
  await theirLook.getByText('Brighter here,').waitFor()
  await theirLook.getByRole('button', { name: 'Answer' }).click()
  await theirLook.getByRole('textbox', { name: 'Your answer' }).fill('Agreed')
  await theirLook.getByRole('form', { name: 'Answer' }).getByRole('button', { name: 'Send' }).click()
  await theirLook.getByText('Agreed').waitFor()
  await theirLook.getByRole('button', { name: 'Ask for changes' }).click()
  await theirLook.getByRole('textbox', { name: 'What should be changed?' }).fill('Too dark')
  await shot(theirs, 'phone-look')
  expect(await violations(theirs)).toEqual([])
  await theirLook.getByRole('button', { name: 'Ask for changes' }).click()
  await theirLook.getByRole('status').filter({ hasText: 'Changes wanted' }).waitFor()

  // The operator sees it as it happens, settles it, and has the new version approved.
  await look.getByRole('status').filter({ hasText: 'Too dark' }).waitFor()
  await look.getByText('Agreed').waitFor()
  await look.getByRole('button', { name: 'Resolve' }).click()
  await pin.waitFor({ state: 'detached' })
  const settled = look.getByRole('button', { name: 'Show 1 resolved' })
  await expect.poll(() => hasFocus(settled), shows).toBe(true)
  await operator.uploads(png(1200, 900, [200, 200, 240]), { session: { replacesAssetId: assetId } })
  await theirLook.getByRole('button', { name: 'Approve version 2' }).click()
  await theirLook
    .getByRole('status')
    .filter({ hasText: /^Approved/ })
    .waitFor()
  await look
    .getByRole('status')
    .filter({ hasText: /^Approved/ })
    .waitFor()
  await look.getByRole('button', { name: 'Show earlier decisions' }).click()
  const earlier = look.getByRole('list', { name: 'Earlier decisions' }).getByRole('listitem')
  expect(await earlier.count()).toBe(3)
  await earlier.filter({ hasText: 'Changes asked forVersion 1client' }).getByText('Too dark').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'approved')
  await page.goto(`/app/clients/${client.clientId}/review`)
  await page.getByText('Nothing needs your answer').waitFor()
  await page.getByText('All', { exact: true }).click()
  await shot(page, 'list')

  // Half-written words and the list one came from wait while one looks elsewhere.
  await page.getByRole('link', { name: 'Terrace' }).click()
  await field.fill('Half a thought')
  await page.goBack()
  await page
    .getByRole('radio', { name: 'All', exact: true })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Terrace' }).click()
  await expect.poll(() => field.inputValue(), shows).toBe('Half a thought')

  const settings = await visit(world.admin, `/app/clients/${client.clientId}/settings`, { locale: 'de-DE' })
  await settings.getByRole('checkbox', { name: 'Social Media' }).check()
  const only = async () =>
    (await world.admin.get(`/admin/clients/${client.clientId}`)).body.approvedOnlySurfaces
  await expect.poll(only, shows).toEqual(['social'])
  expect(await violationsInBoth(settings)).toEqual([])
  await shot(settings, 'settings')
})

test('many are asked about at once, and what is asked about already stays so', async () => {
  const { operator, portal, clientId } = await world.newClient()
  for (const title of ['Pier', 'Quay', 'Mole'])
    await operator.uploads(png(60, 40, [30, title.length * 9, 90]), { words: { title } })
  const page = await visit(operator, `/app/clients/${clientId}/assets`)
  const library = libraryOn(page)
  await library.asset('Pier').click()
  await library.asset('Quay').click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Ask for review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for a review of 2 assets' })
  await dialog.getByRole('textbox', { name: 'A word to them (optional)' }).fill('For the menu')
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'ask-many')
  await dialog.getByRole('button', { name: 'Ask for a review' }).click()
  await page.getByText('A review of 2 assets is asked for').first().waitFor()
  const { reviews } = (await portal.get('/portal/reviews?mine=true')).body
  expect(reviews.map(({ approval }: { approval: object }) => approval)).toMatchObject([
    { state: 'pending', note: 'For the menu' },
    { state: 'pending', note: 'For the menu' },
  ])
  await library.asset('Pier').getByText('Waiting for a yes').waitFor()

  await library.asset('Mole').click({ modifiers: ['ControlOrMeta'] })
  await page.setViewportSize(phone.viewport)
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Ask for review' }).click()
  const again = page.getByRole('dialog', { name: 'Ask for a review of 3 assets' })
  await again.getByRole('textbox', { name: 'A word to them (optional)' }).waitFor()
  await shot(page, 'ask-many-phone')
  await again.getByRole('button', { name: 'Ask for a review' }).click()
  await page.getByText('A review of one asset is asked for; 2 stay as they are').first().waitFor()
})

test('what cannot be sent keeps its words and the focus, and nobody decides over somebody else unseen', async () => {
  const { operator, portal, clientId } = await world.newClient()
  const { assetId } = await operator.uploads(png(60, 40), { words: { title: 'Pier' } })
  await says(portal, assetId, 'Bigger')
  const page = await visit(operator, `/app/clients/${clientId}/assets`)
  const details = await libraryOn(page).showsDetailsOf('Pier')
  const button = (name: string) => details.getByRole('button', { name, exact: true })
  const presses = async (one: Locator) => {
    await one.focus()
    await page.keyboard.press('Enter')
  }
  const hasFocus = (one: Locator) =>
    expect.poll(() => one.evaluate((it) => it === document.activeElement), shows).toBe(true)
  const unsent = details.getByRole('alert')
  await button('Resolve').waitFor()

  await page.context().setOffline(true)
  for (const name of ['Resolve', 'Approve version 1', 'Ask for a review']) {
    await presses(button(name))
    await unsent.first().waitFor()
    await hasFocus(button(name))
    await details.getByText('Bigger').waitFor()
  }
  await button('Ask for changes').click()
  await details.getByRole('textbox', { name: 'What should be changed?' }).fill('Brighter')
  await presses(button('Ask for changes'))
  await hasFocus(button('Ask for changes'))
  await shot(page, 'review-unsent')
  await page.context().setOffline(false)

  // The answer of somebody else is there before the page knows of it.
  await page.route('**/approval', async (route) => {
    await portal.put(`/portal/assets/${assetId}/approval`, { version: 1, decision: 'approved' })
    await route.continue()
  })
  await presses(button('Ask for changes'))
  await unsent.filter({ hasText: 'Somebody else has changed it meanwhile.' }).waitFor()
  await details.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
  expect((await operator.reads(assetId)).body.approval).toBe('approved')
  await shot(page, 'review-decided-meanwhile')
  await page.unroute('**/approval')
  await presses(button('Ask for changes'))
  await details.getByRole('status').filter({ hasText: 'Changes wanted' }).waitFor()
})

const says = (person: Person, assetId: string, text: string) =>
  person.post(`${person.door.assets}/${assetId}/comments`, { text })

test('a comment on a film speaks of the moment at which it stands', async () => {
  const client = await world.newClient()
  const { portal } = client
  const { assetId } = await portal.uploads(await readFile(fixturePath('silent.mp4')), {
    session: { originalFilename: 'silent.mp4', mimeType: 'video/mp4' },
    words: { title: 'Crossing' },
  })
  const page = await visit(portal, `/app/portal/assets?look=${assetId}&panel=review`)
  const look = page.getByRole('dialog', { name: 'Quick look at Crossing' })
  const film = look.locator('video')
  await film.waitFor()
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => it.readyState), shows).toBeGreaterThan(0)
  await film.evaluate((it: HTMLVideoElement) => {
    it.currentTime = 0.5
  })
  await look.getByRole('checkbox', { name: /^At / }).check()
  await look.getByRole('textbox', { name: 'Your comment' }).fill('Cut here')
  await look.getByRole('button', { name: 'Send' }).click()
  await look.getByText('Cut here').waitFor()
  const moment = async () => (await portal.get(`/portal/assets/${assetId}/comments`)).body.comments[0]?.timeMs
  await expect.poll(moment, shows).toBeGreaterThan(400)
  await film.evaluate((it: HTMLVideoElement) => {
    it.currentTime = 0
  })
  await look.getByRole('button', { name: 'Show what comment 1 points to' }).click()
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => it.currentTime), shows).toBeGreaterThan(0.4)
})

test('whoever has much to review is led from one to the next, and told how many are left', async () => {
  const { operator, portal, clientId } = await world.newClient()
  const { folderId } = await operator.makesFolder('Harbour')
  const words = (title: string) => ({ title, altText: title })
  const assetIds: string[] = []
  for (const [title, place] of [
    ['Pier', {}],
    ['Quay', { folderId }],
    ['Mole', {}],
    ['Lock', {}],
  ] as const) {
    const { assetId } = await hasAsset(operator, title, { ...place, ...words(title) })
    assetIds.push(assetId)
    await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds: [assetId] })
  }
  const page = await visit(portal, '/app/portal/review')
  await page.getByText('Needs your answer (4)').waitFor()
  const tab = (name: string) => page.getByRole('link', { name, exact: true })
  await tab('Review, 4 waiting').waitFor()
  await shot(page, 'tab')
  await page.getByRole('link', { name: 'Mole' }).click()
  const lookAt = (title: string) => page.getByRole('dialog', { name: `Quick look at ${title}` })
  const note = (text: string) => page.getByRole('status').filter({ hasText: text })
  const approval = async (at: number) =>
    (await operator.get(`/admin/clients/${clientId}/assets/${assetIds[at]}`)).body.approval
  await lookAt('Mole').waitFor()

  // On a phone, what is to be said of it is in sight at once.
  const small = await visit(portal, new URL(page.url()).pathname + new URL(page.url()).search, phone)
  await small.getByText('4 need your answer.').waitFor()
  const inSight = (it: Locator) =>
    it.evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return [top + 4, bottom - 4].every((y) =>
        element.contains(document.elementFromPoint((left + right) / 2, y)),
      )
    })
  await expect.poll(() => inSight(small.getByRole('button', { name: 'Approve version 1' })), shows).toBe(true)
  for (const name of ['Approve version 1', 'Ask for changes'])
    expect((await small.getByRole('button', { name }).boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await shot(small, 'phone-waiting')
  expect(await violationsInBoth(small)).toEqual([])
  await small.locator('.waiting').getByRole('button', { name: 'Skip this one' }).click()
  await small.getByRole('dialog', { name: 'Quick look at Quay' }).waitFor()
  await expect.poll(() => inSight(small.getByRole('button', { name: 'Approve version 1' })), shows).toBe(true)
  await small.close()

  await note('4 need your answer.').waitFor()
  await page.getByText('2 of 4', { exact: true }).waitFor()
  await shot(page, 'waiting')
  expect(await violationsInBoth(page)).toEqual([])

  // The next one lies in another folder; a hasty second click is not a word on it.
  await page.getByRole('button', { name: 'Approve version 1' }).click()
  await lookAt('Quay').waitFor()
  await note('Mole: approved. 3 need your answer.').waitFor()
  await page.getByRole('button', { name: 'Approve version 1' }).click({ clickCount: 2 })
  await lookAt('Pier').waitFor()
  await note('Quay: approved. 2 need your answer.').waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement!.className || document.activeElement!.tagName)
  await expect.poll(focused, shows).toBe('decision')
  expect(await approval(0)).toBe('pending')
  await shot(page, 'led-on')

  // By the keys through what waits, and back to what was decided.
  await page.keyboard.press('ArrowLeft')
  await lookAt('Quay').waitFor()
  await page.locator('.waiting').getByRole('button', { name: 'Next' }).click()
  await lookAt('Pier').waitFor()

  // Half a thought is not left behind.
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Almost')
  await page.getByRole('button', { name: 'Approve version 1' }).click()
  await note('1 needs your answer.').waitFor()
  await lookAt('Pier').waitFor()
  await expect.poll(focused, shows).toBe('decision')
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Almost, but')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Almost, but').waitFor()
  await expect.poll(focused, shows).toContain('Textarea')
  await page.locator('.waiting').getByRole('button', { name: 'Next' }).click()

  // Nobody is left to guess what is to be changed, and what was begun waits.
  await lookAt('Lock').waitFor()
  const wanted = page.getByRole('textbox', { name: 'What should be changed?' })
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByRole('textbox', { name: 'Your comment' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByText('Say what should be changed, here or in a comment.').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'unsaid')
  expect(await approval(3)).toBe('pending')
  await wanted.fill('Brighter')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await lookAt('Mole').waitFor()
  await wanted.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Previous' }).click()
  await lookAt('Lock').waitFor()
  await expect.poll(() => wanted.inputValue(), shows).toBe('Brighter')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await asked).dismiss()

  // Whoever looks up from it is where they were.
  await page.keyboard.press('Escape')
  const row = page.getByRole('link', { name: 'Lock' })
  await expect.poll(() => row.evaluate((it) => it === document.activeElement), shows).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => wanted.inputValue(), shows).toBe('Brighter')

  // What somebody else decides meanwhile is not overruled by accident.
  const decision = { version: 1, decision: 'approved' }
  await operator.put(`/admin/clients/${clientId}/assets/${assetIds[3]}/approval`, decision)
  await page.getByRole('alert').filter({ hasText: 'Somebody else has decided meanwhile' }).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await shot(page, 'meanwhile')
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await note('Lock: changes asked for. Nothing is left that needs your answer.').waitFor()
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await shot(page, 'nothing-left')
  await page.getByRole('link', { name: 'To the list' }).click()
  await page.getByText('Nothing needs your answer').waitFor()

  // Wherever the tab is seen, it tells what somebody else asks.
  await tab('Review').waitFor()
  await tab('Activity').press('Enter')
  await page.getByRole('heading', { name: 'Activity', level: 2 }).waitFor()
  const isInContent = () => page.evaluate(() => document.activeElement!.closest('main') !== null)
  await expect.poll(isInContent, shows).toBe(true)
  await tab('Assets').click()
  await operator.post(`/admin/clients/${clientId}/reviews`, {
    assetIds: [(await hasAsset(operator, 'Weir')).assetId],
  })
  await tab('Review, 1 waiting').waitFor()
  await shot(page, 'tab-in-library')
})
