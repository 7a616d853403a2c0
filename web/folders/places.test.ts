import { expect, test } from 'vitest'
import type { Folder } from '../../contract/folders.ts'
import type { Tree } from './folders.ts'
import { placesOf } from './places.ts'

const folders = [
  ['Brand', null],
  ['Logos', 'Brand'],
  ['Old', 'Logos'],
  ['Orte', null],
  ['Köln', 'Orte'],
  ['Nürnberg', 'Orte'],
  ['Querformat', 'Orte'],
].map(([name, parentId]) => ({ folderId: name, name, parentId }) as unknown as Folder)
const tree: Tree = {
  byId: new Map(folders.map((folder) => [folder.folderId, folder])),
  inside: (folderId) => folders.filter(({ parentId }) => (parentId ?? null) === folderId),
  path: () => [],
  isLoaded: true,
}
const names = (words: string, ids: string[] = []) =>
  placesOf(tree, ids, words, 'Library').map(({ name }) => name)

test.each([
  ['koeln', ['Köln']],
  ['KOLN', ['Köln']],
  ['köln', ['Köln']],
  ['nurnberg', ['Nürnberg']],
  ['nuernb', ['Nürnberg']],
  ['erformat', ['Querformat']],
  ['quer', ['Querformat']],
  ['brand logos', ['Logos']],
  ['logos brand', ['Logos']],
  ['Brand / Logos', ['Logos']],
  ['Orte › Köln', ['Köln']],
  ['brand', ['Brand']],
  ['libr', ['Library']],
  ['brand koeln', []],
])('“%s” finds a folder to move to', (words, found) => {
  expect(names(words)).toEqual(found)
})

test('nothing moves into itself, and where a hit is stands beside it', () => {
  expect(names('', ['Brand'])).toEqual(['Library', 'Orte', 'Köln', 'Nürnberg', 'Querformat'])
  expect(placesOf(tree, [], 'old', 'Library')).toEqual([
    { folderId: 'Old', name: 'Old', depth: 0, path: 'Library › Brand › Logos' },
  ])
})
