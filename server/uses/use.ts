import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  holdingStatuses,
  surfaceOfKind,
  type Use,
  type UseKind,
  type UseStatus,
} from '../../contract/references.ts'
import type { Reader } from '../db/database.ts'
import type { UsesTable } from '../db/schema.ts'
import type { Library } from '../library.ts'

export type UseRow = Selectable<UsesTable> & { refs: { place: number; assetRef: string }[] }

/** Of the many places where an asset can be used, as many as an answer lists. */
const mostListed = 50

/** Place 0 of a use is its featured asset. */
export const featuredPlace = 0

export const toUse = (row: UseRow): Use => ({
  kind: row.kind,
  externalId: row.external_id,
  clientId: row.client_id,
  surface: surfaceOfKind[row.kind],
  status: row.status,
  featuredAssetRef: row.refs.find(({ place }) => place === featuredPlace)?.assetRef ?? null,
  assetRefs: row.refs.filter(({ place }) => place !== featuredPlace).map(({ assetRef }) => assetRef),
  scheduledFor: row.scheduled_for?.toISOString() ?? null,
  title: row.title,
  url: row.url,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  updatedAt: row.updated_at.toISOString(),
})

/** The client's uses, each with its refs in order. */
export const usesIn = (db: Reader, library: Library) =>
  db.selectFrom('uses').selectAll().select(refsInOrder.as('refs')).where('client_id', '=', library.clientId)

const refsInOrder = sql<UseRow['refs']>`coalesce((
  select json_agg(json_build_object('place', r.place, 'assetRef', r.asset_ref) order by r.place)
  from use_refs r
  where r.client_id = uses.client_id and r.kind = uses.kind and r.external_id = uses.external_id), '[]')`

/** Those of them that point to one of these assets. */
export const pointsTo = (assetIds: string[]) =>
  sql<boolean>`(kind, external_id) in (select r.kind, r.external_id from use_refs r
    where r.client_id = uses.client_id and r.asset_id = any(${assetIds}::text[]))`

export const named = (kind: UseKind, externalId: string) =>
  sql<boolean>`kind = ${kind} and external_id = ${externalId}`

/** All uses of an asset but the cancelled ones. */
export const liveUses = (db: Reader, library: Library, assetId: string) =>
  usesOf(db, library, pointsTo([assetId]), ['draft', 'scheduled', 'running', 'done'])

/** The uses that keep these assets out of the trash. */
export const holdersOf = (db: Reader, library: Library, assetIds: string[]) =>
  usesOf(db, library, pointsTo(assetIds), holdingStatuses)

/** The uses that keep a pinned version. */
export const pinnedBy = (db: Reader, library: Library, assetRefs: string[]) =>
  usesOf(
    db,
    library,
    sql<boolean>`(kind, external_id) in (select r.kind, r.external_id from use_refs r
      where r.client_id = uses.client_id and r.asset_ref = any(${assetRefs}::text[]))`,
    holdingStatuses,
  )

async function usesOf(
  db: Reader,
  library: Library,
  which: RawBuilder<boolean>,
  statuses: readonly UseStatus[],
): Promise<Use[]> {
  const rows = await usesIn(db, library)
    .where('status', 'in', statuses)
    .where(which)
    .orderBy('created_at')
    .orderBy('external_id')
    .limit(mostListed)
    .execute()
  return rows.map(toUse)
}
