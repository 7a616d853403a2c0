import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { fixture } from '../media/fixtures/fixture.ts'
import { openMedia } from '../media/media.ts'
import { type AssetFacts, fitTo } from './fit.ts'
import { makeRendition } from './rendition.ts'
import { targetById, targets } from './targets.ts'

const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
afterAll(() => media.close())

const photo: AssetFacts = {
  mimeType: 'image/jpeg',
  width: 1080,
  height: 1080,
  sizeBytes: 900_000,
  durationSeconds: null,
  frameRate: null,
  colourSpace: 'srgb',
  hasAlpha: false,
  isAnimated: false,
  isTurned: false,
  videoCodec: null,
  audioCodec: null,
  capturedAt: null,
  hasGps: false,
  focalPoint: null,
  crops: {},
  altText: '',
}
const video: AssetFacts = {
  ...photo,
  mimeType: 'video/mp4',
  width: 1080,
  height: 1920,
  durationSeconds: 20,
  videoCodec: 'h264',
  audioCodec: 'aac',
  frameRate: 30,
  sizeBytes: 20e6,
}
const target = (id: string) => targetById(id)!

test('a square sRGB JPEG of 1080 goes everywhere as it is', () => {
  expect(targets.map((one) => [one.id, fitTo(photo, one).fits])).toEqual(
    targets.map((one) => [one.id, 'as-is']),
  )
})

test('HEIC is converted for every target', () => {
  for (const one of targets)
    expect(fitTo({ ...photo, mimeType: 'image/heic' }, one)).toMatchObject({
      fits: 'convert',
      reasons: [expect.stringContaining('image/heic')],
    })
})

test('what is turned by a mark, or has other colours, is made anew for every target', () => {
  for (const one of targets) {
    expect(fitTo({ ...photo, isTurned: true }, one).fits).toBe('convert')
    expect(fitTo({ ...photo, isTurned: undefined }, one).fits).toBe('convert')
    expect(fitTo({ ...photo, colourSpace: 'Display P3' }, one).fits).toBe('convert')
    expect(fitTo({ ...photo, colourSpace: 'b-w' }, one).fits).toBe('as-is')
  }
})

test('a picture that is too small is told what it lacks', () => {
  const { reasons } = fitTo({ ...photo, width: 300, height: 300 }, target('instagram'))
  expect(reasons.join()).toMatch(/at least 320 of width are needed/)
})

test('what a camera wrote never goes out', () => {
  for (const one of targets) expect(fitTo({ ...photo, hasGps: true }, one).fits).toBe('convert')
})

test('Instagram gets JPEG only, in its ratio and in sRGB', () => {
  const wide = fitTo(
    { ...photo, mimeType: 'image/webp', width: 3000, height: 1000, colourSpace: 'Display P3' },
    target('instagram'),
  )
  expect(wide).toMatchObject({
    fits: 'convert',
    recipe: {
      format: 'jpeg',
      ratio: { min: 0.8, max: 1.91 },
      maxWidth: 1080,
      minWidth: 320,
      maxBytes: 8_000_000,
    },
  })
  expect(wide.reasons).toHaveLength(4)
  expect(fitTo({ ...photo, width: 300, height: 300 }, target('instagram'))).toMatchObject({
    fits: 'refused',
    why: [{ code: 'too-small', values: { minWidth: 320, needed: 'width' } }],
  })
})

test('transparency is kept where the target has a format for it', () => {
  const logo = { ...photo, mimeType: 'image/heic' as const, hasAlpha: true }
  expect(fitTo(logo, target('wordpress'))).toMatchObject({ recipe: { format: 'webp' } })
  expect(fitTo(logo, target('linkedin'))).toMatchObject({ recipe: { format: 'png' } })
  expect(fitTo(logo, target('instagram'))).toMatchObject({ recipe: { format: 'jpeg' } })
})

test('Google refuses stock and generated pictures, and says why', () => {
  for (const id of ['google-business-profile-gallery', 'google-business-profile-posts']) {
    const detail = expect.stringContaining('camera')
    expect(fitTo({ ...photo, origin: 'generated' }, target(id))).toEqual({
      fits: 'refused',
      reasons: [detail],
      why: [{ code: 'origin-not-taken', detail, values: { target: target(id).name, origin: 'generated' } }],
    })
    expect(fitTo({ ...photo, origin: 'camera' }, target(id)).fits).toBe('as-is')
  }
})

describe('videos', () => {
  test('go as they are within the rules', () => {
    for (const id of ['wordpress', 'instagram', 'facebook-page', 'linkedin', 'x', 'tiktok'])
      expect(fitTo(video, target(id)).fits).toBe('as-is')
  })

  test('are refused outside of them, each reason told', () => {
    expect(fitTo({ ...video, durationSeconds: 2, frameRate: 12 }, target('instagram'))).toMatchObject({
      fits: 'refused',
      reasons: [expect.stringContaining('3 seconds'), expect.stringContaining('23 frames')],
    })
    expect(fitTo({ ...video, durationSeconds: 45 }, target('google-business-profile-gallery')).fits).toBe(
      'refused',
    )
    expect(fitTo({ ...video, width: 1920, height: 1080 }, target('facebook-page')).fits).toBe('refused')
  })

  test('of a codec that the target does not take are refused', () => {
    const facts = { ...video, videoCodec: 'av1', audioCodec: 'opus' }
    expect(fitTo(facts, target('instagram'))).toMatchObject({
      fits: 'refused',
      reasons: [expect.stringContaining('h264 or hevc'), expect.stringContaining('opus')],
    })
    expect(fitTo({ ...facts, audioCodec: null }, target('wordpress')).fits).toBe('as-is')
  })

  test('a clock that is a little off is no reason to refuse', () => {
    for (const frameRate of [60.058, 59.94, 23.976, 22.98])
      expect([frameRate, fitTo({ ...video, frameRate }, target('instagram')).fits]).toEqual([
        frameRate,
        'as-is',
      ])
    for (const frameRate of [62, 22])
      expect(fitTo({ ...video, frameRate }, target('instagram')).fits).toBe('refused')
  })

  test('an unknown frame rate is no reason to refuse', () => {
    expect(fitTo({ ...video, frameRate: null }, target('instagram')).fits).toBe('as-is')
  })
})

test('every target says where its rules are from and when they were read', () => {
  for (const { checked } of targets) {
    expect(checked.month).toMatch(/^20\d\d-\d\d$/)
    expect(checked.source).not.toBe('')
  }
})

test('what a recipe makes of a phone photo goes to its target as it is', async () => {
  for (const one of targets) {
    const source = fixture('grid-irot-exif6.heic')
    const seen = await media.inspect(source, 'image/heic')
    const answer = fitTo({ ...photo, ...seen, sizeBytes: 105_000 }, one)
    if (answer.fits !== 'convert') return expect.unreachable(`${one.id} ${answer.reasons}`)
    const made = await makeRendition(
      media,
      { source, mimeType: 'image/heic', width: seen.width, height: seen.height },
      answer.recipe,
    )
    if ('refused' in made) return expect.unreachable(`${one.id}: ${made.refused}`)
    const sent = {
      sizeBytes: made.bytes.length,
      read: async (start: number, end: number) => made.bytes.subarray(start, end),
    }
    const again = await media.inspect(sent, made.mimeType)
    expect([one.id, fitTo({ ...photo, ...again, sizeBytes: made.bytes.length }, one)]).toEqual([
      one.id,
      { fits: 'as-is', reasons: [], why: [] },
    ])
  }
})
