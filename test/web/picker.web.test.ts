import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { hasOwnPassword } from '../world.ts'
import { app, hasAsset, isDrawn, type Visit, violations } from './app.ts'

/** Another site: its pages, of which the first is the one in the documentation. */
async function otherSite(pages: Record<string, string> = {}) {
  const example = await readFile('docs/examples/picker.html', 'utf8')
  const server = createServer(({ url }, response) => {
    const { pathname } = new URL(url!, 'http://other.example')
    const page = pathname === '/picker.html' ? example : pages[pathname]
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const cms = await otherSite()
const { world, visit, site } = await app({ EMBED_ORIGINS: cms })
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }

const postPage = (at: string, asked: Record<string, string>) =>
  `${at}/picker.html?${new URLSearchParams({ library: site, ...asked })}`

/** The frame in the dialog of the page. */
async function pickerOn(page: Page, button = 'Choose pictures') {
  await page.getByRole('button', { name: button }).click()
  const frame = page.frameLocator('asset-picker iframe')
  const its: () => Frame = () => page.frames().find((one) => one.url() === `${site}/picker`)!
  return {
    frame,
    its,
    asset: (title: string) => frame.getByRole('option', { name: title }),
    picked: page.getByRole('list', { name: 'Pictures of this post' }).getByRole('listitem'),
    async opensSignIn(name = 'Sign in') {
      const [opened] = await Promise.all([
        page.waitForEvent('popup'),
        frame.getByRole('button', { name, exact: true }).click(),
      ])
      return opened
    },
  }
}

async function clientWith(titles: string[], name = 'Harbour Café') {
  const client = await world.newClient(name)
  for (const title of titles) await hasAsset(client.operator, title)
  return client
}

/** All that a page says to another, as far as it hears. */
async function listensIn(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const heard: unknown[] = []
    Object.assign(globalThis, { heard })
    addEventListener('message', ({ data }) => heard.push(data))
  })
  return () => page.evaluate(() => JSON.stringify((globalThis as unknown as { heard: unknown[] }).heard))
}

test('an operator picks two pictures on a page of another site, which gets their refs and nothing else', async () => {
  const client = await clientWith(['Terrace', 'Harbour', 'Menu'])
  const folder = await client.operator.makesFolder('Summer')
  const inFolder = await hasAsset(client.operator, 'Sunset', { folderId: folder.folderId })
  await hasAsset(client.operator, 'Post only', { allowedSurfaces: ['social'] })
  const page = await visit(client.operator, 'about:blank')
  const heard = await listensIn(page)
  const sent: string[] = []
  page.on(
    'request',
    (request) =>
      void request
        .allHeaders()
        .then((all) => sent.push(JSON.stringify([request.url(), all.cookie, all.authorization]))),
  )
  let isBusy = true
  await page.route(/\/preview\?/, (route) => (isBusy ? route.fulfill({ status: 503 }) : route.continue()))
  await page.goto(postPage(cms, { client: client.clientId }))
  const picker = await pickerOn(page)
  await picker.frame.getByRole('heading', { name: 'Sign in to pick' }).waitFor()
  expect(await violations(picker.its() as unknown as Page)).toEqual([])

  const window = await picker.opensSignIn()
  await window.getByRole('heading', { name: `Pick assets for ${new URL(cms).host}?` }).waitFor()
  await window.getByText('Harbour Café').waitFor()
  expect(await violations(window)).toEqual([])
  await Promise.all([window.waitForEvent('close'), window.getByRole('button', { name: 'Go on' }).click()])

  await picker.asset('Terrace').waitFor()
  expect(await picker.asset('Post only').count(), 'not for a website').toBe(0)
  // What a busy server kept back comes by itself.
  await picker.asset('Terrace').locator('.picker-picture svg').waitFor()
  isBusy = false
  await isDrawn(picker.asset('Terrace').locator('img'))
  expect(await violations(picker.its() as unknown as Page)).toEqual([])
  await picker.frame.getByRole('searchbox', { name: 'Search assets' }).fill('harb')
  await picker.asset('Terrace').waitFor({ state: 'detached' })
  await picker.asset('Harbour').click()
  await picker.frame.getByRole('searchbox').fill('')
  await picker.frame.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'Summer' })
  await picker.asset('Harbour').waitFor({ state: 'detached' })
  await picker.asset('Sunset').click()
  await picker.frame.getByText('2 chosen').waitFor()
  await picker.frame.getByRole('button', { name: 'Use these 2' }).click()

  await expect.poll(() => picker.picked.count()).toBe(2)
  expect(await picker.picked.nth(0).textContent()).toMatch(/^Harbour: A picture: Harbour \(asset_/)
  expect(await picker.picked.nth(1).getAttribute('data-asset-ref')).toBe(inFolder.assetRef)

  expect(await heard(), 'not to the page').not.toContain('cap_')
  const toLibrary = sent.filter((one) => one.includes(`${site}/`))
  expect(toLibrary.some((one) => one.includes('Bearer cap_'))).toBe(true)
  expect(
    toLibrary.filter((one) => one.includes('session=')),
    'the login stays at home',
  ).toEqual([])
  // Opened again, nobody has to sign in again.
  const again = await pickerOn(page)
  await again.asset('Menu').waitFor()
  await again.frame.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('asset-picker').waitFor({ state: 'detached' })
})

test('with keys alone, and one for who may choose one only', async () => {
  const client = await clientWith(['One', 'Two', 'Three'])
  const page = await visit(client.viewer, postPage(cms, { client: client.clientId }))
  const picker = await pickerOn(page)
  await picker.frame.getByRole('button', { name: 'Sign in' }).focus()
  const [window] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await window.getByRole('button', { name: 'Go on' }).focus()
  await Promise.all([window.waitForEvent('close'), window.keyboard.press('Enter')])
  await picker.asset('Three').waitFor()
  await picker.frame.getByRole('searchbox').focus()
  // Past the filter to the list; the newest stands first.
  for (const key of [
    'Tab',
    'ArrowRight',
    'Space',
    'ArrowRight',
    'Enter',
    'ArrowLeft',
    'ArrowLeft',
    'Space',
    'Space',
  ])
    await page.keyboard.press(key)
  await picker.frame.getByText('2 chosen').waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => picker.picked.count()).toBe(2)
  expect((await picker.picked.allTextContents()).join()).toMatch(/^Two.*,Three/)

  const single = await pickerOn(page)
  await page.locator('asset-picker').evaluate((element) => element.removeAttribute('multiple'))
  await single.asset('One').click()
  await single.asset('Two').click()
  await single.frame.getByText('1 chosen').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('asset-picker').waitFor({ state: 'detached' })
  expect(await single.picked.count()).toBe(2)
})

test('a client’s own user, signed out, on a phone, in German, in the dark; and again when their login has ended', {
  tags: 'drill',
}, async () => {
  const client = await clientWith(['Terrasse', 'Hafen'])
  const email = `nora-${client.clientId}@example.com`
  const password = 'a long enough word 7'
  const clientIds = [client.clientId]
  const made = await world.admin.post('/admin/users', {
    email,
    password,
    name: 'Nora',
    role: 'client',
    clientIds,
  })
  await hasOwnPassword(world, email)
  const dark: Visit = { ...phone, colorScheme: 'dark' }
  const page = await visit(null, postPage(cms, { lang: 'de' }), dark)
  const picker = await pickerOn(page)
  async function signsIn() {
    const window = await picker.opensSignIn('Anmelden')
    await window.getByRole('textbox', { name: 'E-Mail' }).fill(email)
    await window.getByLabel('Passwort', { exact: true }).fill(password)
    await window.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await window.getByRole('heading', { name: /auswählen\?$/ }).waitFor()
    return window
  }
  const window = await signsIn()
  expect(await violations(window)).toEqual([])
  await Promise.all([window.waitForEvent('close'), window.getByRole('button', { name: 'Weiter' }).click()])
  await picker.asset('Terrasse').tap()
  await isDrawn(picker.asset('Hafen').locator('img'))
  expect(await violations(picker.its() as unknown as Page)).toEqual([])
  expect(await picker.its().evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(358)

  await world.admin.patch(`/admin/users/${made.body.userId}`, { isActive: false })
  await picker.frame.getByRole('searchbox').fill('Hafen')
  await picker.frame.getByText('Ihre Anmeldung ist zu Ende.').waitFor()
  await world.admin.patch(`/admin/users/${made.body.userId}`, { isActive: true })
  const later = await signsIn()
  await Promise.all([later.waitForEvent('close'), later.getByRole('button', { name: 'Weiter' }).click()])
  await picker.asset('Hafen').tap()
  await picker.frame.getByRole('button', { name: 'Verwenden' }).tap()
  await expect.poll(() => picker.picked.allTextContents()).toEqual([expect.stringMatching(/^Hafen: /)])
})

test('a page that nobody named shows nothing; and no other page of the library stands in a frame', async () => {
  const client = await clientWith(['Terrace'])
  const evil = await otherSite({
    '/frames': ['picker', 'app/', 'app/picker', `app/clients/${client.clientId}/assets`]
      .map((path) => `<iframe src="${site}/${path}"></iframe>`)
      .join(''),
  })
  const page = await visit(client.operator, postPage(evil, { client: client.clientId }))
  const refused: string[] = []
  page.on('console', (message) => void refused.push(message.text()))
  await page.getByRole('button', { name: 'Choose pictures' }).click()
  await expect.poll(() => refused.filter((text) => /frame-ancestors/.test(text)).length).toBe(1)
  await page.goto(`${evil}/frames`)
  await expect.poll(() => refused.filter((text) => /frame-ancestors/.test(text)).length).toBe(5)
  expect(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.url()),
  ).toEqual(Array(4).fill('chrome-error://chromewebdata/'))

  // Nor does it get a token by opening the window itself, in the name of a page that is named.
  const heard = await listensIn(page)
  await page.goto(`${evil}/frames`)
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(
      (address) => void open(address),
      `${site}/app/picker?embedder=${cms}&client=${client.clientId}`,
    ),
  ])
  await Promise.all([window.waitForEvent('close'), window.getByRole('button', { name: 'Go on' }).click()])
  expect(await heard()).toBe('[]')
  const [named] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(
      (address) => void open(address),
      `${site}/app/picker?embedder=${evil}&client=${client.clientId}`,
    ),
  ])
  await named.getByRole('button', { name: 'Go on' }).click()
  await named.getByText('That page may not show this library.').waitFor()
  await named.close()

  for (const path of [
    '/app/',
    '/app/picker',
    '/picker/asset-picker.js',
    '/docs',
    '/openapi.json',
    '/s/x',
    '/status',
  ])
    expect((await fetch(site + path)).headers.get('x-frame-options'), path).toBe('DENY')
  const framed = await fetch(`${site}/picker`)
  expect(framed.headers.get('x-frame-options')).toBe(null)
  expect(framed.headers.get('content-security-policy')).toMatch(new RegExp(`frame-ancestors ${cms}$`))
})

test('what others say to the frame, or in its name to the page, is not heard', async () => {
  const client = await clientWith(['Terrace'])
  const page = await visit(client.operator, postPage(cms, { client: client.clientId }))
  const picker = await pickerOn(page)
  const signIn = await picker.opensSignIn()
  await Promise.all([signIn.waitForEvent('close'), signIn.getByRole('button', { name: 'Go on' }).click()])
  await picker.asset('Terrace').waitFor()
  // A frame of somebody else beside it, which would have the answer for itself.
  const other = await otherSite({ '/': '<title>Advertisement</title>' })
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.src = src
    document.body.append(frame)
  }, other)
  await expect.poll(() => page.frames().some((frame) => frame.url() === `${other}/`)).toBe(true)
  const beside = page.frames().find((frame) => frame.url() === `${other}/`)!
  await beside.evaluate(() => {
    const got: unknown[] = []
    Object.assign(globalThis, { got })
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => got.push(data)
    const token = { pickerToken: 'cap_x', library: '/portal', expiresAt: '2999-01-01T00:00:00Z' }
    for (let i = 0; i < parent.frames.length; i++)
      if (parent.frames[i] !== window) {
        parent.frames[i]!.postMessage({ type: 'asset-picker', multiple: true }, '*', [port2])
        parent.frames[i]!.postMessage({ type: 'picker-token', token }, '*')
      }
    parent.postMessage(
      { type: 'pick', assets: [{ assetRef: 'asset_evil', title: 'Evil', altText: '' }] },
      '*',
    )
  })
  await picker.asset('Terrace').click()
  await picker.frame.getByRole('button', { name: 'Use this' }).click()
  await expect.poll(() => picker.picked.allTextContents()).toEqual([expect.stringMatching(/^Terrace: /)])
  expect(await beside.evaluate(() => (globalThis as unknown as { got: unknown[] }).got)).toEqual([])
})
