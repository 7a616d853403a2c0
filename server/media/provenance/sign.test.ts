import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { type KeyKind, makeCertificates, type Wishes } from '../fixtures/certificates.ts'
import { fixture, fixturePath, inMemory } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'
import type { PictureType } from '../pictures/completeness.ts'
import type { Transformation } from '../pictures/rendition.ts'
import { c2pa, nothingIsFetched } from './c2pa.ts'
import { carriedOf, packetOf } from './kept-marks.ts'
import { signed } from './sign.ts'
import { readSigner } from './signer.ts'

const its = makeCertificates()
const opened: { close(): Promise<void> }[] = []
function mediaWith(settings: Partial<Record<'certificate' | 'privateKey' | 'trustAnchors', string>>) {
  const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', processes: 1, c2pa: settings })
  opened.push(media)
  return media
}
const media = mediaWith({ ...its, trustAnchors: its.root })
const stranger = mediaWith({})
afterAll(async () => void (await Promise.all(opened.map((one) => one.close()))))

const bytesOf = (name: string) => readFileSync(fixturePath(name))

/** Cut to a square, and made smaller. */
const order = (format: Transformation['format']): Transformation => ({
  original: { width: 400, height: 400 },
  cut: { left: 0, top: 0, width: 300, height: 300 },
  sizes: [{ width: 200, height: 200 }],
  format,
  qualities: [80, 60, 50],
})

/** Everything that a manifest store says, as the reference implementation reads it. */
async function storeIn(bytes: Uint8Array, type: string) {
  const { WasmReader } = await c2pa()
  const settings = JSON.stringify({ verify: nothingIsFetched, trust: { user_anchors: its.root } })
  const reader = await WasmReader.fromBytes(type, bytes, settings)
  const store = JSON.parse(reader.json())
  reader.free()
  const active = store.manifests[store.active_manifest]
  return {
    state: store.validation_state,
    active,
    actions: active.assertions.flatMap(
      ({ data }: { data: { actions?: { action: string }[] } }) => data.actions ?? [],
    ) as { action: string; digitalSourceType?: string }[],
    labels: Object.keys(store.manifests),
    ingredient: active.ingredients[0],
  }
}

/** A picture as big as the order says, signed by who signs here as generated. */
async function generated(type: PictureType) {
  const format = type.slice('image/'.length) as 'jpeg'
  const bytes = await sharp(fixturePath('plain.jpg'))
    .resize(400, 400, { fit: 'fill' })
    .toFormat(format)
    .toBuffer()
  const carried = { hasManifest: false, digitalSourceType: 'trainedAlgorithmicMedia' }
  return Buffer.from(await media.bare(inMemory(bytes), type, undefined, carried))
}

describe.each(['image/jpeg', 'image/png', 'image/webp'] as const)('%s', (type) => {
  test('signed as it is, it is read as trusted, as unknown where nobody knows the signer, and as broken when a byte changes', async () => {
    const file = await generated(type)
    const { evidence } = await media.inspect(inMemory(file), type)
    expect(evidence).toMatchObject({
      signature: 'trusted',
      digitalSourceType: 'trainedAlgorithmicMedia',
      c2pa: {
        signer: 'Agency Signer, Agency Signer Ltd',
        claimGenerator: expect.stringMatching(/^Client Asset Library \d/),
        digitalSourceType: 'trainedAlgorithmicMedia',
      },
    })
    expect((await stranger.inspect(inMemory(file), type)).evidence.signature).toBe('unknown-signer')
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    expect(data.length).toBe(400 * 400 * 3)

    const changed = Buffer.from(file)
    changed[pixelByte(changed, type)]! ^= 1
    const seen = await media.inspect(inMemory(changed), type).catch(() => null)
    if (type !== 'image/png') expect(seen).not.toBeNull() // a PNG has checksums of its own
    expect(seen?.evidence.signature ?? 'broken').toBe('broken')
    expect((await storeIn(changed, type)).state).toBe('Invalid')
  })

  test('a rendition of it says what was done and carries the original’s manifest on', async () => {
    const original = await generated(type)
    const { evidence } = await media.inspect(inMemory(original), type)
    const packet = packetOf(evidence)
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const made = await media.rendition(
        inMemory(original),
        type,
        { ...order(format), packet },
        carriedOf(evidence),
      )
      if ('missed' in made) throw new Error('missed')
      const store = await storeIn(made.bytes, made.mimeType)
      expect(store.state).toBe('Trusted')
      expect(store.actions.map(({ action }) => action)).toEqual([
        ...['c2pa.opened', 'c2pa.cropped', 'c2pa.resized', 'c2pa.transcoded'],
      ])
      expect(store.actions[0]!.digitalSourceType).toMatch(/trainedAlgorithmicMedia$/)
      expect(store.labels.length).toBe(2)
      expect(store.ingredient).toMatchObject({ relationship: 'parentOf', format: type })
      expect(store.labels).toContain(store.ingredient.active_manifest)
      const { xmp, width } = await sharp(made.bytes).metadata()
      expect({ xmp: xmp?.toString(), width }).toEqual({ xmp: packet, width: 200 })
      expect((await media.inspect(inMemory(made.bytes), made.mimeType)).evidence).toMatchObject({
        signature: 'trusted',
        digitalSourceType: 'trainedAlgorithmicMedia',
      })
    }
  })
})

/** Well inside what the picture is made of. */
const pixelByte = (file: Buffer, type: PictureType) =>
  type === 'image/webp'
    ? file.indexOf('VP8') + 200
    : type === 'image/png'
      ? file.lastIndexOf('IDAT') + 40
      : file.length - 200

test('what others signed is carried on without the people, places and small pictures in it', async () => {
  for (const [name, signature] of [
    ['C.jpg', 'unknown-signer'],
    ['XCA.jpg', 'broken'],
  ] as const) {
    const original = bytesOf(`c2pa/${name}`)
    expect(original.includes('John Doe')).toBe(true)
    const { evidence, width, height } = await media.inspect(inMemory(original), 'image/jpeg')
    expect(evidence.signature).toBe(signature)
    const whole = { width, height }
    const made = await media.rendition(
      inMemory(original),
      'image/jpeg',
      {
        ...{ original: whole, cut: { left: 0, top: 0, ...whole }, sizes: [whole], format: 'webp' },
        qualities: [80],
      },
      carriedOf(evidence),
    )
    if ('missed' in made) throw new Error('missed')
    const file = Buffer.from(made.bytes)
    const store = await storeIn(file, 'image/webp')
    expect(store.state).toBe('Trusted')
    expect(store.actions.map(({ action }) => action)).toEqual([
      ...['c2pa.opened', 'c2pa.transcoded', 'c2pa.redacted', 'c2pa.redacted'],
      ...(name === 'XCA.jpg' ? ['c2pa.redacted'] : []),
    ])
    // The original's own signature is still there, and that it was broken is not hidden.
    const failures = JSON.stringify(store.ingredient.validation_results.activeManifest.failure)
    expect(failures.includes('dataHash.mismatch')).toBe(signature === 'broken')
    expect(['John Doe', 'JFIF'].filter((secret) => file.includes(secret))).toEqual([])
  }
})

test('the target’s limit comes first: with less quality it is signed within it, and where there is no room it goes without', async () => {
  const original = await sharp(fixturePath('plain.jpg'))
    .resize(400, 400, { fit: 'fill' })
    .jpeg({ quality: 100 })
    .toBuffer()
  const make = async (maxBytes?: number) => {
    const made = await media.rendition(
      inMemory(original),
      'image/jpeg',
      { ...order('jpeg'), maxBytes },
      carriedOf(null),
    )
    if ('missed' in made) throw new Error('missed')
    return made.bytes
  }
  const free = await make()
  const tight = await make(free.length - 1)
  expect(tight.length).toBeLessThan(free.length)
  expect((await storeIn(tight, 'image/jpeg')).state).toBe('Trusted')
  const bare = await sharp(free).metadata()
  const small = await make(free.length - 4_000)
  expect(small.length).toBeLessThanOrEqual(free.length - 4_000)
  expect((await media.inspect(inMemory(small), 'image/jpeg')).evidence.c2pa).toBeNull()
  expect((await sharp(small).metadata()).width).toBe(bare.width)
})

test('a film that is packed anew is signed, within its target’s limit', async () => {
  const original = bytesOf('c2pa/video1.mp4')
  const { evidence, width, height, durationSeconds } = await media.inspect(inMemory(original), 'video/mp4')
  const size = { width, height, durationSeconds: durationSeconds! }
  const order = { video: 'copy', sound: 'copy', isHdr: false, ...size } as const
  const make = async (maxBytes?: number) => {
    const carried = carriedOf(evidence)
    await using film = (await media.film(inMemory(original), order, { carried, maxBytes }))!
    return buffer(Readable.from(film.open()))
  }
  const made = await make()
  const store = await storeIn(made, 'video/mp4')
  expect(store.state).toBe('Trusted')
  expect(store.actions.map(({ action }) => action).slice(0, 2)).toEqual(['c2pa.opened', 'c2pa.repackaged'])
  expect(store.labels).toContain(store.ingredient.active_manifest)
  expect(await media.inspect(inMemory(made), 'video/mp4')).toMatchObject({
    ...{ width, height, hasGps: false },
    evidence: { signature: 'trusted' },
  })
  const small = await make(made.length - 1)
  expect((await media.inspect(inMemory(small), 'video/mp4')).evidence.c2pa).toBeNull()
})

test('a film that is too large to be held is checked all the same, wherever it lies', async () => {
  const film = Buffer.concat([bytesOf('a.mp4'), moreMedia(64 * 1024 ** 2)])
  const signer = readSigner(its)!
  const generated = { hasManifest: false, digitalSourceType: 'trainedAlgorithmicMedia' }
  const signedFilm = Buffer.from(
    await signed(
      { mimeType: 'video/mp4', ...inMemory(film), sign: signer.sign },
      { bytes: film, mimeType: 'video/mp4', actions: ['c2pa.transcoded'] },
      { ...signer, ...generated },
    ),
  )
  const says = { digitalSourceType: 'trainedAlgorithmicMedia' }
  const { evidence } = await media.inspect(inMemory(signedFilm), 'video/mp4')
  expect(evidence).toMatchObject({ ...says, signature: 'unread' })
  expect(await media.evidence(inMemory(signedFilm), 'video/mp4')).toMatchObject({
    ...says,
    signature: 'trusted',
  })
  signedFilm[signedFilm.length - 1]! ^= 1
  expect(await media.evidence(inMemory(signedFilm), 'video/mp4')).toMatchObject({
    ...says,
    signature: 'broken',
  })
})

function moreMedia(length: number): Buffer {
  const box = Buffer.alloc(length)
  box.writeUInt32BE(length)
  box.write('mdat', 4)
  return box
}

test('without a certificate nothing changes', async () => {
  const original = await generated('image/jpeg')
  const { evidence } = await stranger.inspect(inMemory(original), 'image/jpeg')
  const made = await stranger.rendition(inMemory(original), 'image/jpeg', order('jpeg'), carriedOf(evidence))
  const plain = await stranger.rendition(inMemory(original), 'image/jpeg', order('jpeg'))
  expect(made).toEqual(plain)
  expect(await stranger.signatureMark()).toBeUndefined()
  expect((await stranger.capabilities()).signatures).toEqual({ signs: null, problems: [] })
})

test.each(['es384', 'es512', 'ps256', 'ed25519'] as KeyKind[])('a key for %s signs', async (kind) => {
  const other = makeCertificates(kind, { name: kind })
  const signing = mediaWith({ ...other, trustAnchors: other.root })
  expect((await signing.capabilities()).signatures).toMatchObject({
    signs: expect.stringMatching(`^signs as ${kind} Signer until \\d{4}-`),
  })
  const file = await signing.bare(fixture('plain.jpg'), 'image/jpeg', undefined, carriedOf(null))
  expect((await signing.inspect(inMemory(file), 'image/jpeg')).evidence.signature).toBe('trusted')
})

const withWishes = (wishes: Wishes) => makeCertificates('es256', wishes)
test.each([
  ['expired', withWishes({ days: -2 }), /expired on \d{4}-\d\d-\d\d\. Set a new one/],
  ['of another key', { ...its, privateKey: withWishes({}).privateKey }, /does not belong to the first/],
  ['for authorities', withWishes({ keyUsage: 'keyCertSign' }), /lacks digitalSignature/],
  ['for web servers', withWishes({ extendedUsage: ['1.3.6.1.5.5.7.3.1'] }), /missing required EKU/],
  ['for nothing', withWishes({ extendedUsage: [] }), /extended key usage such as emailProtection/],
  ['alone', { certificate: its.certificate }, /go together/],
  [
    'not there',
    { certificate: '/no/such', privateKey: '/no/such' },
    /C2PA_CERTIFICATE cannot be read \(ENOENT\)/,
  ],
  [
    'rubbish',
    { ...its, certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    /no cert/,
  ],
  ['with a rubbish key', { ...its, privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA' }, /no private key/],
  ['no list', { trustAnchors: fixturePath('plain.jpg') }, /C2PA_TRUST_ANCHORS holds no certificates/],
])('a certificate that is %s is told of, and files go out unsigned', async (_, settings, problem) => {
  const wrong = mediaWith(settings)
  const { signs, problems } = (await wrong.capabilities()).signatures
  expect({ signs, problems }).toEqual({ signs: null, problems: [expect.stringMatching(problem)] })
  const file = await wrong.bare(fixture('plain.jpg'), 'image/jpeg', undefined, carriedOf(null))
  expect((await wrong.inspect(inMemory(file), 'image/jpeg')).evidence.c2pa).toBeNull()
})
