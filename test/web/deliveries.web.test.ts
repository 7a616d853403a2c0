import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { fixturePath, inMemory } from '../../server/media/fixtures/fixture.ts'
import { json, peer } from '../delivery-peers.ts'
import { facebookPageOf, facebookPagePeer } from '../facebook-peer.ts'
import { linkedinPage, linkedinPostsPeer } from '../linkedin-posts-peer.ts'
import { authorizationServer, googlePeer } from '../vendor-peers.ts'
import type { ClientWorld } from '../world.ts'
import { app, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const vendor = await authorizationServer()
const { world, visit } = await app(vendor.environment)
vendor.serves(world.parts.config.publicUrl)
const shows = { timeout: longWait }
const secret = `whsec_${Buffer.from('a key of at least 24 bytes').toString('base64')}`

const connectionsOf = ({ clientId }: ClientWorld) => `/app/clients/${clientId}/connections`
const assetsOf = ({ clientId }: ClientWorld) => `/app/clients/${clientId}/assets`

/** A system of the client's own: it takes what it is sent, until told otherwise. */
async function receiver() {
  let answer = (response: ServerResponse, _isTest: boolean): unknown =>
    json(response, { id: 'item-7', url: 'https://example.com/items/7' })
  const it = await peer(({ headers }, response) =>
    answer(response, headers['content-type'] === 'application/json'),
  )
  return {
    ...it,
    answers: (next: typeof answer) => {
      answer = next
    },
  }
}

async function connects({ clientId }: ClientWorld, url: string, more: object = {}) {
  const { body } = await world.admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Menu screen',
    settings: { url, ...more },
    secrets: { signingSecret: secret },
  })
  return body.connectionId as string
}

test('an admin connects a system, delivers an asset to it and sees it arrive', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const system = await receiver()
  const page = await visit(world.admin, assetsOf(client))
  const tabs = page.getByRole('navigation', { name: 'Pages of this client' })
  await tabs.getByRole('link', { name: 'Connections' }).click()
  await tabs.locator('[aria-current=page]').filter({ hasText: 'Connections' }).waitFor()

  await page.getByRole('button', { name: 'New connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New connection' })
  await dialog.getByLabel('Kind').selectOption('Own system (webhook)')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => dialog.getByText('This is needed.').count(), shows).toBe(3)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Menu screen')
  await dialog.getByLabel('Address to send to').fill(system.url)
  await dialog.getByRole('button', { name: 'Generate one' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'Menu screen' })
  await card.getByText('Connected', { exact: true }).waitFor()
  expect(system.requests).toHaveLength(1)

  await tabs.getByRole('link', { name: 'Assets' }).click()
  const library = libraryOn(page)
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('button', { name: 'Deliver to…' }).waitFor()
  await library.opensMenu(library.asset('Terrace'))
  await library.menuItem('Surfaces…').waitFor()
  await library.menuItem('Deliver…').click()
  const choice = page.getByRole('dialog', { name: 'Deliver “Terrace”' })
  await choice.getByRole('radio', { name: /Menu screen/ }).check()
  await choice.getByLabel('Used for').selectOption('Social')
  await choice.getByRole('button', { name: 'Deliver', exact: true }).click()

  await details.getByText('Delivered', { exact: true }).waitFor()
  const link = details.getByRole('link', { name: 'Show it there' })
  expect(await link.getAttribute('href')).toBe('https://example.com/items/7')
  expect(system.requests).toHaveLength(2)
})

test('an admin signs in at the vendor, comes back to a connection that works, and is asked again when access is withdrawn', async () => {
  const client = await world.newClient()
  const google = await googlePeer(vendor.check)
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'gbp',
    name: 'Harbour',
    settings: { accountId: '1', locationId: '2', baseUrl: google.url },
  })
  const page = await visit(world.admin, connectionsOf(client))
  const card = page.getByRole('listitem').filter({ hasText: 'Harbour' })
  await card.getByText('Google does not let the library in.', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Sign in to Harbour' }).click()

  await page.getByPlaceholder('Enter any login').fill('owner')
  await page.getByPlaceholder('and password').fill('secret')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()

  await card.getByText('Connected', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(connectionsOf(client))
  await vendor.revokesAll()
  await card.getByRole('button', { name: 'Test Harbour' }).click()
  await card.getByText('Does not work', { exact: true }).waitFor()

  // Nobody is let in who says no over there, and the person is told so at home.
  await card.getByRole('button', { name: 'Sign in to Harbour' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('Google was told not to let the library in', { exact: false }).first().waitFor()
  await card.getByText('Does not work', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'New connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New connection' })
  await dialog.getByLabel('Kind').selectOption('linkedin')
  await dialog.getByText('Leave it empty to sign in with LinkedIn next.', { exact: false }).waitFor()
})

test('a delivery that fails says why, and goes through when tried again', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const system = await receiver()
  system.answers((response) => json(response, { message: 'The folder is full.' }, 400))
  const connectionId = await connects(client, system.url)
  const page = await visit(client.operator, connectionsOf(client))
  await page.getByText('Nothing delivered yet').waitFor()
  const card = page.getByRole('listitem').filter({ hasText: 'Own system' })
  await client.agent.post(`/admin/clients/${client.clientId}/deliveries`, {
    assetRef: assetId,
    connectionId,
    surface: 'website',
  })

  // Nobody reloads: what the agent did appears by itself.
  const row = page.getByRole('listitem').filter({ hasText: 'Terrace' })
  await row.getByText('Failed', { exact: true }).waitFor()
  await row.getByText('The folder is full.', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Test Menu screen' }).click()
  await card.getByText('Does not work', { exact: true }).waitFor()
  await page.getByLabel('State').selectOption('Delivered')
  await page.getByText('No delivery is in this state.').waitFor()
  await page.getByLabel('State').selectOption('Failed')

  system.answers((response) => json(response, { id: 'item-8' }))
  await row.getByRole('button', { name: 'Try again: Menu screen' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('State').selectOption('Delivered')
  await row.getByText('Delivered', { exact: true }).waitFor()
  // What brought a file there works.
  await card.getByText('Connected', { exact: true }).waitFor()
})

test('a target that answers with a fault of its own is not said to be silent, in either language', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const system = await receiver()
  system.answers((response) => json(response, { message: 'No disk space' }, 500))
  const connectionId = await connects(client, system.url, { honoursIdempotencyKey: true })
  await client.agent.post(`/admin/clients/${client.clientId}/deliveries`, {
    assetRef: assetId,
    connectionId,
    surface: 'website',
  })
  const page = await visit(client.operator, connectionsOf(client))
  const german = await visit(client.operator, connectionsOf(client), { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Test Menu screen' }).click()
  const told = 'The receiver answered with an error of its own (answer 500). It says: “No disk space”'
  const gesagt =
    'Der Empfänger hat mit einem eigenen Fehler geantwortet (Antwort 500). Wörtlich: „No disk space“'
  await page.locator('.card-why').getByText(told).waitFor()
  await german.locator('.card-why').getByText(gesagt).waitFor()
  const row = { hasText: 'Terrace' }
  await page.getByRole('listitem').filter(row).getByText(told).waitFor()
  await german.getByRole('listitem').filter(row).getByText(gesagt).waitFor()
})

test('a delivery nobody can tell the fate of is settled by a person who looked', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const system = await receiver()
  system.answers((response) => response.destroy())
  const connectionId = await connects(client, system.url)
  await client.agent.post(`/admin/clients/${client.clientId}/deliveries`, {
    assetRef: assetId,
    connectionId,
    surface: 'website',
  })
  const library = libraryOn(await visit(client.operator, `${assetsOf(client)}?asset=${assetId}`))
  const { details, page } = library
  await details.getByText('Unclear', { exact: true }).waitFor({ timeout: 2 * longWait })
  await details.getByText('It is not sent again until that is known. Look there').waitFor()
  await details.getByText(/^What went wrong: /).waitFor()
  expect(await details.getByRole('button', { name: /^Try again/ }).count()).toBe(0)
  const sent = system.requests.length
  await details.getByRole('button', { name: 'Look again: Menu screen' }).click()
  await library.said('Menu screen is asked whether it is there.').waitFor()
  await details.getByText('Unclear', { exact: true }).waitFor({ timeout: 2 * longWait })
  expect(system.requests).toHaveLength(sent)
  await details.getByRole('button', { name: 'I have looked…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it in Menu screen?' })
  await dialog.getByRole('button', { name: 'It is there' }).click()
  await dialog.getByText('This is needed.').waitFor()
  await dialog.getByLabel('Its id there').fill('item-9')
  await dialog.getByRole('button', { name: 'It is there' }).click()
  await details.getByText('Delivered', { exact: true }).waitFor()
})

test('a post is written, published once with its words, and several pictures go as one', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  await hasAsset(client.operator, 'Lanterns')
  const linkedin = await linkedinPostsPeer()
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'linkedin-posts',
    name: 'Our page',
    settings: { ...linkedinPage, baseUrl: linkedin.url },
    secrets: { accessToken: 'linkedin-token' },
  })
  const library = libraryOn(await visit(client.operator, assetsOf(client)))
  const { page } = library
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('button', { name: 'Deliver to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliver “Terrace”' })
  const publish = dialog.getByRole('button', { name: 'Publish', exact: true })
  const text = dialog.getByLabel('Text of the post')
  await dialog.getByText('Published at once, for everybody to see. 3,000 characters left').waitFor()
  expect(await publish.isDisabled()).toBe(true)
  await text.fill('x'.repeat(3001))
  await dialog.getByText('1 character too many.').waitFor()
  expect(await publish.isDisabled()).toBe(true)
  await text.fill('Evenings outside #terrace')
  await text.press('Escape')
  expect(await violationsInBoth(page)).toEqual([])
  await publish.click()
  await details.getByText('Delivered', { exact: true }).waitFor()
  await details.getByText('Text: Evenings outside #terrace').waitFor()
  expect(linkedin.posts).toMatchObject([{ text: 'Evenings outside #terrace' }])

  await library.asset('Lanterns').click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByText('2 selected').waitFor()
  // Beside the details there is no room for it in the bar.
  await bar.getByRole('button', { name: 'More' }).click()
  await library.menuItem('Deliver').click()
  const many = page.getByRole('dialog', { name: 'Deliver 2 assets' })
  await many.getByText('All 2 fit as one post').waitFor()
  await many.getByText('LinkedIn takes up to 20 in one post.').waitFor()
  await many.getByLabel('Text of the post').fill('Both')
  await many.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect.poll(() => linkedin.posts.at(-1)?.files.length, shows).toBe(2)
})

test('of a film that is too long a part is chosen, converted and sent', { tags: 'drill' }, async ({
  skip,
}) => {
  const { encoder } = await world.parts.media.capabilities()
  skip(encoder === 'none', 'nothing on this machine encodes films')
  const client = await world.newClient()
  const film = await readFile(fixturePath('long-upright.mp4'))
  await client.operator.uploads(film, {
    session: { originalFilename: 'Long.mp4', mimeType: 'video/mp4' },
    words: { title: 'Long' },
  })
  const facebook = await facebookPagePeer()
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'facebook-page',
    name: 'Our page',
    settings: { ...facebookPageOf, baseUrl: facebook.url },
    secrets: { accessToken: 'graph-token' },
  })
  const library = libraryOn(await visit(client.operator, assetsOf(client)))
  const { page } = library
  const details = await library.showsDetailsOf('Long')
  await details.getByRole('button', { name: 'Deliver to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliver “Long”' })
  await dialog.getByText('takes up to 90 s; this has 95 s. Choose a part of it.', { exact: false }).waitFor()
  await dialog.getByRole('radio', { name: /Our page/ }).check()
  await dialog.getByText('90 seconds will be converted and sent.').waitFor()
  const publish = dialog.getByRole('button', { name: 'Publish', exact: true })
  await dialog.getByRole('textbox', { name: 'From' }).fill('1:31')
  await dialog.getByText('within the 1:35 of the film, 3 to 90 seconds apart.', { exact: false }).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  expect(await publish.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill('1:34,5')
  await dialog.getByText('3.5 seconds will be converted and sent.').waitFor()
  await publish.click()
  await details.getByText('Delivered', { exact: true }).waitFor(shows)
  const [sent] = facebook.posts[0]!.files
  // A picture a second: ffmpeg shows the last one to its end.
  const { durationSeconds } = await world.parts.media.inspect(inMemory(sent!), 'video/mp4')
  expect(durationSeconds).toBeCloseTo(encoder === 'ffmpeg' ? 4 : 3.5, 1)
})

test('a set is looked at before it goes: as one post in its order, or each file by itself, and never to what does not work', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const titles = ['Terrace', 'Lanterns', 'Menu']
  const ids: Record<string, string> = {}
  for (const title of titles) ids[title] = (await hasAsset(client.operator, title)).assetId
  await client.operator.edits(ids.Menu!, { allowedSurfaces: ['social'] })
  const linkedin = await linkedinPostsPeer()
  const system = await receiver()
  const at = `/admin/clients/${client.clientId}/connections`
  await connects(client, system.url)
  const accounts = { accountId: '1', locationId: '2', baseUrl: 'http://127.0.0.1:9' }
  await world.admin.post(at, { kind: 'gbp', name: 'Gallery', settings: accounts })
  const secrets = { accessToken: 'token' }
  await world.admin.post(at, { kind: 'gbp-posts', name: 'Updates', settings: accounts, secrets })
  await world.admin.post(at, {
    kind: 'linkedin-posts',
    name: 'Our page',
    settings: { ...linkedinPage, baseUrl: linkedin.url },
    secrets: { accessToken: 'linkedin-token' },
  })
  const library = libraryOn(await visit(client.operator, assetsOf(client)))
  const { page } = library
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('button', { name: 'Deliver to…' }).click()
  const one = page.getByRole('dialog', { name: 'Deliver “Terrace”' })
  const gallery = one.locator('label').filter({ hasText: 'Gallery' })
  await gallery.getByText('Does not work').waitFor()
  expect(await gallery.getByRole('radio').isDisabled()).toBe(true)
  await gallery.getByRole('link', { name: 'Sign in under Connections' }).waitFor()
  await page.keyboard.press('Escape')

  for (const title of titles.slice(1)) await library.asset(title).click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  // Beside the details there is no room for it in the bar.
  await bar.getByRole('button', { name: 'More' }).click()
  await library.menuItem('Deliver').click()
  const dialog = page.getByRole('dialog')
  const where = dialog.getByLabel('Where to?')
  const pictures = dialog.getByRole('list', { name: 'The pictures as they will be' }).getByRole('listitem')
  const shown = () => pictures.locator('strong').allInnerTexts()
  expect(await where.getByRole('option', { name: 'Gallery (Does not work)' }).isDisabled()).toBe(true)
  await dialog.getByRole('link', { name: 'Sign in under Connections' }).waitFor()

  // Files, each by itself: what may not be shown there stays.
  await dialog.getByText('1 does not fit. 2 files are sent, each by itself.').waitFor()
  await pictures.filter({ hasText: 'Menu' }).getByText('It may not be used on this surface.').waitFor()
  expect(await dialog.getByRole('button', { name: /forward|Publish/ }).count()).toBe(0)
  await where.selectOption('Updates')
  await dialog.getByText('takes up to 1 in one post; these are 3', { exact: false }).waitFor()
  await dialog.getByLabel('Text of the post').fill('Three')
  expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)

  await where.selectOption('Our page')
  await dialog.getByText('All 3 fit as one post').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Move “Menu” forward' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(shown, shows).toEqual(['Terrace', 'Menu', 'Lanterns'])
  await page.keyboard.press('Enter')
  await expect.poll(shown, shows).toEqual(['Menu', 'Terrace', 'Lanterns'])
  await pictures.filter({ hasText: 'Lanterns' }).locator('.cropped').dragTo(pictures.first())
  await expect.poll(shown, shows).toEqual(['Lanterns', 'Menu', 'Terrace'])
  await dialog.getByRole('button', { name: 'Leave out “Menu”' }).click()
  await dialog.getByText('All 2 fit as one post').waitFor()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => linkedin.posts.at(-1)?.text, shows).toBe('Three')
  const { deliveries } = (await client.operator.get(`/admin/clients/${client.clientId}/deliveries`)).body
  expect(deliveries[0].assetRefs).toEqual([`${ids.Lanterns}@1`, `${ids.Terrace}@1`])
  expect(system.requests).toHaveLength(0)

  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByRole('button', { name: 'Test Updates' }).click()
  const updates = page.getByRole('listitem').filter({ hasText: 'Updates' })
  await updates.getByText('Google cannot be reached from this server').waitFor()
})

test('an address to fetch from is made, shown once, seen to be fetched, and revoked', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, `${assetsOf(client)}?asset=${assetId}`))
  const { details, page } = library
  await details.getByRole('button', { name: 'Make an address…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Address to fetch “Terrace” from' })
  await dialog.getByLabel('For which system?').selectOption('LinkedIn')
  await dialog.getByLabel('Good for').selectOption('6 hours')
  const found = { making: await violationsInBoth(page), made: [''], details: [''], page: [''] }
  await dialog.getByRole('button', { name: 'Make the address' }).click()
  const made = page.getByRole('dialog', { name: 'The address for LinkedIn' })
  const url = await made.getByText('/pull/').innerText()
  found.made = await violationsInBoth(page)
  await made.getByRole('button', { name: 'Done' }).click()

  const addresses = details.getByRole('region', { name: 'Addresses to fetch from' })
  await addresses.getByText('Not fetched yet').waitFor()
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
  // Nobody reloads: the visit appears by itself.
  await addresses.getByText('Fetched once').waitFor()
  found.details = await violationsInBoth(page)

  const german = await visit(client.operator, `${assetsOf(client)}?asset=${assetId}`, { locale: 'de-DE' })
  await german.getByRole('button', { name: 'Adresse erstellen…' }).click()
  await german.getByLabel('Für welches System?').selectOption('WordPress-Mediathek')
  await german.goto(connectionsOf(client))
  await german.getByText('Einmal abgerufen').waitFor()
  found.page = await violationsInBoth(german)
  expect(found).toEqual({ making: [], made: [], details: [], page: [] })
  await german.getByRole('button', { name: 'Adresse für LinkedIn widerrufen: Terrace' }).click()
  const question = german.getByRole('dialog', { name: 'Adresse für LinkedIn widerrufen?' })
  await question.getByRole('button', { name: 'Abbrechen' }).click()
  await question.waitFor({ state: 'detached' })
  expect((await fetch(url)).status).toBe(200)
  await german.getByRole('button', { name: 'Adresse für LinkedIn widerrufen: Terrace' }).click()
  await question.getByRole('button', { name: 'Widerrufen' }).click()
  await addresses.getByText('Revoked', { exact: true }).waitFor()
  expect((await fetch(url)).status).toBe(404)
  await german.getByRole('heading', { name: 'Abrufadressen' }).waitFor({ state: 'detached' })
  expect(await details.getByText(url).count()).toBe(0)
})

test('what a file says of itself stands beside what people say, and where that has to be told', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const { operator } = client
  const jpeg = { originalFilename: 'drawn.jpg', mimeType: 'image/jpeg' }
  const read = (name: string) => readFile(fixturePath(`c2pa/${name}`))
  await operator.uploads(await read('C.jpg'), {
    session: jpeg,
    words: { title: 'Drawn', provenance: 'generated' },
  })
  await operator.uploads(await read('XCA.jpg'), { session: jpeg, words: { title: 'Tampered' } })
  const page = await visit(operator, assetsOf(client))
  const library = libraryOn(page)

  const details = await library.showsDetailsOf('Drawn')
  await details.getByText('Intact, by C2PA Signer', { exact: false }).waitFor()
  await details.getByText('Made by AI: it is labelled there', { exact: false }).first().waitFor()
  await details.getByText('Made by AI: people must be told', { exact: false }).first().waitFor()
  // What is signed cannot be denied, and the choice shows what counts.
  await details.getByLabel('Origin', { exact: true }).selectOption('Own photo or video')
  await page.getByText('The file is signed as made by AI', { exact: false }).first().waitFor()
  await expect.poll(() => details.getByLabel('Origin', { exact: true }).inputValue(), shows).toBe('generated')
  expect(await violationsInBoth(page)).toEqual([])

  // Said again where it is sent: to a system of the client's own, and to one that has rules.
  const linkedin = await linkedinPostsPeer()
  await connects(client, (await receiver()).url)
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'linkedin-posts',
    name: 'Our page',
    settings: { ...linkedinPage, baseUrl: linkedin.url },
    secrets: { accessToken: 'linkedin-token' },
  })
  await page.reload()
  const again = await library.showsDetailsOf('Drawn')
  await again.getByRole('button', { name: 'Deliver to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliver “Drawn”' })
  for (const name of [/Menu screen/, /Our page/]) {
    await dialog.getByRole('radio', { name }).check()
    await dialog.getByText('Made by AI: people must be told. Say so in the text').waitFor()
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const tampered = await library.showsDetailsOf('Tampered')
  await tampered.getByText('is broken: the file was changed', { exact: false }).waitFor()
})

test('rights that end soon are marked, and an end can be set and taken away', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, assetsOf(client)))
  const details = await library.showsDetailsOf('Terrace')
  const saved = async () => (await client.operator.reads(assetId)).body

  await details.getByLabel('Origin', { exact: true }).selectOption('Stock picture')
  await details.getByText('Google profiles take neither stock').waitFor()
  await expect.poll(async () => (await saved()).provenance, shows).toBe('stock')
  // The badge follows from the rule, without a reload.
  await details.getByText('refuses stock pictures', { exact: false }).first().waitFor()

  const tomorrow = new Date(Date.now() + 86_400_000)
  const day = [tomorrow.getFullYear(), tomorrow.getMonth() + 1, tomorrow.getDate()]
  await details
    .getByLabel('May be used until')
    .fill(day.map((part) => String(part).padStart(2, '0')).join('-'))
  await details.getByText('The rights end tomorrow.').waitFor()
  await expect.poll(async () => (await saved()).rightsExpireAt, shows).toBeTruthy()
  await client.operator.edits(assetId, { rightsExpireAt: '2020-01-01T00:00:00Z' })
  await details.getByText('The rights ended on').waitFor()
  await details.getByText('The rights to it have ended.').first().waitFor()
  expect(await details.getByText('Will be converted').count()).toBe(0)
  await library.asset('Terrace').getByText('Rights ended').waitFor()
  await hasAsset(client.operator, 'Lanterns')
  await library.page.getByRole('button', { name: 'Rights ended' }).click()
  await library.asset('Lanterns').waitFor({ state: 'detached' })
  await library.asset('Terrace').click()
  await details.getByRole('button', { name: 'Remove the end date' }).click()
  await expect.poll(async () => (await saved()).rightsExpireAt, shows).toBeNull()
})

describe.each(surfaces)('in the $surface library', ({ surface, who, home }) => {
  test('used-in is shown, and what is planned stops a delete with its reason', async () => {
    const client = await world.newClient()
    const me = who(client)
    const { folderId } = await me.makesFolder('Campaign')
    const terrace = await hasAsset(me, 'Terrace')
    const lanterns = await hasAsset(me, 'Lanterns', { folderId })
    for (const [id, title, { assetId }] of [
      ['one', 'Evenings outside', terrace],
      ['two', 'Lantern festival', lanterns],
    ] as const)
      await client.agent.put(`/admin/clients/${client.clientId}/uses/social-post/${id}`, {
        status: 'scheduled',
        scheduledFor: '2030-05-01T18:00:00Z',
        assetRefs: [assetId],
        title,
        url: `https://example.com/${id}`,
      })

    const library = libraryOn(await visit(me, home(client)))
    const { page } = library
    const details = await library.showsDetailsOf('Terrace')
    const used = details.getByRole('region', { name: 'Used in' })
    await used.getByRole('link', { name: 'Evenings outside' }).waitFor()
    await used.getByText('Scheduled', { exact: true }).waitFor()
    await details.getByRole('region', { name: 'Rights and origin' }).waitFor()
    const deliveries = details.getByRole('region', { name: 'Deliveries' })
    if (surface === 'admin') await deliveries.waitFor()
    else expect(await deliveries.count()).toBe(0)

    await library.choosesIn(library.asset('Terrace'), 'Move to trash')
    const dialog = page.getByRole('dialog', { name: 'Still needed' })
    await dialog.getByRole('link', { name: 'Evenings outside' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Move to trash anyway' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await library.asset('Terrace').waitFor()

    await library.choosesIn(library.folder('Campaign'), 'Move to trash')
    await dialog.getByRole('link', { name: 'Lantern festival' }).waitFor()
    await dialog.getByRole('button', { name: 'Move to trash anyway' }).click()
    await library.folder('Campaign').waitFor({ state: 'detached' })
    await library.said('moved to trash').getByRole('button', { name: 'Undo' }).click()
    await library.folder('Campaign').waitFor()
  })
})

test('what a role may not do is not shown', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  await connects(client, 'https://example.com/in')

  const operator = await visit(client.operator, connectionsOf(client))
  await operator.getByRole('button', { name: 'Test Menu screen' }).waitFor()
  for (const name of ['New connection', 'Edit Menu screen', 'Remove Menu screen'])
    expect(await operator.getByRole('button', { name }).count()).toBe(0)

  await hasAsset(client.operator, 'Lanterns')
  const old = await hasAsset(client.operator, 'Old')
  await client.operator.trashes(old.assetId)
  const viewer = libraryOn(await visit(client.viewer, `${assetsOf(client)}?asset=${assetId}`))
  await viewer.details.getByRole('region', { name: 'File' }).waitFor()
  expect(await viewer.details.getByRole('button', { name: 'Deliver to…' }).count()).toBe(0)
  // Nor is it spoken of.
  await viewer.details.getByText('May be used on every surface.', { exact: true }).waitFor()
  await viewer.asset('Terrace').click()
  await viewer.page.keyboard.press('?')
  const help = viewer.page.getByRole('dialog')
  await help.getByText('Select all').waitFor()
  expect(await help.getByText(/Rename|Move to|Upload|New folder|Undo/).count()).toBe(0)
  await viewer.page.keyboard.press('Escape')
  await viewer.page.keyboard.press('Control+a')
  await viewer.details.getByText('2 items selected').waitFor()
  expect(await viewer.page.getByText('Move, tag or trash').count()).toBe(0)
  await viewer.page.getByRole('button', { name: 'Trash', exact: true }).click()
  await viewer.page.getByText('What is moved to the trash waits here').waitFor()
  expect(await viewer.page.getByText('Select something to restore').count()).toBe(0)
  await viewer.asset('Old').click()
  await viewer.details.getByText('This has been in the trash').waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  expect(await viewer.page.getByRole('link', { name: /^(Connections|Settings)$/ }).count()).toBe(0)
})

test('an admin makes a webhook, tests it, sees what was sent, sends again what it refused, renews its secret and deletes it', async () => {
  const bakery = await world.newClient('Bolt Bakery')
  const system = await receiver()
  const page = await visit(world.admin, '/app/admin/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address to send to').fill(system.url)
  await page.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'The webhook is ready' })
  const secret = await made.getByText('whsec_').innerText()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/)
  // Nobody can look it up again: neither a key nor a slip of the hand closes it.
  await page.keyboard.press('Escape')
  expect(await made.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await made.getByText('whsec_').waitFor()
  await made.getByRole('button', { name: 'Done' }).click()

  const card = page.getByRole('listitem').filter({ hasText: system.url })
  await card.getByText('All clients · Every event').waitFor()
  await card.getByRole('button', { name: /^Test/ }).click()
  await page.getByText('The receiver answered 200.').first().waitFor()
  expect(system.requests.at(-1)!.headers).toHaveProperty('webhook-signature')

  const [{ webhookId }] = (await world.admin.get('/admin/webhooks')).body.webhooks
  await bakery.operator.makesFolder('Refused')
  await world.parts.db
    .insertInto('webhook_set_aside')
    .values({ webhook_id: webhookId, client_id: bakery.clientId, event_id: 1, error: 'No.' })
    .execute()
  await page.reload()
  await card.getByRole('button', { name: /^Show what was sent to/ }).click()
  const log = page.getByRole('dialog', { name: 'What was sent' })
  await log.getByRole('listitem').filter({ hasText: 'webhook.test' }).getByText('Answer 200').waitFor()
  const aside = log.getByRole('list', { name: 'Set aside' })
  await aside.getByRole('listitem').filter({ hasText: 'Bolt Bakery' }).getByRole('button').click()
  await page.getByText('The receiver took it.').first().waitFor()
  await aside.waitFor({ state: 'detached' })
  expect(await violationsInBoth(page)).toEqual([])
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'New secret…' }).click()
  await page.getByLabel('Both count for').selectOption('7 days')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  const renewed = page.getByRole('dialog', { name: 'The new secret' })
  expect(await renewed.getByText('whsec_').innerText()).not.toBe(secret)
  await renewed.getByRole('button', { name: 'Done' }).click()
  await card.getByText('The old secret counts until').waitFor()

  await card.getByRole('switch').click({ force: true })
  await card.getByText('Switched off', { exact: true }).waitFor()
  await card.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
})

test('axe finds nothing wrong, in light and dark', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace', {
    rightsExpireAt: new Date(Date.now() + 2 * 86_400_000).toISOString(),
  })
  const system = await receiver()
  await connects(client, system.url)
  const page = await visit(world.admin, connectionsOf(client))
  await page.getByRole('button', { name: 'Test Menu screen' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  const found = { connections: await violationsInBoth(page), dialog: [''], details: [''], webhooks: [''] }
  await page.getByRole('button', { name: 'Edit Menu screen' }).click()
  await page.getByRole('dialog').waitFor()
  found.dialog = await violationsInBoth(page)
  await page.goto(`${assetsOf(client)}?asset=${assetId}`)
  await page.getByRole('button', { name: 'Deliver to…' }).click()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
  found.details = await violationsInBoth(page)
  await page.goto('/app/admin/webhooks')
  await page.getByText('No webhooks yet').waitFor()
  found.webhooks = await violationsInBoth(page)
  expect(found).toEqual({ connections: [], dialog: [], details: [], webhooks: [] })
})
