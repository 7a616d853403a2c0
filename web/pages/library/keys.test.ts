import { expect, test } from 'vitest'
import en from '../../words/en.ts'
import { keyBindings } from './keys.ts'

test('each key does one thing, and the help has a line for each', () => {
  const keys = keyBindings.flatMap((binding) => binding.keys)
  expect(keys).toHaveLength(new Set(keys).size)
  const { title: _, keys: names, ...lines } = en.help
  expect(keyBindings.map(({ help }) => help).sort()).toEqual(Object.keys(lines).sort())
  const named = keyBindings.flatMap(({ called }) => (typeof called === 'string' ? called : []))
  expect(named.sort()).toEqual(Object.keys(names).sort())
})
