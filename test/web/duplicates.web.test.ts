import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { app, isDrawn, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

/** To be looked at: SHOTS=/tmp/shots. */
async function shot(page: Page, name: string) {
  const folder = process.env.SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const logo = (colour: string, width = 160) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120" width="${width}"><rect width="160" height="120" fill="#fff"/>
      <path d="M12 97 61 9l37 71 49-33-21 66zM118 8h33v17h-33zM9 18h22v31H9z" fill="${colour}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

test('of what is there twice one is kept, where it is suggested and why, and it is taken back', async () => {
  const client = await world.newClient()
  const { operator, agent, clientId } = client
  const file = await logo('#c22')
  const { folderId } = await operator.makesFolder('Raw')
  const named = async (title: string, bytes: Buffer, words: object = {}) =>
    (await operator.uploads(bytes, { words: { title, ...words } })).assetId
  const first = await named('Logo', file, { folderId, tags: ['brand'] })
  const used = await named('Logo again', file, { altText: 'Our logo', tags: ['round'] })
  const large = await named('Large logo', await logo('#22c', 640))
  const use = `/admin/clients/${clientId}/uses/blog-post/1`
  await agent.put(use, { status: 'draft', assetRefs: [used] })

  const library = libraryOn(await visit(operator, surfaces[0]!.home(client)))
  const { page } = library
  await page.getByRole('link', { name: 'Duplicates' }).click()
  const groups = page.getByRole('listitem').filter({ has: page.getByRole('heading') })
  const group = groups.filter({ hasText: 'Logo (2 times)' })
  await group.waitFor()
  const one = (title: string) =>
    group.getByRole('listitem').filter({ has: page.getByRole('button', { name: title, exact: true }) })
  await one('Logo again').getByText('Suggested: most used').waitFor()
  await one('Logo again').getByText('1 use', { exact: true }).waitFor()
  await one('Logo').getByText('Used nowhere').waitFor()
  await one('Logo').getByText('Library / Raw', { exact: true }).waitFor()
  await one('Logo').getByText('No alt text · #brand').waitFor()
  await one('Logo again').getByText('Has an alt text · #round').waitFor()
  await isDrawn(one('Logo').locator('img'))
  await shot(page, 'duplicates')
  expect(await violationsInBoth(page)).toEqual([])

  await one('Logo').getByRole('button', { name: 'Keep this one: Logo', exact: true }).click()
  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
  expect((await agent.get(use)).body.assetRefs).toEqual([first])
  expect((await operator.reads(used)).body.trashedAt).not.toBe(null)
  const wordsOfFirst = async () => (await operator.reads(first)).body
  expect(await wordsOfFirst()).toMatchObject({ altText: 'Our logo', tags: ['brand', 'round'] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await group.waitFor()
  expect((await operator.reads(used)).body.trashedAt).toBe(null)
  await library.said('Undone').waitFor()
  expect(await wordsOfFirst()).toMatchObject({ altText: '', tags: ['brand'] })

  // What somebody has written since stays.
  await one('Logo').getByRole('button', { name: 'Keep this one: Logo', exact: true }).click()
  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
  await operator.edits(first, { altText: 'The logo of the café', tags: ['brand', 'round', 'new'] })
  await page.keyboard.press('Control+z')
  await group.waitFor()
  await expect.poll(async () => (await wordsOfFirst()).tags, shows).toEqual(['brand', 'new'])
  expect((await wordsOfFirst()).altText).toBe('The logo of the café')

  await page.getByRole('button', { name: 'Looks the same' }).click()
  const alike = groups.filter({ hasText: 'Logo (3 times)' })
  await alike.getByText('Suggested: most used').waitFor()
  await page.reload()
  await alike.getByText('Suggested: most used').waitFor()
  expect(await alike.getByRole('img').count()).toBe(3)

  // What only looks the same goes after a question alone, and only what is ticked.
  const asks = page.getByRole('dialog', { name: 'Keep “Logo”?' })
  await alike.getByRole('button', { name: 'Keep this one: Logo', exact: true }).click()
  await asks.getByText('2 others go to the trash').waitFor()
  await shot(page, 'duplicates-keep')
  expect(await violationsInBoth(page)).toEqual([])
  await page.keyboard.press('Enter') // on Cancel
  await asks.waitFor({ state: 'detached' })
  expect((await operator.reads(used)).body.trashedAt).toBe(null)
  await alike.getByRole('button', { name: 'Keep this one: Logo', exact: true }).click()
  await asks.getByRole('checkbox', { name: 'Large logo' }).uncheck()
  await asks.getByText('1 other goes to the trash').waitFor()
  await asks.getByRole('button', { name: 'Move 1 to the trash' }).click()
  await groups.filter({ hasText: 'Logo (2 times)' }).waitFor()
  expect((await operator.reads(used)).body.trashedAt).not.toBe(null)
  expect((await operator.reads(large)).body.trashedAt).toBe(null)
  await page.keyboard.press('Control+z')
  await alike.waitFor()
})

test('what limits one of them shows, goes on with the one that is kept, and is taken back', async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  const file = await logo('#c22')
  const named = async (title: string, words: object = {}) =>
    (await operator.uploads(file, { words: { title, ...words } })).assetId
  const free = await named('Free')
  const limited = await named('Limited')
  const end = '2099-11-18T23:00:00.000Z'
  const limits = { allowedSurfaces: ['website'], rightsExpireAt: end, provenance: 'generated' }
  const own = { allowedSurfaces: [], rightsExpireAt: null, provenance: 'unknown' }
  await operator.edits(limited, limits)
  const library = libraryOn(
    await visit(operator, `/app/clients/${clientId}/duplicates`, { timezoneId: 'Europe/Berlin' }),
  )
  const { page } = library
  const one = (title: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: title, exact: true }) })
      .last()
  const keeps = async (title: string) =>
    page.getByRole('button', { name: `Keep this one: ${title}`, exact: true }).click()
  await one('Limited').getByText('Only Website', { exact: true }).waitFor()
  await one('Limited').getByText('Until 18 Nov 2099', { exact: true }).waitFor()
  await one('Limited').getByText('Made by AI', { exact: true }).waitFor()
  expect(await one('Free').locator('.badge').count()).toBe(0)
  await one('Free').getByText('Suggested: oldest').waitFor()
  await shot(page, 'duplicates-limits')
  expect(await violationsInBoth(page)).toEqual([])

  const limitsOfFree = async () => (await operator.reads(free)).body
  await keeps('Free')
  await library.said('Limits taken over: Only Website · Until 18 Nov 2099 · Made by AI').waitFor()
  expect(await limitsOfFree()).toMatchObject(limits)
  await page.getByRole('button', { name: 'Undo' }).click()
  await one('Limited').waitFor()
  await expect.poll(limitsOfFree, shows).toMatchObject(own)
  expect((await operator.reads(limited)).body).toMatchObject({ ...limits, trashedAt: null })

  // What somebody has changed since stays, and what had ended says so.
  await operator.edits(limited, { rightsExpireAt: '2001-01-01T00:00:00.000Z' })
  await one('Limited').locator('.badge-warn').getByText('Rights ended').waitFor()
  await keeps('Free')
  await library.said('Limits taken over: Only Website · Rights ended · Made by AI').waitFor()
  await operator.edits(free, { allowedSurfaces: ['website', 'gbp'] })
  await page.keyboard.press('Control+z')
  await one('Limited').waitFor()
  await expect.poll(limitsOfFree, shows).toMatchObject({ ...own, allowedSurfaces: ['gbp', 'website'] })

  // With no surface in common nothing goes, and both are named.
  await operator.edits(free, { allowedSurfaces: ['social'] })
  await one('Free').getByText('Only Social', { exact: true }).waitFor()
  await keeps('Free')
  await page.getByRole('alert').getByText('“Free” and “Limited” are limited to different surfaces').waitFor()
  expect((await operator.reads(limited)).body.trashedAt).toBe(null)
})

test('what others do to them shows, and what was refused is read anew', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  const pair = async (title: string, colour: string) => {
    const file = await logo(colour)
    const named = async (name: string) => (await operator.uploads(file, { words: { title: name } })).assetId
    return [await named(title), await named(`${title} again`)] as const
  }
  const [red, redAgain] = await pair('Red', '#c22')
  const [blue] = await pair('Blue', '#22c')
  const [, greenAgain] = await pair('Green', '#2c2')
  const page = await visit(operator, `/app/clients/${clientId}/duplicates`)
  const group = (title: string) => page.getByRole('heading', { name: `${title} (2 times)` })
  for (const title of ['Red', 'Blue', 'Green']) await group(title).waitFor()

  // A collection beside it follows: of two the third takes the place, until they come back.
  const grey = await logo('#888')
  await operator.uploads(grey, { words: { title: 'Grey' } })
  const two = [await operator.uploads(grey), await operator.uploads(grey)]
  const { body } = await operator.post(`/admin/clients/${clientId}/collections`, {
    name: 'Greys',
    assetIds: two.map(({ assetId }) => assetId),
  })
  const beside = await visit(operator, `${surfaces[0]!.home(client)}?collection=${body.collectionId}`)
  const isBeside = async (count: number) => {
    await expect.poll(() => beside.getByRole('gridcell').count(), shows).toBe(count)
    await expect.poll(() => beside.locator('.collection-count').innerText(), shows).toBe(`${count}`)
  }
  await isBeside(2)
  await page.getByRole('button', { name: 'Keep this one: Grey', exact: true }).click()
  await isBeside(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await isBeside(2)
  await beside.close()

  await operator.post(`/admin/clients/${clientId}/duplicates/keep`, { keep: red, others: [redAgain] })
  await group('Red').waitFor({ state: 'detached' })
  await operator.restores(redAgain)
  await group('Red').waitFor()
  await operator.trashes(blue)
  await group('Blue').waitFor({ state: 'detached' })

  // Nothing is heard of it, so it stands until somebody wants to keep one.
  await page.route('**/events?*', (route) => route.abort())
  await page.reload()
  await group('Green').waitFor()
  await operator.trashes(greenAgain)
  await page.getByRole('button', { name: 'Keep this one: Green', exact: true }).click()
  await page.getByRole('alert').getByText('It is no longer there').waitFor()
  await group('Green').waitFor({ state: 'detached' })
  await group('Red').waitFor()
})

test('whoever is asked which to keep is told what others decide meanwhile', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { operator, portal, clientId } = client
  const of = async (colour: string, titles: string[]) => {
    const file = await logo(colour)
    const ids: string[] = []
    for (const title of titles) ids.push((await operator.uploads(file, { words: { title } })).assetId)
    return ids
  }
  const boats = await of('#c22', ['Boat', 'Boat 2', 'Boat 3', 'Boat 4', 'Boat 5', 'Boat 6'])
  await of('#22c', ['Pier', 'Pier 2'])
  const page = await visit(operator, `/app/clients/${clientId}/duplicates`)
  const asks = page.getByRole('dialog', { name: 'Keep “Boat 2”?' })
  const keep = page.getByRole('button', { name: 'Keep this one: Boat 2' })
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const isFocused = () => keep.evaluate((button) => button === document.activeElement)
  await keep.click()
  await asks.getByText('5 others go to the trash').waitFor()
  await portal.trashes(boats[0]!)
  await asks.getByText('4 others go to the trash').waitFor()
  expect(await asks.getByRole('checkbox', { name: 'Boat', exact: true }).count()).toBe(0)
  await asks.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(isFocused, shows).toBe(true)

  await keep.click()
  await asks.getByText('4 others go to the trash').waitFor()
  await portal.post('/portal/duplicates/kept-groups', { assetIds: boats.slice(1) })
  await asks.getByRole('status').getByText('decided elsewhere in the meantime').waitFor()
  expect(await asks.getByRole('checkbox').count()).toBe(0)
  expect(await asks.getByRole('button', { name: /to the trash/ }).count()).toBe(0)
  await shot(page, 'duplicates-decided')
  expect(await violationsInBoth(page)).toEqual([])
  await page.keyboard.press('Enter') // on Close
  await asks.waitFor({ state: 'detached' })
  await expect.poll(focused, shows).toBe('Pier (2 times)')
})

test('whoever keeps one goes on with the next', async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  for (const colour of ['#c22', '#22c', '#2c2']) {
    const file = await logo(colour)
    for (const title of [colour, `${colour} again`]) await operator.uploads(file, { words: { title } })
  }
  const page = await visit(operator, `/app/clients/${clientId}/duplicates`)
  const groups = page.getByRole('heading', { name: /\(2 times\)$/ })
  await groups.nth(2).waitFor()
  const names = await groups.allInnerTexts()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const keep = async (at: number) => {
    await page
      .getByRole('button', { name: /^Keep this one/ })
      .nth(2 * at)
      .focus()
    await page.keyboard.press('Enter')
  }
  // What is there stays as it is while it is read anew.
  let answer = () => {}
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/duplicates\?/, async (route) => {
    await isHeld
    await route.continue()
  })
  await keep(1)
  await expect.poll(focused, shows).toBe(names[2])
  expect(await groups.allInnerTexts()).toEqual([names[0], names[2]])
  answer()
  await keep(1)
  await expect.poll(focused, shows).toBe(names[0])
  await keep(0)
  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
  await expect.poll(focused, shows).toBe('Same file')
})

test('in the portal, on a phone and in German, there is the same', async () => {
  const client = await world.newClient()
  const file = await logo('#2c2')
  await client.portal.uploads(file, { words: { title: 'Eins' } })
  const { assetId } = await client.portal.uploads(file, { words: { title: 'Zwei' } })
  await client.portal.edits(assetId, {
    allowedSurfaces: ['website', 'gbp'],
    rightsExpireAt: '2099-11-18T12:00:00.000Z',
    provenance: 'generated',
  })
  const page = await visit(client.portal, '/app/portal/duplicates', {
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await page.getByText('Vorschlag: das älteste').waitFor()
  await page.getByText('Nur Google-Profil und Website', { exact: true }).waitFor()
  await page.getByText('Bis 18.11.2099', { exact: true }).waitFor()
  await shot(page, 'duplicates-phone')
  expect(await violationsInBoth(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.getByRole('button', { name: 'Dieses behalten: Eins' }).click()
  await libraryOn(page).said('Einschränkungen übernommen: Nur Google-Profil und Website').waitFor()
  await page.getByRole('heading', { name: 'Nichts doppelt' }).waitFor()
})
