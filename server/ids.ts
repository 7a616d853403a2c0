import { randomFillSync } from 'node:crypto'
import type { IdKind } from '../contract/words.ts'
import { notFound } from './problems.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** A TypeID: the kind, then a UUIDv7 in base32, so that ids sort by the time they were made. */
export function newId(kind: IdKind): string {
  let number = BigInt(`0x${uuidv7().toString('hex')}`)
  let text = ''
  for (let i = 0; i < 26; i++) {
    text = alphabet[Number(number & 31n)] + text
    number >>= 5n
  }
  return `${kind}_${text}`
}

export const isId = (kind: IdKind, id: unknown): id is string =>
  typeof id === 'string' && id.startsWith(`${kind}_`) && suffix.test(id.slice(kind.length + 1))

/** An id of the wrong kind or form is answered like one that is not there. */
export function knownId(kind: IdKind, id: string): string {
  if (!isId(kind, id)) throw notFound(`No ${kind}`)
  return id
}

function uuidv7(): Buffer {
  const bytes = randomFillSync(Buffer.alloc(16))
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes
}
