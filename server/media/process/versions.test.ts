import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { openMedia } from '../media.ts'

const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

// Asked of the decoding process itself: what is loaded there, and not what a manifest says.
test('the decoders in use are newer than their known remote holes', async () => {
  const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'auto' })
  const { sharp, libvips, libheif, libwebp, ffmpeg } = await media.capabilities()
  await media.close()
  expect(atLeast(libheif, [1, 22, 0]), libheif).toBe(true)
  expect(atLeast(libwebp, [1, 3, 2]), libwebp).toBe(true)
  expect(atLeast(libvips, [8, 17, 0]), libvips).toBe(true)
  expect(sharp).toBe(dependencies.sharp)
  expect(libheif).toBe(dependencies['libheif-js'])
  expect(ffmpeg).toBe(systemFfmpeg())
})

/** The version of the one on this machine, or null where there is none. */
function systemFfmpeg(): string | null {
  try {
    return /^ffmpeg version (\S+)/.exec(execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }))![1]!
  } catch {
    return null
  }
}

function atLeast(version: string, wanted: number[]): boolean {
  const parts = version.split('.').map(Number)
  const different = wanted.findIndex((part, i) => parts[i] !== part)
  return different < 0 || parts[different]! > wanted[different]!
}
