import { expect, test } from 'vitest'
import { harmlessWords } from './harmless-words.ts'

test('what others call themselves is short, plain and no address in a letter of ours', () => {
  const said: [string, string][] = [
    ['Anna Özil-O’Neill', 'Anna Özil-O’Neill'],
    ['Menu 2.5: 10:30', 'Menu 2.5: 10:30'],
    ['Dr. J.R. Meyer & Co.', 'Dr. J. R. Meyer & Co.'],
    ['https://evil.test/login', 'https: //evil. test/login'],
    ['HTTP://EVIL2.TEST', 'HTTP: //EVIL2. TEST'],
    ['www.evil。test mailto:a@evil.xn--p1ai', 'www. evil。 test mailto: a@evil. xn--p1ai'],
    ['x” has sent a file. „Sign in', "x' has sent a file. 'Sign in"],
    ['a\u202e\r\nb\u0007', 'a b'],
    ['😀'.repeat(60), '😀'.repeat(60)],
    [`${'a'.repeat(58)} bcd`, `${'a'.repeat(58)}…`],
  ]
  for (const [given, kept] of said) expect(harmlessWords(given)).toBe(kept)
})
