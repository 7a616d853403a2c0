import { mkdtempSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../problems.ts'
import { fixture, fixturePath, grown, inMemory, inStore } from '../fixtures/fixture.ts'
import { type Media, openMedia } from '../media.ts'
import type { Source } from '../pictures/source.ts'
import { findFfmpeg } from '../process/ffmpeg.ts'
import { samplesFit } from './sample-counts.ts'

const scratchFolder = mkdtempSync(join(tmpdir(), 'video-test-'))
const withoutDecoder = openMedia({ scratchFolder, ffmpeg: 'off', nodeAv: false })
const withNodeAv = openMedia({ scratchFolder, ffmpeg: 'off' })
const withFfmpeg = openMedia({ scratchFolder, ffmpeg: 'ffmpeg', nodeAv: false })
afterAll(() => Promise.all([withoutDecoder, withNodeAv, withFfmpeg].map((media) => media.close())))

const hasNodeAv = (await withNodeAv.capabilities()).video === 'node-av'
const hasFfmpeg = (await findFfmpeg('auto')) !== undefined

test('an MP4 tells what is in it', async () => {
  expect(await withoutDecoder.inspect(fixture('a.mp4'), 'video/mp4')).toEqual({
    mimeType: 'video/mp4',
    width: 640,
    height: 360,
    durationSeconds: 2,
    videoCodec: 'h264',
    audioCodec: 'aac',
    frameRate: 25,
    colourSpace: null,
    hasAlpha: false,
    isAnimated: true,
    isTurned: false,
    capturedAt: null,
    hasGps: false,
    evidence: {
      c2pa: null,
      signature: null,
      digitalSourceType: null,
      generator: null,
      credit: null,
      copyright: null,
    },
  })
})

test.for([
  ['moov-at-end.mp4', { width: 640, height: 360, durationSeconds: 2 }],
  ['fragmented.mp4', { width: 640, height: 360, durationSeconds: 2.08 }],
  ['rotated.mp4', { width: 360, height: 640 }],
  ['rotated-ccw.mp4', { width: 360, height: 640 }],
  ['rotated-180.mp4', { width: 640, height: 360 }],
  ['hevc.mp4', { videoCodec: 'hevc' }],
  ['hevc-10bit-hlg.mp4', { videoCodec: 'hevc', colourSpace: 'bt2020 hlg' }],
  ['silent.mp4', { audioCodec: null }],
  ['gps.mp4', { hasGps: true, capturedAt: '2026-11-14T10:20:30.000Z' }],
  ['brand-3gp5.mp4', { videoCodec: 'h264' }],
  ['brand-mp42.mp4', { videoCodec: 'h264' }],
  ['brand-M4V.mp4', { videoCodec: 'h264' }],
] as const)('%s tells %o', async ([name, facts]) => {
  expect(await withoutDecoder.inspect(fixture(name), 'video/mp4')).toMatchObject(facts)
  expect(await withoutDecoder.inspect(inStore(fixturePath(name)), 'video/mp4')).toMatchObject(facts)
})

test.for([
  ['audio-only.mp4', 'no video', 'no-pictures'],
  ['truncated-a.mp4', 'cut short', 'unreadable-media'],
  ['truncated-moov-at-end.mp4', 'index is missing', 'no-pictures'],
])('%s is refused: %s', async ([name, reason, code]) => {
  await expect(withoutDecoder.inspect(fixture(name!), 'video/mp4')).rejects.toMatchObject({
    code,
    message: expect.stringContaining(reason!),
  })
})

test('an MP4 that bears the brand of QuickTime is taken for what is in it', async () => {
  const film = fixture('impostor-quicktime.mp4')
  expect(await withoutDecoder.inspect(film, 'video/mp4')).toMatchObject({
    mimeType: 'video/mp4',
    videoCodec: 'h264',
    audioCodec: 'aac',
    width: 640,
  })
  const { standIn } = await withNodeAv.previews(film, 'video/mp4', [{ size: 'thumb', format: 'webp' }])
  expect(standIn).toBe(!hasNodeAv)
})

test('what only QuickTime holds is told to be QuickTime', async () => {
  for (const codec of ['apch', 'SVQ3'])
    await expect(
      withoutDecoder.inspect(patched('impostor-quicktime.mp4', 'avc1', codec), 'video/mp4'),
    ).rejects.toMatchObject({ code: 'type-mismatch', message: expect.stringContaining('QuickTime') })
})

test('an encrypted film is told to be encrypted, be it the pictures or the sound', async () => {
  for (const [name, plain, encrypted] of [
    ['a.mp4', 'avc1', 'encv'],
    ['a.mp4', 'mp4a', 'enca'],
    ['fragmented.mp4', 'avc1', 'encv'],
    ['moov-at-end.mp4', 'avc1', 'drmi'],
  ] as const)
    await expect(withoutDecoder.inspect(patched(name, plain, encrypted), 'video/mp4')).rejects.toMatchObject({
      code: 'encrypted-media',
      message: expect.stringContaining('encrypted'),
    })
})

test.for([
  ['moov-at-end.mp4', 'stts', 12],
  ['moov-at-end.mp4', 'ctts', 12],
  ['fragmented.mp4', 'trun', 8],
] as const)(
  '%s is refused where its %s tells of more samples than a file of its size can hold',
  async ([name, table, at]) => {
    const film = (samples: number) => {
      const bytes = readFileSync(fixturePath(name))
      bytes.writeUInt32BE(samples, bytes.indexOf(table, 0, 'latin1') + at)
      return inMemory(bytes)
    }
    const { sizeBytes } = film(0)
    await expect(withoutDecoder.inspect(film(2 * sizeBytes), 'video/mp4')).rejects.toMatchObject({
      code: 'unreadable-media',
      message: expect.stringContaining('more pictures than there is room for'),
    })
    expect(await samplesFit(film(sizeBytes))).toBe(true)
    expect(await samplesFit(grown(film(8 * 3600 * 60), 60_000_000)), 'eight hours').toBe(true)
  },
)

/** The samples of a track under another name. */
function patched(name: string, from: string, to: string) {
  const bytes = readFileSync(fixturePath(name))
  const samples = bytes.indexOf(from, bytes.indexOf('stsd', 0, 'latin1'), 'latin1')
  bytes.write(to, samples, 'latin1')
  return inMemory(bytes)
}

test('of a 5 GB video in a store only the header is fetched', async () => {
  const video = grown(inStore(fixturePath('a.mp4')), 5_000_000_000)
  expect(await withoutDecoder.inspect(video, 'video/mp4')).toMatchObject({ width: 640, durationSeconds: 2 })
  expect(video.fetched()).toBeLessThan(2_000_000)
})

describe('without any decoder for videos', () => {
  test('the poster is a drawn tile of the video’s shape, and says so', async () => {
    const { pictures, standIn, placeholder } = await withoutDecoder.looks(
      fixture('rotated.mp4'),
      'video/mp4',
      [{ size: 'thumb', format: 'webp' }],
    )
    expect(pictures[0]).toMatchObject({ width: 180, height: 320 })
    expect(standIn).toBe(true)
    expect(placeholder).not.toBe('')
    expect((await sharp(pictures[0]!.bytes).stats()).channels[0]!.stdev).toBeGreaterThan(10)
  })

  test('there is no storyboard, and the administrator is told what to do', async () => {
    expect(await withoutDecoder.storyboard(fixture('a.mp4'))).toBeNull()
    expect(await withoutDecoder.capabilities()).toMatchObject({
      video: 'none',
      fix: expect.stringContaining('ffmpeg'),
    })
  })
})

const decoders: [string, boolean, Media][] = [
  ['node-av', hasNodeAv, withNodeAv],
  ['ffmpeg', hasFfmpeg, withFfmpeg],
]

describe.for(decoders)('with %s', ([name, isHere, media]) => {
  beforeEach(({ skip }) => skip(!isHere, `${name} is not on this machine`))

  // The test video has vertical stripes, red at its left edge, cyan at its right.
  test.for([
    ['a.mp4', 640, 360, 'left'],
    ['moov-at-end.mp4', 640, 360, 'left'],
    ['fragmented.mp4', 640, 360, 'left'],
    ['hevc.mp4', 640, 360, 'left'],
    ['hevc-10bit-hlg.mp4', 640, 360, 'left'],
    ['fullrange.mp4', 640, 360, 'left'],
    ['late-picture.mp4', 640, 360, 'left'],
    ['late-start.mp4', 640, 360, 'left'],
    ['partly-fragmented.mp4', 640, 360, 'left'],
    ['rotated.mp4', 360, 640, 'top'],
    ['rotated-ccw.mp4', 360, 640, 'bottom'],
    ['rotated-180.mp4', 640, 360, 'right'],
  ] as const)('the poster of %s is %i × %i with red at the %s', async ([video, width, height, redAt]) => {
    for (const source of [fixture(video), inStore(fixturePath(video))]) {
      const { pictures, standIn } = await media.previews(source, 'video/mp4', [
        { size: 'large', format: 'jpeg' },
      ])
      expect(standIn).toBe(false)
      expect(pictures[0]).toMatchObject({ width, height })
      expect(await reddestEdge(pictures[0]!.bytes)).toBe(redAt)
    }
  })

  test('a storyboard holds evenly spaced frames that differ', async () => {
    const board = (await media.storyboard(fixture('a.mp4')))!
    expect(board).toMatchObject({
      columns: 4,
      rows: 1,
      frameCount: 4,
      frameWidth: 240,
      frameHeight: 135,
      intervalSeconds: 0.5,
    })
    expect(await sharp(board.bytes).metadata()).toMatchObject({ format: 'webp', width: 960, height: 135 })
    const [first, last] = await Promise.all(
      [0, 720].map((left) =>
        sharp(board.bytes).extract({ left, top: 0, width: 240, height: 135 }).raw().toBuffer(),
      ),
    )
    expect(first!.equals(last!)).toBe(false)
  })

  test.for(['late-picture.mp4', 'late-start.mp4', 'partly-fragmented.mp4'])(
    '%s, whose picture begins after its sound, has a storyboard',
    async (video) => {
      const { frameCount, bytes } = (await media.storyboard(fixture(video!)))!
      expect(frameCount).toBeGreaterThan(0)
      expect((await sharp(bytes).stats()).channels[0]!.stdev).toBeGreaterThan(20)
    },
  )

  test('orange in HDR is orange, neither grey nor yellow', async () => {
    const { pictures } = await media.previews(fixture('hdr-orange.mp4'), 'video/mp4', [
      { size: 'thumb', format: 'jpeg' },
    ])
    const { channels } = await sharp(pictures[0]!.bytes).stats()
    const [red, green, blue] = channels.map(({ mean }) => mean) as [number, number, number]
    expect(red).toBeGreaterThan(200)
    expect((green - blue) / (red - blue)).toBeGreaterThan(0.2)
    expect((green - blue) / (red - blue)).toBeLessThan(0.6)
  })

  test('a video that begins black has a poster that is not', async () => {
    const black = fixture('black-then-stripes.mp4')
    const { pictures } = await media.previews(black, 'video/mp4', [{ size: 'thumb', format: 'jpeg' }])
    expect((await sharp(pictures[0]!.bytes).stats()).channels[0]!.mean).toBeGreaterThan(40)
  })

  test('it is the one that is used', async () => {
    expect(await media.capabilities()).toMatchObject({ video: name })
  })
})

test('what the first decoder cannot make, the next one does, and a tile at last', async ({ skip }) => {
  skip(!hasNodeAv, 'node-av is not on this machine')
  const broken = openMedia({ scratchFolder, ffmpeg: await brokenFfmpeg() })
  try {
    expect(await broken.capabilities()).toMatchObject({ video: 'ffmpeg' })
    const wanted = [{ size: 'thumb', format: 'webp' }] as const
    expect(await broken.previews(fixture('a.mp4'), 'video/mp4', [...wanted])).toMatchObject({
      standIn: false,
    })
    expect(await broken.storyboard(fixture('a.mp4'))).toMatchObject({ frameCount: 4 })
    const damaged = withoutPictures(readFileSync(fixturePath('a.mp4')))
    for (const media of [broken, withNodeAv]) {
      expect(await media.previews(damaged, 'video/mp4', [...wanted])).toMatchObject({ standIn: true })
      expect(await media.storyboard(damaged)).toBeNull()
    }
  } finally {
    await broken.close()
  }
})

test('a store that fails is to blame, and no tile stands for the film', async ({ skip }) => {
  skip(!hasNodeAv, 'node-av is not on this machine')
  const film = withFarPictures(readFileSync(fixturePath('a.mp4')))
  let isAway = false
  const away: Source = {
    sizeBytes: film.length,
    async read(start, end) {
      isAway ||= end > 4_010_000
      if (isAway) throw new Problem('storage-unavailable', 'Away.')
      return film.subarray(start, end)
    },
  }
  await expect(
    withNodeAv.previews(away, 'video/mp4', [{ size: 'thumb', format: 'webp' }]),
  ).rejects.toMatchObject({ code: 'storage-unavailable' })
})

test('nothing is left in the scratch folder', async () => {
  expect(await readdir(scratchFolder)).toEqual([])
})

test('HD colours are not taken for standard definition', async ({ skip }) => {
  skip(!hasNodeAv, 'node-av is not on this machine')
  const { pictures } = await withNodeAv.previews(fixture('hd-green.mp4'), 'video/mp4', [
    { size: 'large', format: 'jpeg' },
  ])
  const { dominant } = await sharp(pictures[0]!.bytes).stats()
  const { channels } = await sharp(pictures[0]!.bytes).stats()
  expect(dominant.g).toBeGreaterThan(dominant.r)
  const [red, green, blue] = channels.map(({ mean }) => mean)
  expect([Math.abs(red! - 40), Math.abs(green! - 200), Math.abs(blue! - 60)].every((off) => off < 8)).toBe(
    true,
  )
})

/** Says that it is one, and makes nothing. */
async function brokenFfmpeg(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'broken-ffmpeg-')), 'ffmpeg')
  const script = '#!/bin/sh\n[ "$1" = -version ] && echo "ffmpeg version 6.0" && exit 0\nexit 1\n'
  await writeFile(path, script, { mode: 0o755 })
  return path
}

/** The same film with nothing but zeros where its pictures and sounds were. */
function withoutPictures(bytes: Buffer): Source {
  const start = bytes.indexOf('mdat', 0, 'latin1') + 4
  const end = start - 8 + bytes.readUInt32BE(start - 8)
  bytes.fill(0, start, end)
  return { sizeBytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) }
}

/** The same film with four megabytes of nothing between its index and its pictures. */
function withFarPictures(bytes: Buffer): Buffer {
  const far = 4_000_000
  const mdat = bytes.indexOf('mdat', 0, 'latin1') - 4
  for (let at = bytes.indexOf('stco'); at > 0; at = bytes.indexOf('stco', at + 4))
    for (let i = 0, entry = at + 12; i < bytes.readUInt32BE(at + 8); i++, entry += 4)
      bytes.writeUInt32BE(bytes.readUInt32BE(entry) + far, entry)
  const nothing = Buffer.alloc(far)
  nothing.writeUInt32BE(far)
  nothing.write('free', 4, 'latin1')
  return Buffer.concat([bytes.subarray(0, mdat), nothing, bytes.subarray(mdat)])
}

async function reddestEdge(picture: Uint8Array): Promise<string> {
  const { width, height } = await sharp(picture).metadata()
  const strips = {
    left: { left: 0, top: height / 3, width: 20, height: height / 3 },
    right: { left: width - 20, top: height / 3, width: 20, height: height / 3 },
    top: { left: width / 3, top: 0, width: width / 3, height: 20 },
    bottom: { left: width / 3, top: height - 20, width: width / 3, height: 20 },
  }
  const redness = await Promise.all(
    Object.entries(strips).map(async ([edge, strip]) => {
      const whole = Object.fromEntries(
        Object.entries(strip).map(([key, value]) => [key, Math.floor(value)]),
      ) as typeof strip
      const { channels } = await sharp(await sharp(picture).extract(whole).png().toBuffer()).stats()
      return [edge, channels[0]!.mean - channels[1]!.mean - channels[2]!.mean] as const
    }),
  )
  return redness.sort((a, b) => b[1] - a[1])[0]![0]
}
