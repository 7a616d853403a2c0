import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { saysOf } from '../../../contract/evidence.ts'
import type { MediaType } from '../../../contract/media-types.ts'
import { fixture, fixturePath, inMemory, typeByName } from '../fixtures/fixture.ts'
import { pngText, sourceTypePacket, withXmpBox, xmpPacket } from '../fixtures/marked.ts'
import { beforePicture } from '../fixtures/png.ts'
import { openMedia } from '../media.ts'
import { defaultLimits } from '../pictures/inspection.ts'
import { evidenceOf } from './evidence.ts'
import { marksIn } from './marks-in.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const scene = () => sharp(fixturePath('plain.jpg')).resize(64)
const bytesOf = (name: string) => readFileSync(fixturePath(name))
const evidenceIn = async (bytes: Uint8Array, type: MediaType) =>
  evidenceOf(await marksIn(inMemory(bytes), type, defaultLimits))

test.each([
  ['image/jpeg', (packet: string) => scene().withXmp(packet).jpeg().toBuffer()],
  ['image/png', (packet: string) => scene().withXmp(packet).png().toBuffer()],
  ['image/webp', (packet: string) => scene().withXmp(packet).webp().toBuffer()],
  ['image/heic', async () => bytesOf('generated.heic')],
  ['video/mp4', async (packet: string) => withXmpBox(bytesOf('a.mp4'), packet)],
] as const)('the source type is read in %s', async (type, write) => {
  const file = await write(sourceTypePacket('trainedAlgorithmicMedia'))
  const { evidence } = await media.inspect(inMemory(file), type)
  expect(evidence).toMatchObject({
    digitalSourceType: 'trainedAlgorithmicMedia',
    c2pa: null,
    signature: null,
  })
  expect(saysOf(evidence)).toBe('generated')
})

describe('XMP', () => {
  test.each([
    ['an attribute', { 'Iptc4xmpExt:DigitalSourceType': 'digitalCapture' }, '', 'digitalCapture'],
    [
      'an element',
      {},
      '<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic</Iptc4xmpExt:DigitalSourceType>',
      'compositeSynthetic',
    ],
    [
      'a resource',
      {},
      '<Iptc4xmpExt:DigitalSourceType rdf:resource="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/>',
      'trainedAlgorithmicMedia',
    ],
    ['nothing we know', { 'Iptc4xmpExt:DigitalSourceType': 'javascript:alert(1)' }, '', null],
  ])('may say it as %s', async (_, attributes, elements, digitalSourceType) => {
    const file = await scene().withXmp(xmpPacket(attributes, elements)).jpeg().toBuffer()
    expect(await evidenceIn(file, 'image/jpeg')).toMatchObject({ digitalSourceType })
  })

  test('names whose picture it is, and so does the older form', async () => {
    const rights =
      '<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© 2026 Anna &amp; Co</rdf:li></rdf:Alt></dc:rights>'
    const packet = xmpPacket({ 'photoshop:Credit': 'Foto Müller' }, rights)
    expect(await evidenceIn(await scene().withXmp(packet).jpeg().toBuffer(), 'image/jpeg')).toMatchObject({
      credit: 'Foto Müller',
      copyright: '© 2026 Anna & Co',
    })
    const exif = await scene()
      .withExif({ IFD0: { Copyright: 'Anna' } })
      .jpeg()
      .toBuffer()
    expect(await evidenceIn(exif, 'image/jpeg')).toMatchObject({ copyright: 'Anna' })
    const old = withIptc(await scene().jpeg().toBuffer(), { 110: 'dpa', 116: 'Bert' })
    expect(await evidenceIn(old, 'image/jpeg')).toMatchObject({ credit: 'dpa', copyright: 'Bert' })
  })
})

describe('the marks of generators', () => {
  const png = async (name: string, words: string) =>
    beforePicture(await scene().png().toBuffer(), pngText(name, words))

  test.each([
    ['parameters', 'a terrace\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1', 'Stable Diffusion'],
    ['parameters', 'a terrace\nSteps: 30, Schedule type: Karras, Sampler: DPM++ 2M', 'Stable Diffusion'],
    ['prompt', '{"3": {"inputs": {}, "class_type": "KSampler"}}', 'ComfyUI'],
    ['workflow', '{"last_node_id": 9, "nodes": []}', 'ComfyUI'],
    ['invokeai_metadata', '{}', 'InvokeAI'],
    ['Software', 'NovelAI', 'NovelAI'],
    ['Description', 'terrace --v 6 Job ID: 0b1c2d3e-1111-4222-8333-444455556666', 'Midjourney'],
    ['AIGC', '{"Label":"1","ContentProducer":"x"}', 'AIGC'],
    ['Software', 'Adobe Photoshop 26.0', null],
    ['Description', 'Steps: up to the terrace', null],
    ['prompt', 'What do you see?', null],
  ])('%s: %s', async (name, words, generator) => {
    const found = await evidenceIn(await png(name, words), 'image/png')
    expect(found).toMatchObject({ generator })
    expect(saysOf(found)).toBe(generator ? 'generated' : null)
  })

  test('are read in EXIF and XMP, too', async () => {
    const comment = await scene()
      .withExif({ IFD0: { Software: 'Midjourney v6' } })
      .webp()
      .toBuffer()
    expect(await evidenceIn(comment, 'image/webp')).toMatchObject({ generator: 'Midjourney' })
    const tool = await scene()
      .withXmp(xmpPacket({ 'xmp:CreatorTool': 'Adobe Firefly' }))
      .jpeg()
      .toBuffer()
    expect(await evidenceIn(tool, 'image/jpeg')).toMatchObject({ generator: 'Adobe Firefly' })
  })
})

describe('Content Credentials', () => {
  test.each([
    ['C.jpg', { signature: 'unknown-signer', digitalSourceType: 'algorithmicMedia' }],
    ['video1.mp4', { signature: 'unknown-signer', digitalSourceType: null }],
    ['XCA.jpg', { signature: 'broken' }],
    ['E-sig-CA.jpg', { signature: 'broken' }],
    ['cloud.jpg', { signature: 'unread', c2pa: { isElsewhere: true } }],
  ])('%s', async (name, expected) => {
    const { evidence } = await media.inspect(fixture(`c2pa/${name}`), typeByName(name))
    expect(evidence).toMatchObject(expected)
    if (expected.signature !== 'unread')
      expect(evidence.c2pa).toMatchObject({ signer: 'C2PA Signer, C2PA Test Signing Cert' })
  })

  test('one picture changed, and one that never had any', async () => {
    const changed = Buffer.from(bytesOf('c2pa/C.jpg'))
    changed[changed.length - 2000]! ^= 0x01
    expect((await media.inspect(inMemory(changed), 'image/jpeg')).evidence).toMatchObject({
      signature: 'broken',
    })
    const { evidence } = await media.inspect(fixture('plain.jpg'), 'image/jpeg')
    expect(evidence).toEqual({
      ...{ c2pa: null, digitalSourceType: null, generator: null },
      ...{ signature: null, credit: null, copyright: null },
    })
  })

  test('a manifest of rubbish does not keep the picture out', async () => {
    const rubbish = pngText('a', 'b')
    rubbish.write('caBX', 4, 'latin1')
    const file = beforePicture(await scene().png().toBuffer(), rubbish)
    const { evidence } = await media.inspect(inMemory(file), 'image/png')
    expect(evidence).toMatchObject({ c2pa: { signer: null }, signature: 'unread' })
  })
})

test('whatever bytes there are, it ends with an answer', async () => {
  const files = await Promise.all([
    bytesOf('c2pa/C.jpg').subarray(0, 60_000),
    beforePicture(await scene().png().toBuffer(), pngText('parameters', 'Steps: 1, Sampler: x')),
    scene().withXmp(sourceTypePacket('digitalCapture')).webp().toBuffer(),
  ])
  const types = ['image/jpeg', 'image/png', 'image/webp'] as const
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.nat(2), flips, fc.nat(), async (which, changes, cut) => {
      const file = Buffer.from(files[which]!)
      for (const [at, value] of changes) file[at % Math.min(file.length, 4_000)] = value
      const bytes = file.subarray(0, Math.max(16, cut % (file.length * 2)))
      const marks = await marksIn(inMemory(bytes), types[which]!, defaultLimits)
      evidenceOf(marks)
    }),
    { numRuns: 300 },
  )
})

/** As Photoshop keeps it: one resource of fields, in a segment of its own. */
function withIptc(jpeg: Buffer, fields: Record<number, string>): Buffer {
  const records = Object.entries(fields).map(([number, words]) => {
    const head = Buffer.from([0x1c, 2, Number(number), 0, words.length])
    return Buffer.concat([head, Buffer.from(words, 'latin1')])
  })
  const record = Buffer.concat(records)
  const resource = Buffer.concat([
    Buffer.from('8BIM\x04\x04\0\0\0\0\0', 'latin1'),
    Buffer.of(record.length),
    record,
  ])
  const body = Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), resource])
  const head = Buffer.from([0xff, 0xed, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}
