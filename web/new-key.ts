/** A random key. Not `randomUUID`: browsers offer that on secure pages only. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join('')
