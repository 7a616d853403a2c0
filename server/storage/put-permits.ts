import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PutPermit } from './storage.ts'

export type Refusal = 'SignatureDoesNotMatch' | 'ExpiredRequest' | 'MissingContentLength'

/** Presigned URLs of the disk store: a query string that permits one key and one length for a time. */
export function putPermits(secret: string, now: () => number) {
  const signature = (key: string, length: string, expires: string, holder: string) =>
    createHmac('sha256', secret)
      .update(['disk object', 'PUT', key, length, expires, holder].join('\n'))
      .digest('base64url')

  return {
    sign(key: string, { sizeBytes, expiresInSeconds, holder = '' }: PutPermit): string {
      const length = String(sizeBytes)
      const expires = String(Math.floor(now() / 1000) + expiresInSeconds)
      const signed = signature(key, length, expires, holder)
      return `length=${length}&expires=${expires}&holder=${encodeURIComponent(holder)}&signature=${signed}`
    },

    refusal(key: string, query: URLSearchParams, contentLength: string | undefined): Refusal | undefined {
      const length = query.get('length') ?? ''
      const expires = query.get('expires') ?? ''
      const holder = query.get('holder') ?? ''
      const signed = query.get('signature') ?? ''

      if (!sameText(signed, signature(key, length, expires, holder))) return 'SignatureDoesNotMatch'
      if (now() >= Number(expires) * 1000) return 'ExpiredRequest'
      if (contentLength === undefined) return 'MissingContentLength'
      return contentLength === length ? undefined : 'SignatureDoesNotMatch'
    },
  }
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
