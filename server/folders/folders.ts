import { type Insertable, sql } from 'kysely'
import { deepestFolder, type Folder, type FolderChange, type NewFolder } from '../../contract/folders.ts'
import { nameKey } from '../../contract/folding.ts'
import { changedMeanwhile, refuseStale } from '../changes/revisions.ts'
import type { Trx } from '../db/database.ts'
import type { FoldersTable } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { folderName } from './names.ts'
import { refuseLookAlike, refuseMoveInto, refuseProtected } from './protected.ts'
import {
  type FolderRow,
  folderETag,
  folderPath,
  foldersBelow,
  holdTree,
  names,
  toFolder,
  under,
} from './tree.ts'

export interface Revised {
  folder: Folder
  etag: string
}

/** What is known of a folder from elsewhere, for a library that moves in here. No request can say so. */
type Past = Pick<Insertable<FoldersTable>, 'id' | 'created_at' | 'updated_at'>

export async function createFolder(
  library: Library,
  input: NewFolder,
  past: Past = { id: newId('folder') },
): Promise<Revised> {
  const name = folderName(input.name)
  return changeOnce(library, async (its) => {
    await holdTree(its.trx, library)
    const above = await parentPath(its.trx, library, input.parentId ?? null)
    if (above.length >= deepestFolder) throw tooDeep()

    refuseLookAlike([...names(above), name])
    await refuseTooMany(its.trx, library)
    const row = await insertFolder(its.trx, library, name, input.parentId ?? null, past)
    if (!row) throw nameTaken(name)
    return folderChanged(its, 'folder.created', row, names(above))
  })
}

/** A rename when it carries a name, a move when it carries a parent, both at once when it carries both. */
export async function changeFolder(
  library: Library,
  input: FolderChange,
  ifMatch?: string,
): Promise<Revised> {
  const newName = input.name === undefined ? undefined : folderName(input.name)
  return change(library, async (its) => {
    await holdTree(its.trx, library)
    const path = await folderPath(its.trx, library, input.folderId)
    const folder = path.at(-1)!
    refuseProtected(library.caller, names(path))
    refuseStale(folderETag(folder), ifMatch)
    const { still } = input
    if (still && (still.name !== folder.name || still.parentId !== folder.parent_id)) throw changedMeanwhile()
    const name = newName ?? folder.name
    const parentId = input.parentId === undefined ? folder.parent_id : input.parentId
    const moves = parentId !== folder.parent_id
    const above = moves ? await parentPath(its.trx, library, parentId) : path.slice(0, -1)
    if (!moves && name === folder.name)
      return { folder: toFolder(folder, names(above)), etag: folderETag(folder) }

    refuseProtected(library.caller, [...names(above), name])
    refuseLookAlike([...names(above), name])
    if (moves) {
      refuseMoveInto(library.caller, names(above))
      await refuseBadPlace(its.trx, library, folder, above)
    }
    return folderChanged(
      its,
      'folder.updated',
      await writeFolder(its.trx, folder, { name, parentId }),
      names(above),
    )
  })
}

/** The folder at this path, made where it is absent. Whoever asks holds the tree. */
export async function folderAt(its: Change, library: Library, path: string[]): Promise<FolderRow> {
  const above = path.slice(0, -1)
  const name = path.at(-1)!
  const parentId = above.length > 0 ? (await folderAt(its, library, above)).id : null
  const there = await its.trx
    .selectFrom('folders')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where(under(parentId))
    .where('name_key', '=', nameKey(name))
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  if (there) return there
  const made = await insertFolder(its.trx, library, name, parentId)
  folderChanged(its, 'folder.created', made!, above)
  return made!
}

/** Undefined when the name is taken. */
const insertFolder = (
  trx: Trx,
  library: Library,
  name: string,
  parentId: string | null,
  past: Past = { id: newId('folder') },
): Promise<FolderRow | undefined> =>
  trx
    .insertInto('folders')
    .values({
      ...past,
      client_id: library.clientId,
      parent_id: parentId,
      name,
      name_key: nameKey(name),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Those in the trash count too: they can come back. */
export async function refuseTooMany(trx: Trx, library: Library): Promise<void> {
  const most = library.limits.maxFolders
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from folders where client_id = ${library.clientId} limit ${most}
    ) as counted`.execute(trx)
  if (rows[0]!.count < most) return
  throw new Problem(
    'too-many-folders',
    `There are ${most} folders already, the trash included. Use tags, or have MAX_FOLDERS raised.`,
    { extra: { params: { most } } },
  )
}

const parentPath = async (trx: Trx, library: Library, parentId: string | null) =>
  parentId === null ? [] : folderPath(trx, library, parentId)

async function refuseBadPlace(
  trx: Trx,
  library: Library,
  folder: FolderRow,
  above: FolderRow[],
): Promise<void> {
  if (above.some((ancestor) => ancestor.id === folder.id))
    throw new Problem(
      'folder-cycle',
      'A folder cannot be moved into itself or into a folder below it. Choose another place.',
    )
  const below = await foldersBelow(trx, library, folder.id)
  const height = Math.max(...below.map(({ depth }) => depth))
  if (above.length + 1 + height > deepestFolder) throw tooDeep()
}

async function writeFolder(
  trx: Trx,
  folder: FolderRow,
  to: { name: string; parentId: string | null },
): Promise<FolderRow> {
  const taken = await trx
    .selectFrom('folders')
    .select('id')
    .where('client_id', '=', folder.client_id)
    .where(under(to.parentId))
    .where('name_key', '=', nameKey(to.name))
    .where('trashed_at', 'is', null)
    .where('id', '!=', folder.id)
    .executeTakeFirst()
  if (taken) throw nameTaken(to.name)
  return trx
    .updateTable('folders')
    .set({ name: to.name, name_key: nameKey(to.name), parent_id: to.parentId, updated_at: new Date() })
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('client_id', '=', folder.client_id)
    .where('id', '=', folder.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function folderChanged(
  its: Change,
  type: 'folder.created' | 'folder.updated',
  row: FolderRow,
  above: string[],
): Revised {
  const folder = toFolder(row, above)
  its.tell(type, row.id, { folder })
  return { folder, etag: folderETag(row) }
}

const nameTaken = (name: string) =>
  new Problem('folder-name-taken', `There is a folder "${name}" here already. Choose another name.`, {
    extra: { params: { name } },
  })
const tooDeep = () =>
  new Problem(
    'folder-too-deep',
    `Folders can be nested ${deepestFolder} deep at most. Choose a place higher up.`,
    { extra: { params: { most: deepestFolder } } },
  )
