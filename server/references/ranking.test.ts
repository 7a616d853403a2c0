import { expect, test } from 'vitest'
import { type Candidate, rank, weights } from './ranking.ts'

const now = new Date('2026-11-16T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const plain: Candidate = {
  wordShare: 1,
  namedShare: 1,
  width: 1600,
  height: 2000,
  approval: 'approved',
  rightsExpireAt: null,
  lastUsedAt: null,
}

// “The best unused 4:5 photo about the terrace”, the best first.
const labelled: [string, Partial<Candidate>][] = [
  ['the terrace, 4:5, approved, never used', {}],
  ['the same, of which nobody was asked', { approval: 'none' }],
  ['the same and posted half a year ago', { approval: 'none', lastUsedAt: daysAgo(190) }],
  ['the same and posted yesterday', { approval: 'none', lastUsedAt: daysAgo(1) }],
  [
    'a wide one that was posted yesterday',
    { width: 2400, height: 1000, approval: 'none', lastUsedAt: daysAgo(1) },
  ],
  ['a good one of something else', { wordShare: 0, namedShare: 0 }],
]

test('assets are ranked as people would rank them', () => {
  const scores = labelled.map(([name, facts]) => ({
    name,
    ...rank({ ...plain, ...facts }, { ratio: '4:5', words: 1 }, now),
  }))
  expect([...scores].sort((a, b) => b.score - a.score).map(({ name }) => name)).toEqual(
    labelled.map(([name]) => name),
  )
  expect(scores[0]!.score).toBe(100)
  expect(new Set(scores.map(({ score }) => score)).size).toBe(labelled.length)
  expect(scores[3]!.why.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
    'all-words: has 100 % of the words, in its title or tags',
    'whole-shape: 100 % of it is kept at 4:5',
    'used-before: last used yesterday',
    'approval-none: nobody was asked to approve it',
    'enough-pixels: 1600 × 2000 pixels',
    'rights-do-not-end: its rights do not end',
  ])
  for (const { score, why } of scores) {
    expect(why.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, -0.5)
    expect(why.reduce((sum, { of }) => sum + of, 0)).toBeCloseTo(100, 0)
  }
  expect(Object.values(weights).reduce((sum, weight) => sum + weight)).toBe(100)
})

test('small pictures and rights that end soon count against an asset', () => {
  const best = rank(plain, { words: 0 }, now).score
  expect(rank({ ...plain, width: 320, height: 240 }, { words: 0 }, now).score).toBeLessThan(best)
  expect(rank({ ...plain, rightsExpireAt: daysAgo(-2) }, { words: 0 }, now).score).toBeLessThan(best)
})
