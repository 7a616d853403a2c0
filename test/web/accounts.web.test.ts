import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeOf } from '../../server/access/second-factor/totp.ts'
import { newId } from '../../server/ids.ts'
import { identityProvider } from '../identity-provider.ts'
import { linkIn, mailServer } from '../mailbox.ts'
import { png } from '../pictures.ts'
import { hasOwnPassword } from '../world.ts'
import { app, longWait, violationsInBoth } from './app.ts'

const post = await mailServer()
const provider = await identityProvider()
const { world, visit, site } = await app({
  ...post.environment,
  OIDC_PROVIDERS: JSON.stringify([
    provider.entry('agency', {
      roles: [{ value: 'staff', role: 'operator', clientIds: null }],
      createsAccounts: true,
    }),
  ]),
})
provider.serves(site, ['agency'])
const shows = { timeout: longWait }
const password = 'a-long-and-quiet-password'
const another = 'quite-another-long-password'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function newPerson(role: 'operator' | 'client' = 'client') {
  const { clientId } = await world.newClient('Harbour Café')
  const email = `${newId('user')}@example.com`
  const { body } = await world.admin.post('/admin/users', {
    email,
    name: 'Nora Lind',
    role,
    password,
    clientIds: [clientId],
  })
  return { email, clientId, userId: body.userId as string }
}

async function signsIn(page: Page, email: string, given: string) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const section = (page: Page, name: string) => page.getByRole('region', { name })
const library = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).first()
const clean = async (page: Page, screen: string) => {
  expect(await violationsInBoth(page), screen).toEqual([])
}

test('a person chooses a password of their own first, then looks after their account', async () => {
  const { email } = await newPerson()
  const page = await visit(null, '/app/portal/assets')
  await signsIn(page, email, password)
  await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor()
  await clean(page, 'first password')
  await page.goto('/app/portal/assets?view=list&q=menu')
  await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor()
  await page.getByLabel('Present password').fill(password)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Choose at least 12 characters').waitFor()
  await page.getByLabel('New password').fill(another)
  await page.getByRole('button', { name: 'Change password' }).click()
  await library(page).waitFor()
  expect(page.url()).toMatch(/\/app\/portal\/assets\?.*q=menu/)

  const elsewhere = await world.login(email, another)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  const sessions = section(page, 'Where you are signed in')
  await sessions.getByText('This browser').waitFor()
  await sessions.getByText(/^Last used/).waitFor()
  await clean(page, 'account')
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await sessions.getByText(/^Last used/).waitFor({ state: 'detached' })
  expect((await elsewhere.get('/auth/me')).status).toBe(401)

  const profile = section(page, 'About you')
  await profile.getByLabel('Name').fill('Nora Berg')
  await profile.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await profile.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor()
  await clean(page, 'account in German')
  // Another browser of theirs speaks it, too.
  const other = await visit(null, '/app/login')
  await signsIn(other, email, another)
  await other.getByRole('button', { name: 'Hochladen' }).first().waitFor()
})

test('a new e-mail counts when the link that was mailed to it is confirmed', async () => {
  const { email, userId } = await newPerson()
  await hasOwnPassword(world, email)
  const page = await visit(await world.login(email, password), '/app/account')
  const wanted = `new-${email}`
  const profile = section(page, 'About you')
  await profile.getByLabel('E-mail').fill(wanted)
  await profile.getByLabel('Present password').fill('not this one')
  await profile.getByRole('button', { name: 'Save' }).click()
  await profile.getByText('This is not your present password.').waitFor()
  await profile.getByLabel('Present password').fill(password)
  await profile.getByRole('button', { name: 'Save' }).click()
  await profile.getByText(`We sent a link to ${wanted}`).waitFor()
  const mail = await visit(null, linkIn(await post.next(wanted)).url)
  await mail.getByRole('button', { name: 'Confirm this address' }).waitFor()
  await clean(mail, 'confirm e-mail')
  expect((await world.admin.get('/admin/users')).body.users).toContainEqual(
    expect.objectContaining({ userId, email }),
  )
  await mail.getByRole('button', { name: 'Confirm this address' }).click()
  await mail.getByText(`You now sign in with ${wanted}.`).waitFor()
})

test('somebody links their account to a provider and unlinks it again, on a phone', async () => {
  const { email } = await newPerson('operator')
  await hasOwnPassword(world, email)
  provider.people.set('lind', { email: 'n@lind.example', email_verified: true, groups: ['staff'] })
  const page = await visit(null, '/app/account', phone)
  await signsIn(page, email, password)
  const logins = section(page, 'Other logins')
  const dialog = page.getByRole('dialog')
  await logins.getByText('Does not let you in').waitFor()
  await clean(page, 'other logins')
  const links = async () => {
    await logins.getByRole('button', { name: 'Link Agency Login' }).click()
    await dialog.getByLabel('Present password').fill(password)
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await page.getByPlaceholder('Enter any login').fill('lind')
    await page.getByPlaceholder('and password').fill('secret')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  }
  await links()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await logins.getByRole('alert').waitFor()
  await logins.getByRole('button', { name: 'Link Agency Login' }).waitFor()
  await page.context().clearCookies({ name: /^_(session|interaction)/ })
  await links()
  await page.getByRole('button', { name: 'Continue' }).click()
  await logins.getByText('Agency Login lets you in from now on.').waitFor()
  await clean(page, 'linked')
  await logins.getByRole('button', { name: 'Unlink Agency Login' }).click()
  await dialog.getByLabel('Present password').fill(password)
  await dialog.getByRole('button', { name: 'Unlink' }).click()
  await logins.getByText('Does not let you in').waitFor()
})

test.each([
  ['at a desk', {}],
  ['on a phone', phone],
])('a forgotten password is mended by a mailed link, %s', async (_, device) => {
  const { email } = await newPerson()
  await hasOwnPassword(world, email)
  const page = await visit(null, '/app/login', device)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('This is needed.').waitFor()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await clean(page, 'forgot')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a link is on its way').waitFor()
  const { url } = linkIn(await post.next(email))
  await page.goto(url)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await page.reload()
  await page.getByLabel('New password').fill(another)
  await clean(page, 'reset')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await library(page).waitFor()

  const later = await visit(null, url, device)
  await later.getByLabel('New password').fill(password)
  await later.getByRole('button', { name: 'Save and sign in' }).click()
  await later.getByText('This link was used already').waitFor()
  await clean(later, 'reset, over')
  expect((await world.nobody.post('/auth/login', { email, password: another })).status).toBe(200)
})

test('an administrator invites a person, who chooses a password', async () => {
  const email = `${newId('user')}@example.com`
  const page = await visit(world.admin, '/app/admin/users')
  await page.getByRole('button', { name: 'New person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ola Berg')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
  expect(await dialog.getByLabel(/^Send an invitation/).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText(`An invitation was sent to ${email}`).first().waitFor()
  const first = await post.next(email)
  await page.getByRole('button', { name: 'Invite Ola Berg' }).click()
  const invited = await visit(null, linkIn(await post.next(email, [first])).url)
  await invited.getByRole('heading', { name: 'Welcome' }).waitFor()
  await clean(invited, 'invitation')
  await invited.getByLabel('New password').fill(another)
  await invited.getByRole('button', { name: 'Save and sign in' }).click()
  await invited.getByRole('heading', { name: 'Clients', exact: true }).waitFor(shows)
})

test('an app that makes codes: set up, asked for, and a recovery code in its place', async () => {
  const { email, userId } = await newPerson()
  await hasOwnPassword(world, email)
  const page = await visit(await world.login(email, password), '/app/account')
  const factors = section(page, 'Second factor')
  await factors.getByRole('button', { name: 'Set up an app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Present password').fill(password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor()
  await clean(page, 'app')
  const secret = await dialog.locator('code').innerText()
  const codeNow = async () => {
    await world.parts.db.updateTable('users').set({ totp_last_step: null }).where('id', '=', userId).execute()
    return codeOf(secret, Math.floor(Date.now() / 30_000))
  }
  await dialog.getByLabel('Code that the app shows').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code does not fit.').waitFor()
  await dialog.getByLabel('Code that the app shows').fill(await codeNow())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
  await clean(page, 'recovery codes')
  const [recoveryCode] = (await dialog.locator('code').innerText()).split('\n')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await factors.getByText('10 recovery codes left').waitFor()
  await clean(page, 'account with an app')

  for (const code of [codeNow, async () => recoveryCode!]) {
    const other = await visit(null, '/app/login', phone)
    await signsIn(other, email, password)
    await other.getByLabel('Code').fill('000000')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByText('This does not fit').waitFor()
    await clean(other, 'second step')
    await other.getByLabel('Code').fill(await code())
    await other.getByRole('button', { name: 'Continue' }).click()
    await library(other).waitFor()
  }

  const admin = await visit(world.admin, '/app/admin/users')
  await admin.getByRole('textbox', { name: 'Search people' }).fill(email)
  await admin.getByRole('button', { name: /^Remove the second factor of this person: Nora/ }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await admin.getByText('Nora Lind now signs in without a second factor').first().waitFor()
  expect((await world.nobody.post('/auth/login', { email, password })).status).toBe(200)
})

test('a passkey signs in without a password, and is asked for after one', async () => {
  const { email } = await newPerson()
  await hasOwnPassword(world, email)
  const page = await visit(await world.login(email, password), '/app/account')
  await hasAuthenticator(page)
  const factors = section(page, 'Second factor')
  await factors.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What you call it').fill('My phone')
  await dialog.getByLabel('Present password').fill(password)
  await clean(page, 'add a passkey')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await factors.getByText('My phone').waitFor()

  for (const alone of [true, false]) {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    if (alone) await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    else {
      await signsIn(page, email, password)
      await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
      await clean(page, 'passkey asked for')
      await page.getByRole('button', { name: 'Use your passkey' }).click()
    }
    await library(page).waitFor()
  }
})

/** An authenticator of the browser's own, whose owner is always there and unlocks it. */
async function hasAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('somebody comes in by single sign-on, to where they wanted, and is told why when not', async () => {
  const { clientId } = await world.newClient('Harbour Café')
  const email = `${newId('user')}@agency.example`
  provider.people.set('nora', { email, email_verified: true, name: 'Nora Lind', groups: ['parking'] })
  const page = await visit(null, `/app/clients/${clientId}/assets`, { ...phone, locale: 'de-DE' })
  const goes = async (button: string) => {
    await page.getByRole('link', { name: button }).click()
    await page.getByPlaceholder('Enter any login').fill('nora')
    await page.getByPlaceholder('and password').fill('secret')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await page.getByRole('link', { name: 'Mit Agency Login anmelden' }).waitFor()
  await clean(page, 'sign-in with a provider')
  await goes('Mit Agency Login anmelden')
  await page.getByText('Agency Login kennt Sie, gibt Ihnen hier aber keine Rolle').waitFor()
  await clean(page, 'no role')
  await page.context().clearCookies()
  provider.people.set('nora', { email, email_verified: true, name: 'Nora Lind', groups: ['staff'] })
  await page.goto(`/app/clients/${clientId}/assets`)
  await goes('Mit Agency Login anmelden')
  await page.getByRole('button', { name: 'Hochladen' }).first().waitFor()
  expect(page.url()).toContain(clientId)
})

test.each([
  ['at a desk', {}],
  ['on a phone', phone],
])(
  'the bell tells of new files and leads to them, and is quiet where somebody wants that, %s',
  async (_, device) => {
    const { operator, portal, clientId } = await world.newClient('Harbour Café')
    const { assetId } = await portal.uploads(png(30, 20), { words: { title: 'Lanterns' } })
    await operator.uploads(png(20, 30), { words: { title: 'Terrace' } })
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
    await operator.edits(assetId, { rightsExpireAt: soon })
    await expect.poll(async () => (await operator.get('/notifications')).body.unread, shows).toBe(1)

    const page = await visit(operator, '/app/clients', device)
    await page.getByRole('button', { name: 'Notifications: 1 unread' }).click()
    const told = page.getByRole('link', { name: 'client has uploaded a file' })
    await told.waitFor()
    await clean(page, 'notifications')
    await told.click()
    await page.getByRole('gridcell', { name: 'Terrace' }).waitFor()
    expect(page.url()).toContain(`/app/clients/${clientId}/assets`)
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rights ending soon' }).click()
    await page.getByRole('gridcell', { name: 'Terrace' }).waitFor({ state: 'detached' })
    await page.getByRole('gridcell', { name: 'Lanterns' }).waitFor()

    await page.getByRole('button', { name: 'Notifications', exact: true }).click()
    await page.getByRole('link', { name: 'Choose what you are told of' }).click()
    const settings = section(page, 'Notifications')
    await settings.getByRole('combobox', { name: 'A client has uploaded files' }).click()
    await page.getByRole('option', { name: 'Not at all' }).click()
    await page.getByText('Saved').first().waitFor()
    await clean(page, 'choices')
    expect((await operator.get('/notifications/settings')).body.settings).toContainEqual({
      kind: 'new-files',
      way: 'off',
    })
  },
)
