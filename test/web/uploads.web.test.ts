import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { faultProxy } from '../fault-proxy.ts'
import { png, pngOfSize } from '../pictures.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { freePort } from '../setup/postgres.ts'
import { app, fileOf, hasAsset, libraryOn, longWait, surfaces, violations } from './app.ts'

const MiB = 1024 ** 2
const shows = { timeout: longWait }

// The store is reached by a line that can be cut.
const port = await freePort()
const line = await faultProxy({ port })
afterAll(() => line.stop())
const { world, visit, site, browser } = await app({
  PORT: String(port),
  STORAGE_DISK_URL: `http://127.0.0.1:${line.port}`,
})
const operator = surfaces[0]!
const store = '**/objects/**'

describe('a storage failure is explained to the person who can put it right:', () => {
  const explanations = [
    {
      trouble: 'wrong credentials',
      title: 'Storage refused the upload',
      operatorReads: /access key id, the secret access key or the bucket name is wrong/,
      async open() {
        const r2 = await startR2Simulator()
        afterAll(() => r2.stop())
        return app(
          {
            STORAGE_ACCOUNT_ID: 'account',
            STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
            STORAGE_SECRET_ACCESS_KEY: 'not the secret of this bucket',
            STORAGE_BUCKET_NAME: r2.bucket,
            STORAGE_ENDPOINT: r2.endpoint,
          },
          browser,
        )
      },
    },
    {
      trouble: 'an origin that the CORS policy does not name',
      title: 'Storage is not reachable from this site',
      operatorReads: /library\.localhost:\d+ is missing from the bucket’s CORS policy/,
      open: async () => ({ world, visit, site: site.replace('localhost', 'library.localhost') }),
    },
    {
      trouble: 'settings that are missing',
      title: 'Storage is not configured',
      operatorReads: /Set STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and restart/,
      open: () => app({ STORAGE_ACCOUNT_ID: 'account', STORAGE_BUCKET_NAME: 'assets' }, browser),
    },
  ]
  describe.each(explanations)('$trouble', async ({ title, operatorReads, open }) => {
    const there = await open()
    const uploads = async ({ who, home }: (typeof surfaces)[number]) => {
      const client = await there.world.newClient()
      const library = libraryOn(await there.visit(who(client), home(client), { site: there.site }))
      await library.uploads([await fileOf('a.jpg')])
      await library.tray.getByText(title).first().waitFor()
      await library.tray.getByRole('button', { name: 'Try again', exact: true }).waitFor()
      return library.tray
    }
    test('to an operator with its remedy, to a client without', { tags: 'drill' }, async () => {
      const [operators, clients] = await Promise.all(surfaces.map(uploads))
      await operators!.getByText(operatorReads).waitFor()
      await clients!.getByText('Tell your administrator. Your files wait here.').waitFor()
      expect(await clients!.getByText(/STORAGE_|CORS|access key/).count()).toBe(0)
    })
  })
})

const folder = await mkdtemp(join(tmpdir(), 'large-'))
afterAll(() => rm(folder, { recursive: true }))
const panorama = (sizeBytes: number) => fileNamed('panorama.png', pngOfSize(sizeBytes))

async function fileNamed(name: string, bytes: Buffer): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, bytes)
  return file
}
const partSize = 8 * MiB
const partsUnderWay = 3

test('a line cut in the middle of parts costs these parts, and nothing that has arrived', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, operator.home(client)))
  const arrived: string[] = []
  library.page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.ok()) arrived.push(new URL(response.url()).pathname)
  })
  const fileSize = 5 * partSize
  const file = await panorama(fileSize)
  const before = line.carried()
  // It comes this far only with a fourth part begun, and hence one of the first three arrived and some half sent.
  const cut = line.cutAfter(partsUnderWay * partSize + 2 * MiB)
  await library.uploads([file])
  await cut
  // A browser may begin once more by itself, on another connection; that is cut, too.
  await line.cutAfter(2 * MiB)
  const sentTillCut = line.carried() - before
  await library.tray.getByText('1 file uploaded').waitFor({ timeout: 2 * longWait })
  await library.asset('panorama').waitFor()

  const sent = line.carried() - before
  expect(sent).toBeGreaterThan(fileSize + MiB)
  expect(sent).toBeLessThan(sentTillCut + fileSize - partSize + MiB)
  expect(sent - fileSize).toBeLessThan(partsUnderWay * partSize)
  expect(new Set(arrived).size).toBe(fileSize / partSize)
  expect(arrived).toHaveLength(fileSize / partSize)
  expect((await client.operator.lists()).body.assets).toMatchObject([{ sizeBytes: fileSize }])
})

test('a guest who reloads sends only what is missing, and reads later why it was declined', async () => {
  const file = await panorama(2 * partSize + MiB)
  const { operator: person, clientId } = await world.newClient()
  const beside = `/admin/clients/${clientId}`
  const asked = await person.post(`${beside}/upload-requests`, { title: 'Photos' })
  const path = new URL(asked.body.url).pathname
  const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }
  const page = await visit(null, path, phone)
  page.on('dialog', (dialog) => dialog.accept())
  let passed = 0
  await page.route(store, (route) => {
    if (route.request().method() === 'PUT' && ++passed > 2) return // the last one never arrives
    return route.continue()
  })
  await page.getByLabel('Your name').fill('Anna')
  const files = page.locator('input[type=file]')
  await files.setInputFiles(file)
  await expect.poll(() => passed, shows).toBe(3)

  await page.reload()
  await page.getByText('94 % sent. Choose the file again, and it goes on.').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Anna')
  expect(await violations(page)).toEqual([])
  await page.unroute(store)
  const before = line.carried()
  await files.setInputFiles(file)
  await page.getByText('1 of 1 sent').waitFor(shows)
  expect(line.carried() - before).toBeGreaterThan(MiB)
  expect(line.carried() - before).toBeLessThan(2 * MiB)

  const { body } = await person.get(`${beside}/waiting-room`)
  expect(body.files).toMatchObject([{ sizeBytes: 2 * partSize + MiB, sender: 'Anna' }])
  const uploadSessionIds = [body.files[0].uploadSessionId]
  await person.post(`${beside}/waiting-room/decline`, { uploadSessionIds, note: 'Too dark' })
  await page.reload()
  const declined = page.getByRole('listitem').filter({ hasText: 'panorama.png' })
  await declined.getByText('Not taken').waitFor()
  await declined.getByText('Too dark').waitFor()
  expect(await violations(page)).toEqual([])
  const elsewhere = await visit(null, path, phone)
  await elsewhere.getByRole('heading', { name: 'Photos' }).waitFor()
  expect(await elsewhere.getByText('Too dark').count()).toBe(0)
  await declined.getByRole('button', { name: 'Remove panorama.png' }).click()
  await declined.waitFor({ state: 'detached' })
})

test('a guest who reloads is told what was sent and what was not, and choosing all again sends nothing twice', async () => {
  const { operator: person, clientId } = await world.newClient()
  const beside = `/admin/clients/${clientId}`
  const asked = await person.post(`${beside}/upload-requests`, { title: 'Photos' })
  const page = await visit(null, new URL(asked.body.url).pathname)
  page.on('dialog', (dialog) => dialog.accept())
  let passed = 0
  await page.route(store, (route) => {
    if (route.request().method() === 'PUT' && ++passed > 1) return // no other arrives
    return route.continue()
  })
  const pictures = await Promise.all(
    ['a.png', 'b.png', 'c.png', 'd.png'].map((name, n) => fileNamed(name, png(3 + n, 3))),
  )
  await page.getByLabel('Your name').fill('Anna')
  await page.getByLabel('Note').fill('For the menu')
  const files = page.locator('input[type=file]')
  await files.setInputFiles(pictures)
  await page.getByText('1 of 4 sent').waitFor(shows)

  await page.reload()
  await page.getByText('1 of 4 sent').waitFor()
  await expect.poll(() => page.getByText('Choose the file again').count()).toBe(3)
  expect([
    await page.getByLabel('Your name').inputValue(),
    await page.getByLabel('Note').inputValue(),
  ]).toEqual(['Anna', 'For the menu'])
  await page.unroute(store)
  await files.setInputFiles(pictures)
  await page.getByText('4 of 4 sent').waitFor(shows)
  const { body } = await person.get(`${beside}/waiting-room`)
  expect(
    body.files.map((file: { originalFilename: string; note: string }) => file.originalFilename).sort(),
  ).toEqual(['a.png', 'b.png', 'c.png', 'd.png'])
  expect(new Set(body.files.map(({ note }: { note: string }) => note))).toEqual(new Set(['For the menu']))
})

test('a large file goes on after a reload, and only what is missing is sent', async () => {
  const file = await panorama(2 * partSize + MiB)
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, operator.home(client)))
  const { page } = library
  page.on('dialog', (dialog) => dialog.accept())

  let passed = 0
  await page.route(store, (route) => {
    if (route.request().method() === 'PUT' && ++passed > 2) return // the last one never arrives
    return route.continue()
  })
  const opened = page.waitForResponse((response) => response.url().endsWith('/upload-session'))
  await library.uploads([file])
  const { uploadSessionId } = await (await opened).json()
  const arrived = async () =>
    (await client.operator.get(`${client.operator.door.assets}/upload-session/${uploadSessionId}`)).body
      .multipart?.uploadedPartNumbers.length
  await expect.poll(arrived, shows).toBe(2)

  await page.reload()
  await library.tray.getByText('1 unfinished upload').waitFor()
  await page.unroute(store)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url())
  })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    library.tray.getByRole('button', { name: 'Choose file' }).click(),
  ])
  await chooser.setFiles(file)
  await library.tray.getByText('1 file uploaded').waitFor()
  await library.asset('panorama').waitFor()
  expect(sent).toHaveLength(1)
  expect((await client.operator.lists()).body.assets).toMatchObject([{ sizeBytes: 17 * MiB }])
})

test('an upload can be paused, described while it waits, and goes on', { tags: 'drill' }, async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.operator, operator.home(client)))
  await library.page.route(store, () => {}) // a store that takes its time
  await library.uploads([await fileOf('a.jpg', 'IMG_1.jpg')])
  await library.tray.getByRole('button', { name: 'Pause IMG_1.jpg' }).click()
  await library.tray.getByText('Paused · 0 of 1 uploaded').waitFor()

  await library.tray.getByRole('button', { name: 'Details of IMG_1.jpg' }).click()
  const dialog = library.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The terrace at noon')
  await dialog.getByRole('textbox', { name: 'Alt text' }).fill('Four tables under a vine')
  await dialog.getByRole('checkbox', { name: 'Website' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await library.page.unroute(store)
  await library.tray.getByRole('button', { name: 'Resume IMG_1.jpg' }).click()
  await library.asset('The terrace at noon').waitFor()
  expect((await client.operator.lists()).body.assets).toMatchObject([
    { title: 'The terrace at noon', altText: 'Four tables under a vine', allowedSurfaces: ['website'] },
  ])
})

test('a file that is here already is said to be, and the copy can go', async () => {
  const client = await world.newClient()
  const library = libraryOn(await visit(client.portal, surfaces[1]!.home(client)))
  await library.uploads([await fileOf('a.jpg', 'one.jpg')])
  await library.asset('one').waitFor()
  await library.uploads([await fileOf('a.jpg', 'two.jpg')])
  await library.tray.getByText('The same file is in the library already.').waitFor()
  await library.tray.getByRole('button', { name: 'Remove this one' }).click()
  await library.asset('two').waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await client.portal.lists()).body.assets, shows)
    .toEqual([expect.objectContaining({ title: 'one' })])
})

test('offline and back: uploads wait, news arrives', async () => {
  const client = await world.newClient()
  const me = client.portal
  await hasAsset(me, 'Terrace')
  const library = libraryOn(await visit(me, surfaces[1]!.home(client)))
  const { page } = library
  await library.asset('Terrace').waitFor()

  // What the page reads ahead is there: an entry is made of what has been loaded.
  await page.waitForFunction(() =>
    ['upload-tray', 'dialogs-', 'rest.en'].every((part) =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes(part)),
    ),
  )
  await page.context().setOffline(true)
  const banner = page.getByText('You are offline.')
  expect(await banner.innerText()).toMatch(
    /can read .* and choose files to upload\. Everything else works again once/,
  )
  await library.uploads([{ name: 'bread.png', mimeType: 'image/png', buffer: png(8, 8, [9, 9, 9]) }])
  await library.tray.getByRole('heading', { name: 'Waiting for the connection' }).waitFor()
  await library.asset('Terrace').click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Terrasse')
  await page.keyboard.press('Enter')
  await library.said('“Terrace” was not saved and is back as it was.').waitFor()
  await library.asset('Terrace').waitFor()
  await hasAsset(me, 'Lanterns')

  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await library.asset('bread').waitFor()
  await library.asset('Lanterns').waitFor()
})
