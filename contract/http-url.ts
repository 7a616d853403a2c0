import { Type } from 'typebox'

/** An address that can be called: of http or https, and without a login in it. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s@]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return !username && !password
}

export const longestUrl = 2000
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
