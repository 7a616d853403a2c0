/** An address to which paths are added. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/**
 * A path in which each value stays one segment or one parameter, whatever it is: path`/media/${id}`. Dots alone
 * would still lead elsewhere, however they are written.
 */
export function path(texts: TemplateStringsArray, ...values: string[]): string {
  const escaped = values.map((value) => {
    if (value === '.' || value === '..' || value === '') throw new Error('No part of a path')
    return encodeURIComponent(value)
  })
  return String.raw({ raw: texts }, ...escaped)
}
