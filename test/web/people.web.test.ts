import { describe, expect, test } from 'vitest'
import { adminLogin, hasOwnPassword } from '../world.ts'
import { app, hasAsset, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const password = 'a-long-and-quiet-password'

const newPerson = async (role: 'operator' | 'client', clientId: string) => {
  const email = await invited(role, clientId)
  await hasOwnPassword(world, email)
  return email
}

const invited = async (role: 'operator' | 'client', clientId: string) => {
  const email = `${crypto.randomUUID()}@example.com`
  const { body } = await world.admin.post('/admin/users', {
    email,
    name: 'Nora Lind',
    role,
    password,
    clientIds: [clientId],
  })
  expect(body).toMatchObject({ email })
  return email
}

test('an operator signs in and chooses a client', async () => {
  await world.newClient('Bolt Bakery')
  await world.newClient('Harbour Café')
  const page = await visit(null, '/app/')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(adminLogin.email)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('E-mail or password is wrong').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(adminLogin.password)
  await page.keyboard.press('Enter')

  await page.getByRole('link', { name: /Harbour Café/ }).waitFor()
  await page.getByRole('textbox', { name: 'Search clients' }).fill('bolt')
  await page.getByRole('link', { name: /Harbour Café/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Bolt Bakery/ }).click()
  await page.getByRole('heading', { name: 'Assets · Bolt Bakery' }).waitFor()

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
})

test('a client signs in and lands in their own library, where the link pointed', async () => {
  const { clientId, portal } = await world.newClient()
  await hasAsset(portal, 'Terrace')
  const email = await newPerson('client', clientId)
  const page = await visit(null, '/app/portal/assets?q=terr')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await libraryOn(page).asset('Terrace').waitFor()
  expect(page.url()).toContain('q=terr')
})

test('an admin makes a person who can then sign in', async () => {
  await world.newClient('Corner Shop')
  const page = await visit(world.admin, '/app/admin/users')
  await page.getByRole('button', { name: 'New person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ola Berg')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('ola@example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Ola Berg can sign in now').waitFor()
  const shown = (await dialog.locator('code').innerText()).trim()
  expect((await world.login('ola@example.com', shown)).credentials.cookie).toBeTruthy()
})

test('whoever has chosen a password of their own goes on to where they wanted', async () => {
  const { clientId } = await world.newClient()
  const page = await visit(null, '/app/portal/assets?view=list&q=menu')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(await invited('client', clientId))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByLabel('Present password').fill(password)
  await page.getByLabel('New password').fill(`${password} of my own`)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect.poll(() => page.url(), shows).toMatch(/\/app\/portal\/assets\?.*q=menu/)
})

test('a session that ends is taken up again in place, with what was typed', async () => {
  const client = await world.newClient()
  const email = await newPerson('client', client.clientId)
  const me = (await world.login(email, password)).at(client.portal.door)
  const { assetId } = await hasAsset(me, 'Terrace')
  const library = libraryOn(await visit(me, '/app/portal/assets'))
  const { page } = library
  const details = await library.showsDetailsOf('Terrace')
  await details.getByRole('button', { name: /^Edit Description/ }).click()
  await details.getByRole('textbox', { name: 'Description' }).fill('Typed with care')

  await me.post('/auth/logout')
  await page.keyboard.press('Enter')
  const door = page.getByRole('dialog', { name: 'Please sign in again' })
  await door.getByLabel('Password', { exact: true }).fill(password)
  await door.getByRole('button', { name: 'Sign in' }).click()
  await door.waitFor({ state: 'detached' })
  await details.getByRole('button', { name: 'Edit Description: Typed with care' }).waitFor()
  await expect
    .poll(async () => (await client.portal.reads(assetId)).body.description, shows)
    .toBe('Typed with care')
})

describe.each(surfaces)('in the $surface library', ({ who, home }) => {
  test('what somebody else does appears at once', async () => {
    const client = await world.newClient()
    const colleague = who(client) === client.portal ? client.operator : client.portal
    const { assetId } = await hasAsset(colleague, 'Terrace')
    const library = libraryOn(await visit(who(client), home(client)))
    await library.asset('Terrace').waitFor()

    await colleague.edits(assetId, { title: 'Terrace at noon' })
    await library.asset('Terrace at noon').waitFor()
    await colleague.makesFolder('Summer')
    await library.inTree('Summer').waitFor()
    await hasAsset(colleague, 'Lanterns')
    await library.asset('Lanterns').waitFor()
    await colleague.trashes(assetId)
    await library.asset('Terrace at noon').waitFor({ state: 'detached' })
  })
})

test('two people edit the same name at once: neither is lost', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const operators = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  const clients = libraryOn(await visit(client.portal, surfaces[1]!.home(client)))
  const begins = async (library: typeof operators, title: string) => {
    const read = library.page.waitForResponse((response) => response.url().endsWith(`/${assetId}`))
    await library.asset('Terrace').click()
    await library.page.keyboard.press('F2')
    await library.page.getByRole('textbox', { name: 'Name' }).fill(title)
    await read
  }
  await begins(operators, 'The operator’s name')
  await begins(clients, 'The client’s name')
  await clients.page.keyboard.press('Enter')
  await clients.said('Renamed to “The client’s name”').waitFor()

  await operators.page.keyboard.press('Enter')
  const question = operators.page.getByRole('dialog', { name: 'Somebody else changed this too' })
  await question.getByText('The operator’s name').waitFor()
  await question.getByText('The client’s name').waitFor()
  expect((await client.operator.reads(assetId)).body.title).toBe('The client’s name')
  await question.getByRole('button', { name: 'Keep yours' }).click()
  await operators.asset('The operator’s name').waitFor()
  await clients.asset('The operator’s name').waitFor()
})

test('two people edit different words at once: both are kept without a question', async () => {
  const client = await world.newClient()
  const { assetId } = await hasAsset(client.operator, 'Terrace')
  const library = libraryOn(await visit(client.operator, surfaces[0]!.home(client)))
  await library.asset('Terrace').click()
  await library.page.keyboard.press('F2')
  await library.page.getByRole('textbox', { name: 'Name' }).fill('Terrace at noon')
  await client.portal.edits(assetId, { description: 'Four tables' })
  await library.page.keyboard.press('Enter')
  await expect
    .poll(async () => (await client.operator.reads(assetId)).body, shows)
    .toMatchObject({ title: 'Terrace at noon', description: 'Four tables' })
  expect(await library.page.getByRole('dialog').count()).toBe(0)
})

test('a viewer is shown nothing that they may not do', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  await client.operator.makesFolder('Summer')
  const library = libraryOn(await visit(client.viewer, surfaces[0]!.home(client)))
  const details = await library.showsDetailsOf('Terrace')
  await details.getByText('Terrace', { exact: true }).first().waitFor()
  for (const name of ['Upload', 'New folder', /^Edit /, /^Remove tag/])
    expect(await library.page.getByRole('button', { name }).count()).toBe(0)
  await library.opensMenu(library.asset('Terrace'))
  await library.menuItem('Download').waitFor()
  for (const name of ['Rename', 'Move to…', 'Tag…', 'Replace file…', 'Move to trash'])
    expect(await library.menuItem(name).count()).toBe(0)
  await library.page.keyboard.press('Escape')
  await library.asset('Terrace').click()
  for (const key of ['F2', 'm', 'n', 'u', 'Delete']) await library.page.keyboard.press(key)
  expect(await library.page.getByRole('textbox').count()).toBe(0)
  expect(await library.page.getByRole('dialog').count()).toBe(0)
  await library.asset('Terrace').waitFor()
})

test('the app speaks German when asked, and remembers', async () => {
  const client = await world.newClient()
  const page = await visit(client.portal, '/app/portal/assets')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Hochladen' }).first().waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Hochladen' }).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
})
