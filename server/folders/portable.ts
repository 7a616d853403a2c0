import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { nameKey } from '../../contract/folding.ts'
import { Nullable, plainly, Strict, Timestamp } from '../../contract/words.ts'
import { change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type MovedIds, section, type TakenIn } from '../section.ts'
import { createFolder, refuseTooMany } from './folders.ts'
import { folderName } from './names.ts'
import { under } from './tree.ts'

export const PortableFolder = Strict({
  folderId: Type.String({ minLength: 1, maxLength: 300_000 }),
  parentId: Nullable(Type.String({ minLength: 1, maxLength: 300_000 })),
  name: Type.String({ minLength: 1, maxLength: 4096 }),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  trash: Type.Optional(
    Strict({ trashedAt: Timestamp, trashedWith: Type.String({ minLength: 1, maxLength: 300_000 }) }),
  ),
})
export type PortableFolder = Static<typeof PortableFolder>

/** Parents first. */
export const foldersSection = section({
  name: 'folder',
  line: PortableFolder,
  write: writeFolders,
  read: readFolders,
})

async function writeFolders(library: Library): Promise<PortableFolder[]> {
  const rows = await library.db
    .selectFrom('folders')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .orderBy('name_order')
    .orderBy('id')
    .execute()
  const below = Map.groupBy(rows, (row) => row.parent_id)
  const ordered: typeof rows = []
  const add = (parentId: string | null) => {
    for (const row of below.get(parentId) ?? []) {
      ordered.push(row)
      add(row.id)
    }
  }
  add(null)
  return ordered.map((row) => ({
    folderId: row.id,
    parentId: row.parent_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.trashed_at && {
      trash: { trashedAt: row.trashed_at.toISOString(), trashedWith: row.trashed_with! },
    }),
  }))
}

/** Folders of the same name are taken as they are. Below one that cannot be made, none is. */
async function readFolders(library: Library, folders: PortableFolder[], ids: MovedIds): Promise<TakenIn> {
  const result: TakenIn = { made: 0, there: 0, refused: [] }
  const refused = new Map<string, Problem>()
  await ids.settle(
    'folder',
    folders.map(({ folderId }) => folderId),
    (some) =>
      library.db
        .selectFrom('folders')
        .select(['id', 'client_id'])
        .where(sql<boolean>`id = any(${some}::text[])`)
        .execute(),
  )
  for (const folder of folders)
    try {
      const above = refused.get(folder.parentId ?? '')
      if (above) throw above
      result[await (folder.trash ? putInTrash : makeFolder)(library, folder, ids)]++
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      refused.set(folder.folderId, error)
      result.refused.push({ file: folder.name, code: error.code, detail: error.message })
    }
  return result
}

async function makeFolder(
  library: Library,
  { folderId, parentId, name: given, createdAt, updatedAt }: PortableFolder,
  ids: MovedIds,
): Promise<'made' | 'there'> {
  const name = plainly(given)
  const id = ids.of(folderId)
  const parent = parentId && ids.of(parentId)
  const there = await library.db
    .selectFrom('folders')
    .select('id')
    .where('client_id', '=', library.clientId)
    .where((eb) =>
      eb.or([
        eb('id', '=', id),
        eb.and([eb('name_key', '=', nameKey(folderName(name))), eb('trashed_at', 'is', null), under(parent)]),
      ]),
    )
    .orderBy((eb) => eb('id', '=', id), 'desc')
    .executeTakeFirst()
  if (there) {
    ids.call(folderId, there.id)
    return 'there'
  }
  await createFolder(
    library,
    { name, parentId: parent },
    { id, ...(createdAt && { created_at: createdAt }), ...(updatedAt && { updated_at: updatedAt }) },
  )
  return 'made'
}

const putInTrash = (
  library: Library,
  { folderId, parentId, name, createdAt, updatedAt, trash }: PortableFolder,
  ids: MovedIds,
): Promise<'made' | 'there'> =>
  change(library, async (its) => {
    await refuseTooMany(its.trx, library)
    const made = await its.trx
      .insertInto('folders')
      .values({
        client_id: library.clientId,
        id: ids.of(folderId),
        parent_id: parentId && ids.of(parentId),
        name: folderName(name),
        name_key: nameKey(folderName(name)),
        created_at: createdAt,
        updated_at: updatedAt,
        trashed_at: trash!.trashedAt,
        trashed_with: ids.of(trash!.trashedWith),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return 'there'
    its.note({ action: 'client.imported', thing: made.id, details: { folders: 1 } })
    return 'made'
  })
