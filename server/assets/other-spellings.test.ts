import { expect, test } from 'vitest'
import { apostrophes, otherSpellings, withApostrophe } from './other-spellings.ts'

test.each([
  ['muenchen', ['münchen']],
  ['koeln', ['köln']],
  ['neuemuehle', ['neümühle', 'neümuehle', 'neuemühle']],
  ['müller', ['mueller']],
  ['smørrebrød', ['smoerrebroed']],
  ['aarhus', ['århus']],
  ['σίσυφος', ['σίσυφοσ']],
  ['summer', []],
])('“%s” is also written %j', (word, others) => {
  expect(otherSpellings(word)).toEqual(others)
})

test('of very many pairs few are taken for one letter', () => {
  expect(otherSpellings('ae'.repeat(20))).toHaveLength(7)
})

test('an apostrophe is written in four ways', () => {
  expect(apostrophes.map((sign) => withApostrophe("rock'n’roll", sign))).toEqual([
    "rock'n'roll",
    'rock’n’roll',
    'rock‘n‘roll',
    'rockʼnʼroll',
  ])
  expect(withApostrophe('summer', '’')).toBeUndefined()
})
