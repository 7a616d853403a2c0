import { type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { type Delivery, type DeliveryStatus, openStatuses } from '../../contract/deliveries.ts'
import type { EventType } from '../../contract/events.ts'
import type { Surface } from '../../contract/words.ts'
import { pinnedRef } from '../assets/ref.ts'
import type { Reader } from '../db/database.ts'
import type { DeliveriesTable, Schema } from '../db/schema.ts'
import { knownId } from '../ids.ts'
import { leaseOn, newOwner } from '../jobs/lease.ts'
import { type Change, change, type Library } from '../library.ts'
import { notFound } from '../problems.ts'

export type DeliveryRow = Selectable<DeliveriesTable>
export type DeliveryColumns = UpdateObject<Schema, 'deliveries'>

export const isOpen = ({ status }: { status: DeliveryStatus }) => openStatuses.includes(status)

export const claims = leaseOn('deliveries', { owner: 'claim', until: 'claimed_until', seconds: 20 })

/** Two workers held one delivery, and this one has lost it: it must not touch anything more. */
export class ClaimLost extends Error {}

export interface HeldDelivery extends Disposable {
  /** As it was last written. */
  readonly row: DeliveryRow
  /** Aborted when it is to be cancelled or was taken over. */
  readonly signal: AbortSignal
  sent(bytes: number): void
  /** Tells how it stands, too, if that has changed. */
  write(columns: DeliveryColumns): Promise<void>
}

/**
 * Makes this worker the one that delivers. Undefined when the delivery has come to its end, `'held'` while somebody
 * else is at it.
 */
export async function claimDelivery(
  library: Library,
  deliveryId: string,
): Promise<HeldDelivery | 'held' | undefined> {
  const claim = newOwner()
  const row = await library.db
    .updateTable('deliveries')
    .set({ ...claims.takenBy(claim), attempts: sql`attempts + 1` })
    .where('client_id', '=', library.clientId)
    .where('id', '=', deliveryId)
    .where('status', 'in', openStatuses)
    .where(claims.isFree)
    .returningAll()
    .executeTakeFirst()
  if (row) return held(library, row, claim)
  const there = await library.db
    .selectFrom('deliveries')
    .select('status')
    .where('client_id', '=', library.clientId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  return there && isOpen(there) ? 'held' : undefined
}

/** Keeps the claim alive and the progress written. */
function held(library: Library, claimed: DeliveryRow, claim: string): HeldDelivery {
  let row = claimed
  let sentBytes = 0
  const stop = new AbortController()
  const ours = (db: Reader) =>
    db
      .updateTable('deliveries')
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .where(claims.isHeldBy(claim))

  const renewal = claims.keepRenewed(async () => {
    const still = await ours(library.db)
      .set({ ...claims.takenBy(claim), ...(sentBytes > 0 && { sent_bytes: sentBytes }) })
      .returning('cancel_wanted')
      .executeTakeFirst()
    if (!still || still.cancel_wanted) stop.abort()
  }, progressSeconds)

  return {
    get row() {
      return row
    },
    signal: stop.signal,
    sent(bytes) {
      sentBytes += bytes
    },
    async write(columns) {
      row = await change(library, async (its) => {
        const written = await ours(its.trx)
          .set({ ...columns, updated_at: sql`now()` })
          .returningAll()
          .executeTakeFirst()
        if (!written) throw new ClaimLost(`Delivery ${row.id} was taken over`)
        if (written.status !== row.status) tellStatus(its, written)
        return written
      })
    },
    [Symbol.dispose]: () => renewal[Symbol.dispose](),
  }
}

const progressSeconds = 1

export function tellStatus(its: Change, row: DeliveryRow): void {
  const { status, connection_id: connectionId, remote_id: remoteId, last_error: lastError } = row
  const assetRef = pinnedRef(row.asset_id, row.version)
  its.tell(eventOf(status), row.id, { assetRef, connectionId, status, remoteId, lastError })
}

const eventOf = (status: DeliveryStatus): EventType =>
  isOpen({ status })
    ? 'delivery.updated'
    : `delivery.${status as Exclude<DeliveryStatus, 'queued' | 'preparing' | 'sending'>}`

export async function deliveryRow(db: Reader, library: Library, deliveryId: string): Promise<DeliveryRow> {
  const row = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('id', '=', knownId('delivery', deliveryId))
    .executeTakeFirst()
  if (!row) throw notFound('No delivery')
  return row
}

const mostOthers = 1000

/** Other deliveries to the same connection that moved since this one was sent. */
export const broughtMeanwhile = async (library: Library, row: DeliveryRow) =>
  (
    await library.db
      .selectFrom('deliveries')
      .select(['mark', 'remote_id'])
      .where('client_id', '=', library.clientId)
      .where('connection_id', '=', row.connection_id)
      .where('id', '<>', row.id)
      .where('updated_at', '>=', sql<Date>`${row.sent_at}::timestamptz - interval '5 minutes'`)
      .orderBy('updated_at', 'desc')
      .limit(mostOthers)
      .execute()
  ).map(({ mark, remote_id: remoteId }) => ({ mark, remoteId }))

/** Deliveries of an asset, alone or among others in one post. */
export const showsAsset = (assetId: string) => sql<boolean>`(asset_id = ${assetId} or (more <> '[]' and
  jsonb_path_exists(more, '$[*] ? (@.assetRef starts with $ref)', jsonb_build_object('ref', ${`${assetId}@`}::text))))`

/** Deliveries that nothing was sent of yet, and that send this file, alone or among others. */
export const waitsForFilm = (
  name: string | RawBuilder<string>,
) => sql<boolean>`(deliveries.status in ('queued', 'preparing')
  and (deliveries.rendition = ${name} or (deliveries.more <> '[]' and deliveries.more @> jsonb_build_array(jsonb_build_object('rendition', ${name}::text)))))`

/** Those that wait for this film of an asset, and that can still be made. */
export const stillWaiting = (db: Reader, clientId: string, assetId: string, name: string) =>
  db
    .selectFrom('deliveries')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.client_id', '=', 'deliveries.client_id')
        .onRef('connections.id', '=', 'deliveries.connection_id'),
    )
    .select('deliveries.id')
    .where('deliveries.client_id', '=', clientId)
    .where(showsAsset(assetId))
    .where(waitsForFilm(name))
    .where('cancel_wanted', '=', false)
    .where('connections.removed_at', 'is', null)

export const toDelivery = (row: DeliveryRow): Delivery => ({
  deliveryId: row.id,
  clientId: row.client_id,
  connectionId: row.connection_id,
  assetId: row.asset_id,
  assetRef: pinnedRef(row.asset_id, row.version),
  assetRefs: [pinnedRef(row.asset_id, row.version), ...row.more.map(({ assetRef }) => assetRef)],
  text: row.post_text,
  version: row.version,
  surface: row.surface as Surface,
  rendition: row.rendition,
  status: row.status,
  attempts: row.attempts,
  progress: { sentBytes: row.sent_bytes, totalBytes: row.total_bytes },
  remoteId: row.remote_id,
  remoteUrl: row.remote_url,
  lastError: row.last_error,
  lastErrorReason: row.last_error_reason,
  replacesDeliveryId: row.replaces,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  updatedAt: row.updated_at.toISOString(),
})
