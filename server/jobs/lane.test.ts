import { expect, test } from 'vitest'
import { openLane } from './lane.ts'

test('so many at once, in their order, and nobody waits longer than they said', async () => {
  const lane = openLane(2)
  const ends: (() => void)[] = []
  const held = () => lane(() => new Promise<void>((resolve) => ends.push(resolve)))
  const running = [held(), held(), held()]
  await expect(lane(async () => 'late', { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(ends.length).toBe(2)
  ends[0]!()
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  await Promise.all(running)
  expect(await lane(async () => 'free')).toBe('free')
})

test('one of each name in turn, and nothing for which nobody waits', async () => {
  const lane = openLane(1)
  const done: string[] = []
  const gone = new AbortController()
  const put = (item: string, signal?: AbortSignal) =>
    lane(async () => void done.push(item), { name: item[0]!, signal })
  const all = [put('a1'), put('a2'), put('a3', gone.signal), put('a4'), put('b1')]
  gone.abort()
  await Promise.allSettled(all)
  expect(done).toEqual(['a1', 'a2', 'b1', 'a4'])
})
