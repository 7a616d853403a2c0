import { expect, test } from 'vitest'
import { chosen, isClutter } from './dropped.ts'

const file = (name: string, webkitRelativePath = '') =>
  Object.assign(new File(['x'], name), { webkitRelativePath })

test('a chosen folder keeps its tree', () => {
  const { files } = chosen([file('a.jpg', 'Summer/Raw/a.jpg'), file('b.jpg')])
  expect(files.map(({ path }) => path)).toEqual([['Summer', 'Raw'], []])
})

test('what systems leave in folders stays there', () => {
  const { files } = chosen([
    file('.DS_Store', 'Summer/.DS_Store'),
    file('Thumbs.db', 'Summer/Thumbs.db'),
    file('._a.jpg', '__MACOSX/._a.jpg'),
    file('a.jpg', 'Summer/a.jpg'),
  ])
  expect(files.map(({ file }) => file.name)).toEqual(['a.jpg'])
  expect(isClutter('desktop.ini')).toBe(true)
})

test('a single file is taken even when its name starts with a dot', () => {
  expect(chosen([file('.cover.jpg')]).files).toHaveLength(1)
})
