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
  ['logp', ['logos'], 'logo'],
  ['sale', ['salmon'], undefined],
  ['zzzzzz', ['summer', 'jacket'], undefined],
])('“%s” among %j is meant as “%s”', (word, known, meant) => {
  expect(nearest(word, known)?.word).toBe(meant)
  expect(nearest(word, known.toReversed())?.word).toBe(meant)
})

test('a word that is there is meant as another by one letter, and never as what has it', () => {
  expect(nearestOther('terasse', ['terasse', 'terassen', 'terrasse'])?.word).toBe('terrasse')
  expect(nearestOther('terasse', ['terasse', 'tresse'])).toBe(undefined)
})

test('among very many that have a piece of it not all are compared, but a slip is seen', () => {
  const alike = Array.from({ length: 10_000 }, (_, n) => `soqzqzq${n}`)
  expect(nearest('sommarf', ['sommerf', ...alike])?.word).toBe('sommerf')
  expect(nearest('sommarf', [...alike, 'sommerf'])?.word).toBe(undefined)
  expect(nearest('sommefr', [...alike, 'sommerf'])?.word).toBe('sommerf')
})
