/** What PostgreSQL takes of a text from elsewhere: no NUL, and no half of a surrogate pair, which cutting may leave. */
export const keepable = (text: string, longest = Infinity): string =>
  text.replaceAll('\0', '').slice(0, longest).toWellFormed()
