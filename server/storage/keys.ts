// Keys are ours to choose and hold no user text, so this alphabet needs no escaping in a URL, an XML answer or a path.
const segment = /^[\w.@-]{1,200}$/

const isSegment = (text: string) => segment.test(text) && text !== '.' && text !== '..'

export const isKey = (text: string) => text.length <= 900 && text.split('/').every(isSegment)

/** A key cut off anywhere, also in the middle of a word. */
export const isKeyPrefix = (text: string) => text === '' || isKey(text) || isKey(`${text}x`)
