import { sql } from 'kysely'
import type { NamesQuestion, TakenNames } from '../../contract/uploads.ts'
import { folderPath } from '../folders/tree.ts'
import type { Library } from '../library.ts'

/** Which of these files the folder has already, by their names; of several with one name, the newest. */
export async function takenNames(library: Library, { folderId, names }: NamesQuestion): Promise<TakenNames> {
  if (folderId) await folderPath(library.db, library, folderId)
  const wanted = names.map((name) => name.normalize('NFC'))
  const { rows } = await sql<{ wanted: string; id: string; title: string }>`
    select distinct on (wanted) wanted, id, title
    from unnest(${wanted}::text[]) wanted join assets on lower(original_filename) = lower(wanted)
    where client_id = ${library.clientId} and trashed_at is null
      and ${folderId ? sql`folder_id = ${folderId}` : sql`folder_id is null`}
    order by wanted, created_at desc, id desc`.execute(library.db)
  const given = new Map(names.map((name) => [name.normalize('NFC'), name]))
  return { taken: rows.map(({ wanted, id, title }) => ({ name: given.get(wanted)!, assetId: id, title })) }
}
