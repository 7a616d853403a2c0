import { expect, test } from 'vitest'
import { hasOwnPassword } from '../world.ts'
import { app, hasAsset, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()

test.each(surfaces)('a link copied in the $surface leads each to their own door', async ({ who, home }) => {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Menus')
  const { assetId } = await hasAsset(client.operator, 'Terrace', { folderId })
  const library = libraryOn(await visit(who(client), `${home(client)}?folder=${folderId}`))
  await library.page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void Object.assign(globalThis, { copied: text })
  })
  await library.choosesIn(library.asset('Terrace'), 'Copy link')
  await library.said('Link copied').waitFor()
  const link = new URL(
    await library.page.evaluate(() => (globalThis as unknown as { copied: string }).copied),
  )

  for (const one of surfaces) {
    const page = await visit(one.who(client), link.pathname + link.search)
    const opened = libraryOn(page)
    await opened.asset('Terrace').waitFor()
    await opened.details.getByText(assetId).waitFor()
    expect(new URL(page.url()).pathname).toBe(one.home(client))
    expect(new URL(page.url()).searchParams.get('folder')).toBe(folderId)
  }
})

test('a link followed before signing in is not forgotten', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const email = `guest-${client.clientId}@example.com`
  const password = 'a long enough word 7'
  await world.admin.post('/admin/users', {
    email,
    password,
    name: 'Guest',
    role: 'client',
    clientIds: [client.clientId],
  })
  await hasOwnPassword(world, email)
  const page = await visit(null, `${surfaces[0]!.home(client)}?asset=${assetId}`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await libraryOn(page).details.getByText(assetId).waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/portal/assets')
})

test('a stranger reads what to do, and the page leaves the server alone', async () => {
  const [one, other] = [await world.newClient(), await world.newClient()]
  const strangers = [
    { who: other.portal, path: surfaces[0]!.home(one), way: 'Go to your library' },
    { who: other.operator, path: surfaces[0]!.home(one), way: 'Choose a client' },
    { who: one.operator, path: '/app/portal/assets', way: 'Choose a client' },
  ]
  for (const { who, path, way } of strangers) {
    const page = await visit(who, path)
    await page.getByRole('link', { name: way }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.install()
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
    await page.getByRole('link', { name: way }).click()
    await page.waitForURL(way === 'Choose a client' ? '**/app/clients' : '**/app/portal/assets')
  }
})

test('a link to what is in another library says so, at the desk and on a phone', async () => {
  const [one, other] = [await world.newClient(), await world.newClient()]
  const { folderId } = await one.operator.makesFolder('Menus')
  const { assetId } = await hasAsset(one.operator, 'Terrace')
  const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }
  for (const options of [{}, phone]) {
    const page = await visit(other.portal, `/app/portal/assets?asset=${assetId}`, options)
    await page.getByRole('alert').getByText('is not in this library').waitFor()
  }
  const page = await visit(other.portal, `/app/portal/assets?folder=${folderId}`)
  await page.getByText('the link leads to another client’s library').waitFor()
})

test('an event stream is given up with the right to see the library', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const page = await visit(client.operator, surfaces[0]!.home(client))
  await libraryOn(page).asset('Terrace').waitFor()
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/events?')) streams.push(request.url())
  })
  await page.clock.install()
  await world.admin.patch(`/admin/users/${client.operator.id}`, { clientIds: [] })
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await expect.poll(() => streams.length, { timeout: longWait }).toBeGreaterThan(0)
  const before = streams.length
  for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000)
  expect(streams.length - before).toBeLessThanOrEqual(1)
})
