import { Type } from 'typebox'

export const longestUrl = 2000

/** An address that can be called: of http or https, without a login in it, and short enough even when it is written out. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s@]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password, href } = new URL(text)
  return !username && !password && href.length <= longestUrl
}

/**
 * An address from outside as it is kept, for people follow it: what turns it or cannot be seen in it is written out.
 * One that is none is left out.
 */
export const keptUrl = (text: string | null): string | null =>
  text !== null && isHttpUrl(text) ? new URL(text).href : null

export const HttpUrl = Type.String({
  maxLength: longestUrl,
  pattern: '^https?://[^\\s@]+$',
  format: 'http-url',
})

/** An address to which paths are added. */
export const BaseUrl = Type.String({
  maxLength: longestUrl,
  pattern: '^https?://[^\\s@?#]+$',
  format: 'http-url',
})
