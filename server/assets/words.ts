import { sql } from 'kysely'
import type {
  AssetWords,
  WordChange,
  WordChanges,
  WordResults,
  WordsPage,
  WordsQuery,
} from '../../contract/asset-words.ts'
import { charactersIn, mostCharacters } from '../../contract/word-lengths.ts'
import { isId } from '../ids.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetRow, assetETag } from './asset.ts'
import { editRows, heldRows } from './assets.ts'
import { orderFor } from './order-for.ts'
import type { SortKeys } from './orders.ts'
import { firstRows } from './pages.ts'
import { isByMeaning } from './relevance.ts'
import type { Search } from './search.ts'
import { asMeant } from './spelling.ts'
import { gone } from './undo.ts'

type WordsRow = Pick<
  AssetRow,
  | 'id'
  | 'folder_id'
  | 'version'
  | 'original_filename'
  | 'title'
  | 'alt_text'
  | 'description'
  | 'tags'
  | 'revision'
>

const columns = sql`id, folder_id, version, original_filename, title, alt_text, description, tags, revision, created_at, size_bytes`

/** What is written of all that a search finds, many a page: for a table of them. */
export async function listWords(library: Library, query: WordsQuery): Promise<WordsPage> {
  const { limit = 100 } = query
  const { rows, order } = await asMeant(
    library,
    query,
    (meant) => rowsOf(library, meant, limit),
    (found) => found.rows.every(isByMeaning),
  )
  const page = rows.slice(0, limit)
  return {
    rows: page.map(toWords),
    nextCursor: rows.length > limit ? order.cursorOf(page.at(-1)!) : null,
  }
}

async function rowsOf(library: Library, query: WordsQuery & Search, limit: number) {
  const order = await orderFor(library, query)
  const rows = await firstRows<WordsRow & SortKeys>(library, query, order, columns, limit + 1)
  return { rows, order }
}

/** Changes each by itself, in one transaction; what somebody has changed meanwhile stays as it is. */
export async function editWords(
  library: Library,
  { changes, dryRun = false }: WordChanges,
): Promise<WordResults> {
  const characters = changes.reduce((sum, change) => sum + charactersIn(change), 0)
  if (!dryRun && characters > mostCharacters) throw tooMuch()
  return changeOnce(library, async (its) => {
    const ids = changes.map(({ assetId }) => assetId).filter((id) => isId('asset', id))
    const rows = new Map((await heldRows(its, library, ids)).map((row) => [row.id, row]))
    const results: WordResults['results'] = []
    for (const change of changes) {
      const { assetId } = change
      const row = rows.get(assetId)
      const problem = !row || row.trashed_at ? gone : assetETag(row) !== change.ifMatch ? stale : undefined
      if (row && !problem && !dryRun) rows.set(assetId, await edited(its, library, change))
      const now = rows.get(assetId)
      results.push({
        assetId,
        ok: !problem,
        ...(now && { words: toWords(now) }),
        ...(problem && { problem }),
      })
    }
    return { results }
  })
}

const tooMuch = () =>
  new Problem(
    'invalid-request',
    `There are more than ${mostCharacters} characters in these changes. Send fewer of them at once.`,
    {
      extra: {
        errors: [
          { path: '/changes', message: `must not have more than ${mostCharacters} characters in all` },
        ],
      },
    },
  )

async function edited(its: Change, library: Library, change: WordChange): Promise<AssetRow> {
  const { assetId, ifMatch: _, ...words } = change
  const [row] = await editRows(its, library, [assetId], words)
  return row!
}

const stale = {
  code: 'changed-meanwhile',
  detail: 'Somebody has changed it since. Look at it as it is now, then change it again.',
}

const toWords = (row: WordsRow): AssetWords => ({
  assetId: row.id,
  assetRef: row.id,
  version: row.version,
  originalFilename: row.original_filename,
  folderId: row.folder_id,
  title: row.title,
  altText: row.alt_text,
  description: row.description,
  tags: row.tags,
  etag: assetETag(row),
})
