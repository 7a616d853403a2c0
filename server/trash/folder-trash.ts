import { type RawBuilder, sql } from 'kysely'
import type { FolderDeleted, FolderDeletion } from '../../contract/folders.ts'
import { nameKey } from '../../contract/folding.ts'
import { refuseStale } from '../changes/revisions.ts'
import type { Reader, Trx } from '../db/database.ts'
import type { Revised } from '../folders/folders.ts'
import { freeName } from '../folders/names.ts'
import { refuseProtected } from '../folders/protected.ts'
import {
  type FolderRow,
  folderETag,
  folderPath,
  foldersBelow,
  holdTree,
  names,
  pathIfThere,
  toFolder,
  under,
} from '../folders/tree.ts'
import { change, changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { refuseInUse } from '../uses/in-use.ts'

/** Trashes the folder with all below it in one step. What was in the trash before keeps its own date. */
export async function trashFolder(
  library: Library,
  input: FolderDeletion,
  ifMatch?: string,
): Promise<FolderDeleted> {
  const trashedAt = new Date()
  return change(library, async (its) => {
    await holdTree(its.trx, library)
    const path = await folderPath(its.trx, library, input.folderId)
    const folder = path.at(-1)!
    refuseStale(folderETag(folder), ifMatch)
    const below = await foldersBelow(its.trx, library, folder.id)
    const namesById = new Map([[folder.id, names(path)]])
    for (const each of below) {
      if (each.id !== folder.id) namesById.set(each.id, [...namesById.get(each.parent_id!)!, each.name])
      refuseProtected(library.caller, namesById.get(each.id)!)
    }

    const ids = below.map(({ id }) => id)
    await its.trx
      .updateTable('folders')
      .set({ trashed_at: trashedAt, trashed_with: folder.id, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .execute()
    await holdAssets(its.trx, library, sql`folder_id = any(${ids}::text[]) and trashed_at is null`)
    const assets = await its.trx
      .updateTable('assets')
      .set({ trashed_at: trashedAt, trashed_with: folder.id, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where(sql<boolean>`folder_id = any(${ids}::text[])`)
      .where('trashed_at', 'is', null)
      .returning('id')
      .execute()
    // Asked only now that the assets are locked: no use can take hold of one any more.
    if (!input.force)
      await refuseInUse(
        its.trx,
        library,
        assets.map(({ id }) => id),
      )
    const deleted = { folders: ids.length, assets: assets.length }
    its.tell('folder.trashed', folder.id, { name: folder.name, ...deleted })
    return { deleted, restorableUntil: restorableUntil(library, trashedAt) }
  })
}

/** Back to where it was, or to the top if that is gone; under another name if its own was taken meanwhile. */
export async function restoreFolder(library: Library, folderId: string): Promise<Revised> {
  return changeOnce(library, async (its) => {
    await holdTree(its.trx, library)
    const root = await trashedRoot(its.trx, library, folderId)
    const above = root.parent_id ? await pathIfThere(its.trx, library, root.parent_id) : []
    const parentId = above.at(-1)?.id ?? null
    const name = freeName(root.name, await takenNames(its.trx, library, parentId))
    refuseProtected(library.caller, [...names(above), name])

    await its.trx
      .updateTable('folders')
      .set({ trashed_at: null, trashed_with: null, updated_at: new Date() })
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .set((eb) => ({
        name: eb.case().when('id', '=', root.id).then(name).else(eb.ref('name')).end(),
        name_key: eb.case().when('id', '=', root.id).then(nameKey(name)).else(eb.ref('name_key')).end(),
        parent_id: eb.case().when('id', '=', root.id).then(parentId).else(eb.ref('parent_id')).end(),
      }))
      .where('client_id', '=', library.clientId)
      .where('trashed_with', '=', root.id)
      .execute()
    await holdAssets(its.trx, library, sql`trashed_with = ${root.id}`)
    const { numUpdatedRows } = await its.trx
      .updateTable('assets')
      .set({ trashed_at: null, trashed_with: null, revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('trashed_with', '=', root.id)
      .executeTakeFirst()

    const restored = (await folderPath(its.trx, library, root.id)).at(-1)!
    const folder = toFolder(restored, names(above))
    its.tell('folder.restored', root.id, { folder, assets: Number(numUpdatedRows) })
    return { folder, etag: folderETag(restored) }
  })
}

// In one order, as a batch does: an update alone locks rows as it finds them, and two could wait for each other.
const holdAssets = (trx: Trx, library: Library, which: RawBuilder<unknown>) =>
  sql`select id from assets where client_id = ${library.clientId} and ${which} order by id for update`.execute(
    trx,
  )

export const restorableUntil = (library: Library, trashedAt: Date) =>
  new Date(trashedAt.getTime() + library.limits.trashDays * 86_400_000).toISOString()

export async function trashedRoot(trx: Reader, library: Library, folderId: string): Promise<FolderRow> {
  const root = await trx
    .selectFrom('folders')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('id', '=', folderId)
    .where(sql<boolean>`trashed_with = id`)
    .executeTakeFirst()
  if (!root) throw notFound('No folder in the trash')
  return root
}

async function takenNames(trx: Trx, library: Library, parentId: string | null): Promise<Set<string>> {
  const siblings = await trx
    .selectFrom('folders')
    .select('name_key')
    .where('client_id', '=', library.clientId)
    .where(under(parentId))
    .where('trashed_at', 'is', null)
    .execute()
  return new Set(siblings.map((sibling) => sibling.name_key))
}
