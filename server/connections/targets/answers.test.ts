import { expect, test } from 'vitest'
import { accepted, jsonIn } from './answers.ts'

const notice =
  '<br />\n<b>Notice</b>:  Undefined index: {a} [b] in <b>/var/www/[x]/f.php</b> on line <b>3</b><br />\n'

test.each([
  ['alone', '{"id":1}'],
  ['behind a byte order mark', '\uFEFF{"id":1}'],
  ['behind a notice', `${notice}{"id":1}`],
  ['behind both, and blanks', `\uFEFF\n${notice}${notice} {"id":1}\n`],
])('JSON is read %s', (_, text) => {
  expect(jsonIn(text)).toEqual({ id: 1 })
})

test.each([
  '',
  'ok',
  '<html>{"id":1}</html>',
  '{"id":1',
  '{"id":1}<br />',
  `${notice}[{"id":1}`,
  '"text"',
  '7',
])('no JSON is read into: %s', (text) => {
  expect(jsonIn(text)).toBeUndefined()
})

test('an answer made of beginnings costs no time', () => {
  expect(jsonIn('[ '.repeat(500_000))).toBeUndefined()
})

test.each([
  [400, 'refused'],
  [404, 'refused'],
  [408, 'broken'],
  [409, 'refused'],
  [413, 'refused'],
  [429, 'busy'],
  [501, 'refused'],
  [503, 'broken'],
  [505, 'refused'],
])('what %i says will not change by itself is not tried again: %s', (status, fault) => {
  expect(() => accepted('system', { status, headers: {}, text: '' })).toThrow(
    expect.objectContaining({ fault }),
  )
})

test('no text that is read holds what a database cannot keep', () => {
  expect(jsonIn('{"id":7,"url":"http://x/\\u0000a","list":["\\ud800b","\\\\u0000"]}')).toEqual({
    id: 7,
    url: 'http://x/a',
    list: ['\uFFFDb', '\\u0000'],
  })
})
