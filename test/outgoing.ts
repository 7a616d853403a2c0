import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import type { Fit } from '../contract/assets.ts'
import type { MediaType } from '../contract/media-types.ts'
import type { Surface } from '../contract/words.ts'
import { filmNotes } from '../server/media/films/film-notes.ts'
import type { Target } from '../server/publishing/target.ts'
import { anyOf, targets } from '../server/publishing/targets.ts'
import { json, peer } from './delivery-peers.ts'
import { type Sample, secret } from './outgoing-samples.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const all: Target[] = [...targets, ...Object.values(anyOf)]

const notes = ['GPSLatitude', '+48.8584', 'Canon', 'Lavf59', '<script', secret]

const receiver = await peer(({ body }, response) => json(response, { id: String(body.length) }))

const client = await w.newClient()
const at = `/admin/clients/${client.clientId}`
const { body: connection } = await w.admin.post(`${at}/connections`, {
  kind: 'webhook',
  name: 'Receiver',
  settings: { url: receiver.url, honoursIdempotencyKey: true },
  secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
})

/** With the previews comes the guess where to crop. */
const hasPreviews = (assetId: string) =>
  // Not `expect.poll`, which asks for the one test that runs.
  vi.waitFor(
    async () => expect((await client.operator.reads(assetId)).body.media.state).not.toBe('pending'),
    { timeout: 180_000, interval: 400 },
  )

/** Each file × every target: what is said beforehand is what is sent, and the same whichever way it takes. */
export function sendsWhatItSays(samples: Sample[], isDelivered: (sample: Sample) => boolean) {
  test.concurrent.for(samples.map((sample) => [sample.name, sample] as const))(
    '%s',
    { timeout: 400_000 },
    async ([, sample]) => {
      const asset = await client.operator.uploads(sample.bytes, {
        session: { originalFilename: sample.name, mimeType: sample.mimeType },
        words: { title: sample.name },
      })
      await hasPreviews(asset.assetId)
      const answer = await client.agent.get(`${client.agent.door.assets}/${asset.assetId}/fit`)
      const { fits } = answer.body as { fits: Fit[] }
      const [deliveries, sent] = await Promise.all([
        isDelivered(sample) ? deliveriesOf(asset.assetRef) : new Map<string, string>(),
        Promise.all(
          all.map(async (target) => {
            const rendition = await takes(asset.assetId, target)
            return { target, rendition, granted: await pulls(asset.assetRef, target) }
          }),
        ),
      ])

      const looked = new Set<string>()
      for (const { target, rendition, granted } of sent) {
        const told = fits.find((fit) => fit.target === target.id)
        const where = `${sample.name} for ${target.id}`
        const delivery = deliveries.get(target.id)
        if (!rendition || !granted) {
          expect([where, rendition, granted]).toEqual([where, undefined, undefined])
          if (told) expect([where, told.verdict]).toEqual([where, 'refused'])
          if (delivery !== undefined) expect([where, delivery]).toEqual([where, 'refused'])
          continue
        }
        if (told) expect([where, told.verdict]).not.toEqual([where, 'refused'])
        const promised = await promiseOf(asset.assetRef, target)
        expect([where, sha256(rendition.bytes)]).toEqual([where, sha256(granted.bytes)])
        expect([where, rendition.type]).toEqual([where, promised.mimeType])
        if (told)
          expect([where, promised.as]).toEqual([where, told.verdict === 'as-is' ? 'original' : 'rendition'])
        if (told?.verdict === 'as-is') expect(rendition.type).toBe(sample.mimeType)
        if (delivery !== undefined) expect([where, delivery]).toEqual([where, sha256(rendition.bytes)])
        keepsWithin(target, rendition)
        const seen = looked.has(sha256(rendition.bytes))
        looked.add(sha256(rendition.bytes))
        if (rendition.type === 'video/mp4') {
          if (!seen) await saysNothingFilm(rendition.bytes)
        } else {
          const size = await sharp(rendition.bytes).metadata()
          expect([where, size.width, size.height]).toEqual([where, promised.width, promised.height])
          keepsSides(where, target, size)
          if (!seen) await showsTheSame(where, sample, rendition.bytes)
        }
        for (const note of notes)
          expect([where, note, rendition.bytes.includes(note)]).toEqual([where, note, false])
      }
    },
  )
}

async function deliveriesOf(assetRef: string): Promise<Map<string, string>> {
  const sent = Object.entries(anyOf).map(
    async ([surface, target]) => [target.id, await delivers(assetRef, surface as Surface)] as const,
  )
  return new Map(await Promise.all(sent))
}

async function promiseOf(assetRef: string, { id, surface }: Target) {
  const answer = await client.agent.post(`${at}/asset-refs/resolve`, {
    ...{ assetRefs: [assetRef], surface, target: id },
  })
  return answer.body.results[0].rendition
}

interface Sent {
  type: string
  bytes: Buffer
}

async function sent(answer: Response): Promise<Sent> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  return { type: answer.headers.get('content-type')!, bytes }
}

/** A film that has to be converted is made by a job. */
const whenMade = <Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> =>
  vi.waitFor(
    async () => {
      const answer = await ask()
      if (answer.status === 503) throw new Error('It is still being made.')
      return answer
    },
    { timeout: 300_000, interval: 250 },
  )

async function takes(assetId: string, target: Target): Promise<Sent | undefined> {
  const answer = await whenMade(() =>
    client.agent.fetch(`${client.agent.door.assets}/${assetId}/rendition?target=${target.id}`),
  )
  if (answer.status === 200) return sent(answer)
  expect(await answer.json()).toMatchObject({ code: 'target-refuses' })
  return undefined
}

async function pulls(assetRef: string, { id, surface }: Target): Promise<Sent | undefined> {
  const { status, body } = await whenMade(() =>
    client.agent.post(`${at}/pull-grants`, { assetRef, surface, target: id }),
  )
  if (status !== 201) {
    expect(body).toMatchObject({ refusals: [{ code: 'target-refuses' }] })
    return undefined
  }
  const file = await sent(await fetch(body.url))
  expect([file.type, file.bytes.length]).toEqual([body.mimeType, body.sizeBytes])
  return file
}

/** The SHA-256 of what arrived, or that it was refused. */
async function delivers(assetRef: string, surface: Surface): Promise<string> {
  const { status, body } = await client.agent.post(`${at}/deliveries`, {
    assetRef,
    connectionId: connection.connectionId,
    surface,
  })
  if (status >= 400) {
    expect(body).toMatchObject({ refusals: [{ code: 'target-refuses' }] })
    return 'refused'
  }
  await vi.waitFor(
    async () =>
      expect((await client.viewer.get(`${at}/deliveries/${body.deliveryId}`)).body.status).toBe('done'),
    { timeout: 180_000, interval: 400 },
  )
  const { mark } = await w.parts.db
    .selectFrom('deliveries')
    .select('mark')
    .where('id', '=', body.deliveryId)
    .executeTakeFirstOrThrow()
  const received = receiver.requests.find(({ headers }) => headers['idempotency-key'] === mark)!
  const text = received.body.toString('latin1')
  const start = text.indexOf('\r\n\r\n', text.indexOf('name="file"')) + 4
  return sha256(received.body.subarray(start, text.lastIndexOf(`\r\n--file-${mark}--`)))
}

function keepsWithin({ id, image, video }: Target, { type, bytes }: Sent) {
  const isFilm = type === 'video/mp4'
  if (!isFilm) expect([id, Object.keys(image.types)]).toEqual([id, expect.arrayContaining([type])])
  const max = isFilm ? video.bytes?.max : image.types[type as MediaType]?.maxBytes
  const min = isFilm ? video.bytes?.min : image.minBytes
  expect([id, bytes.length, bytes.length <= (max ?? Infinity)]).toEqual([id, bytes.length, true])
  expect([id, bytes.length, bytes.length >= (min ?? 0)]).toEqual([id, bytes.length, true])
}

function keepsSides(where: string, { image }: Target, { width, height }: { width: number; height: number }) {
  const within = (value: number, { min = 0, max = Infinity }: { min?: number; max?: number } = {}) =>
    value >= min && value <= max
  expect([
    where,
    within(width, image.width),
    within(height, image.height),
    within(Math.min(width, height), image.shortEdge),
    within(width * height, { max: image.maxPixels ?? Infinity }),
    within(width / height, image.ratio),
  ]).toEqual([where, true, true, true, true, true])
}

/** Upright, in sRGB, without a word; the same scene as far as it was not cut. */
async function showsTheSame(where: string, { bytes, mimeType }: Sample, made: Buffer) {
  const { exif, xmp, iptc, icc, orientation, comments } = await sharp(made).metadata()
  expect([where, { exif, xmp, iptc, icc, orientation, comments }]).toEqual([where, {}])
  if (mimeType === 'image/heic') return
  const [before, after] = await Promise.all(
    [sharp(bytes, { failOn: 'none' }).autoOrient(), sharp(made)].map((picture) =>
      picture
        .flatten({ background: '#fff' })
        .resize(8, 8, { fit: 'cover' })
        .toColourspace('srgb')
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true }),
    ),
  )
  const size = await sharp(bytes, { failOn: 'none' }).metadata()
  const out = await sharp(made).metadata()
  const stretch = (out.width / out.height) * (size.autoOrient.height / size.autoOrient.width)
  if (decodedOtherwise.test(where) || Math.abs(stretch - 1) > 0.05) return
  const [channels, channelsAfter] = [before!.info.channels, after!.info.channels]
  let off = 0
  for (let i = 0; i < 64; i++)
    off += Math.abs(before!.data[i * channels]! - after!.data[i * channelsAfter]!) / 64
  expect([where, off < 12]).toEqual([where, true])
}

/** What the library at hand shows otherwise than it should be: tried by the tests of the decoders. */
const decodedOtherwise = /late-mark|hdr/

async function saysNothingFilm(bytes: Buffer) {
  const source = { sizeBytes: bytes.length, read: async (a: number, b: number) => bytes.subarray(a, b) }
  expect(await filmNotes(source)).toEqual([])
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
