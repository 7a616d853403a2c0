import { expect, test } from 'vitest'
import { apart, hyphened, inOne, inTwo } from './divided-words.ts'

const words = new Set([
  'black',
  'friday',
  'new',
  'york',
  'of',
  'ice',
  'e',
  'bikes',
  'tshirts',
  'car',
  'pet',
  'carpe',
  'tshop',
])
const there = {
  words,
  has: (word: string) => words.has(word),
  begins: (beginning: string) => [...words].some((word) => word.startsWith(beginning)),
}

test.each([
  [inTwo, 'blackfriday', 'black friday'],
  [inTwo, 'newyork', 'new york'],
  [inTwo, 'ofice', undefined],
  [inTwo, 'blackfridays', undefined],
  [hyphened, 'ebike', 'e-bike'],
  [hyphened, 'xbike', undefined],
  [inOne, 't-shirt', 'tshirt'],
  [inOne, 'e-bike', undefined],
  [inOne, 'tshirt', undefined],
])('%o: “%s” is meant as “%s”', (divided, word, meant) => {
  expect(divided(word, there)).toBe(meant)
})

test.each([
  ['img0007', 'img 0007'],
  ['hero-banner', 'hero banner'],
  ['t-shirt', undefined],
  ['mp4', undefined],
  ['2024-05', undefined],
  ['summer', undefined],
  ['hero-bananer', undefined],
])('“%s” is meant as its parts “%s”', (word, meant) => {
  expect(apart(word, ['bananer'])).toBe(meant)
})
