import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { app, cookieOf, hasAsset, libraryOn, surfaces } from './app.ts'

const { world, browser, site } = await app()
const text = /javascript|css|json|html/
const mostScript = 260_000

describe('the first load of a library', () => {
  test('travels compressed, and in few files', async () => {
    const client = await world.newClient()
    await hasAsset(client.operator, 'Terrace')
    const page = await someone('en-GB', cookieOf(client.operator))
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Network.enable')
    const uncompressed: string[] = []
    const asked = new Map<string, string>()
    let travelled = 0
    let script = 0
    cdp.on('Network.responseReceived', ({ requestId, response }) => {
      asked.set(requestId, response.mimeType)
      const { mimeType, url, headers } = response
      const encoded = Object.keys(headers).some((name) => name.toLowerCase() === 'content-encoding')
      if (
        text.test(mimeType) &&
        !encoded &&
        Number(headers['content-length'] ?? headers['Content-Length']) > 1500
      )
        uncompressed.push(url)
    })
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      travelled += asked.has(requestId) ? encodedDataLength : 0
      script += asked.get(requestId)?.includes('javascript') ? encodedDataLength : 0
    })
    await page.goto(surfaces[0]!.home(client))
    await libraryOn(page).asset('Terrace').waitFor()
    await page.evaluate(() => document.fonts.ready)
    expect(uncompressed).toEqual([])
    expect(script).toBeLessThan(mostScript)
    expect(travelled).toBeLessThan(380_000)
  })

  test.for(['en-GB', 'de-DE'])('has little script where people speak %s', async (locale) => {
    const client = await world.newClient()
    await hasAsset(client.operator, 'Terrace')
    const page = await someone(locale, cookieOf(client.operator))
    const scripts = scriptsOf(page)
    await page.goto(surfaces[0]!.home(client))
    await libraryOn(page).asset('Terrace').waitFor()
    const loaded = await scripts()
    expect(loaded.length).toBeLessThan(4)
    expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostScript)
  })
})

async function someone(locale: string, cookie: ReturnType<typeof cookieOf>): Promise<Page> {
  const context = await browser.newContext({ baseURL: site, locale })
  await context.addCookies([{ ...cookie, url: site }])
  return context.newPage()
}

/** How large each script is that came until now, as a proxy would compress it. */
function scriptsOf(page: Page): () => Promise<number[]> {
  const scripts: Promise<Buffer>[] = []
  const seen = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    // One that is fetched first is run from the browser's cache.
    if (!pathname.endsWith('.js') || seen.has(pathname)) return
    seen.add(pathname)
    const script = response.body()
    script.catch(() => {}) // what comes later may be cut off by the end of the test
    scripts.push(script)
  })
  return async () => (await Promise.all(scripts)).map((script) => gzipSync(script).length)
}
