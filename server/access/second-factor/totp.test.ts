import { expect, test } from 'vitest'
import { codeOf, newSecret, otpauthUri, stepOf } from './totp.ts'

// The secret of RFC 6238, appendix B: “12345678901234567890”.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at %i seconds is the one of RFC 6238', (seconds, code) => {
  expect(codeOf(secret, Math.floor(seconds / 30))).toBe(code)
})

test('a code is good in its own half minute and the ones beside it', () => {
  const now = 1_700_000_000_000
  const step = Math.floor(now / 30_000)
  for (const near of [step - 1, step, step + 1]) expect(stepOf(secret, codeOf(secret, near), now)).toBe(near)
  for (const far of [step - 2, step + 2]) expect(stepOf(secret, codeOf(secret, far), now)).toBeUndefined()
  for (const odd of ['', '00000', 'abcdef', '1234567']) expect(stepOf(secret, odd, now)).toBeUndefined()
})

test('a secret has 160 bits, and its address can be read by an app', () => {
  const made = newSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(made)
  const uri = new URL(otpauthUri(made, 'nora+a@example.com', 'Asset Library'))
  expect(uri.protocol).toBe('otpauth:')
  expect(uri.searchParams.get('secret')).toBe(made)
  expect(decodeURIComponent(uri.pathname)).toContain('Asset Library:nora+a@example.com')
})
