import { expect, test } from 'vitest'
import { sealer } from './secrets.ts'

test('what the key before sealed still opens, and what no key opens says so', () => {
  const [old, now] = [sealer('the key of yesterday'), sealer('the key of today', 'the key of yesterday')]
  const kept = old.seal('a credential')
  expect(now.open(kept)).toBe('a credential')
  expect(now.keyOf(kept)).toBe('previous')
  const anew = now.seal(now.open(kept))
  expect(now.keyOf(anew)).toBe('current')
  expect(sealer('the key of today').open(anew)).toBe('a credential')
  for (const sealed of [kept, 'rubbish', '']) {
    expect(sealer('the key of today').keyOf(sealed)).toBe('unreadable')
    expect(() => sealer('the key of today').open(sealed)).toThrow(
      expect.objectContaining({ code: 'secret-key-changed' }),
    )
  }
})
