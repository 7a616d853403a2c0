import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const queued = (...items: string[]) => {
  const queue = new FairQueue<string>()
  for (const item of items) queue.push(item[0]!, item)
  return queue
}

const all = (queue: FairQueue<string>) => Array.from({ length: queue.length }, () => queue.shift())

test('one name is served in its order', () => {
  expect(all(queued('a1', 'a2', 'a3'))).toEqual(['a1', 'a2', 'a3'])
})

test('names are served in turn, however much one of them has queued', () => {
  expect(all(queued('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'))).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'c2',
    'a3',
    'a4',
  ])
})

test('who comes late waits for one of each, not for all', () => {
  const queue = queued('a1', 'a2', 'a3', 'a4', 'a5')
  expect([queue.shift(), queue.shift()]).toEqual(['a1', 'a2'])
  queue.push('b', 'b1')
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a3', 'b1', 'a4'])
})

test('what is put back comes first again, and lengths stay true', () => {
  const queue = queued('a1', 'a2', 'b1')
  queue.putBack('a', queue.shift()!)
  expect([queue.length, queue.lengthOf('a'), queue.lengthOf('b'), queue.lengthOf('c')]).toEqual([3, 2, 1, 0])
  expect(queue.shift()).toBe('a1')
  expect(queue.drain().sort()).toEqual(['a2', 'b1'])
  expect([queue.length, queue.shift()]).toEqual([0, undefined])
})

test('who may not have its turn now keeps its place', () => {
  const queue = queued('a1', 'a2', 'b1')
  expect([queue.shift((name) => name !== 'a'), queue.shift((name) => name !== 'a')]).toEqual([
    'b1',
    undefined,
  ])
  expect(all(queue)).toEqual(['a1', 'a2'])
})
