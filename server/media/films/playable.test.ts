import { mkdtempSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { fixture, fixturePath, inMemory, inStore } from '../fixtures/fixture.ts'
import { type Media, openMedia } from '../media.ts'
import type { Source } from '../pictures/source.ts'
import { findFfmpeg } from '../process/ffmpeg.ts'
import { copyOrder, type FilmFacts, playsEverywhere, within720p } from './playable.ts'

const scratchFolder = mkdtempSync(join(tmpdir(), 'playable-test-'))
const withNodeAv = openMedia({ scratchFolder, ffmpeg: 'off' })
const withFfmpeg = openMedia({ scratchFolder, ffmpeg: 'ffmpeg', nodeAv: false })
const withNeither = openMedia({ scratchFolder, ffmpeg: 'off', nodeAv: false })
afterAll(() => Promise.all([withNodeAv, withFfmpeg, withNeither].map((media) => media.close())))

const hasNodeAv = (await withNodeAv.capabilities()).encoder === 'node-av'
const hasFfmpeg = (await findFfmpeg('auto'))?.encodes === true

const film = (facts: Partial<FilmFacts>): FilmFacts => ({
  width: 1920,
  height: 1080,
  durationSeconds: 10,
  videoCodec: 'h264',
  audioCodec: 'aac',
  colourSpace: null,
  ...facts,
})

test('only what browsers do not play is encoded, and nothing is enlarged', () => {
  expect(playsEverywhere(film({}))).toBe(true)
  expect(playsEverywhere(film({ videoCodec: 'av1', audioCodec: null }))).toBe(true)
  for (const odd of [{ videoCodec: 'hevc' }, { videoCodec: 'mp4v' }, { audioCodec: 'ac3' }])
    expect(playsEverywhere(film(odd))).toBe(false)
  expect(copyOrder(film({ videoCodec: 'hevc', colourSpace: 'bt2020 hlg' }))).toMatchObject({
    video: 'encode',
    sound: 'copy',
    isHdr: true,
    width: 1280,
    height: 720,
  })
  expect(copyOrder(film({ audioCodec: 'ac3' }))).toMatchObject({
    video: 'copy',
    sound: 'encode',
    width: 1920,
  })
  expect(copyOrder(film({ audioCodec: null }))).toMatchObject({ video: 'encode', sound: 'none' })
  expect(within720p({ width: 1080, height: 1920 })).toEqual({ width: 720, height: 1280 })
  expect(within720p({ width: 4096, height: 1716 })).toEqual({ width: 1280, height: 536 })
  expect(within720p({ width: 321, height: 3 })).toEqual({ width: 322, height: 4 })
})

test('without an encoder there is none, and it is said what to do', async () => {
  expect(await withNeither.film(fixture('hevc.mp4'), copyOrder(film({})))).toBeNull()
  expect(await withNeither.capabilities()).toMatchObject({ encoder: 'none', fix: expect.any(String) })
})

/** The mean colour of a frame. */
async function colour(media: Media, source: Source): Promise<number[]> {
  const { pictures } = await media.previews(source, 'video/mp4', [{ size: 'card', format: 'jpeg' }])
  const { channels } = await sharp(pictures[0]!.bytes).stats()
  return channels.map(({ mean }) => mean)
}

describe.for([
  ['the bundled library', hasNodeAv, withNodeAv],
  ['ffmpeg', hasFfmpeg, withFfmpeg],
] as const)('%s', ([name, isThere, media]) => {
  test('makes of an HDR film with HEVC one that plays everywhere, in its colours, with its index in front', {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!isThere, `${name} is not on this machine, or cannot encode`)
    const source = inStore(fixturePath('hevc-10bit-hlg.mp4'))
    const facts = await media.inspect(source, 'video/mp4')
    const shares: number[] = []
    await using made = await media.film(
      source,
      copyOrder({ ...facts, durationSeconds: facts.durationSeconds! }),
      { progress: (share) => shares.push(share) },
    )
    const bytes = Buffer.concat(await Array.fromAsync(made!.open()))
    expect(bytes.length).toBe(made!.sizeBytes)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(await media.inspect(inMemory(bytes), 'video/mp4')).toMatchObject({
      videoCodec: 'h264',
      audioCodec: 'aac',
      width: 640,
      height: 360,
      durationSeconds: expect.closeTo(facts.durationSeconds!, 0),
      hasGps: false,
    })
    const [as, was] = [await colour(media, inMemory(bytes)), await colour(media, source)]
    for (const [n, value] of as.entries())
      expect(Math.abs(value - was[n]!)).toBeLessThan(name === 'ffmpeg' ? 20 : 8)
    expect(Math.max(...shares)).toBeGreaterThan(0)
    expect(await readdir(scratchFolder)).toEqual([])
  })

  test('ends with a film that takes too long, or is broken, and with nothing else', {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!isThere, `${name} is not on this machine, or cannot encode`)
    const setting = name === 'ffmpeg' ? { ffmpeg: 'ffmpeg', nodeAv: false } : { ffmpeg: 'off' }
    const hasty = openMedia({ scratchFolder, ...setting, timeouts: { encode: 200 } })
    try {
      const order = copyOrder(film({ videoCodec: 'hevc', durationSeconds: 2 }))
      await expect(hasty.film(fixture('hevc.mp4'), order)).rejects.toMatchObject({
        code: expect.stringMatching(/^(unreadable-media|storage-unavailable)$/),
      })
      await expect(media.film(fixture('impostor-text.mp4'), order)).rejects.toMatchObject({
        code: 'unreadable-media',
      })
      expect((await media.inspect(fixture('hevc.mp4'), 'video/mp4')).videoCodec).toBe('hevc')
    } finally {
      await hasty.close()
    }
  })
})
