import { type Selectable, sql } from 'kysely'
import {
  type Collection,
  type CollectionChange,
  type CollectionPage,
  type CollectionQuery,
  type Collections,
  mostCollections,
  type NewCollection,
} from '../../contract/collections.ts'
import { nameKey } from '../../contract/folding.ts'
import { assetRow } from '../assets/asset.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import type { CollectionsTable } from '../db/schema.ts'
import { knownId, newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { keepAssets, putAssets } from './places.ts'

/** Of one that was deleted, for whoever takes that back. */
const keptHours = 24

export type CollectionRow = Selectable<CollectionsTable>

/** Assets put together by hand, wherever they lie: in the order in which they are named. */
export async function createCollection(
  library: Library,
  { name: wanted, assetIds = [] }: NewCollection,
): Promise<Collection> {
  const name = tidy(wanted)
  return changeOnce(library, async (its) => {
    await keepAssets(its.trx, library, assetIds)
    await refuseTooMany(its.trx, library)
    const row = await its.trx
      .insertInto('collections')
      .values({
        client_id: library.clientId,
        id: newId('collection'),
        name,
        name_key: nameKey(name),
        created_by: library.caller.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw nameTaken(name)
    await putAssets(its.trx, row, assetIds)
    return changed(its, row, 'collection.created')
  })
}

/** By their names. */
export async function listCollections(
  library: Library,
  { limit = 200, cursor }: CollectionQuery,
): Promise<CollectionPage> {
  let rows = library.db
    .selectFrom('collections')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('deleted_at', 'is', null)
    .orderBy('name_order')
    .orderBy('id')
    .limit(limit + 1)
  if (cursor) {
    const [name, id] = readCursor(cursor, ['text', 'text'])
    rows = rows.where(sql<boolean>`(name_order, id) > (${name}::text, ${id}::text)`)
  }
  const found = await rows.execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    collections: await toCollections(library.db, page),
    nextCursor: found.length > limit && last ? writeCursor([last.name_order, last.id]) : null,
  }
}

/** Those in which an asset stands. */
export async function collectionsOf(library: Library, assetId: string): Promise<Collections> {
  const { id } = await assetRow(library.db, library, assetId)
  const rows = await library.db
    .selectFrom('collections')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id in (select collection_id from collection_assets i
      where i.client_id = collections.client_id and i.asset_id = ${id})`)
    .orderBy('name_order')
    .orderBy('id')
    .limit(mostCollections)
    .execute()
  return { collections: await toCollections(library.db, rows) }
}

export async function readCollection(library: Library, collectionId: string): Promise<Collection> {
  const row = await rowsOf(library.db, library, collectionId).executeTakeFirst()
  if (!row) throw notFound('No collection')
  return recordOf(library.db, row)
}

export async function renameCollection(
  library: Library,
  collectionId: string,
  { name: wanted }: CollectionChange,
): Promise<Collection> {
  const name = tidy(wanted)
  return change(library, async (its) => {
    const before = await heldCollection(its.trx, library, collectionId)
    if (before.name === name) return recordOf(its.trx, before)
    await refuseTaken(its.trx, before, name)
    const row = await touch(its.trx, before, { name, name_key: nameKey(name) })
    return changed(its, row, 'collection.updated')
  })
}

/** The assets stay where they are. Links that share it lead nowhere. It can be taken back for a day. */
export const deleteCollection = (library: Library, collectionId: string): Promise<Collection> =>
  change(library, async (its) => {
    const row = await heldCollection(its.trx, library, collectionId)
    const record = await recordOf(its.trx, row)
    await touch(its.trx, row, { deleted_at: new Date() })
    await carry(its.trx, row, 'collection_assets', 'deleted_collection_assets')
    await rightsChanged(its.trx)
    its.tell('collection.deleted', row.id, { name: row.name })
    return record
  })

/** As it was, with its order and its links; one that was not deleted stays as it is. */
export const restoreCollection = (library: Library, collectionId: string): Promise<Collection> =>
  change(library, async (its) => {
    const { trx } = its
    const row = await everRowsOf(trx, library, collectionId).forUpdate().executeTakeFirst()
    if (!row) throw notFound('No collection')
    if (row.deleted_at === null) return recordOf(trx, row)
    await refuseTaken(trx, row, row.name)
    await refuseTooMany(trx, library)
    await carry(trx, row, 'deleted_collection_assets', 'collection_assets')
    return changed(its, await touch(trx, row, { deleted_at: null }), 'collection.created')
  })

const carry = (trx: Trx, { client_id, id }: CollectionRow, from: string, to: string) =>
  sql`with carried as (
      delete from ${sql.table(from)} where client_id = ${client_id} and collection_id = ${id} returning *)
    insert into ${sql.table(to)} (client_id, collection_id, asset_id, place, stands_for)
    select client_id, collection_id, asset_id, place, stands_for from carried`.execute(trx)

export const forgetDeletedCollections = (db: Db) =>
  db
    .deleteFrom('collections')
    .where('deleted_at', '<', sql<Date>`now() - make_interval(hours => ${sql.lit(keptHours)})`)
    .execute()

/** Locked: whoever changes what stands in it waits, so that places are given one after the other. */
export async function heldCollection(
  trx: Trx,
  library: Library,
  collectionId: string,
): Promise<CollectionRow> {
  const row = await rowsOf(trx, library, collectionId).forUpdate().executeTakeFirst()
  if (!row) throw notFound('No collection')
  return row
}

/** It stays until the change is over. */
export async function keepCollection(trx: Trx, library: Library, collectionId: string): Promise<void> {
  if (!(await rowsOf(trx, library, collectionId).forKeyShare().executeTakeFirst()))
    throw notFound('No collection')
}

const rowsOf = (db: Reader, library: Library, collectionId: string) =>
  everRowsOf(db, library, collectionId).where('deleted_at', 'is', null)

const everRowsOf = (db: Reader, { clientId }: Library, collectionId: string) =>
  db
    .selectFrom('collections')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('id', '=', knownId('collection', collectionId))

export const touch = (
  trx: Trx,
  { client_id, id }: CollectionRow,
  columns: { name?: string; name_key?: string; deleted_at?: Date | null } = {},
): Promise<CollectionRow> =>
  trx
    .updateTable('collections')
    .set({ ...columns, updated_at: new Date() })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

async function changed(
  its: Change,
  row: CollectionRow,
  type: 'collection.created' | 'collection.updated',
): Promise<Collection> {
  const collection = await recordOf(its.trx, row)
  its.tell(type, row.id, { collection })
  return collection
}

export const recordOf = async (db: Reader, row: CollectionRow): Promise<Collection> =>
  (await toCollections(db, [row]))[0]!

async function toCollections(db: Reader, rows: CollectionRow[]): Promise<Collection[]> {
  const counts = await countsOf(db, rows)
  return rows.map((row) => ({
    collectionId: row.id,
    clientId: row.client_id,
    name: row.name,
    assetCount: counts.get(row.id) ?? 0,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** All that stands there but what lies in the trash, which is little and has an index of its own. */
async function countsOf(db: Reader, rows: CollectionRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const { client_id } = rows[0]!
  const { rows: counted } = await sql<{ id: string; assets: number }>`
    select collection_id as id, count(*)::int as assets from collection_assets i
    where client_id = ${client_id} and collection_id = any(${rows.map(({ id }) => id)}::text[])
      and asset_id not in (select a.id from assets a where a.client_id = ${client_id} and a.trashed_at is not null)
    group by collection_id`.execute(db)
  return new Map(counted.map(({ id, assets }) => [id, assets]))
}

const tidy = (name: string) => name.normalize('NFC').trim()

async function refuseTooMany(trx: Trx, { clientId }: Library): Promise<void> {
  const { count } = await trx
    .selectFrom('collections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count < mostCollections) return
  throw new Problem(
    'too-many-collections',
    `There are ${mostCollections} collections already. Delete one that is not needed any more.`,
    { extra: { params: { most: mostCollections } } },
  )
}

async function refuseTaken(trx: Trx, { client_id, id }: CollectionRow, name: string): Promise<void> {
  const other = await trx
    .selectFrom('collections')
    .select('id')
    .where('client_id', '=', client_id)
    .where('name_key', '=', nameKey(name))
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (other) throw nameTaken(name)
}

const nameTaken = (name: string) =>
  new Problem('collection-name-taken', `There is a collection "${name}" already. Choose another name.`, {
    extra: { params: { name } },
  })
