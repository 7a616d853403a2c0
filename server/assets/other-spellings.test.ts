import { expect, test } from 'vitest'
import { otherSpellings } from './other-spellings.ts'

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
