/** What a command is made of; `command-line.ts` reads the arguments, prints the answer and ends the process. */
export interface Command {
  summary: string
  /** What stands after the name, e.g. `DIR`; all of it is needed. */
  takes?: string[]
  options?: Record<string, Option>
  /** More than one line about it, for `--help`. */
  explain?: string
  run(given: Given): Promise<Answer>
}

/** A command that is only a family of others: `user add`, `user list` … */
export interface Group {
  summary: string
  actions: Record<string, Command>
}

export interface Option {
  explain: string
  /** What its value is called; without one it is a switch. */
  value?: string
  many?: boolean
  needed?: boolean
}

export interface Given {
  args: string[]
  json: boolean
  text(name: string): string | undefined
  needed(name: string): string
  flag(name: string): boolean
  list(name: string): string[]
}

export interface Answer {
  /** For people, a line each. */
  lines: string[]
  /** For programs, with `--json`. */
  json: unknown
  /** Something was found or refused: the process ends with 1. */
  faulty?: boolean
}

/** The process ends with these. */
export const exitCodes = { fine: 0, faulty: 1, misuse: 2, cannot: 3 } as const

/** It was tried, and did not come about, for a reason a person can read. */
export class Failed extends Error {}

/** Asked for in a way that cannot be meant. */
export class Misuse extends Error {}

export function wholeNumber(given: Given, name: string): number | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new Misuse(`--${name} must be a whole number.`)
  return Number(text)
}

const units = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 } as const

/** Bytes, also as `500M` or `20G`. */
export function byteCount(given: Given, name: string): number | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  const [, digits, unit = ''] = /^(\d{1,12})\s*([kmgt]?)i?b?$/i.exec(text) ?? []
  if (!digits) throw new Misuse(`--${name} must be a number of bytes, such as 1000000, 500M or 20G.`)
  return Number(digits) * units[unit.toLowerCase() as keyof typeof units]
}

/** A table whose columns are as wide as they have to be. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - [...cell].length))
      .join('  ')
      .trimEnd(),
  )
}

export function readableBytes(bytes: number): string {
  let amount = bytes
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (amount < 1000) return `${unit === 'B' ? amount : amount.toFixed(1)} ${unit}`
    amount /= 1000
  }
  return `${amount.toFixed(1)} TB`
}
