import { expect, test } from 'vitest'
import { app, fileOf, hasAsset, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit, site, browser } = await app({ STORAGE_DISK_URL: '', TRASH_DAYS: '12' })
const operator = surfaces[0]!

test.each(['localhost', '127.0.0.1', 'library.localhost'])('files can be uploaded at %s', async (host) => {
  const client = await world.newClient()
  const page = await visit(client.operator, operator.home(client), { site: site.replace('localhost', host) })
  const library = libraryOn(page)
  await library.uploads([await fileOf('a.jpg', 'terrace.jpg')])
  await library.tray.getByText('1 file uploaded').waitFor()
  await library.asset('terrace').waitFor()
})

test('a policy that lets nothing out to the store is blamed, and not the bucket', async () => {
  const there = await app({}, browser)
  const client = await there.world.newClient()
  const library = libraryOn(await there.visit(client.operator, '/app/clients'))
  await library.page.route(`**${operator.home(client)}`, async (route) => {
    const answer = await route.fetch()
    const headers = { ...answer.headers(), 'content-security-policy': "connect-src 'self'" } // as a proxy might
    await route.fulfill({ response: answer, headers })
  })
  await library.page.goto(operator.home(client))
  await library.uploads([await fileOf('a.jpg')])
  await library.tray.getByText('This page may not reach the storage').first().waitFor()
  await library.tray.getByText(/does not allow http:\/\/127\.0\.0\.1:\d+\./).waitFor()
  expect(await library.tray.getByText(/CORS/).count()).toBe(0)
})

test('the trash says how many days it keeps things, as they are set', async () => {
  const client = await world.newClient()
  const page = await visit(client.operator, `${operator.home(client)}?folder=trash`)
  await page.getByText('waits here for 12 days').waitFor()
})

test('the pages of a client are tabs, and the library is as it was left', async () => {
  const client = await world.newClient()
  const other = await world.newClient('Bolt Bakery')
  const { folderId } = await client.operator.makesFolder('Summer')
  for (let n = 10; n < 34; n++) await hasAsset(client.operator, `Picture ${n}`, { folderId })
  await world.admin.post(`/admin/clients/${client.clientId}/connections`, {
    kind: 'gbp',
    name: 'Gallery',
    settings: { accountId: '1', locationId: '2' },
  })
  const library = libraryOn(
    await visit(world.admin, `${operator.home(client)}?folder=${folderId}&sort=title`),
  )
  const { page } = library
  const tabs = page.getByRole('navigation', { name: 'Pages of this client' })
  const isOn = (name: string) =>
    tabs.getByRole('link', { name, exact: true }).and(page.locator('[aria-current=page]'))
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await isOn('Assets').waitFor()
  await library.asset('Picture 10').click()
  await page.keyboard.press('Shift+ArrowRight')
  await bar.getByText('2 selected').waitFor()
  await library.grid.hover()
  await page.mouse.wheel(0, 5000)
  await library.asset('Picture 33').waitFor()
  const left = page.url()

  await tabs.getByRole('link', { name: 'Connections' }).click()
  const gallery = page.getByRole('listitem').filter({ hasText: 'Gallery' })
  await gallery.getByText('your administrator has to set GOOGLE_CLIENT_ID', { exact: false }).waitFor()
  expect(await gallery.getByRole('button', { name: 'Sign in to Gallery' }).isDisabled()).toBe(true)
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await isOn('Settings').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await page.getByLabel('Name').fill('Harbour Bar')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Settings · Harbour Bar' }).waitFor()

  await tabs.getByRole('link', { name: 'Activity' }).click()
  const done = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await done.filter({ hasText: 'Client changed' }).getByText('You').waitFor()
  await done.filter({ hasText: 'Picture 33' }).getByText('operator').waitFor()
  expect(await violationsInBoth(page)).toEqual([])

  await tabs.getByRole('link', { name: 'Assets' }).click()
  await bar.getByText('2 selected').waitFor()
  await library.asset('Picture 33').waitFor()
  await expect.poll(() => page.url(), { timeout: longWait }).toBe(left)

  await tabs.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Switch client' }).click()
  await page.getByRole('link', { name: 'Bolt Bakery' }).click()
  await page.getByRole('heading', { name: 'Settings · Bolt Bakery' }).waitFor()
  await tabs.getByRole('link', { name: 'Assets' }).click()
  await page.waitForURL(`**${operator.home(other)}`)

  // The client's own people see who of them did what, and of the agency only that it was the agency.
  const portal = libraryOn(await visit(client.portal, '/app/portal/assets'))
  await portal.folder('Summer').dblclick()
  const details = await portal.showsDetailsOf('Picture 33')
  const history = details.getByRole('region', { name: 'Activity' })
  await history.getByText('Asset added').waitFor()
  await history.getByText('Your agency').waitFor()
  const [download] = await Promise.all([
    portal.page.waitForEvent('download'),
    details.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Picture 33.png')
  await portal.page.getByRole('link', { name: 'Activity' }).click()
  const first = portal.page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first()
  await first.getByText('Original downloaded').waitFor()
  await first.getByText('You').waitFor()
  await portal.page.getByText('Your agency').first().waitFor()
  expect(await violationsInBoth(portal.page)).toEqual([])
})
