import { expect, test } from 'vitest'
import { app, cookieOf, hasAsset, libraryOn, surfaces } from './app.ts'

const { world, browser, site } = await app()
const text = /javascript|css|json|html/

test('the first load of a library travels compressed', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Terrace')
  const fresh = await browser.newContext({ baseURL: site })
  await fresh.addCookies([{ ...cookieOf(client.operator), url: site }])
  const first = await fresh.newPage()
  const cdp = await fresh.newCDPSession(first)
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
  await first.goto(surfaces[0]!.home(client))
  await libraryOn(first).asset('Terrace').waitFor()
  await first.evaluate(() => document.fonts.ready)
  expect(uncompressed).toEqual([])
  expect(script).toBeLessThan(260_000)
  expect(travelled).toBeLessThan(380_000)
})
