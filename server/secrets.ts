import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { Problem } from './problems.ts'

/** 256 random bits. */
export const newToken = (prefix = '') => prefix + randomBytes(32).toString('base64url')

/** What is stored of a token. Tokens are random, so a plain hash is enough. */
export const hashToken = (token: string) => hash('sha256', token)

/** Takes the same time wherever they differ, and however long they are. */
export const isSame = (given: string, secret: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(secret).digest())

export interface Sealer {
  seal(text: string): string
  open(sealed: string): string
  /** What stands for a text, always the same, and tells nothing of it. */
  nameFor(text: string): string
  /** Which key opens it. */
  keyOf(sealed: string): 'current' | 'previous' | 'unreadable'
}

/**
 * Encrypts what must be read again but never in a copy of the database. What was sealed with the key before this one
 * still opens; `keyOf` tells what has to be sealed anew before that key can go.
 */
export function sealer(secretKey: string, previousKey?: string): Sealer {
  const current = derivedFrom(secretKey)
  const keys = [current, ...(previousKey ? [derivedFrom(previousKey)] : [])]
  return {
    seal(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed) {
      for (const key of keys) {
        const text = openWith(key, sealed)
        if (text !== undefined) return text
      }
      throw new Problem(
        'secret-key-changed',
        'This was sealed with another SECRET_KEY. Have the old one set as SECRET_KEY_PREVIOUS, or enter the secrets anew.',
      )
    },
    nameFor: (text) => createHmac('sha256', current).update(text).digest('base64url').slice(0, 22),
    keyOf(sealed) {
      const which = keys.findIndex((key) => openWith(key, sealed) !== undefined)
      return which < 0 ? 'unreadable' : which === 0 ? 'current' : 'previous'
    },
  }
}

const derivedFrom = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', 'seal', 32))

function openWith(key: Buffer, sealed: string): string | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
