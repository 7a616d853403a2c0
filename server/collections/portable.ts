import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { mostInCollection } from '../../contract/collections.ts'
import { nameKey } from '../../contract/folding.ts'
import { plainName, Strict, Timestamp } from '../../contract/words.ts'
import type { Trx } from '../db/database.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { putAssets } from './places.ts'

const PortableCollection = Strict({
  collectionId: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 120, pattern: plainName }),
  assetIds: Type.Array(Type.String({ minLength: 1, maxLength: 16_000 }), { maxItems: mostInCollection }),
  createdAt: Timestamp,
  createdBy: Type.String({ maxLength: 100 }),
  updatedAt: Timestamp,
})
type PortableCollection = Static<typeof PortableCollection>

export const collectionsSection = section({
  name: 'collection',
  line: PortableCollection,
  write: writeCollections,
  async read(library, collections, ids) {
    await ids.settle(
      'collection',
      collections.map(({ collectionId }) => collectionId),
      (some) =>
        library.db
          .selectFrom('collections')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(collections, (some) => takeIn(library, some, ids))
  },
})

async function writeCollections({ db, clientId }: Library): Promise<PortableCollection[]> {
  const { rows } = await sql<{
    id: string
    name: string
    asset_ids: string[]
    created_at: Date
    created_by: string
    updated_at: Date
  }>`select id, name, created_at, created_by, updated_at,
      array(select i.asset_id from collection_assets i where i.client_id = c.client_id and i.collection_id = c.id
        order by i.place, i.asset_id) as asset_ids
    from collections c where client_id = ${clientId} and deleted_at is null order by created_at, id`.execute(
    db,
  )
  return rows.map((row) => ({
    collectionId: row.id,
    name: row.name,
    assetIds: row.asset_ids,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** One whose name is taken here is refused: two that are called the same could not be told apart. */
const takeIn = (library: Library, collections: PortableCollection[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const done: TakenIn = { made: 0, there: 0, refused: [] }
    for (const line of collections) {
      const row = { client_id: library.clientId, id: ids.of(line.collectionId) }
      const made = await its.trx
        .insertInto('collections')
        .values({
          ...row,
          name: line.name,
          name_key: nameKey(line.name),
          created_at: line.createdAt,
          created_by: line.createdBy,
          updated_at: line.updatedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made) {
        await putAssets(its.trx, row, await arrived(its.trx, library, line.assetIds, ids))
        done.made++
      } else if (await isThere(its.trx, row)) done.there++
      else
        done.refused.push({
          file: `“${line.name}”`,
          code: 'collection-name-taken',
          detail: 'Another collection here has this name. Rename it, then import again.',
        })
    }
    if (done.made > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { collections: done.made } })
    return done
  })

/** Of those that moved; whoever wrote the manifest names nothing that was here before. */
async function arrived(
  trx: Trx,
  { clientId }: Library,
  assetIds: string[],
  ids: MovedIds,
): Promise<string[]> {
  const moved = [...new Set(assetIds.filter(ids.came).map(ids.of))]
  const rows = await trx
    .selectFrom('assets')
    .select('id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${moved}::text[])`)
    .execute()
  const there = new Set(rows.map(({ id }) => id))
  return moved.filter((id) => there.has(id))
}

const isThere = async (trx: Trx, { client_id, id }: { client_id: string; id: string }) =>
  (await trx
    .selectFrom('collections')
    .select('id')
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
