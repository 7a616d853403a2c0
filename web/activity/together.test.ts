import { expect, test } from 'vitest'
import type { Activity } from '../../contract/activity.ts'
import { linesOf } from './together.ts'

const line = (activityId: string, together?: Partial<Activity['together']>) =>
  ({
    activityId,
    ...(together && { together: { names: [], cursor: activityId, more: false, ...together } }),
  }) as Activity
const pages = (...all: Activity[][]) => all.map((activity) => ({ activity, nextCursor: null }))

test('what a page has cut is one line with all that it goes on with', () => {
  const lines = linesOf(
    pages(
      [line('a'), line('b', { count: 2000, more: true })],
      [line('c', { count: 2000, more: true })],
      [line('d'), line('e', { count: 3 })],
    ),
  )
  expect(lines.map(({ activityId }) => activityId)).toEqual(['a', 'b', 'e'])
  expect(lines[1]!.together).toEqual({ count: 4001, more: false, names: [], cursor: 'b' })
  expect(linesOf(pages([line('b', { count: 2000, more: true })]))[0]!.together!.more).toBe(true)
  expect(linesOf(pages([line('a', { count: 2 })], [line('b', { count: 2 })]))).toHaveLength(2)
})
