import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeEntryNames } from './zip-names.ts'

const files = (...names: string[]) => safeEntryNames(names.map((name) => ({ path: [name] })))
const file = (name: string) => files(name)[0]

test('leaves ordinary names alone, in any script', () => {
  for (const name of [
    'Summer sale.jpg',
    'Überblick (2).png',
    '東京タワー.heic',
    '👩‍👩‍👧 family.mp4',
    '.hidden',
    'a.tar.gz',
  ]) {
    expect(file(name)).toBe(name)
  }
})

test.each([
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['/etc/passwd', '_etc_passwd'],
  ['C:\\Windows\\x.dll', 'C__Windows_x.dll'],
  ['..', 'unnamed'],
  ['.', 'unnamed'],
  ['', 'unnamed'],
  ['   ', 'unnamed'],
  ['name. . .', 'name'],
  ['a\0b\r\nc.jpg', 'abc.jpg'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1.tar.gz', '_Com1.tar.gz'],
  ['aux .jpg', '_aux .jpg'],
  ['console.log', 'console.log'],
  ['what? <b>"now"|*.png', 'what_ _b__now___.png'],
  ['lone \ud800 half.jpg', 'lone \ufffd half.jpg'],
])('makes %j harmless', (given, made) => {
  expect(file(given)).toBe(made)
})

test('numbers names that are the same where case or spelling of accents does not count', () => {
  expect(files('a.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'é', 'e\u0301', 'a')).toEqual([
    'a.jpg',
    'A (2).JPG',
    'a (3).jpg',
    'a (2) (2).jpg',
    'é',
    'é (2)',
    'a',
  ])
})

test('shortens long names between characters and keeps the extension', () => {
  const [long, again, family] = files(
    `${'ä'.repeat(500)}.jpeg`,
    `${'ä'.repeat(500)}.jpeg`,
    '👩‍👩‍👧'.repeat(50),
  )
  expect(Buffer.byteLength(long!)).toBeLessThanOrEqual(120)
  expect(long).toMatch(/^ä+\.jpeg$/)
  expect(again).toMatch(/^ä+ \(2\)\.jpeg$/)
  expect(family).toBe('👩‍👩‍👧'.repeat(6))
  expect(file(`a${'\u0301'.repeat(4000)}.png`)).toBe('unnamed.png')
})

test('gives a folder one name for all that lies in it', () => {
  expect(
    safeEntryNames([
      { path: ['CON', 'a.jpg'] },
      { path: ['con', 'a.jpg'] },
      { path: ['CON', 'A.jpg'] },
      { path: ['CON', 'deep?', 'b.jpg'] },
      { path: ['CON', 'deep*', 'b.jpg'] },
      { path: ['CON'], directory: true },
      { path: ['empty'], directory: true },
      { path: ['Empty'] },
    ]),
  ).toEqual([
    '_CON/a.jpg',
    '_con (2)/a.jpg',
    '_CON/A (2).jpg',
    '_CON/deep_/b.jpg',
    '_CON/deep_ (2)/b.jpg',
    '_CON/',
    'empty/',
    'Empty (2)',
  ])
})

test('ten thousand pictures of one name do not take for ever', () => {
  const names = safeEntryNames(Array.from({ length: 10_000 }, () => ({ path: ['image.jpg'] })))
  expect(names.at(-1)).toBe('image (10000).jpg')
  expect(new Set(names).size).toBe(10_000)
})

test('whatever the titles, the names are harmless and unique', () => {
  const title = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', ' ', 'a', 'A', ':', '\0', '\u202e', '~') }),
    fc.constantFrom('..', 'con', 'CON.', 'a.jpg', 'A.jpg', 'a (2).jpg'),
  )
  const path = fc.array(title, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(fc.record({ path, directory: fc.boolean() })), (entries) => {
      const names = safeEntryNames(entries)
      const leaves = names.filter((_, index) => !entries[index]?.directory).map((name) => name.toLowerCase())
      expect(new Set(leaves).size).toBe(leaves.length)
      for (const name of names) {
        for (const part of name.replace(/\/$/, '').split('/')) {
          expect(part).not.toMatch(/^$|^\.+$|[\p{Cc}\\:<>"|?*]|[. ]$/u)
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(130)
        }
      }
    }),
  )
})
