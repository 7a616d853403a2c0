import { sql } from 'kysely'
import { keptName } from '../../contract/file-names.ts'
import type { NamesQuestion, TakenNames } from '../../contract/uploads.ts'
import { folderPath } from '../folders/tree.ts'
import type { Library } from '../library.ts'

/** Which of these files the folder has already, by their names; of several with one name, the newest. */
export async function takenNames(library: Library, { folderId, names }: NamesQuestion): Promise<TakenNames> {
  if (folderId) await folderPath(library.db, library, folderId)
  const asked = Map.groupBy(new Set(names), keptName)
  const { rows } = await sql<{ wanted: string; id: string; title: string }>`
    select distinct on (wanted) wanted, id, title
    from unnest(${[...asked.keys()]}::text[]) wanted join assets on lower(original_filename) = lower(wanted)
    where client_id = ${library.clientId} and trashed_at is null
      and ${folderId ? sql`folder_id = ${folderId}` : sql`folder_id is null`}
    order by wanted, created_at desc, id desc`.execute(library.db)
  return {
    taken: rows.flatMap(({ wanted, id, title }) =>
      asked.get(wanted)!.map((name) => ({ name, assetId: id, title })),
    ),
  }
}
