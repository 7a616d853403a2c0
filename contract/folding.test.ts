import { expect, test } from 'vitest'
import { placesOf } from './folding.ts'

test('a word is found in a text as the text writes it', () => {
  const found = (text: string, word: string) => placesOf(text, word).map((place) => text.slice(...place))
  expect(found('Our Menu, and the MENU of old', 'menu')).toEqual(['Menu', 'MENU'])
  expect(found('Brüssel und Brussel', 'brussel')).toEqual(['Brüssel', 'Brussel'])
  expect(found('Bru\u0308ssel', 'BRÜ')).toEqual(['Bru\u0308'])
  expect(found('cafe\u0301', 'café')).toEqual(['cafe\u0301'])
  expect(found('die Straße hinab', 'strasse')).toEqual(['Straße'])
  expect(found('die Straße hinab', 'as')).toEqual(['aß'])
  expect(found('🍎 Smørrebrød 🍎', 'smorrebrod')).toEqual(['Smørrebrød'])
  expect(found('ΟΔΟΣ', 'οδος')).toEqual(['ΟΔΟΣ'])
  expect(found('Terrace', 'menu')).toEqual([])
  expect(found('Terrace', '')).toEqual([])
})
