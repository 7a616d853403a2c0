import { createHmac, randomBytes } from 'node:crypto'

/** Codes by RFC 6238 as every app makes them: SHA-1, six digits, thirty seconds. */
const stepSeconds = 30
const digits = 6

/** 160 bits, as RFC 4226 wants them, in base32. */
export const newSecret = () => base32(randomBytes(20))

/** What an app reads out of the picture. */
export const otpauthUri = (secret: string, account: string, issuer: string) =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${account}`)}?${new URLSearchParams({ secret, issuer })}`

/** The step that a code belongs to, if it is one of now, of just before or of just after: clocks differ. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const current = Math.floor(now / 1000 / stepSeconds)
  return [current, current - 1, current + 1].find((step) => codeOf(secret, step) === code)
}

export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const bitsOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')

const base32 = (bytes: Uint8Array) =>
  bitsOf(bytes).replace(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)]!)

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)))
}
