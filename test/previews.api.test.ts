import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MediaType } from '../contract/media-types.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { inMemory } from '../server/media/fixtures/fixture.ts'
import { openMedia } from '../server/media/media.ts'
import type { Person } from './person.ts'
import { refusal } from './refusal.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld()
const fixture = (name: string) => readFile(new URL(`../server/media/fixtures/${name}`, import.meta.url))

const uploads = async (person: Person, name: string, mimeType: MediaType) =>
  person.uploads(await fixture(name), { session: { originalFilename: name, mimeType } })

const preview = (person: Person, assetId: string, query = '', accept = 'image/webp') =>
  person.fetch(`${person.door.assets}/${assetId}/preview${query}`, { headers: { accept } })

test.each([
  ['plain.jpg', 'image/jpeg'],
  ['a.png', 'image/png'],
  ['a.webp', 'image/webp'],
  ['a.heic', 'image/heic'],
  ['a.mp4', 'video/mp4'],
] as const)('%s can be seen at once, in the format the caller takes', async (name, mimeType) => {
  const { portal } = await w.newClient()
  const { assetId } = await uploads(portal, name, mimeType)
  for (const [accept, format] of [
    ['image/webp,*/*', 'webp'],
    ['image/avif', 'heif'],
    ['*/*', 'jpeg'],
  ] as const) {
    const answer = await preview(portal, assetId, '?size=thumb', accept)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('private')
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(picture.format).toBe(format)
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(320)
  }
})

test('an unchanged preview is not sent again', async () => {
  const { operator } = await w.newClient()
  const { assetId } = await uploads(operator, 'plain.jpg', 'image/jpeg')
  const first = await preview(operator, assetId)
  const etag = first.headers.get('etag')!
  const again = await operator.fetch(`${operator.door.assets}/${assetId}/preview`, {
    headers: { accept: 'image/webp', 'if-none-match': etag },
  })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

const corners = {
  topLeft: [220, 40, 40],
  topRight: [40, 200, 60],
  bottomLeft: [40, 60, 220],
  bottomRight: [245, 245, 245],
}

/** The mean colour of each corner's patch, as a viewer sees it. */
async function cornersOf(bytes: ArrayBuffer) {
  const { data, info } = await sharp(Buffer.from(bytes))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return [...data.subarray(start, start + 3)]
  }
  return {
    topLeft: at(0.03, 0.03),
    topRight: at(0.97, 0.03),
    bottomLeft: at(0.03, 0.97),
    bottomRight: at(0.97, 0.97),
  }
}

const turned = {
  topLeft: corners.bottomLeft,
  topRight: corners.topLeft,
  bottomLeft: corners.bottomRight,
  bottomRight: corners.topRight,
}

test.each([
  ['plain.jpg', 'image/jpeg', [640, 480], corners],
  ['a.jpg', 'image/jpeg', [480, 640], turned],
  ['grid-irot-exif6.heic', 'image/heic', [480, 640], turned],
] as const)('%s is shown upright and in its colours', async (name, mimeType, size, expected) => {
  const { operator } = await w.newClient()
  const asset = await uploads(operator, name, mimeType)
  const bytes = await (await preview(operator, asset.assetId, '?size=card')).arrayBuffer()
  const { width, height } = await sharp(Buffer.from(bytes)).metadata()
  expect([width, height]).toEqual(size)
  const seen = await cornersOf(bytes)
  for (const corner of Object.keys(corners) as (keyof typeof corners)[]) {
    const off = Math.max(
      ...seen[corner].map((value, channel) => Math.abs(value - expected[corner][channel]!)),
    )
    expect(off, `${corner} of ${name}: ${seen[corner]}`).toBeLessThan(55)
  }
})

test.each([
  ['rotated.mp4', [360, 640]],
  ['moov-at-end.mp4', [640, 360]],
] as const)('%s has a poster as it is played', async (name, size) => {
  const { operator } = await w.newClient()
  const asset = await uploads(operator, name, 'video/mp4')
  expect([asset.width, asset.height]).toEqual(size)
  const { width, height } = await sharp(
    Buffer.from(await (await preview(operator, asset.assetId, '?size=card')).arrayBuffer()),
  ).metadata()
  expect([width, height]).toEqual(size)
})

test('a HEIC shows its own small picture at once and a better one when that is made', async () => {
  const { operator } = await w.newClient()
  const { assetId } = await uploads(operator, 'grid.heic', 'image/heic')
  const first = await preview(operator, assetId, '?size=thumb')
  expect(first.status).toBe(200)
  const width = async () => {
    const answer = await preview(operator, assetId, '?size=thumb')
    return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width
  }
  await expect.poll(width, { timeout: 90_000 }).toBe(320)
})

test('a crowd before a cold thumbnail gets whole pictures of one making', async () => {
  const { operator, clientId } = await w.newClient()
  const { assetId } = await uploads(operator, 'plain.jpg', 'image/jpeg')
  const answers = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const answer = await preview(operator, assetId, '?size=large', '*/*')
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200))
  expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  const made = await w.parts.db
    .selectFrom('derived_files')
    .select('name')
    .where('client_id', '=', clientId)
    .where('name', '=', 'preview-large.jpeg')
    .execute()
  expect(made).toHaveLength(1)
})

test('a decoder killed midway costs one answer at most; the next request succeeds', async () => {
  const { operator } = await w.newClient()
  const { assetId } = await uploads(operator, 'grid.heic', 'image/heic')
  const first = preview(operator, assetId, '?size=large', '*/*')
  for (const pid of await decoders()) process.kill(pid, 'SIGKILL')
  await first
  expect((await preview(operator, assetId, '?size=large', '*/*')).status).toBe(200)
})

test('after finalization everything is made, and the asset says so', async () => {
  const { operator } = await w.newClient()
  const picture = await uploads(operator, 'plain.jpg', 'image/jpeg')
  const film = await uploads(operator, 'a.mp4', 'video/mp4')
  expect(picture.media.state).toBe('pending')
  await expect
    .poll(async () => (await operator.reads(picture.assetId)).body.media.state, { timeout: 90_000 })
    .toBe('ready')
  await expect
    .poll(async () => (await operator.reads(film.assetId)).body.media.state, { timeout: 90_000 })
    .toBe('ready')

  const { body } = await operator.reads(film.assetId)
  expect(body.media).toMatchObject({
    placeholder: expect.any(String),
    storyboard: { frameCount: expect.any(Number) },
  })
  expect(body.details).toMatchObject({ videoCodec: 'h264', audioCodec: 'aac' })
  const storyboard = await operator.fetch(`${operator.door.assets}/${film.assetId}/storyboard`)
  const { columns, rows, frameWidth, frameHeight } = body.media.storyboard
  const sprite = await sharp(Buffer.from(await storyboard.arrayBuffer())).metadata()
  expect([sprite.width, sprite.height]).toEqual([columns * frameWidth, rows * frameHeight])

  expect((await preview(operator, film.assetId, '?size=thumb&frame=1')).status).toBe(200)
  expect((await preview(operator, film.assetId, '?size=thumb&frame=100')).status).toBe(404)
  expect((await preview(operator, picture.assetId, '?frame=1')).status).toBe(404)
})

test('each second of a film has a picture of its own, also between key frames', async () => {
  const { operator } = await w.newClient()
  const film = await readFile(new URL('../demo/files/crossing-the-harbour.mp4', import.meta.url))
  const { assetId } = await operator.uploads(film, {
    session: { originalFilename: 'crossing.mp4', mimeType: 'video/mp4' },
  })
  const pictures = await Promise.all(
    [0, 2, 6].map(async (frame) => {
      const answer = await preview(operator, assetId, `?size=thumb&frame=${frame}`)
      return Buffer.from(await answer.arrayBuffer()).toString('base64')
    }),
  )
  expect(new Set(pictures).size).toBe(3)
})

test('where a picture was taken is flagged, and no preview tells it', async () => {
  const { portal } = await w.newClient()
  const asset = await uploads(portal, 'a.jpg', 'image/jpeg')
  expect(asset.details.hasGps).toBe(true)
  const bytes = Buffer.from(
    await (await preview(portal, asset.assetId, '?size=large', 'image/jpeg')).arrayBuffer(),
  )
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()
})

test('a copy is told at finalization, and near-duplicates are found', async () => {
  const { operator } = await w.newClient()
  const first = await uploads(operator, 'plain.jpg', 'image/jpeg')
  const again = (await operator.uploads(await fixture('plain.jpg'), {
    session: { originalFilename: 'copy.jpg', mimeType: 'image/jpeg' },
  })) as typeof first & { duplicateOf: string | null }
  expect(again.duplicateOf).toBe(first.assetId)
  const recompressed = await operator.uploads(
    await sharp(await fixture('plain.jpg'))
      .jpeg({ quality: 60 })
      .toBuffer(),
    {
      session: { originalFilename: 'smaller.jpg', mimeType: 'image/jpeg' },
    },
  )
  await uploads(operator, 'a.webp', 'image/webp')

  const similar = async () =>
    (await operator.get(`${operator.door.assets}/${first.assetId}/similar`)).body.similar.map(
      ({ asset }: { asset: { assetId: string } }) => asset.assetId,
    )
  await expect
    .poll(similar, { timeout: 90_000 })
    .toEqual(expect.arrayContaining([again.assetId, recompressed.assetId]))
})

test('what cannot be decoded stays downloadable, says why, and can be tried again', async () => {
  const { operator, clientId } = await w.newClient()
  const asset = await uploads(operator, 'plain.jpg', 'image/jpeg')
  await expect
    .poll(async () => (await operator.reads(asset.assetId)).body.media.state, { timeout: 90_000 })
    .toBe('ready')
  await w.parts.db
    .updateTable('assets')
    .set({ media_state: 'failed', media_problem: 'The file is damaged.' })
    .where('client_id', '=', clientId)
    .execute()

  const refused = await operator.get(`${operator.door.assets}/${asset.assetId}/preview`)
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'unreadable-media', detail: expect.stringContaining('damaged') },
  })
  expect((await operator.get(`${operator.door.assets}/${asset.assetId}/content`)).status).toBe(200)
  const retried = await operator.post(`${operator.door.assets}/${asset.assetId}/media/retry`)
  expect(retried).toMatchObject({ status: 202, body: { media: { state: 'pending' } } })
  await expect
    .poll(async () => (await operator.reads(asset.assetId)).body.media.state, { timeout: 90_000 })
    .toBe('ready')
})

test('a target gets a file it takes: HEIC becomes an sRGB JPEG within its limits', async () => {
  const { agent } = await w.newClient()
  const asset = await uploads(agent, 'grid-irot-exif6.heic', 'image/heic')
  const { body } = await agent.get(`${agent.door.assets}/${asset.assetId}/fit`)
  expect(body.fits.find(({ target }: { target: string }) => target === 'instagram')).toMatchObject({
    verdict: 'convert',
  })

  const file = await agent.fetch(`${agent.door.assets}/${asset.assetId}/rendition?target=instagram`)
  expect(file.headers.get('content-type')).toBe('image/jpeg')
  const picture = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
  expect(picture).toMatchObject({ format: 'jpeg', space: 'srgb' })
  expect(picture.exif).toBeUndefined()
  expect(picture.width / picture.height).toBeGreaterThanOrEqual(0.79)

  const unknown = await agent.get(`${agent.door.assets}/${asset.assetId}/rendition?target=myspace`)
  expect(unknown.status).toBe(404)
})

test('a preview of what was never finalized is not there', async () => {
  const { operator } = await w.newClient()
  const { body } = await operator.opensUpload()
  const { assetId } = await uploads(operator, 'a.png', 'image/png')
  const absent = assetId.slice(0, -4) + (assetId.endsWith('0000') ? '1111' : '0000')
  expect((await operator.get(`${operator.door.assets}/${absent}/preview`)).status).toBe(404)
  expect((await operator.get(`${operator.door.assets}/${body.uploadSessionId}/preview`)).status).toBe(404)
})

async function decoders(): Promise<number[]> {
  const { readdir } = await import('node:fs/promises')
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const parent = /PPid:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1]
    if (command.includes('process/worker.ts') && Number(parent) === process.pid) found.push(Number(pid))
  }
  return found
}

test('a film that browsers do not play gets a copy that they do, once, by ranges, for its own client', {
  timeout: 180_000,
}, async ({ skip }) => {
  const { encoder } = await w.parts.media.capabilities()
  skip(encoder === 'none', 'nothing on this machine encodes films')
  const [client, other] = [await w.newClient(), await w.newClient()]
  const { operator, viewer, clientId } = client
  const { assetId, version } = await uploads(operator, 'hdr-orange.mp4', 'video/mp4')
  const web = await uploads(operator, 'a.mp4', 'video/mp4')
  const at = `${operator.door.assets}/${assetId}/proxy`
  const proxyOf = async (id: string) => (await operator.reads(id)).body.media.proxy
  const copy = (range?: string) => viewer.fetch(at, { headers: range ? { range } : {} })
  const ready = () =>
    expect.poll(() => proxyOf(assetId), { timeout: 120_000 }).toEqual({ state: 'ready', problem: null })
  await ready()
  const progress = await viewer.get(`${at}/progress`)
  expect(progress.body).toEqual({ state: 'ready', percent: null, problem: null })

  const whole = Buffer.from(await (await copy()).arrayBuffer())
  expect(await w.parts.media.inspect(inMemory(whole), 'video/mp4')).toMatchObject({
    videoCodec: 'h264',
    width: 160,
    height: 90,
  })
  const part = await copy('bytes=100-199')
  expect([part.status, part.headers.get('content-type'), part.headers.get('accept-ranges')]).toEqual([
    206,
    'video/mp4',
    'bytes',
  ])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200))
  expect(await other.operator.get(`${other.operator.door.assets}/${assetId}/proxy`)).toEqual(
    refusal('not-found'),
  )
  expect(await viewer.post(at)).toEqual(refusal('forbidden'))

  // One that plays has none until it is asked for, and a picture never has.
  await expect
    .poll(async () => (await operator.reads(web.assetId)).body.media.state, { timeout: 60_000 })
    .toBe('ready')
  expect(await proxyOf(web.assetId)).toBeNull()
  const { assetId: picture } = await operator.uploads()
  expect(await operator.post(`${operator.door.assets}/${picture}/proxy`)).toEqual(refusal('not-found'))

  // An object that is not as its row says is never sent, and is made anew.
  const row = () =>
    w.parts.db
      .selectFrom('derived_files')
      .innerJoin('asset_versions as v', (on) =>
        on
          .onRef('v.client_id', '=', 'derived_files.client_id')
          .onRef('v.asset_id', '=', 'derived_files.asset_id')
          .onRef('v.version', '=', 'derived_files.version'),
      )
      .select(['maker', 'object_prefix', 'name'])
      .where('derived_files.asset_id', '=', assetId)
      .where('name', '=', 'proxy.mp4')
      .executeTakeFirstOrThrow()
  const { maker, object_prefix } = await row()
  await w.parts.store.storageOf(clientId).delete([`${object_prefix}/proxy.mp4.${maker}`])
  expect((await copy()).status).toBe(503)
  expect((await copy()).status).toBe(503)
  await ready()
  expect((await row()).maker).not.toBe(maker)

  // A machine without an encoder says so, and all else stays.
  const none = openMedia({ scratchFolder: '/nowhere', ffmpeg: 'off', nodeAv: false })
  await w.parts.db
    .deleteFrom('derived_files')
    .where('asset_id', '=', assetId)
    .where('name', '=', 'proxy.mp4')
    .execute()
  await jobHandlers({ ...w.parts, media: none }).proxy({ clientId, assetId, version }, { last: false })
  await none.close()
  expect(await proxyOf(assetId)).toEqual({ state: 'no-encoder', problem: null })
  expect((await copy()).status).toBe(404)
  expect((await preview(viewer, assetId)).status).toBe(200)
})

test('pictures from before focal points were guessed get theirs, whatever is wrong with one of them', async () => {
  const clients = [await w.newClient(), await w.newClient()]
  const assets = await Promise.all(
    clients.flatMap(({ operator }) => [
      uploads(operator, 'plain.jpg', 'image/jpeg'),
      uploads(operator, 'plain.jpg', 'image/jpeg'),
    ]),
  )
  const [lost, ...others] = assets.map(({ assetId }) => assetId)
  const rows = (db: typeof w.parts.db) =>
    db
      .selectFrom('assets')
      .select(['id', 'media_state', 'focal_guess'])
      .where('id', 'in', [lost!, ...others])
  const guesses = async () =>
    Object.fromEntries((await rows(w.parts.db).execute()).map(({ id, focal_guess }) => [id, focal_guess]))
  await expect
    .poll(async () => (await rows(w.parts.db).execute()).every(({ media_state }) => media_state === 'ready'))
    .toBe(true)
  const before = await guesses()
  const { db, jobs } = w.parts
  await db
    .updateTable('assets')
    .set({ focal_guess: null })
    .where('id', 'in', [lost!, ...others])
    .execute()
  const versions = db.updateTable('asset_versions').set({ focal_guess: null, focal_tried: false })
  await versions.where('asset_id', 'in', others).execute()
  await versions.set({ object_prefix: 'assets/nowhere' }).where('asset_id', '=', lost!).execute()

  await db.transaction().execute((trx) => jobs.send(trx, 'focal', {}))
  await expect.poll(guesses).toEqual({ ...before, [lost!]: null })
  const left = db.selectFrom('asset_versions').select('asset_id').where('focal_tried', '=', false)
  expect(await left.where('asset_id', 'in', [lost!, ...others]).execute()).toEqual([])
})
