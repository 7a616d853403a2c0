import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { keptUrl } from '../../contract/http-url.ts'
import { AssetRef, ExternalId, UseKind, UseStatus } from '../../contract/references.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { tidyTitle } from '../assets/wording.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { type UseRow, usesIn } from '../uses/use.ts'

const PortableUse = Strict({
  kind: UseKind,
  externalId: ExternalId,
  status: UseStatus,
  scheduledFor: Nullable(Timestamp),
  title: Nullable(Type.String({ maxLength: 500 })),
  url: Nullable(Type.String({ maxLength: 4096 })),
  refs: Type.Array(Strict({ place: Type.Integer({ minimum: 0, maximum: 1000 }), assetRef: AssetRef })),
  filedAssetIds: Type.Array(Type.String({ maxLength: 100 })),
  createdAt: Timestamp,
  createdBy: Type.String({ maxLength: 100 }),
  updatedAt: Timestamp,
})
type PortableUse = Static<typeof PortableUse>

export const usesSection = section({
  name: 'use',
  line: PortableUse,
  write: async (library) =>
    (
      await usesIn(library.db, library).orderBy('created_at').orderBy('kind').orderBy('external_id').execute()
    ).map(toPortable),
  read: (library, uses, ids) => inChunks(uses, (some) => takeIn(library, some, ids)),
})

const toPortable = (row: UseRow): PortableUse => ({
  kind: row.kind,
  externalId: row.external_id,
  status: row.status,
  scheduledFor: row.scheduled_for?.toISOString() ?? null,
  title: row.title,
  url: row.url,
  refs: row.refs,
  filedAssetIds: row.filed_asset_ids,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  updatedAt: row.updated_at.toISOString(),
})

/** As they were: whoever recorded them was allowed to. A ref to what did not come along stays as it was written. */
const takeIn = (library: Library, uses: PortableUse[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const made = await its.trx
      .insertInto('uses')
      .values(
        uses.map((use) => ({
          client_id: library.clientId,
          kind: use.kind,
          external_id: use.externalId,
          status: use.status,
          scheduled_for: use.scheduledFor,
          title: use.title && tidyTitle(use.title),
          url: keptUrl(use.url),
          filed_asset_ids: use.filedAssetIds.map(ids.of),
          created_at: use.createdAt,
          created_by: use.createdBy,
          updated_at: use.updatedAt,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['kind', 'external_id'])
      .execute()
    const isMade = new Set(made.map(({ kind, external_id }) => `${kind} ${external_id}`))
    const refs = uses
      .filter(({ kind, externalId }) => isMade.has(`${kind} ${externalId}`))
      .flatMap(({ kind, externalId, refs }) =>
        refs.map(({ place, assetRef }) => ({ kind, externalId, place, assetRef: ids.refOf(assetRef) })),
      )
    await sql`insert into use_refs (client_id, kind, external_id, place, asset_ref, asset_id)
      select ${library.clientId}, ref.kind, ref."externalId", ref.place, ref."assetRef", assets.id
      from jsonb_to_recordset(${JSON.stringify(refs)}::jsonb)
        as ref (kind text, "externalId" text, place integer, "assetRef" text)
      left join assets on assets.client_id = ${library.clientId} and assets.id = split_part(ref."assetRef", '@', 1)`.execute(
      its.trx,
    )
    if (made.length > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { uses: made.length } })
    return { made: made.length, there: uses.length - made.length, refused: [] }
  })
