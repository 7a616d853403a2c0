import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import type { FilmRange } from '../../contract/film-range.ts'
import { indexIsFirst } from '../media/films/film-index.ts'
import { filmNotes } from '../media/films/film-notes.ts'
import { fixturePath, inMemory, inStore } from '../media/fixtures/fixture.ts'
import { openMedia } from '../media/media.ts'
import { findFfmpeg } from '../media/process/ffmpeg.ts'
import { encoding, type FilmRecipe, repacking } from './film-recipe.ts'
import { makeFilmRendition } from './film-rendition.ts'
import type { VideoRules } from './target.ts'

const scratchFolder = tmpdir()
const withNodeAv = openMedia({ scratchFolder, ffmpeg: 'off' })
const withFfmpeg = openMedia({ scratchFolder, ffmpeg: 'ffmpeg', nodeAv: false })
const withNeither = openMedia({ scratchFolder, ffmpeg: 'off', nodeAv: false })
afterAll(() => Promise.all([withNodeAv, withFfmpeg, withNeither].map((media) => media.close())))

const hasNodeAv = (await withNodeAv.capabilities()).encoder === 'node-av'
const hasFfmpeg = (await findFfmpeg('auto'))?.encodes === true

type Media = typeof withNodeAv
const sourceOf = (name: string) => inStore(fixturePath(`${name}.mp4`))
const facts = (media: Media, name: string) => media.inspect(sourceOf(name), 'video/mp4')

/** What is made, looked at as a target would. */
async function made(media: Media, name: string, recipe: FilmRecipe) {
  const film = await makeFilmRendition(media, sourceOf(name), recipe, {})
  if (!film || 'refused' in film) return expect.unreachable(film?.refused ?? 'no encoder')
  await using _ = film
  const bytes = Buffer.concat(await Array.fromAsync(film.open()))
  const source = inMemory(bytes)
  expect(await filmNotes(source)).toEqual([])
  expect(await indexIsFirst(source)).toBe(true)
  expect(bytes.includes('qt  ')).toBe(false)
  return { source, bytes, ...(await media.inspect(source, 'video/mp4')) }
}

test('films are repacked without an encoder: pictures and sound alone, in their order, as they were', async () => {
  const recipeOf = async (name: string) => repacking(await facts(withNeither, name), {})
  for (const name of ['gps', 'moov-at-end', 'impostor-quicktime', 'rotated', 'fragmented']) {
    const before = await facts(withNeither, name)
    const { bytes, ...film } = await made(withNeither, name, await recipeOf(name))
    const { width, height, videoCodec, audioCodec, frameRate } = before
    expect([name, film]).toMatchObject([
      name,
      { width, height, videoCodec, audioCodec, frameRate, hasGps: false, capturedAt: null },
    ])
    expect([name, film.durationSeconds! - before.durationSeconds! < 0.1]).toEqual([name, true])
    expect(bytes.includes('+48.8584')).toBe(false)
  }
  const hevc = encoding(await facts(withNeither, 'hevc'), {})
  expect(await makeFilmRendition(withNeither, sourceOf('hevc'), hevc, {})).toBeNull()
})

describe.for([
  ['the bundled library', hasNodeAv, withNodeAv],
  ['ffmpeg', hasFfmpeg, withFfmpeg],
] as const)('%s', ([name, isThere, media]) => {
  const encoded = async (film: string, rules: VideoRules, range?: FilmRange) =>
    made(media, film, encoding(await facts(media, film), rules, range))

  test('makes films within the rules of a target', { timeout: 120_000 }, async ({ skip }) => {
    skip(!isThere, `${name} is not on this machine, or cannot encode`)
    const small = { width: { max: 160 }, videoCodecs: ['h264'], audioCodecs: ['mp3', 'aac'] }
    expect(await encoded('hevc', { ...small, frameRate: { max: 15 } })).toMatchObject({
      ...{ videoCodec: 'h264', audioCodec: 'aac', width: 160, height: 90 },
      frameRate: expect.closeTo(12.5, 1),
      durationSeconds: expect.closeTo(2, 1),
    })
    expect(await encoded('rotated', { height: { max: 320 }, frameRate: { min: 30 } })).toMatchObject({
      ...{ width: 180, height: 320 },
      frameRate: expect.closeTo(50, 0),
    })
    // More than the sound alone needs, and less than the pictures would like.
    const bytes = { max: 80_000 }
    expect((await encoded('a', { bytes })).bytes.length).toBeLessThanOrEqual(bytes.max)
    const recipe = encoding(await facts(media, 'a'), { bytes: { max: 9_000 } })
    expect(await makeFilmRendition(media, sourceOf('a'), recipe, {})).toEqual({
      refused: expect.stringContaining('cannot be brought below'),
    })
  })

  test('cuts out the part that is wanted, and no other', { timeout: 120_000 }, async ({ skip }) => {
    skip(!isThere, `${name} is not on this machine, or cannot encode`)
    const brightness = async (range: FilmRange) => {
      const film = await encoded('black-then-stripes', { width: { max: 64 } }, range)
      expect(film).toMatchObject({
        width: 64,
        height: 36,
        frameRate: 25,
        durationSeconds: expect.closeTo(0.8, 2),
      })
      const { pictures } = await media.previews(film.source, 'video/mp4', [{ size: 'thumb', format: 'jpeg' }])
      const { channels } = await sharp(pictures[0]!.bytes).stats()
      return channels[0]!.mean
    }
    expect(await brightness({ startSeconds: 0, endSeconds: 0.8 })).toBeLessThan(20)
    expect(await brightness({ startSeconds: 2.1, endSeconds: 2.9 })).toBeGreaterThan(60)
  })
})
