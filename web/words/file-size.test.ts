import { expect, test } from 'vitest'
import { fileSize, sizeLimit } from './file-size.ts'

test('sizes and limits have the same units, and what a limit says is taken', () => {
  expect(fileSize(1_234_567, 'en-GB')).toBe('1.2 MB')
  expect(fileSize(1_234_567, 'de-DE')).toBe('1,2 MB')
  expect(sizeLimit(100 * 1024 ** 2, 'en-GB')).toBe('104 MB')
  expect(sizeLimit(1.5 * 1024 ** 3, 'de-DE')).toBe('1,6 GB')
  expect(sizeLimit(100e9, 'en-GB')).toBe('100 GB')
  expect(sizeLimit(4_500_000, 'en-GB')).toBe('4.5 MB')
})
