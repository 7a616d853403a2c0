import { expect, test } from 'vitest'
import type { DuplicateGroup } from '../../contract/duplicates.ts'
import { eachOnce } from './each-once.ts'

const group = (ids: string) =>
  ({ duplicates: [...ids].map((assetId) => ({ asset: { assetId } })) }) as DuplicateGroup
const idsOf = ({ duplicates }: DuplicateGroup) => duplicates.map(({ asset }) => asset.assetId).join('')

test('what is in several groups shows in the first, and a group of one shows no more', () => {
  expect(eachOnce(['abc', 'dce', 'fc', 'gd'].map(group)).map(idsOf)).toEqual(['abc', 'de'])
})
