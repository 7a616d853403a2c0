import { decimalMark } from '../words/decimal-mark.ts'

/**
 * The cells of what spreadsheets copy and save: those in quotes may hold the delimiter, line breaks, and quotes twice
 * over. A quote that nothing closes is one.
 */
export function parseTable(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at <= text.length) {
    const { cell, end } = cellAt(text, at, delimiter)
    rows.at(-1)!.push(cell)
    if (end >= text.length) break
    at = end + 1
    if (text[end] === delimiter) continue
    if (text[end] === '\r' && text[at] === '\n') at++
    // A line break at the very end ends the last row, and begins none.
    if (at >= text.length) break
    rows.push([])
  }
  return rows
}

function cellAt(text: string, start: number, delimiter: string): { cell: string; end: number } {
  const quoted = /"((?:[^"]|"")*)"/y
  quoted.lastIndex = start
  const match = quoted.exec(text)
  const behind = match ? text[quoted.lastIndex] : undefined
  if (match && (behind === undefined || behind === delimiter || behind === '\n' || behind === '\r'))
    return { cell: match[1]!.replaceAll('""', '"'), end: quoted.lastIndex }
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: text.slice(start, end), end }
}

/** Paragraphs, as of a mail. What spreadsheets copy has its cells in HTML as well, so that an empty one is known. */
export const isProse = (text: string, html: string): boolean =>
  !text.includes('\t') &&
  !/<table/i.test(html) &&
  parseTable(text, '\t').some((cells) => cells.join('').trim() === '')

const lineOf = (cells: string[], delimiter: string) =>
  cells.map((cell) => (/["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)

/**
 * With a mark by which Excel knows that it is UTF-8. No cell is a formula. Where a comma stands in numbers, Excel takes
 * semicolons to divide cells.
 */
export function writeCsv(rows: string[][], locale: string): string {
  const delimiter = decimalMark(locale) === ',' ? ';' : ','
  return `\ufeff${rows.map((row) => `${lineOf(row.map(guarded), delimiter)}\r\n`).join('')}`
}

export function readCsv(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '')
  const [head = ''] = plain.split(/[\r\n]/, 1)
  const delimiter = [';', '\t'].find((one) => head.split(one).length > head.split(',').length) ?? ','
  return parseTable(plain, delimiter).map((row) => row.map(unguarded))
}

/** A spreadsheet would reckon with what begins so, and may send it elsewhere; an apostrophe makes it words. */
const guarded = (cell: string) => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
const unguarded = (cell: string) => cell.replace(/^'(?='*[=+\-@\t\r])/, '')

/** Tags in one cell: between commas, or semicolons, in quotes where one has such itself. */
export const tagsText = (tags: string[]) =>
  tags.map((tag) => (/[",;\r\n]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')

export const readTags = (text: string): string[] =>
  [...text.matchAll(/\s*"((?:[^"]|"")*)"\s*(?=[,;\r\n]|$)|[^,;\r\n]+/g)]
    .map(([all, quoted]) => (quoted?.replaceAll('""', '"') ?? all).trim())
    .filter(Boolean)

/** As the file says it. What is not UTF-8 was written by a spreadsheet of old, as Western ones do. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
