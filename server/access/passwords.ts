import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../problems.ts'
import { commonPasswords } from './common-passwords.ts'

const shortest = 12

export async function hashPassword(password: string): Promise<string> {
  if (password.length < shortest) throw weak(`Choose a password of at least ${shortest} characters.`)
  if (isCommon(password.toLowerCase()))
    throw weak('This password is among the best-known ones. Choose another.')
  return oneAtATime(() => hash(password))
}

// Of those that people choose most, nearly all are shorter than the shortest; the list has the others.
const isCommon = (password: string) => commonPasswords.has(password) || /^(.{1,4})\1+.?$/s.test(password)

/** Who has none (their provider lets them in) is stored with a word in its place: no password fits. */
export const isHash = (stored: string) => stored.startsWith('$argon2')

/** What stands there for those. */
export const noPassword = 'none: a provider lets them in'

// Checked when there is no such user, so that the answer takes as long as for one who exists.
const nobody = hash('a password that nobody has')

export async function passwordFits(password: string, passwordHash: string | undefined): Promise<boolean> {
  const known = passwordHash !== undefined && isHash(passwordHash)
  const hashed = known ? passwordHash : await nobody
  const fits = await oneAtATime(() => verify(hashed, password))
  return fits && known
}

let last: Promise<unknown> = Promise.resolve()

// Each check takes a thread and a core: a flood of logins would take all of them.
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of five: 99 bits, and easy to read out. */
export const newPassword = () =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')

const weak = (detail: string) => new Problem('weak-password', detail)
