import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import { corpus } from '../corpus.ts'
import { type Person, person } from '../person.ts'
import { ChromiumMissing, findChromium } from '../web/chromium.ts'
import { startProcess } from './process.ts'

/** Those of the corpus that are to be taken, and of our own one of each kind that browsers have trouble with. */
const films = [
  ...corpus
    .filter(({ claimedMime, expect }) => claimedMime === 'video/mp4' && expect === 'accept')
    .map(({ file }) => file),
  ...[
    'hevc-10bit-hlg',
    'hdr-orange',
    'rotated',
    'fragmented',
    'moov-at-end',
    'late-start',
    'impostor-quicktime',
  ].map((name) => fixturePath(`${name}.mp4`)),
]

let server: Awaited<ReturnType<typeof startProcess>>
let operator: Person
let page: Awaited<ReturnType<typeof openPage>> | undefined
beforeAll(async () => {
  server = await startProcess({}, { embedded: true })
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Films' })).body
  operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
  page = await openPage().catch((error) => {
    if (!(error instanceof ChromiumMissing)) throw error
    return undefined
  })
})
afterAll(async () => {
  await page?.context().browser()?.close()
  await server.stop()
})

async function openPage() {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  return browser.newPage()
}

test.for(films)('%s plays in Chromium through its copy', { timeout: 600_000 }, async (file, { skip }) => {
  skip(!page, 'there is no Chromium')
  const asset = await operator.uploads(await readFile(file), {
    session: { originalFilename: basename(file), mimeType: 'video/mp4' },
  })
  const at = `${operator.door.assets}/${asset.assetId}`
  await expect.poll(async () => (await operator.get(at)).body.media.state, { timeout: 120_000 }).toBe('ready')
  expect((await operator.post(`${at}/proxy`)).status).toBe(202)
  const state = async () => (await operator.get(`${at}/proxy/progress`)).body.state
  await expect.poll(state, { timeout: 300_000 }).not.toBe('waiting')
  skip((await state()) === 'no-encoder', 'nothing on this machine encodes films')
  const copy = Buffer.from(await (await operator.fetch(`${at}/proxy`)).arrayBuffer())
  const seen = await page!.evaluate(
    async (film) => {
      const video = document.createElement('video')
      video.muted = true
      video.src = film
      await video.play()
      await new Promise((resolve) => video.addEventListener('ended', resolve))
      return { width: video.videoWidth, height: video.videoHeight, seconds: video.duration }
    },
    `data:video/mp4;base64,${copy.toString('base64')}`,
  )
  expect(Math.min(seen.width, seen.height)).toBeLessThanOrEqual(720)
  expect(seen.width / seen.height).toBeCloseTo(asset.width! / asset.height!, 1)
  // It begins with the first picture or sound, however late that comes in the original.
  expect(seen.seconds).toBeGreaterThan(0.3)
  expect(seen.seconds).toBeLessThan(asset.durationSeconds! + 0.5)
})
