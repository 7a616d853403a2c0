import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { openMedia } from './media.ts'

test('libheif and libwebp are newer than their known remote holes', async () => {
  const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
  const { libheif, libwebp } = await media.capabilities()
  await media.close()
  expect(atLeast(libheif, [1, 22, 0]), libheif).toBe(true)
  expect(atLeast(libwebp, [1, 3, 2]), libwebp).toBe(true)
})

function atLeast(version: string, wanted: number[]): boolean {
  const parts = version.split('.').map(Number)
  const different = wanted.findIndex((part, i) => parts[i] !== part)
  return different < 0 || parts[different]! > wanted[different]!
}
