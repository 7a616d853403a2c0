import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { drain, familyCpu, hit, inTurns, load, memoryMb } from './load.ts'
import type { Ring } from './ring.ts'
import { share } from './share.ts'

export async function mediaBench(ring: Ring): Promise<void> {
  const client = await ring.newClient('media')
  const assets = `${ring.ours.url}/admin/clients/${client}/assets`
  const headers = { cookie: ring.cookie, accept: 'image/webp' }
  const upload = async (bytes: Buffer, name: string, mimeType: string): Promise<string> => {
    const post = async (path: string, body: object) =>
      JSON.parse(
        (
          await hit({
            url: assets + path,
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).body.toString(),
      )
    const session = await post('/upload-session', {
      originalFilename: name,
      mimeType,
      expectedSizeBytes: bytes.length,
    })
    await hit({ url: session.uploadUrl, method: 'PUT', body: bytes })
    const { assetId, ...rest } = await post('/upload-session/finalize', { uploadToken: session.uploadToken })
    if (!assetId) throw new Error(JSON.stringify(rest))
    return assetId
  }
  const preview = (id: string, size = 'thumb') =>
    hit({ url: `${assets}/${id}/preview?size=${size}`, headers })

  const photo = await twelveMegapixels()
  const path = join(ring.folder, 'photo.jpg')
  await writeFile(path, photo)
  const cold: string[] = []
  for (let n = 0; n < 300; n++) cold.push(await upload(photo, 'photo.jpg', 'image/jpeg'))

  const bare = (callers: number) =>
    load(ring.floor.pid, 3, callers, () => hit({ url: `${ring.floor.url}/cold?path=${path}`, headers }))
  const mine = (callers: number) =>
    load(ring.ours.pid, 2.5, callers, () => preview(cold.pop() ?? fail('Too few cold pictures')))
  // Two processes decode, and each compiles what it is asked most in its first twenty.
  for (let n = 0; n < 40; n++) await preview(cold.pop()!)
  const { bare: base, ours } = await inTurns(3, { bare: () => bare(4), ours: () => mine(4) })
  share(ring, 'cold thumbnail of a 12 MP photo', ours, base, 1)

  // The first crowd opens connections to the database; the best of several is the truest here, too.
  const alone = await leastCpu(ring, async () => [await preview(cold.pop()!)])
  const together = await leastCpu(ring, async () => {
    const crowd = cold.pop()!
    const answers = await Promise.all(Array.from({ length: 24 }, () => preview(crowd)))
    const whole = answers.filter(
      ({ status, body }) => status === 200 && body.equals(answers[0]!.body) && body.length > 1000,
    )
    if (whole.length < 24) throw new Error(`${24 - whole.length} of 24 viewers got a wrong picture`)
  })
  const crowdRatio = together / alone
  ring.report(
    '24 viewers of one cold thumbnail',
    `${together.toFixed(0)} vs ${alone.toFixed(0)} ms CPU, 24 whole pictures`,
    crowdRatio,
    '≤ 2 × the CPU of one',
    crowdRatio <= 2,
  )

  const thumb = join(ring.folder, 'thumb.webp')
  const one = cold.pop()!
  await writeFile(thumb, (await preview(one)).body)
  const ask = (pid: number, url: string) => () =>
    ring.loader.ask(pid, [{ url, headers }], { seconds: 3, callers: 8 })
  const warm = await inTurns(4, {
    floor: ask(ring.floor.pid, `${ring.floor.url}/warm?path=${thumb}`),
    ours: ask(ring.ours.pid, `${assets}/${one}/preview?size=thumb`),
  })
  share(ring, 'warm thumbnail', warm.ours, warm.floor, 1)

  await originals(ring, upload, assets, headers)
  const fixture = (name: string) => readFile(new URL(`../server/media/fixtures/${name}`, import.meta.url))
  for (const [name, type] of [
    ['grid.heic', 'image/heic'],
    ['a.mp4', 'video/mp4'],
  ] as const) {
    const id = await upload(await fixture(name), name, type)
    const start = performance.now()
    const { status } = await preview(id, 'large')
    console.log(
      `      ${name}: large preview, cold, ${(performance.now() - start).toFixed(0)} ms (${status})`,
    )
  }
  console.log(`      API process after all of it: ${(await memoryMb(ring.ours.pid)).toFixed(0)} MB`)
}

async function originals(
  ring: Ring,
  upload: (bytes: Buffer, name: string, type: string) => Promise<string>,
  assets: string,
  headers: Record<string, string>,
) {
  const film = await paddedFilm(100 * 1024 * 1024)
  const path = join(ring.folder, 'film.mp4')
  await writeFile(path, film)
  const id = await upload(film, 'film.mp4', 'video/mp4')
  const of = (url: string) => async () => ({ status: 200, bytes: await drain({ url, headers }) })
  const figures = await inTurns(3, {
    floor: () => load(ring.floor.pid, 2, 1, of(`${ring.floor.url}/file?path=${path}`)),
    ours: () => load(ring.ours.pid, 2, 1, of(`${assets}/${id}/content`)),
  })
  share(ring, '100 MB original', figures.ours, figures.floor, 1)
}

/** Of the server and its decoding processes, in milliseconds: the kernel counts in tens, so over five rounds, thrice. */
async function leastCpu(ring: Ring, work: () => Promise<unknown>): Promise<number> {
  const figures: number[] = []
  for (let time = 0; time < 3; time++) {
    const before = await familyCpu(ring.ours.pid)
    for (let round = 0; round < 5; round++) await work()
    figures.push(((await familyCpu(ring.ours.pid)) - before) / 5)
  }
  return Math.min(...figures)
}

/** A drawn street with the grain of a camera on it: as hard to decode as a real photo, and not flat when small. */
export async function twelveMegapixels(): Promise<Buffer> {
  const size = { width: 4000, height: 3000 }
  const grain = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const noise = await sharp({ create: { ...size, channels: 3, background: '#888', noise: grain } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(await readFile(new URL('../demo/files/our-street.jpg', import.meta.url)))
    .resize({ ...size, fit: 'cover' })
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** A real film made long by a box that players skip. */
async function paddedFilm(sizeBytes: number): Promise<Buffer> {
  const film = await readFile(new URL('../server/media/fixtures/a.mp4', import.meta.url))
  const padding = Buffer.alloc(sizeBytes - film.length)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  return Buffer.concat([film, padding])
}

function fail(why: string): never {
  throw new Error(why)
}
