import { expect, test } from 'vitest'
import { placeAfter, placeOf, queryOf, readPlace, sortsOf } from './place.ts'

test('an address with nonsense in it still opens the library', () => {
  expect(readPlace({ folder: '', type: 'sound', sort: 'title', q: 12, view: 'list' })).toEqual({
    sort: 'title',
    q: '12',
    view: 'list',
  })
  for (const q of ['   ', '-', '"', '„“', '- ""']) expect(readPlace({ q })).toEqual({})
  expect(readPlace({ q: '-draft' })).toEqual({ q: '-draft' })
})

test('an order by deletion is one of the trash alone', () => {
  expect(readPlace({ folder: 'trash', sort: 'trashed-asc' })).toEqual({
    folder: 'trash',
    sort: 'trashed-asc',
  })
  expect(readPlace({ folder: 'folder_a', sort: 'trashed-asc' })).toEqual({ folder: 'folder_a' })
  expect(sortsOf({ folder: 'trash' })).toContain('trashed')
  expect(sortsOf({})).not.toContain('trashed')
})

test('words look everywhere, filters look in the folder one is in and below', () => {
  expect(queryOf({ folder: 'folder_a', q: 'pier' })).toMatchObject({ everywhere: true, folderId: undefined })
  expect(queryOf({ folder: 'folder_a', type: 'video' })).toMatchObject({
    everywhere: undefined,
    below: true,
    folderId: 'folder_a',
    mimeType: 'video/*',
  })
  const further = readPlace({ folder: 'folder_a', type: 'video', scope: 'everywhere' })
  expect(queryOf(further)).toMatchObject({ everywhere: true, below: undefined, folderId: undefined })
  for (const asked of [queryOf(further), queryOf({ folder: 'folder_a', type: 'video' })])
    expect(queryOf(placeOf(asked)), 'saved and opened again').toEqual(asked)
  expect(queryOf({ collection: 'collection_a', folder: 'folder_a', type: 'video' }).below).toBeUndefined()
  expect(queryOf({ type: 'video' })).toMatchObject({ everywhere: true })
})

test('tags look everywhere, and whatever is looked for may stay in the folder and below', () => {
  expect(queryOf({ folder: 'folder_a', tag: 'boats' })).toMatchObject({ everywhere: true, tag: 'boats' })
  expect(queryOf({ folder: 'folder_a', q: 'pier', scope: 'below' })).toMatchObject({
    everywhere: undefined,
    below: true,
    folderId: 'folder_a',
    q: 'pier',
  })
  expect(queryOf({ folder: 'folder_a', scope: 'below' }).below).toBeUndefined()
  expect(queryOf({ q: 'pier', scope: 'below' })).toMatchObject({ everywhere: true, below: undefined })
})

test('words look at the names of folders where several are looked into', () => {
  const place = readPlace({ folder: 'folder_a', q: 'pier', byFolder: true })
  expect(queryOf(place).byFolder).toBe(true)
  expect(queryOf(placeOf(queryOf({ ...place, scope: 'below' }))).byFolder).toBe(true)
  for (const change of [{ q: undefined }, { folder: 'trash' }])
    expect(queryOf({ ...place, ...change }).byFolder).toBeUndefined()
  expect(readPlace({ q: 'pier', byFolder: 'yes' })).toEqual({ q: 'pier' })
})

test('the trash is a place of its own, searched with all that its folders hold', () => {
  const trash = { trashed: true, folderId: undefined }
  expect(queryOf({ folder: 'trash' })).toMatchObject({ ...trash, everywhere: undefined })
  expect(queryOf({ folder: 'trash', q: 'pier' })).toMatchObject({ ...trash, everywhere: true })
})

test('whether one looks below a folder ends with the folder', () => {
  const place = readPlace({ folder: 'folder_a', q: 'pier', scope: 'below' })
  expect(placeAfter(place, { q: 'boat' }).scope).toBe('below')
  expect(placeAfter(place, { folder: undefined }).scope).toBeUndefined()
  expect(placeAfter(place, { folder: 'folder_b' }).scope).toBeUndefined()
  expect(placeAfter(place, { collection: 'collection_a' }).scope).toBeUndefined()
  expect(placeAfter(place, { folder: 'folder_b', scope: 'below' }).scope).toBe('below')
})
