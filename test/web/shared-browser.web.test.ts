import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Person } from '../person.ts'
import { app, cookieOf, hasAsset, isDrawn, libraryOn, surfaces, violationsInBoth } from './app.ts'

const { world, visit, site } = await app()

/** Opens a library and waits for its one picture to be drawn; answers where the browser got it. */
async function looksAt(page: Page, path: string): Promise<string> {
  await page.goto(path)
  const picture = libraryOn(page).asset('Terrace').locator('img')
  await isDrawn(picture)
  return picture.evaluate((image: HTMLImageElement) => image.currentSrc)
}

/** Whether this browser shows the picture now, on a page that has not shown it yet. */
async function shows(page: Page, picture: string): Promise<boolean> {
  const fresh = await page.context().newPage()
  await fresh.goto('/app/login')
  const drawn = await fresh.evaluate(
    (src) =>
      new Promise<boolean>((done) => {
        const image = new Image()
        image.onload = () => done(true)
        image.onerror = () => done(false)
        image.src = src
      }),
    picture,
  )
  await fresh.close()
  return drawn
}

const becomes = async (page: Page, person: Person) => {
  await page.context().clearCookies()
  await page.context().addCookies([{ ...cookieOf(person), url: site }])
}

test.each(surfaces)(
  'what $surface showed is not shown after signing out, nor to the next person',
  async ({ who, home }) => {
    const [client, other] = [await world.newClient(), await world.newClient()]
    await hasAsset(client.operator, 'Terrace')
    const page = await visit(who(client), home(client))
    const picture = await looksAt(page, home(client))
    expect(await shows(page, picture)).toBe(true)

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect(await shows(page, picture)).toBe(false)
    // Nor does the browser keep it for whoever asks it for what it has.
    const kept = await page.evaluate(
      (src) => fetch(src, { cache: 'force-cache' }).then(({ status }) => status),
      picture,
    )
    expect(kept).toBe(401)
    await becomes(page, who(other))
    expect(await shows(page, picture)).toBe(false)
  },
)

test('nobody goes on in the name of who has signed in in another tab', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const home = `/app/clients/${client.clientId}/assets`
  const page = await visit(client.operator, home)
  await libraryOn(page).asset('Terrace').waitFor()
  const another = await page.context().newPage()
  await another.goto(home)
  await libraryOn(another).asset('Terrace').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Somebody else has signed in' })
  expect(await dialog.isVisible(), 'the same person').toBe(false)

  await becomes(another, world.admin)
  await another.goto(home)
  const { name } = (await world.admin.get('/auth/me')).body
  await dialog.getByText(`${name} has signed in in this browser`).waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  expect(await violationsInBoth(page)).toEqual([])
  await dialog.getByRole('button', { name: `Go on as ${name}` }).click()
  await page.getByRole('button', { name: `Account: ${name}` }).waitFor()

  // A tab that slept through it looks when it comes into sight.
  await becomes(another, client.operator)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await dialog.waitFor()
})

test('what somebody was shown is not shown once they may not see it any more', async () => {
  const client = await world.newClient()
  const another = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const { id } = client.operator
  const page = await visit(client.operator, '/app/')
  const picture = await looksAt(page, `/app/clients/${client.clientId}/assets`)

  await world.admin.patch(`/admin/users/${id}`, { clientIds: [another.clientId] })
  expect(await shows(page, picture)).toBe(false)
  await world.admin.patch(`/admin/users/${id}`, { clientIds: [client.clientId] })
  expect(await shows(page, picture)).toBe(true)
  await world.admin.patch(`/admin/users/${id}`, { isActive: false })
  expect(await shows(page, picture)).toBe(false)
})
