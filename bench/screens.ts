import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { aiPeer } from '../test/ai-peer.ts'
import { type Person, person } from '../test/person.ts'
import { freePort } from '../test/setup/postgres.ts'
import type { BrowserContextOptions, Page } from '../test/web/browser.ts'
import { openBrowser } from '../test/web/browser.ts'
import { login, serve } from './serve.ts'

/** Pictures of the main screens, from a server with the demo library, into docs/screens; of some: npm run screens -- 'zoom|guest'. */
const wanted = new RegExp(process.argv[2] ?? '')
const folder = fileURLToPath(new URL('../docs/screens/', import.meta.url))
const demo = fileURLToPath(new URL('../demo/files/', import.meta.url))
const largest = 300_000

const desk = { viewport: { width: 1440, height: 900 } }
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}
const dark = { colorScheme: 'dark' } as const
const german = { locale: 'de-DE' }
/** What is left of the desk when everything is this many times as large. */
const zoom = (times: number) => ({
  viewport: { width: desk.viewport.width / times, height: desk.viewport.height / times },
  deviceScaleFactor: times,
})

const data = await mkdtemp(join(tmpdir(), 'library-screens-'))
const port = await freePort()
const site = `http://localhost:${port}`
const ai = await aiPeer()
const server = await serve(port, {
  STORAGE_DISK_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: data,
  MEDIA_OCR: 'en,de',
  ...ai.environment,
})
const browser = await openBrowser()
await mkdir(folder, { recursive: true })

try {
  const admin = person(site, { cookie: await sessionOf(login) })
  const { clientId } = (await admin.get('/admin/clients')).body.clients[0]
  for (const name of ['Bolt Bakery', 'Corner Bookshop', 'Fjord Yoga', 'Lund Cycles'])
    await admin.post('/admin/clients', { name })
  const assets = `/admin/clients/${clientId}/assets`
  const operator = admin.at({ assets, events: '' })
  const owner = await peopleOf(admin, clientId)
  await previewsOf(operator)
  const all = (await operator.lists({ everywhere: true, sort: 'title' })).body.assets
  const titled = (word: RegExp) => all.find(({ title }: { title: string }) => word.test(title))
  const film = all.find(({ mimeType }: { mimeType: string }) => mimeType === 'video/mp4')
  const home = `/app/clients/${clientId}/assets`

  const shoot = async (
    name: string,
    who: Person | null,
    path: string,
    options: BrowserContextOptions,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ) => {
    if (!wanted.test(name)) return
    const context = await browser.newContext({
      ...desk,
      baseURL: site,
      locale: 'en-GB',
      timezoneId: 'Europe/Oslo',
      reducedMotion: 'reduce',
      ...options,
    })
    if (who) {
      const [cookie, value] = who.credentials.cookie!.split('=') as [string, string]
      await context.addCookies([{ name: cookie, value, url: site }])
    }
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    await page.goto(path)
    await prepare(page)
    await page.mouse.move(2, 2)
    await allDrawn(page)
    await keep(name, await page.screenshot())
    await context.close()
  }
  const heading = async (page: Page) => {
    await page.getByRole('heading').first().waitFor()
    // The stream of events never rests: what is not there by then does not come.
    await page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => undefined)
  }
  const grid = (page: Page) => page.getByRole('gridcell').first().waitFor()
  const shown = titled(/dawn/i) ?? all[0]

  await shoot('login', null, '/app/login', {}, (page) =>
    page.getByRole('button', { name: 'Sign in' }).waitFor(),
  )
  await shoot('clients', admin, '/app/clients', {}, (page) => page.getByRole('link').nth(4).waitFor())
  const everything = `${home}?type=image`
  await shoot('admin-light', admin, `${everything}&asset=${(titled(/night/i) ?? shown).assetId}`, {}, grid)
  await shoot('admin-dark', admin, everything, dark, grid)
  await shoot('portal', owner, '/app/portal/assets', {}, grid)
  await shoot(
    'details',
    admin,
    `${home}?folder=${shown.folderId}&asset=${shown.assetId}`,
    {},
    async (page) => {
      await grid(page)
      await page.getByRole('heading', { name: 'Tags' }).evaluate((heading) => heading.scrollIntoView())
      await page.getByRole('heading', { name: 'Fit per surface' }).waitFor()
    },
  )
  await shoot('list', admin, `${home}?view=list&type=image`, {}, grid)
  await shoot('quick-look', admin, `${home}?type=video`, {}, async (page) => {
    await page.getByRole('gridcell', { name: film.title }).dblclick()
    await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
      video.muted = true
      await video.play()
      while (video.currentTime < 2.5) await new Promise(requestAnimationFrame)
      video.pause()
    })
  })
  await shoot('move-dialog', admin, home, {}, async (page) => {
    await grid(page)
    const cells = page.getByRole('gridcell').filter({ has: page.locator('img') })
    await cells.nth(0).click()
    await cells.nth(1).click({ modifiers: ['ControlOrMeta'] })
    await page.keyboard.press('m')
    await page.getByRole('option', { name: 'Summer' }).click()
  })
  const details = `${home}?folder=${shown.folderId}&asset=${shown.assetId}`
  await shoot('german', admin, details, german, grid)
  await shoot('german-phone', owner, '/app/portal/assets', { ...phone, ...german }, async (page) => {
    await grid(page)
    await page.getByRole('gridcell').last().getByRole('button').last().tap()
    await page.getByRole('menuitem').first().waitFor()
  })
  await shoot('zoom-200', admin, everything, zoom(2), grid)
  await shoot('zoom-400', admin, everything, zoom(4), grid)
  await shoot(
    'zoom-400-dark',
    owner,
    '/app/portal/assets?view=list&type=image',
    { ...zoom(4), ...dark },
    grid,
  )
  await shoot('search-below', admin, `${home}?folder=${shown.folderId}&q=a&scope=below`, dark, grid)
  await shoot('users', admin, '/app/admin/users', {}, (page) => page.getByRole('table').waitFor())
  await shoot('connections', admin, `/app/clients/${clientId}/connections`, {}, (page) =>
    page.getByRole('heading').nth(1).waitFor(),
  )
  await shoot('phone', owner, '/app/portal/assets', phone, grid)
  await shoot('phone-dark', owner, '/app/portal/assets', { ...phone, ...dark }, async (page) => {
    await grid(page)
    await page.getByRole('button', { name: 'Upload', exact: true }).tap()
    await page.getByRole('button', { name: 'Camera' }).waitFor()
  })
  await shoot('error', admin, home, {}, async (page) => {
    await grid(page)
    await page.route('**/objects/**', (route) =>
      route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } }),
    )
    await chooses(page, ['winter-window.jpg', 'lanterns.jpg'])
    await page.getByText('Storage refused the upload').first().waitFor()
  })
  const client = `/app/clients/${clientId}`
  await shoot('share-links-empty', admin, `${client}/share-links`, dark, heading)
  const { url } = (
    await admin.post(`/admin/clients/${clientId}/share-links`, {
      title: 'Terrace and harbour',
      note: 'For the autumn brochure. Tell us by Friday which you like.',
      assetIds: all.slice(0, 9).map(({ assetId }: { assetId: string }) => assetId),
      allows: 'download',
      files: 'rendition',
    })
  ).body
  const shared = (page: Page) => page.getByRole('img').first().waitFor()
  await shoot('guest', null, url, {}, shared)
  await shoot('guest-phone-dark', null, url, { ...phone, ...dark }, shared)
  await shoot('guest-ended-german', null, url.slice(0, -2), { ...phone, ...german }, heading)
  const reviewed = (titled(/night/i) ?? shown).assetId
  await inReview(admin, owner, `/admin/clients/${clientId}`, [
    reviewed,
    ...all.slice(0, 3).map(({ assetId }: { assetId: string }) => assetId),
  ])
  const panel = `${home}?look=${reviewed}&panel=review`
  const said = (page: Page) => page.getByText('Could the lights be warmer').last().scrollIntoViewIfNeeded()
  await shoot('review-panel', admin, panel, {}, said)
  await shoot(
    'review-panel-german-phone',
    owner,
    panel.replace(home, '/app/portal/assets'),
    { ...phone, ...german },
    said,
  )
  await shoot('review', admin, `${client}/review`, {}, heading)
  await shoot(
    'review-german-phone-dark',
    owner,
    '/app/portal/review',
    { ...phone, ...german, ...dark },
    heading,
  )
  await shoot('notifications', owner, '/app/portal/assets', {}, async (page) => {
    await grid(page)
    await page.getByRole('button', { name: /^Notifications: \d+ unread/ }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor()
  })
  const asked = (
    await admin.post(`/admin/clients/${clientId}/upload-requests`, {
      title: 'Pictures of the summer party',
      note: 'Landscape, please, and as large as you have them.',
    })
  ).body.url
  const dropHere = (page: Page) => page.locator('.upload-drop').waitFor()
  await shoot('guest-upload', null, asked, {}, dropHere)
  await shoot('guest-upload-dark', null, asked, dark, dropHere)
  await shoot(
    'guest-upload-thanks-german',
    null,
    asked,
    { ...phone, ...german, viewport: { width: 375, height: 667 } },
    async (page) => {
      await page.getByLabel('Ihr Name').fill('Anna Lund')
      await page
        .locator('input[type=file]')
        .setInputFiles(['terrace.jpg', 'lanterns.jpg'].map((file) => join(demo, file)))
      await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
    },
  )
  const waiting = (page: Page) => page.getByRole('heading', { name: /2 files|2 Dateien/ }).waitFor()
  await shoot('waiting-room', admin, `${client}/share-links`, {}, waiting)
  await shoot('waiting-room-german-phone', owner, '/app/portal/share-links', { ...phone, ...german }, waiting)
  await shoot('share-links', admin, `${client}/share-links`, {}, heading)
  await shoot('activity', admin, `${client}/activity`, {}, heading)
  await shoot('activity-german-phone', owner, '/app/portal/activity', { ...phone, ...german }, heading)
  await shoot('settings', admin, `${client}/settings`, {}, heading)
  await shoot('account', admin, '/app/account', dark, heading)
  await shoot('account-german-phone', owner, '/app/account', { ...phone, ...german }, heading)
  await shoot('second-factor', admin, '/app/account', {}, async (page) => {
    await page.getByRole('button', { name: 'Set up an app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=password]').fill(login.password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('img').first().waitFor()
  })
  await shoot('notification-settings-phone', owner, '/app/account', phone, async (page) => {
    await heading(page)
    await page.getByRole('heading', { name: 'Notifications' }).evaluate((it) => it.scrollIntoView())
  })
  await shoot('forgot-password-phone', null, '/app/forgot-password', phone, heading)
  const filtering = (page: Page) => page.getByRole('button', { name: 'More filters' }).click()
  await shoot('filters', admin, `${home}?type=image&orientation=landscape`, {}, async (page) => {
    await grid(page)
    await filtering(page)
  })
  await shoot(
    'filters-phone-dark',
    owner,
    '/app/portal/assets?type=image',
    { ...phone, ...dark },
    async (page) => {
      await grid(page)
      await page.getByRole('button', { name: 'More filters' }).tap()
    },
  )
  await shoot('nothing-found', admin, `${home}?q=zeppelin&orientation=square`, {}, heading)
  const inCollection = await admin.post(`/admin/clients/${clientId}/collections`, {
    name: 'Autumn brochure',
    assetIds: all.slice(2, 8).map(({ assetId }: { assetId: string }) => assetId),
  })
  const collection = `collection=${inCollection.body.collectionId}`
  await shoot('collection', admin, `${home}?${collection}`, {}, grid)
  await shoot('collection-phone', owner, `/app/portal/assets?${collection}`, { ...phone, ...german }, grid)
  await operator.uploads(await readFile(join(demo, 'terrace.jpg')), {
    session: { originalFilename: 'terrace copy.jpg', mimeType: 'image/jpeg' },
    words: { title: 'Terrace, once more', altText: 'Tables in the evening sun' },
  })
  await shoot('duplicates', admin, `${client}/duplicates`, {}, heading)
  await shoot('duplicates-phone-dark', owner, '/app/portal/duplicates', { ...phone, ...dark }, heading)
  const read = titled(/opening|hours/i)
  while (read && (await admin.get(`${assets}/${read.assetId}`)).body.pictureText === null)
    await new Promise((resolve) => setTimeout(resolve, 500))
  await shoot('words-in-picture', admin, `${home}?asset=${read?.assetId}`, {}, async (page) => {
    await page
      .getByRole('region', { name: 'Words in the picture' })
      .evaluate((words) => words.scrollIntoView({ block: 'center' }))
  })
  await shoot('consent', admin, `${client}/settings`, {}, toConsent)
  const consent = `/admin/clients/${clientId}/suggestion-settings`
  await admin.put(consent, { mode: 'on-request', language: 'en', consentedTo: ['pictures'] })
  await shoot(
    'consent-to-more-phone-dark',
    admin,
    `${client}/settings`,
    { ...phone, ...dark, ...german },
    toConsent,
  )
  await admin.put(consent, { mode: 'on-request', language: 'en' })
  const suggestions = `/admin/clients/${clientId}/suggestions`
  const { runId } = (await admin.post(`${suggestions}/runs`, { search: { everywhere: true } })).body
  while ((await admin.get(`${suggestions}/runs/${runId}`)).body.state === 'running')
    await new Promise((resolve) => setTimeout(resolve, 500))
  const suggested = (page: Page) => page.getByText('A square that is red all over.').first().waitFor()
  await shoot('texts', admin, `${client}/texts`, {}, suggested)
  await shoot('texts-german-phone', owner, '/app/portal/texts', { ...phone, ...german }, suggested)
  await shoot('suggestions', admin, details, dark, async (page) => {
    await suggested(page)
    await page.getByText('A square that is red all over.').first().scrollIntoViewIfNeeded()
  })
  const similar = (page: Page) =>
    page
      .getByText(/Similar in meaning|Ähnliche Bedeutung/)
      .first()
      .waitFor()
  const meant = 'q=harbour'
  await shoot('meaning', admin, `${home}?${meant}`, {}, similar)
  await shoot(
    'meaning-phone-dark',
    owner,
    `/app/portal/assets?${meant}`,
    { ...phone, ...dark, ...german },
    similar,
  )
  await shoot('everything', admin, everything, dark, async (page) => {
    await grid(page)
    await page.getByRole('gridcell').first().click()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Suggest texts' }).waitFor()
  })
  const { folderId } = await operator.makesFolder('Autumn')
  await shoot('empty', admin, `${home}?folder=${folderId}`, {}, (page) =>
    page.getByText('Drop files here').waitFor(),
  )
  const assetIds = all.slice(-3).map(({ assetId }: { assetId: string }) => assetId)
  await operator.post(`${assets}/batch`, { assetIds, action: 'move', folderId })
  await operator.deletesFolder(folderId)
  for (const asset of all.filter(({ folderId }: { folderId: string }) => folderId).slice(0, 4))
    await operator.trashes(asset.assetId)
  await shoot('trash', admin, `${home}?folder=trash`, {}, async (page) => {
    await page.getByRole('gridcell').nth(1).click()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
  })
  await shoot('trashed-folder', admin, `${home}?folder=trash`, dark, async (page) => {
    await page
      .getByRole('gridcell', { name: /^Folder/ })
      .first()
      .dblclick()
    await page.getByRole('button', { name: /^Restore/ }).waitFor()
  })
  await shoot('audit-trail', admin, '/app/admin/audit', {}, (page) => page.getByRole('row').nth(6).waitFor())
  await shoot('audit-trail-german-phone', admin, '/app/admin/audit', { ...phone, ...german }, (page) =>
    page.getByRole('row').nth(6).waitFor(),
  )
  await shoot('uploads-in-flight', admin, home, {}, async (page) => {
    await grid(page)
    await slowLine(page, 60_000)
    await chooses(page, [
      'harbour-at-night.jpg',
      'crossing-the-harbour.mp4',
      'terrace.jpg',
      'lanterns.jpg',
      'logo.webp',
    ])
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/[3-9]\d %/)
      .first()
      .waitFor()
  })
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  await rm(data, { recursive: true, force: true })
}

function toConsent(page: Page) {
  const consent = page.getByRole('region', { name: /Use of AI|Einsatz von KI/ })
  return consent.evaluate((region) => region.scrollIntoView({ block: 'end' }))
}

async function sessionOf(who: { email: string; password: string }): Promise<string> {
  const { headers } = await person(site, {}).post('/auth/login', who)
  return headers.get('set-cookie')!.split(';')[0]!
}

/** The agency's people and the client's own, who is returned. */
async function peopleOf(admin: Person, clientId: string): Promise<Person> {
  const password = 'a-long-and-quiet-password'
  for (const [name, role] of [
    ['Ola Berg', 'operator'],
    ['Mira Falk', 'viewer'],
    ['Jonas Vik', 'client'],
  ] as const)
    await admin.post('/admin/users', {
      name,
      role,
      password,
      email: `${name.split(' ')[0]!.toLowerCase()}@harbour.agency`,
      clientIds: [clientId],
    })
  const cookie = await sessionOf({ email: 'jonas@harbour.agency', password })
  await person(site, { cookie }).post('/auth/password', { current: password, next: `${password}-of-my-own` })
  return person(site, { cookie }, { assets: '/portal/assets', events: '/portal/events' })
}

/** The agency asks, the client's owner answers, and is spoken to. */
async function inReview(admin: Person, owner: Person, root: string, assetIds: string[]): Promise<void> {
  const [first, second] = assetIds as [string, string]
  const { id } = (await owner.get('/auth/me')).body
  await admin.post(`${root}/reviews`, { assetIds })
  const { body } = await owner.post(`/portal/assets/${first}/comments`, {
    text: 'Could the lights be warmer here?',
    pin: { x: 0.3, y: 0.4 },
  })
  await admin.post(`${root}/assets/${first}/comments`, {
    text: 'Yes. I will send a new one tomorrow, Jonas.',
    threadId: body.commentId,
    mentions: [id],
  })
  await owner.post(`/portal/assets/${first}/comments`, { text: 'Lovely light.', pin: { x: 0.7, y: 0.6 } })
  await owner.put(`/portal/assets/${second}/approval`, { version: 1, decision: 'approved' })
  while ((await owner.get('/notifications')).body.notifications.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 300))
}

async function previewsOf(operator: Person): Promise<void> {
  for (;;) {
    const { assets } = (await operator.lists({ everywhere: true })).body
    if (
      assets.length > 0 &&
      assets.every(({ media }: { media: { state: string } }) => media.state !== 'pending')
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function chooses(page: Page, files: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Files…' }).click()
  await (await chooser).setFiles(files.map((file) => join(demo, file)))
}

async function slowLine(page: Page, bytesPerSecond: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

/** Every picture in sight is there, and so are the letters. */
async function allDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

async function keep(name: string, screenshot: Buffer): Promise<void> {
  const whole = await sharp(screenshot).png({ effort: 10, compressionLevel: 9 }).toBuffer()
  const fewer = await sharp(screenshot)
    .png({ palette: true, quality: 95, dither: 0.8, effort: 10 })
    .toBuffer()
  const kept = whole.length < largest / 2 ? whole : fewer
  await writeFile(join(folder, `${name}.png`), kept)
  console.log(
    `${name}.png  ${Math.round(kept.length / 1000)} kB${kept.length > largest ? '  TOO LARGE' : ''}`,
  )
}
