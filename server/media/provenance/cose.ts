/** COSE's numbers for how is signed (RFC 9053), by C2PA's names. */
const algorithms = { es256: -7, es384: -35, es512: -36, ps256: -37, ed25519: -8 }
export type Algorithm = keyof typeof algorithms

const [x5chain, alg] = [33, 1]

/** The header of a COSE signature (RFC 9052): how it was made, and by whose certificate, the signer's first. */
export function protectedHeader(algorithm: Algorithm, chain: Uint8Array[]): Buffer {
  const certificates = chain.map(bytes)
  return map([
    [integer(alg), integer(algorithms[algorithm])],
    [integer(x5chain), certificates.length === 1 ? certificates[0]! : array(certificates)],
  ])
}

/** What is really signed: the claim, as one of C2PA's and with that header alone. */
export const toBeSigned = (header: Uint8Array, claim: Uint8Array): Buffer =>
  array([text('Signature1'), bytes(header), bytes(new Uint8Array()), bytes(claim)])

/** A signature beside what it signs, which is not repeated. */
export const coseSign1 = (header: Uint8Array, signature: Uint8Array): Buffer =>
  Buffer.concat([sign1Tag, array([bytes(header), map([]), nothing, bytes(signature)])])

const sign1Tag = Buffer.of(0xd2)
const nothing = Buffer.of(0xf6)

// As much of CBOR (RFC 8949) as that takes.
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Uint8Array) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const array = (items: Buffer[]) => Buffer.concat([head(4, items.length), ...items])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

function head(major: number, value: number): Buffer {
  const first = major << 5
  if (value < 24) return Buffer.of(first | value)
  if (value < 0x100) return Buffer.of(first | 24, value)
  const long = Buffer.alloc(value < 0x10000 ? 3 : 5)
  long[0] = first | (long.length === 3 ? 25 : 26)
  long.writeUIntBE(value, 1, long.length - 1)
  return long
}
