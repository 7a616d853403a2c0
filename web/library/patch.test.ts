import { expect, test } from 'vitest'
import type { Asset, AssetPage } from '../../contract/assets.ts'
import { plainDetails } from '../../test/plain-details.ts'
import { type AssetList, lengthOf, lengthsOf, matches, withAsset, withAssets, withFolder } from './patch.ts'

test('a new asset comes first where the newest are', () => {
  const list = listOf([asset('b', { createdAt: day(2) }), asset('a', { createdAt: day(1) })])
  expect(idsOf(withAsset(list, {}, asset('c', { createdAt: day(3) })))).toEqual(['c', 'b', 'a'])
})

test('an asset behind everything loaded waits for its page', () => {
  const more = listOf([asset('b', { createdAt: day(2) })], 'next')
  const unsure = { ...more, unsure: true }
  expect(withAsset(more, {}, asset('a', { createdAt: day(1) }))).toEqual(unsure)
  expect(withAsset(more, {}, asset('a', { trashedAt: day(1) }))).toEqual(unsure)
  const whole = listOf([asset('b', { createdAt: day(2) })])
  expect(idsOf(withAsset(whole, {}, asset('a', { createdAt: day(1) })))).toEqual(['b', 'a'])
})

test('a changed asset stands where the order has it, and stays where that has not changed', () => {
  const list = listOf([asset('a', { title: 'One' }), asset('b', { title: 'Two' })])
  const zebra = asset('a', { title: 'Zebra' })
  expect(idsOf(withAsset(list, { sort: 'title' }, zebra))).toEqual(['b', 'a'])
  const byDay = withAsset(list, { sort: 'oldest' }, zebra)
  expect(idsOf(byDay)).toEqual(['a', 'b'])
  expect(byDay.pages[0]!.assets[0]!.title).toBe('Zebra')
  expect(idsOf(withAsset(listOf([zebra, asset('b', { title: 'Two' })]), { sort: 'title' }, zebra))).toEqual([
    'b',
    'a',
  ])
  const [first] = listOf(list.pages[0]!.assets, 'next').pages
  const more: AssetList = { pages: [{ ...first!, total: 9 }], starts: [null] }
  const behind = withAsset(more, { sort: 'title' }, zebra)
  expect(behind.unsure).toBeUndefined()
  expect([idsOf(behind), lengthOf(behind)]).toEqual([['b'], 9])
  expect(idsOf(withAsset(more, { sort: 'size' }, asset('b', { sizeBytes: 9 })))).toEqual(['b', 'a'])
})

test('what is deleted comes first in the trash, and last where what was deleted first is', () => {
  const list = listOf([asset('b', { trashedAt: day(4) }), asset('c', { trashedAt: day(3) })])
  const gone = asset('a', { trashedAt: day(5) })
  expect(idsOf(withAsset(list, { trashed: true }, gone))).toEqual(['a', 'b', 'c'])
  expect(
    idsOf(withAsset(list, { trashed: true, sort: 'newest' }, asset('d', { trashedAt: day(1) })))[0],
  ).toBe('d')
  const other = listOf([...list.pages[0]!.assets].reverse())
  expect(idsOf(withAsset(other, { trashed: true, sort: 'trashed-asc' }, gone))).toEqual(['c', 'b', 'a'])
})

test('an asset moved, trashed or no longer matching goes', () => {
  const list = listOf([asset('a'), asset('b')])
  expect(idsOf(withAsset(list, {}, asset('a', { folderId: 'folder_x' })))).toEqual(['b'])
  expect(idsOf(withAsset(list, {}, asset('a', { trashedAt: day(4) })))).toEqual(['b'])
  expect(idsOf(withAsset(list, { missingAltText: true }, asset('a', { altText: 'A pier' })))).toEqual(['b'])
  expect(idsOf(withAsset(list, { approval: 'none' }, asset('a', { approval: 'approved' })))).toEqual(['b'])
})

test('an asset found by the name of its folder stays', () => {
  const [page] = listOf([asset('a', { title: 'Flowers' })]).pages
  const list = { pages: [{ ...page!, byFolder: true }], starts: [null] }
  const query = { q: 'wedding flowers', everywhere: true }
  expect(idsOf(withAsset(list, query, asset('a', { title: 'Roses' })))).toEqual(['a'])
  // Whether another one is, too, only the server knows, in whichever order.
  for (const sort of [undefined, 'newest'] as const)
    expect(withAsset(list, { ...query, sort }, asset('b', { title: 'Tulips' }))).toEqual({
      ...list,
      unsure: true,
    })
})

test('an asset found by words that only the server sees in it stays when it changes', () => {
  const query = { q: 'menu', everywhere: true }
  const list = listOf([asset('a', { title: 'Terrace' }), asset('b', { title: 'Menu' })])
  expect(idsOf(withAsset(list, query, asset('a', { title: 'Terrace', tags: ['sun'] })))).toEqual(['a', 'b'])
  expect(idsOf(withAsset(list, query, asset('a', { title: 'Terrace', trashedAt: day(4) })))).toEqual(['b'])
  expect(idsOf(withAsset(list, query, asset('b', { title: 'Card' })))).toEqual(['a'])
})

test('an asset found by words, kind and surface matches as the API would say', () => {
  const pier = asset('a', {
    title: 'Pier at dusk',
    tags: ['Harbour'],
    mimeType: 'video/mp4',
    allowedSurfaces: ['social'],
  })
  expect(matches({ q: 'harbour pier' }, pier)).toBe(true)
  expect(matches({ q: 'harbour lemon' }, pier)).toBe(false)
  const cafe = { ...pier, title: 'Café Straße', assetId: 'asset_01' }
  for (const q of [
    'cafe',
    'CAFÉ',
    'cafe\u0301 strasse',
    'asset_01',
    'asset_01@3',
    'ASSET_01',
    'asset_02 asset_01',
  ])
    expect(matches({ q }, cafe)).toBe(true)
  expect(matches({ mimeType: 'video/*' }, pier)).toBe(true)
  expect(matches({ mimeType: 'image/*' }, pier)).toBe(false)
  expect(matches({ surface: 'website' }, pier)).toBe(false)
  expect(matches({ surface: 'website' }, { ...pier, allowedSurfaces: [] })).toBe(true)
  expect(matches({ trashed: true }, pier)).toBe(false)
  const gone = { ...pier, folderId: 'folder_x', trashedAt: day(1) }
  expect(matches({ trashed: true, folderId: 'folder_x' }, gone)).toBe(true)
  expect(matches({ trashed: true, folderId: 'folder_y' }, gone)).toBe(false)
  expect(matches({ trashed: true, everywhere: true }, gone)).toBe(true)
  expect(idsOf(withAsset(listOf([]), { trashed: true, folderId: 'folder_x' }, gone))).toEqual([])
  expect(matches({ everywhere: true }, { ...pier, folderId: 'folder_x' })).toBe(true)
  const below = { below: true, folderId: 'folder_w', inside: new Set(['folder_w', 'folder_x']) }
  expect(matches(below, { ...pier, folderId: 'folder_x' })).toBe(true)
  expect(matches(below, { ...pier, folderId: 'folder_y' })).toBe(false)
  expect(matches(below, { ...pier, folderId: null })).toBe(false)
})

test('a folder shows where it is, and leaves where it was', () => {
  const folder = {
    folderId: 'folder_a',
    clientId: 'client_a',
    name: 'Summer',
    protected: false,
    createdAt: day(1),
    updatedAt: day(1),
    trashedAt: null,
  }
  const shown = withFolder(listOf([]), {}, folder)
  expect(shown.pages[0]!.folders).toEqual([folder])
  expect(withFolder(shown, {}, { ...folder, parentId: 'folder_b' }).pages[0]!.folders).toEqual([])
  const meant = { ...shown, pages: [{ ...shown.pages[0]!, meant: 'summer' }] }
  expect(withFolder(meant, { q: 'sumemr', everywhere: true }, folder).pages[0]!.folders).toEqual([folder])
  const named = ['🍎', 'Shoot 10', 'shoot 2', 'ｚ', 'Álbum', 'Shoot 1', 'Shoot'].reduce(
    (list, name, at) => withFolder(list, {}, { ...folder, folderId: `folder_${at}`, name }),
    listOf([]),
  )
  expect(named.pages[0]!.folders.map(({ name }) => name)).toEqual([
    'Shoot',
    'Shoot 1',
    'shoot 2',
    'Shoot 10',
    'Álbum',
    'ｚ',
    '🍎',
  ])
})

test('pages that nobody has read keep their room, and what belongs there waits', () => {
  const page = (...days: number[]) =>
    listOf(
      days.map((n) => asset(`a${n}`, { createdAt: day(n) })),
      'next',
    ).pages[0]!
  const list: AssetList = {
    pages: [{ ...page(30, 29), total: 150 }, null, { ...page(20, 10), nextCursor: null }],
    starts: [null, 'b', 'c'],
  }
  expect(lengthsOf(list)).toEqual([2, 100, 2])
  expect(lengthsOf({ pages: list.pages.with(2, null), starts: list.starts })).toEqual([2, 100, 48])
  expect(lengthsOf({ pages: list.pages.slice(0, 1), starts: [null] })).toEqual([2, 148])
  // Nobody has counted it: there is one more at least.
  expect(lengthsOf(listOf([asset('a')], 'next'))).toEqual([1, 1])
  expect(withAsset(list, {}, asset('new', { createdAt: day(25) }))).toEqual({ ...list, unsure: true })
  const changed = [31, 15, 5].map((n) => asset(`n${n}`, { createdAt: day(n) }))
  expect(idsOf(withAssets(list, {}, changed))).toEqual(['n31', 'a30', 'a29', 'a20', 'n15', 'a10', 'n5'])
})

test('a list that is not read to its end counts what comes and goes', () => {
  const first = listOf([asset('c', { createdAt: day(3) }), asset('b', { createdAt: day(2) })], 'next')
    .pages[0]!
  const list: AssetList = { pages: [{ ...first, total: 150 }], starts: [null] }
  expect(lengthOf(list)).toBe(150)
  expect(lengthOf(withAsset(list, {}, asset('c', { trashedAt: day(4) })))).toBe(149)
  expect(lengthOf(withAsset(list, {}, asset('d', { createdAt: day(4) })))).toBe(151)
  const middle: AssetList = {
    pages: [...list.pages, { ...first, assets: [asset('a')] }, null],
    starts: [null, 'b', 'c'],
  }
  expect(lengthOf(withAsset(middle, {}, asset('a', { trashedAt: day(4) })))).toBe(149)
})

const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString()

const asset = (assetId: string, change: Partial<Asset> = {}) =>
  ({
    assetId,
    assetRef: assetId,
    clientId: 'client_a',
    folderId: null,
    title: assetId,
    description: '',
    altText: '',
    tags: [],
    allowedSurfaces: [],
    originalFilename: `${assetId}.jpg`,
    mimeType: 'image/jpeg',
    sizeBytes: 1,
    sha256: null,
    width: null,
    height: null,
    durationSeconds: null,
    version: 1,
    media: { state: 'ready', placeholder: null, problem: null, storyboard: null },
    details: JSON.parse(plainDetails),
    createdAt: day(1),
    createdBy: 'user_a',
    updatedAt: day(1),
    trashedAt: null,
    ...change,
  }) as Asset

function listOf(assets: Asset[], nextCursor: string | null = null): AssetList {
  const page: AssetPage = { folder: null, path: [], folders: [], assets, total: null, nextCursor }
  return { pages: [page], starts: [null] }
}

const idsOf = (list: AssetList) =>
  list.pages.flatMap((page) => page?.assets.map(({ assetId }) => assetId) ?? [])
