import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { hashPassword, newPassword, passwordFits } from './passwords.ts'

const weak = expect.objectContaining({ code: 'weak-password' })

test('a password shorter than twelve characters is refused, as nearly all that people choose most are', async () => {
  for (const password of ['', '123456', 'password', 'qwerty123', 'iloveyou', 'trustno1!', '12345678901'])
    await expect(hashPassword(password), password).rejects.toEqual(weak)
})

// Those of the commonest 3,000 that are long enough to pass.
const longOnes = [
  '123qweasdzxc',
  '1qaz2wsx3edc',
  'q1w2e3r4t5y6',
  '1q2w3e4r5t6y',
  'mailcreated5240',
  'qazwsxedcrfv',
  '123456qwerty',
  'qwerty123456',
]

test('a longer one that is well known is refused too, in capitals as well', async () => {
  for (const password of [...longOnes, ...commonPasswords])
    for (const spelling of [password, password.toUpperCase()])
      await expect(hashPassword(spelling), spelling).rejects.toEqual(weak)
})

test('one that only repeats itself is refused', async () => {
  for (const password of ['aaaaaaaaaaaa', 'abcabcabcabc', 'Ab1!Ab1!Ab1!', '1212121212123', '            '])
    await expect(hashPassword(password), password).rejects.toEqual(weak)
})

test('any other is taken, and known again', async () => {
  for (const password of ['correct-horse-battery', 'mañana será otro día', newPassword()]) {
    const hashed = await hashPassword(password)
    expect(hashed).not.toContain(password)
    expect(await passwordFits(password, hashed)).toBe(true)
    expect(await passwordFits(`${password}!`, hashed)).toBe(false)
  }
})

test('passwords are checked one at a time, so that a flood of logins leaves threads for others', async () => {
  let checked = 0
  const checks = Array.from({ length: 8 }, async () => {
    await passwordFits('not this one', undefined)
    checked++
  })
  await stat('.')
  expect(checked).toBeLessThanOrEqual(2)
  await Promise.all(checks)
})
