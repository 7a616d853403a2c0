import { expect, test } from 'vitest'
import { endingOf, trueType } from './true-type.ts'

const bytes = (text: string) => new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))])
const named = (name: string, text: string) => Object.assign(bytes(text), { name })
const box = (major: string, ...compatible: string[]) =>
  `\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join('')}`

test('the five types are known by their first bytes, whatever the file is called', async () => {
  expect(await trueType(named('x', '\xff\xd8\xff\xe0'))).toBe('image/jpeg')
  expect(await trueType(named('x.jpg', '\x89PNG\r\n\x1a\n'))).toBe('image/png')
  expect(await trueType(named('x', 'RIFF1234WEBPVP8 '))).toBe('image/webp')
  expect(await trueType(named('IMG_1.heic', box('heic', 'mif1')))).toBe('image/heic')
  expect(await trueType(named('x', box('isom', 'mp41')))).toBe('video/mp4')
})

test('a still of a phone may hide behind a general brand', async () => {
  expect(await trueType(bytes(box('mif1', 'heic')))).toBe('image/heic')
  expect(await trueType(bytes(box('mif1', 'avif')))).toEqual({ other: 'AVIF' })
})

test('an MP4 may bear the brand of QuickTime', async () => {
  expect(await trueType(named('IMG_1.MP4', box('qt  ')))).toBe('video/mp4')
})

test('what is not taken is called by its name', async () => {
  expect(await trueType(named('a.mov', box('qt  ')))).toEqual({ other: 'MOV' })
  expect(await trueType(named('a.jpg', 'GIF89a'))).toEqual({ other: 'GIF' })
  expect(await trueType(named('a.jpg', '<!doctype html><p>'))).toEqual({ other: 'HTML' })
  expect(await trueType(named('a.png', '<?xml version="1.0"?><svg>'))).toEqual({ other: 'SVG' })
  expect(await trueType(named('notes.docx', 'hello'))).toEqual({ other: 'DOCX' })
  expect(await trueType(named('README', 'hello'))).toEqual({ other: '' })
})

test('an ending is read only where there is one', () => {
  expect(endingOf('beach.jpg')).toBe('JPG')
  expect(endingOf('Dr. Smith and sons')).toBe('')
})
