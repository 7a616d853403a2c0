import type { AssetWords, WordChange } from '../../contract/asset-words.ts'
import type { SheetWords } from '../words/sheet.en.ts'
import { readCsv, writeCsv } from './csv.ts'
import { changeOf, type Field, fields, problemWith, textOf } from './fields.ts'
import type { Edit, Sheet, StepsOf } from './sheet.ts'

const names = { title: 'title', altText: 'alt text', description: 'description', tags: 'tags' } as const
const atOnce = 50

/** By which somebody else's change in the meantime is noticed; a file without this column changes what is there now. */
const since = 'as of'

/** All rows of the sheet, as a file that comes back. */
export async function exportCsv(sheet: Sheet, stepsOf: StepsOf, locale: string): Promise<Blob> {
  const rows = [['id', 'file name', 'folder', ...fields.map((field) => names[field]), since]]
  for (const row of await sheet.everyRow())
    rows.push([
      row.assetId,
      row.originalFilename,
      stepsOf(row.folderId).join(' / '),
      ...fields.map((field) => sheet.textIn(row, field)),
      row.etag.replaceAll('"', ''),
    ])
  return new Blob([writeCsv(rows, locale)], { type: 'text/csv;charset=utf-8' })
}

export interface Comparison {
  edits: (Edit & { before: string; name: string })[]
  /** By the number that a spreadsheet shows beside the row. */
  problems: { row: number; text: string }[]
}

/** What a file would change, and which of its rows cannot: nothing is written yet. Null if it is none of ours. */
export async function compare(sheet: Sheet, file: string, words: SheetWords): Promise<Comparison | null> {
  const [head = [], ...lines] = readCsv(file)
  const columns = head.map((name) => name.trim().toLowerCase())
  const [idAt, sinceAt] = [columns.indexOf('id'), columns.indexOf(since)]
  if (idAt < 0) return null
  const seen = new Set<string>()
  const found: Comparison = { edits: [], problems: [] }
  const rows = lines.flatMap((line, index) => {
    const assetId = line[idAt]?.trim() ?? ''
    if (!assetId && line.every((cell) => cell.trim() === '')) return []
    const row = index + 2
    if (seen.has(assetId)) {
      found.problems.push({ row, text: words.twice })
      return []
    }
    seen.add(assetId)
    return [{ row, assetId, line, ifMatch: `"${line[sinceAt]?.trim() ?? ''}"` }]
  })
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    const asked: WordChange[] = some.map(({ assetId, ifMatch }) => ({
      assetId: assetId.slice(0, 100),
      ifMatch: ifMatch.slice(0, 100),
    }))
    const { results } = await sheet.send(asked, true)
    for (const [index, { row, line }] of some.entries()) {
      const { ok, words: now, problem } = results[index]!
      if (!now) found.problems.push({ row, text: words.gone })
      else {
        const edits = differences(now, line, columns)
        const isOlder = problem?.code === 'changed-meanwhile'
        const isStale = isOlder && sinceAt >= 0
        if (edits.length === 0) continue
        const refused = isStale
          ? words.changedSince
          : !ok && !isOlder
            ? words.gone
            : edits.map(({ field, text }) => problemWith(field, text, words)).find(Boolean)
        if (refused) found.problems.push({ row, text: refused })
        else {
          sheet.learn([now])
          found.edits.push(...edits)
        }
      }
    }
  }
  found.problems.sort((one, other) => one.row - other.row)
  return found
}

function differences(now: AssetWords, line: string[], columns: string[]): Comparison['edits'] {
  return fields.flatMap((field) => {
    const text = line[columns.indexOf(names[field])]?.replaceAll('\r\n', '\n')
    const before = textOf(now, field)
    if (text === undefined || isSame(field, text, before)) return []
    return [{ assetId: now.assetId, field, text, before, name: now.originalFilename }]
  })
}

const isSame = (field: Field, one: string, other: string) =>
  one === other ||
  JSON.stringify(changeOf(field, one.trim())) === JSON.stringify(changeOf(field, other.trim()))
