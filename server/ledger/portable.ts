import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { deliveryStatuses } from '../../contract/deliveries.ts'
import { keptUrl } from '../../contract/http-url.ts'
import { AssetRef } from '../../contract/references.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { parseRef, pinnedRef } from '../assets/ref.ts'
import { change, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { type DeliveryRow, isOpen } from './ledger.ts'

const Text = (maxLength: number) => Type.String({ maxLength })

const PortableDelivery = Strict({
  deliveryId: Text(100),
  assetRef: AssetRef,
  connectionId: Text(100),
  surface: Text(60),
  rendition: Text(1000),
  recipe: Nullable(Type.Object({})),
  status: Type.Enum(deliveryStatuses),
  attempts: Type.Integer({ minimum: 0 }),
  mark: Text(200),
  filename: Nullable(Text(4096)),
  sentAt: Nullable(Timestamp),
  sentBytes: Type.Integer({ minimum: 0 }),
  totalBytes: Nullable(Type.Integer({ minimum: 0 })),
  remoteId: Nullable(Text(4096)),
  remoteUrl: Nullable(Text(16_000)),
  lastError: Nullable(Text(1000)),
  replacesDeliveryId: Nullable(Text(100)),
  text: Nullable(Text(100_000)),
  more: Type.Array(Strict({ assetRef: AssetRef, rendition: Text(1000), recipe: Nullable(Type.Object({})) })),
  postKey: Text(200),
  createdAt: Timestamp,
  createdBy: Text(100),
  updatedAt: Timestamp,
})
type PortableDelivery = Static<typeof PortableDelivery>

/** What was delivered where, so that nothing is delivered twice after a move. */
export const deliveriesSection = section({
  name: 'delivery',
  line: PortableDelivery,
  write: async ({ db, clientId }) =>
    (
      await db
        .selectFrom('deliveries')
        .selectAll()
        .where('client_id', '=', clientId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    ).map(toPortable),
  async read(library, deliveries, ids) {
    await ids.settle(
      'delivery',
      deliveries.map(({ deliveryId }) => deliveryId),
      (some) =>
        library.db
          .selectFrom('deliveries')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(deliveries, (some) => takeIn(library, some, ids))
  },
})

/** One that is under way goes on where it was begun: here nobody knows how it ends. */
const toPortable = (row: DeliveryRow): PortableDelivery => ({
  deliveryId: row.id,
  assetRef: pinnedRef(row.asset_id, row.version),
  connectionId: row.connection_id,
  surface: row.surface,
  rendition: row.rendition,
  recipe: row.recipe,
  status: isOpen(row) ? 'unknown' : row.status,
  attempts: row.attempts,
  mark: row.mark,
  filename: row.filename,
  sentAt: row.sent_at?.toISOString() ?? null,
  sentBytes: row.sent_bytes,
  totalBytes: row.total_bytes,
  remoteId: row.remote_id,
  remoteUrl: row.remote_url,
  lastError: row.last_error,
  replacesDeliveryId: row.replaces,
  text: row.post_text,
  more: row.more,
  postKey: row.post_key,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  updatedAt: row.updated_at.toISOString(),
})

/** It tells nobody: nothing was delivered now. */
const takeIn = (library: Library, deliveries: PortableDelivery[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const made = await its.trx
      .insertInto('deliveries')
      .values(deliveries.map((delivery) => columnsOf(library, delivery, ids)))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    const ours = new Set(made.map(({ id }) => id))
    for (const { deliveryId, replacesDeliveryId } of deliveries)
      if (replacesDeliveryId && ours.has(ids.of(deliveryId)))
        await its.trx
          .updateTable('deliveries')
          .set({ replaces: replacedHere(library, ids.of(replacesDeliveryId)) })
          .where('client_id', '=', library.clientId)
          .where('id', '=', ids.of(deliveryId))
          .execute()
    if (made.length > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { deliveries: made.length } })
    return { made: made.length, there: deliveries.length - made.length, refused: [] }
  })

/** Null where the one before did not come along. */
const replacedHere = ({ clientId }: Library, id: string) => sql<string | null>`(
  select d.id from deliveries d where d.client_id = ${clientId} and d.id = ${id})`

function columnsOf(library: Library, delivery: PortableDelivery, ids: MovedIds) {
  const { assetId, version } = parseRef(ids.refOf(delivery.assetRef)) ?? {}
  if (!assetId || !version) throw new Problem('invalid-request', `${delivery.assetRef} names no version.`)
  return {
    client_id: library.clientId,
    id: ids.of(delivery.deliveryId),
    asset_id: assetId,
    version,
    connection_id: ids.of(delivery.connectionId),
    surface: delivery.surface,
    rendition: delivery.rendition,
    recipe: delivery.recipe && JSON.stringify(delivery.recipe),
    status: delivery.status,
    attempts: delivery.attempts,
    mark: delivery.mark,
    filename: delivery.filename,
    sent_at: delivery.sentAt,
    sent_bytes: delivery.sentBytes,
    total_bytes: delivery.totalBytes,
    remote_id: delivery.remoteId,
    remote_url: keptUrl(delivery.remoteUrl),
    last_error: delivery.lastError,
    post_text: delivery.text,
    more: JSON.stringify(delivery.more.map((each) => ({ ...each, assetRef: ids.refOf(each.assetRef) }))),
    post_key: delivery.postKey,
    asked_by: delivery.createdBy,
    created_at: delivery.createdAt,
    created_by: delivery.createdBy,
    updated_at: delivery.updatedAt,
  }
}
