import { expect, test } from 'vitest'
import { counted } from './same-names.ts'

test.each([
  ['soup.png', 'soup (2).png'],
  ['soup', 'soup (2)'],
  ['soup (4).png', 'soup (5).png'],
  ['menu.v2.jpg', 'menu.v2 (2).jpg'],
  ['.jpg', '.jpg (2)'],
  ['(3)', '(3) (2)'],
])('%s becomes %s', (name, second) => {
  expect(counted(name, 1)).toBe(second)
})
