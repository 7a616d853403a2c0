import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')

interface Wishes {
  origin?: string
  challenge?: string
  /** Whether its owner has unlocked it. */
  unlocked?: boolean
  counter?: number
}

/** A security key in software: ES256, no attestation. It lies about whatever it is told to. */
export function authenticator(origin: string) {
  const host = new URL(origin).hostname
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let uses = 0

  const clientData = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const authData = (flags: number, counter: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, more])
  }

  return {
    id: base64url(id),
    /** A new passkey, as a browser would answer. */
    registers({ challenge }: { challenge: string }, wishes: Wishes = {}) {
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const data = authData(0x45, 0, credential)
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id: base64url(id),
        clientDataJSON: base64url(
          clientData('webauthn.create', wishes.challenge ?? challenge, wishes.origin ?? origin),
        ),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      }
    },
    /** What it answers when it is asked to let its owner in. */
    answers({ challenge }: { challenge: string }, userId: string, wishes: Wishes = {}) {
      uses++
      const client = clientData('webauthn.get', wishes.challenge ?? challenge, wishes.origin ?? origin)
      const data = authData(wishes.unlocked === false ? 0x01 : 0x05, wishes.counter ?? uses)
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
      return {
        id: base64url(id),
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: base64url(userId),
      }
    },
  }
}
