import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTable, readCsv, readTags, tagsText, textOf, writeCsv } from './csv.ts'

test('what Excel and Sheets copy is read cell by cell', () => {
  expect(parseTable('a\tb\r\nc\td\r\n', '\t')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(parseTable('"two\nlines"\t"say ""hi"""\n\tx', '\t')).toEqual([
    ['two\nlines', 'say "hi"'],
    ['', 'x'],
  ])
  expect(parseTable('"open\tb', '\t')).toEqual([['"open', 'b']])
  expect(parseTable('5" nails\t"a" b', '\t')).toEqual([['5" nails', '"a" b']])
  expect(parseTable('', '\t')).toEqual([['']])
})

test('umlauts come in whole from UTF-8, and from what Excel saves otherwise', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values).buffer
  expect(textOf(bytes(0xef, 0xbb, 0xbf, 0x4c, 0xc3, 0xb6, 0x77, 0x65))).toBe('Löwe')
  expect(textOf(bytes(0x4c, 0xf6, 0x77, 0x65, 0x20, 0x80))).toBe('Löwe €')
})

test('no cell of an exported file is a formula, and all come back as they were', () => {
  const odd = ['=1+1', '+49', '-5', '@sum', "'=x", "'quoted", '\tx', 'a;b', 'a,"b"', 'zwei\nZeilen', '', 'Ü']
  for (const [locale, delimiter] of [
    ['en-GB', ','],
    ['de-DE', ';'],
  ] as const) {
    const text = writeCsv([odd], locale)
    expect(text.startsWith('\ufeff')).toBe(true)
    for (const cell of parseTable(text.slice(1), delimiter)[0]!) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    expect(readCsv(text)).toEqual([odd])
  }
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('en-GB', 'de-DE'),
      (rows, locale) => {
        const head = ['id', 'title']
        expect(readCsv(writeCsv([head, ...rows], locale))).toEqual([head, ...rows])
      },
    ),
  )
  expect(readCsv('id;title\r\n1;"a;b"\r\n')).toEqual([
    ['id', 'title'],
    ['1', 'a;b'],
  ])
})

test('tags stand between commas or semicolons, and those with one in quotes', () => {
  for (const tags of [[], ['a'], ['a', 'b c'], ['Salt, pepper', '5" nails', 'salt; pepper']])
    expect(readTags(tagsText(tags))).toEqual(tags)
  expect(readTags(' a,, b ,\n c')).toEqual(['a', 'b', 'c'])
  expect(readTags('a;b; "c;d"')).toEqual(['a', 'b', 'c;d'])
})
