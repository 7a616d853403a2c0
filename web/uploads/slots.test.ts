import { expect, test } from 'vitest'
import { slots } from './slots.ts'

test('no more pieces of work run at once than there are slots, and all are done', async () => {
  const inSlot = slots(3)
  let running = 0
  let most = 0
  const work = (result: number) =>
    inSlot(async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return result
    })
  const all = Array.from({ length: 20 }, (_, index) => index)
  expect(await Promise.all(all.map(work))).toEqual(all)
  expect(most).toBe(3)
})

test('a failure frees its slot', async () => {
  const inSlot = slots(1)
  await expect(inSlot(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inSlot(async () => 'next')).toBe('next')
})
