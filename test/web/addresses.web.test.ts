import { expect, test } from 'vitest'
import { app, fileOf, libraryOn, surfaces } from './app.ts'

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
