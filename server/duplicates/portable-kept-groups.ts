import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { mostKept } from '../../contract/duplicates.ts'
import { Strict, Timestamp } from '../../contract/words.ts'
import type { Trx } from '../db/database.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { makeGroup } from './kept-groups.ts'

const PortableKeptGroup = Strict({
  keptGroupId: Type.String({ minLength: 1, maxLength: 100 }),
  assetIds: Type.Array(Type.String({ minLength: 1, maxLength: 16_000 }), { maxItems: mostKept }),
  keptAt: Timestamp,
  keptBy: Type.String({ maxLength: 100 }),
})
type PortableKeptGroup = Static<typeof PortableKeptGroup>

/** What was looked at and kept is not asked about on the next server either. */
export const keptGroupsSection = section({
  name: 'keptGroup',
  line: PortableKeptGroup,
  write: writeGroups,
  async read(library, groups, ids) {
    await ids.settle(
      'group',
      groups.map(({ keptGroupId }) => keptGroupId),
      (some) =>
        library.db
          .selectFrom('kept_groups')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(groups, (some) => takeIn(library, some, ids))
  },
})

async function writeGroups({ db, clientId }: Library): Promise<PortableKeptGroup[]> {
  const { rows } = await sql<{ id: string; kept_at: Date; kept_by: string; asset_ids: string[] }>`
    select id, kept_at, kept_by, array(select a.id from kept_group_assets its
      join assets a on a.client_id = its.client_id and a.id = its.asset_id
      where its.client_id = g.client_id and its.group_id = g.id order by a.created_at, a.id) as asset_ids
    from kept_groups g where client_id = ${clientId} and within is null order by id`.execute(db)
  return rows.map(({ id, kept_at, kept_by, asset_ids }) => ({
    keptGroupId: id,
    assetIds: asset_ids,
    keptAt: kept_at.toISOString(),
    keptBy: kept_by,
  }))
}

const takeIn = (library: Library, groups: PortableKeptGroup[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    let made = 0
    for (const { keptGroupId, assetIds, keptAt, keptBy } of groups) {
      const arrived = await arrivedOf(its.trx, library, assetIds, ids)
      if (arrived.length < 2) continue
      const group = { clientId: library.clientId, id: ids.of(keptGroupId), keptAt, keptBy, assetIds: arrived }
      if (await makeGroup(its.trx, group)) made++
    }
    if (made > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { keptGroups: made } })
    return { made, there: groups.length - made, refused: [] }
  })

/** Of those that moved; whoever wrote the manifest names nothing that was here before. */
async function arrivedOf(trx: Trx, { clientId }: Library, assetIds: string[], ids: MovedIds) {
  const rows = await trx
    .selectFrom('assets')
    .select('id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${assetIds.filter(ids.came).map(ids.of)}::text[])`)
    .execute()
  return rows.map(({ id }) => id)
}
