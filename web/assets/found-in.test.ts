import { expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { type FoundIn, foundIn, markedIn, type Piece, soughtBy } from './found-in.ts'

const plain = {
  assetId: 'asset_1',
  title: 'Terrace',
  description: '',
  altText: '',
  tags: [] as string[],
  originalFilename: 'img_1.jpg',
  mimeType: 'image/jpeg',
}

const marked = (pieces: Piece[]) => pieces.map(({ text, isWord }) => (isWord ? `[${text}]` : text)).join('')
const said = ({ field, pieces }: FoundIn) => [field, marked(pieces)].filter(Boolean).join(': ')

const why = (q: string, asset: Partial<Asset>, folderNames: string[] = []) =>
  foundIn({ ...plain, ...asset } as Asset, soughtBy(q, false)!.words, folderNames).map(said)

test('a hit says in which of its fields the words are that its title has not', () => {
  expect(why('menu', { title: 'Ménus' })).toEqual([])
  expect(why('menu', { tags: ['summer', 'Menu'] })).toEqual(['tag: [Menu]'])
  expect(why('menu', { description: 'Our menu' })).toEqual(['description: Our [menu]'])
  expect(why('menu', { altText: 'A menu on a table' })).toEqual(['altText: A [menu] on a table'])
  expect(why('menu', { originalFilename: 'menu-2024.jpg' })).toEqual(['fileName: [menu]-2024.jpg'])
  expect(why('terrace menu', { tags: ['menu'] })).toEqual(['tag: [menu]'])
  expect(why('"our menu"', { description: 'Look: our\n menu' })).toEqual(['description: Look: [our menu]'])
})

test('what has most of the words comes first, and what has the rest behind it', () => {
  const asset = { tags: ['menu'], description: 'The menu of the summer', altText: 'At night' }
  expect(why('menu summer', asset)).toEqual(['description: The [menu] of the [summer]'])
  expect(why('menu night', asset)).toEqual(['tag: [menu]', 'altText: At [night]'])
})

test('of a long text it shows the piece with the word', () => {
  const description = `${'Words before it, '.repeat(20)}then the menu ${'and words behind it '.repeat(20)}`
  const [piece] = why('menu', { description })
  expect(piece).toMatch(/^description: … \S.{0,18}\[menu\] and words.*…$/)
  expect(piece!.length).toBeLessThan(140)
  const [name] = why('menu', { originalFilename: `${'x'.repeat(90)}-menu.jpg` })
  expect(name).toMatch(/^fileName: …x{1,18}-\[menu\]\.jpg$/)
})

test('a title shows whole, with the words in it marked', () => {
  const title = `${'Words before it, '.repeat(3)}Ménus and menus ${'and words behind it '.repeat(9)}`
  expect(marked(markedIn(title, ['menus', 'nus']))).toBe(title.replace(/(m[eé]nus)/gi, '[$1]'))
  expect(markedIn('Terrace', ['menu'])).toEqual([{ text: 'Terrace', isWord: false }])
})

test('what is in none of its fields is in the names of its folders, or else in the picture', () => {
  expect(why('menu', {}, ['Summer', 'Menus of old'])).toEqual(['folder: [Menu]s of old'])
  expect(why('menu', {})).toEqual(['picture'])
  expect(why('menu night', { tags: ['night'] })).toEqual(['tag: [night]', 'picture'])
  expect(why('menu', { mimeType: 'video/mp4' })).toEqual([])
})

test('what stands in two fields, was not wanted, or names an asset needs no words', () => {
  expect(why('"menu night"', { description: 'The menu', altText: 'Night' })).toEqual([])
  expect(why('terrace -menu', {})).toEqual([])
  expect(why('asset_1', {})).toEqual([])
  expect(soughtBy('-menu', false)).toBeUndefined()
  expect(soughtBy(undefined, false)).toBeUndefined()
})
