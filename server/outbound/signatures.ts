import { createHmac, type Hmac, randomBytes } from 'node:crypto'

/** A secret for signing, as the Standard Webhooks rules write it. */
export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The headers that prove who sent a text, when, and that it is the same message if it comes again. A receiver takes it
 * if any one signature is right: while a secret is being replaced there is one with each.
 */
export function signed(secrets: readonly string[], id: string, text: string): Record<string, string> {
  const at = new Date()
  return signatureHeaders(
    id,
    at,
    secrets.map((secret) => signing(secret, id, at).update(text)),
  )
}

export const keyIn = (secret: string) => secret.replace(/^whsec_/, '')

/** To be fed with what is to be signed. */
export function signing(secret: string, id: string, at: Date): Hmac {
  const key = Buffer.from(keyIn(secret), 'base64')
  return createHmac('sha256', key).update(`${id}.${seconds(at)}.`)
}

export const signatureHeaders = (id: string, at: Date, signatures: readonly Hmac[]) => ({
  'webhook-id': id,
  'webhook-timestamp': seconds(at),
  'webhook-signature': signatures.map((signature) => `v1,${signature.digest('base64')}`).join(' '),
})

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000))
