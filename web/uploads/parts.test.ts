import { expect, test } from 'vitest'
import { bytesOfParts, partNumbers, partRange } from './parts.ts'

const file = { sizeBytes: 25, partSizeBytes: 10 }

test('the parts cover the file from the first byte to the last', () => {
  expect(partNumbers(file)).toEqual([1, 2, 3])
  expect(partNumbers(file).map((number) => partRange(file, number))).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ])
})

test('a file of whole parts has no empty one at its end', () => {
  expect(partNumbers({ sizeBytes: 20, partSizeBytes: 10 })).toEqual([1, 2])
})

test('what has arrived is counted in bytes, the short last part as what it is', () => {
  expect(bytesOfParts(file, [1, 3])).toBe(15)
  expect(bytesOfParts(file, [])).toBe(0)
})
