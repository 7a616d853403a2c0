import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { type Person, person } from '../test/person.ts'
import { png } from '../test/pictures.ts'
import { freePort, startPostgres } from '../test/setup/postgres.ts'
import type { Page, Response } from '../test/web/browser.ts'
import { openBrowser } from '../test/web/browser.ts'
import { seededClient } from './million-seed.ts'
import { cpuOf } from './page-costs.ts'
import { seedClient, seededId } from './seed.ts'
import { login, serve } from './serve.ts'
import { type Large, largeLibrary } from './web-large.ts'

/**
 * What the web app costs a browser: script to load, CPU of the main thread while a million assets pass by and while
 * files are uploaded, the time until the first picture, and what a million assets cost beside two thousand. CPU is counted by the thread's own clock, so that a
 * busy machine does not change it.
 */
const assetCount = process.argv.map(Number).find((count) => count > 0) ?? 1_000_000
const smallCount = 2000
const rowsMeasured = 400
const filesUploaded = 200

// A folder that is named stays, and what was seeded in it is measured again: npm run bench:web -- /var/tmp/bench
const kept = process.argv.slice(2).find(isAbsolute)
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'library-bench-web-')))
await mkdir(folder, { recursive: true })
const postgres = await startPostgres(['-c', 'synchronous_commit=off'], kept && join(kept, 'postgres'))
if (postgres.isNew) await postgres.admin('create database bench')
const databaseUrl = `${postgres.url}/bench`
const port = await freePort()
const site = `http://localhost:${port}`
const server = await serve(port, {
  STORAGE_DISK_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: databaseUrl,
  DEMO: 'false',
})
const browser = await openBrowser()
const misses: string[] = []

try {
  const cookie = (await person(site, {}).post('/auth/login', login)).headers.get('set-cookie')!.split(';')[0]!
  const admin = person(site, { cookie })
  const small = await seededWith(admin, smallCount)
  const large = await seededWith(admin, assetCount)
  const few = await newClient(admin, 'Few')
  const { assetId } = await admin
    .at({ assets: `/admin/clients/${few}/assets`, events: '' })
    .uploads(await readFile(fixturePath('a.jpg')), {
      session: { originalFilename: 'a.jpg', mimeType: 'image/jpeg' },
    })
  await hasPreview(admin, `/admin/clients/${few}/assets/${assetId}`)

  await firstLoad(cookie, few)
  await largeLibrary(() => pageWithPictures(cookie), small, large, report)
  await scrolling(cookie, large.path)
  await uploading(cookie, await newClient(admin, 'Uploads'))
  console.log(misses.length ? `\nmissed: ${misses.join(', ')}` : '\nall targets met')
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  await postgres.stop()
  if (!kept) await rm(folder, { recursive: true, force: true })
}

/** A library with so many assets in one folder: that of last time where the database was kept. */
async function seededWith(admin: Person, count: number): Promise<Large> {
  const name = `${count} assets`
  const known = await seededClient(databaseUrl, name)
  const clientId = known ?? (await newClient(admin, name))
  if (!known) await seedClient(databaseUrl, clientId, count)
  const { folders } = (await admin.get(`/admin/clients/${clientId}/assets`)).body
  const { folderId } = folders[0]
  return {
    path: `/app/clients/${clientId}/assets?folder=${folderId}`,
    count,
    assetId: seededId(folderId, count / 2),
  }
}

async function firstLoad(cookie: string, clientId: string): Promise<void> {
  const page = await newPage(cookie)
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response: Response) => {
    if (response.url().endsWith('.js')) scripts.set(response.url(), response.body())
  })
  await page.addInitScript(() => {
    const note = (what: 'shown' | 'seen') => {
      document.documentElement.dataset[what] ??= String(performance.now())
    }
    new MutationObserver(() => {
      if (document.querySelector('[role=gridcell]')) note('shown')
    }).observe(document, { childList: true, subtree: true })
    document.addEventListener(
      'load',
      (event) => {
        const picture = event.target as Element
        if (picture.matches?.('[role=gridcell] img')) note('seen')
      },
      true,
    )
  })
  const cpu = await cpuOf(page)
  await page.goto(`/app/clients/${clientId}/assets`)
  const seen = page.locator('html[data-seen]')
  await seen.waitFor()
  const used = await cpu()
  // What is asked for once the library is shown is for later.
  const needed = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < Number(document.documentElement.dataset.shown))
      .map(({ name }) => name),
  )
  // One that is fetched first is run from the browser's cache.
  const loaded = await Promise.all([...new Set(needed)].flatMap((url) => scripts.get(url) ?? []))
  const total = loaded.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000
  report('script of the first load, gzip', `${total.toFixed(0)} kB`, total <= 260, '≤ 260 kB')
  const moment = Number(await seen.getAttribute('data-seen'))
  report('time to the first picture', `${moment.toFixed(0)} ms, ${used.toFixed(0)} ms of it CPU`)
  await page.context().close()
}

async function scrolling(cookie: string, path: string): Promise<void> {
  const page = await pageWithPictures(cookie)
  await page.goto(path)
  await page.getByRole('gridcell').first().waitFor()
  const reads = async (from: string) => {
    const cpu = await cpuOf(page)
    const passed = await scroll(page, rowsMeasured)
    const perRow = (await cpu()) / passed
    report(`CPU per row, reading on from ${from}`, `${perRow.toFixed(1)} ms`, perRow <= 25, '≤ 25 ms')
  }
  await reads('the top')
  await page.getByRole('grid').evaluate((grid) => {
    grid.scrollTop = grid.scrollHeight / 2
  })
  await reads('the middle')
  await page.context().close()
}

/** Row by row, one each frame; what was passed is counted by where the list stands in the end. */
function scroll(page: Page, rows: number): Promise<number> {
  return page.getByRole('grid').evaluate(async (grid, count) => {
    const row = grid.querySelector<HTMLElement>('[role=row]:last-child')!
    const height = row.getBoundingClientRect().height + 16
    let passed = 0
    for (let frames = 0; passed < count && frames < count * 20; frames++) {
      const before = grid.scrollTop
      grid.scrollTop += height
      passed += Math.abs(grid.scrollTop - before) / height
      await new Promise(requestAnimationFrame)
    }
    return passed
  }, rows)
}

async function uploading(cookie: string, clientId: string): Promise<void> {
  const page = await newPage(cookie)
  await page.goto(`/app/clients/${clientId}/assets`)
  const upload = page.getByRole('button', { name: 'Upload', exact: true }).first()
  await upload.click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Files…' }).click()
  const files = Array.from({ length: filesUploaded }, (_, n) => ({
    name: `picture ${n}.png`,
    mimeType: 'image/png',
    buffer: png(32, 24, [n & 255, 90, n >> 8]),
  }))
  const cpu = await cpuOf(page)
  await (await chooser).setFiles(files)
  await page.getByRole('heading', { name: `${filesUploaded} files uploaded` }).waitFor({ timeout: 600_000 })
  report('CPU per upload of a small file', `${((await cpu()) / filesUploaded).toFixed(1)} ms`)
  await page.context().close()
}

async function newPage(cookie: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  })
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: site }])
  context.setDefaultTimeout(120_000)
  return context.newPage()
}

/** The rows that were seeded have no objects behind them: every tile gets the same picture. */
async function pageWithPictures(cookie: string): Promise<Page> {
  const page = await newPage(cookie)
  const picture = await readFile(fixturePath('orient-1.jpg'))
  await page.route('**/preview?*', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }))
  return page
}

async function newClient(admin: Person, name: string): Promise<string> {
  return (await admin.post('/admin/clients', { name, quotaBytes: 1e12 })).body.clientId
}

async function hasPreview(admin: Person, asset: string): Promise<void> {
  while ((await admin.get(asset)).body.media.state === 'pending')
    await new Promise((resolve) => setTimeout(resolve, 200))
}

function report(what: string, figure: string, met = true, target = ''): void {
  if (!met) misses.push(what)
  console.log(`${met ? 'ok  ' : 'MISS'}  ${what.padEnd(46)}${figure.padStart(46)}  ${target}`)
}
