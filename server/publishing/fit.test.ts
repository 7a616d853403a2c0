import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import type { FilmRange } from '../../contract/film-range.ts'
import { fixture } from '../media/fixtures/fixture.ts'
import { openMedia } from '../media/media.ts'
import { isFilmRecipe } from './film-recipe.ts'
import { fitTo } from './fit.ts'
import { makeRendition } from './rendition.ts'
import { targetById, targets } from './targets.ts'
import type { AssetFacts } from './verdict.ts'

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

  const recipeOf = (facts: Partial<AssetFacts>, id: string, range?: FilmRange) => {
    const fit = fitTo({ ...video, ...facts }, target(id), { range })
    if (fit.fits !== 'convert') return expect.unreachable(fit.reasons.join())
    return { ...fit.recipe, why: fit.why.map(({ code }) => code) }
  }

  test('are refused where no conversion helps, each reason told', () => {
    const short = { ...video, durationSeconds: 2, frameRate: 12, width: 500 }
    expect(fitTo(short, target('facebook-page'))).toMatchObject({
      fits: 'refused',
      why: [{ code: 'below-seconds' }, { code: 'below-width' }, { code: 'below-ratio' }],
    })
    const wide = { ...video, width: 1920, height: 1080 }
    expect(fitTo(wide, target('facebook-page')).fits).toBe('refused')
    expect(fitTo({ ...video, height: 640, width: 360 }, target('google-business-profile-gallery')).fits).toBe(
      'refused',
    )
  })

  test('of another codec, rate or size are encoded, and never enlarged', () => {
    expect(
      recipeOf({ videoCodec: 'av1', audioCodec: 'opus', width: 2160, height: 3840 }, 'instagram'),
    ).toEqual({
      format: 'mp4',
      video: 'encode',
      sound: 'encode',
      isHdr: false,
      durationSeconds: 20,
      maxBytes: 300_000_000,
      width: 1080,
      height: 1920,
      videoBits: 2.5 * 1080 * 1920,
      why: ['codec-not-taken', 'codec-not-taken', 'above-width', 'film-converted'],
    })
    const small = { width: 640, height: 360, videoCodec: 'hevc', colourSpace: 'bt2020 hlg' }
    expect(recipeOf(small, 'wordpress')).toMatchObject({
      width: 640,
      height: 360,
      isHdr: true,
      sound: 'copy',
    })
    // A very wide one stays as high as it must be.
    expect(
      recipeOf({ width: 3840, height: 1280, sizeBytes: 90e6 }, 'google-business-profile-gallery'),
    ).toMatchObject({ width: 2160, height: 720 })
    expect(recipeOf({ frameRate: 240 }, 'x')).toMatchObject({ frameRate: 60, videoBits: 4 * 1080 * 1920 })
    expect(recipeOf({ frameRate: 12 }, 'instagram')).toMatchObject({ frameRate: 24 })
    for (const frameRate of [62, 22])
      expect(recipeOf({ frameRate }, 'instagram').why).toContain('film-converted')
  })

  test('get as many bits as there is room for', () => {
    const long = recipeOf({ durationSeconds: 900, sizeBytes: 2e9 }, 'instagram')
    expect(long.why).toEqual(['above-bytes', 'film-converted'])
    expect((('videoBits' in long ? long.videoBits! : 0) + 128_000) * 900).toBeLessThan(300e6 * 8)
    expect(recipeOf({ sizeBytes: 100e6 }, 'instagram').why).toEqual(['above-bit-rate', 'film-converted'])
  })

  test('whose sound alone is not taken keep their pictures', () => {
    expect(recipeOf({ audioCodec: 'ac3' }, 'instagram')).toMatchObject({
      video: 'copy',
      sound: 'encode',
      why: ['codec-not-taken', 'film-repacked'],
    })
  })

  test('that are too long are cut to the range that somebody says, and to no other', () => {
    const film = { durationSeconds: 125 }
    const refused = (range?: FilmRange) =>
      fitTo({ ...video, ...film }, target('facebook-page'), { range }).why.map(({ code, values }) => [
        code,
        values,
      ])
    expect(refused()).toEqual([
      ['range-needed', { target: 'Facebook Page', limit: 90, value: 125, least: 3 }],
    ])
    expect(recipeOf(film, 'facebook-page', { startSeconds: 30.5, endSeconds: 120.5 })).toMatchObject({
      range: { startSeconds: 30.5, endSeconds: 120.5 },
      durationSeconds: 90,
      frameRate: 30,
      why: ['cut-out', 'film-converted'],
    })
    expect(refused({ startSeconds: 0, endSeconds: 91 })[0]).toMatchObject(['range-needed', { value: 91 }])
    expect(refused({ startSeconds: 0, endSeconds: 2 })[0]).toContain('below-seconds')
    for (const range of [
      { startSeconds: 50, endSeconds: 130 },
      { startSeconds: 9, endSeconds: 9 },
    ])
      expect(refused(range)[0]).toEqual(['range-outside', { seconds: 125 }])
  })

  test('a clock that is a little off is no reason to convert', () => {
    for (const frameRate of [60.058, 59.94, 23.976, 22.98])
      expect([frameRate, fitTo({ ...video, frameRate }, target('instagram')).fits]).toEqual([
        frameRate,
        'as-is',
      ])
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
    if (answer.fits !== 'convert' || isFilmRecipe(answer.recipe))
      return expect.unreachable(`${one.id} ${answer.reasons}`)
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
