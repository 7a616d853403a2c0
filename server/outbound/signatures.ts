import { createHmac, randomBytes } from 'node:crypto'

/** A secret for signing, as the Standard Webhooks rules write it. */
export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The headers that prove who sent a text, when, and that it is the same message if it comes again. */
export function signed(secret: string, id: string, text: string, at = new Date()): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
