import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { folded } from '../../contract/folding.ts'
import { searchedWords, unwantedWords } from '../../contract/searched-words.ts'
import { askPrepared } from '../db/prepared.ts'
import type { Library } from '../library.ts'

/** A folder's name as words are looked for in it. */
export interface FolderName {
  id: string
  parentId: string | null
  name: string
}

export interface FolderNames {
  folders: FolderName[]
  byId: Map<string, FolderName>
  /** All names. */
  text: string
  words: string[]
}

/** What comes behind so many letters of all names is not looked through for words. */
const mostLetters = 500_000

/** Those that were searched last, by their client. */
const recent = new LRUCache<string, FolderNames & { event: string }>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }) => text.length + 1,
})

/**
 * Read again only when a folder has changed: to look through all of them takes the database longer than to tell them. In one
 * text, which takes a third of the time that rows take.
 */
export async function namesOfFolders({ db, clientId }: Library): Promise<FolderNames> {
  const kept = recent.get(clientId)
  const [told] = await askPrepared(
    db,
    sql<{ event: string; folders: string | null }>`
    select last_folder_event::text as event,
      case when last_folder_event::text <> ${kept?.event ?? ''} then (
        select string_agg(id || ' ' || coalesce(parent_id, '') || ' ' || search_text, e'\\x1e' order by id)
        from folders where client_id = ${clientId} and trashed_at is null) end as folders
    from client_counters where client_id = ${clientId}`,
  )
  if (kept && kept.event === told?.event) return kept
  const names = { event: told?.event ?? '', ...namesIn(told?.folders ?? '') }
  recent.set(clientId, names)
  return names
}

function namesIn(told: string): FolderNames {
  const folders = told.split('\x1e').flatMap((line) => {
    const [id, parentId] = line.split(' ', 2)
    return id ? { id, parentId: parentId || null, name: line.slice(id.length + parentId!.length + 2) } : []
  })
  const text = folders.map(({ name }) => name).join('\n')
  return {
    folders,
    byId: new Map(folders.map((folder) => [folder.id, folder])),
    text,
    words: [...new Set(text.slice(0, mostLetters).match(/\p{L}+/gu))],
  }
}

/** Whether one folder, wherever it is, has all that is searched for. */
export function someFolderHas({ folders, text }: FolderNames, q: string | undefined): boolean {
  const words = searchedWords(q).map(folded)
  if (!words.every((word) => text.includes(word))) return false
  const unwanted = unwantedWords(q).map(folded)
  return folders.some(
    ({ name }) => words.every((word) => name.includes(word)) && !unwanted.some((word) => name.includes(word)),
  )
}
