import { expect, test } from 'vitest'
import { nearest, nearestOther } from './nearest-word.ts'

test.each([
  ['jakcet', ['jacket', 'racket'], 'jacket'],
  ['jcaket', ['jackets', 'cake'], 'jacket'],
  ['sumemr', ['summer'], 'summer'],
  ['usmmer', ['summer'], 'summer'],
  ['shcuhe', ['schuhe', 'schule'], 'schuhe'],
  ['sqaure', ['square'], 'square'],
  ['wihte', ['white', 'wite'], 'white'],
  ['withe', ['with', 'white'], 'white'],
  ['lgoo', ['logo', 'good', 'lago'], 'logo'],
  ['bgas', ['bags', 'gas', 'begas'], 'bags'],
  ['capm', ['cap', 'camp'], 'camp'],
  ['jackket', ['jacket', 'jackpot'], 'jacket'],
  ['sumer', ['super', 'summer'], 'summer'],
  ['hause', ['pause', 'haus', 'house'], 'house'],
  ['harbur', ['harbours', 'harbour', 'barbur'], 'harbour'],
  ['lighthuose', ['lighthouses'], 'lighthouse'],
  ['lgoo', ['loaf', 'goods'], undefined],
  ['zzzzzz', ['summer', 'jacket'], undefined],
])('“%s” among %j is meant as “%s”', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant)
  expect(nearest(word, known.toReversed())).toBe(meant)
})

test('a word that is there is meant as another by one letter, and never as what has it', () => {
  expect(nearestOther('terasse', ['terasse', 'terassen', 'terrasse'])).toBe('terrasse')
  expect(nearestOther('terasse', ['terasse', 'tresse'])).toBe(undefined)
})
