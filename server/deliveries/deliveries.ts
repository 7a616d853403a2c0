import { type Selectable, sql } from 'kysely'
import { connectionKinds } from '../../contract/connection-kinds.ts'
import {
  type Deliveries,
  type Delivery,
  type DeliveryPage,
  type DeliveryQuery,
  type DeliveryStatus,
  deliveryActs,
  type NewDelivery,
  type Redelivery,
  type Settlement,
} from '../../contract/deliveries.ts'
import { keptUrl } from '../../contract/http-url.ts'
import type { Surface } from '../../contract/words.ts'
import { versionRow } from '../assets/asset.ts'
import { parseRef } from '../assets/ref.ts'
import { openTarget, whatWentWrong } from '../connections/connections.ts'
import { type ConnectionRow, connectionRow } from '../connections/row.ts'
import { checkedId, isAddressOf, isRemoteId } from '../connections/targets/remote.ts'
import { newestFirst } from '../cursors.ts'
import type { Trx } from '../db/database.ts'
import type { DeliveriesTable } from '../db/schema.ts'
import { newId } from '../ids.ts'
import {
  claims,
  type DeliveryColumns,
  type DeliveryRow,
  deliveryRow,
  isOpen,
  showsAsset,
  tellStatus,
  toDelivery,
} from '../ledger/ledger.ts'
import { type Change, change, changeOnce, type Library, type Parts } from '../library.ts'
import { lastError, type OutboundError } from '../outbound/errors.ts'
import { outgoingForm, promiseOf } from '../previews/outgoing.ts'
import { notFound, Problem } from '../problems.ts'
import { planSet } from '../references/plan.ts'
import { type Purpose, type Refusal, type Resolved, resolveRef } from '../references/resolve.ts'
import { checkPost, noPost, type Post, postOf, wrongPost } from './post.ts'
import { withProgress } from './waiting-for-film.ts'

/**
 * Has an asset brought to a connection. The same version in the same form is brought there once: asked for again,
 * the answer is the delivery that there is.
 */
export async function createDelivery(library: Library, input: NewDelivery): Promise<Delivery> {
  const connection = await connectionRow(library.db, library, input.connectionId)
  const { assetRef, moreAssetRefs = [], surface, ratio, range } = input
  const rules = connectionKinds[connection.kind].rules
  checkPost(connection.kind, input)
  const refs = [assetRef, ...moreAssetRefs]
  const purpose = { surface, target: rules, ratio, range }
  const [first, ...more] = (await resolvedTogether(library, refs, purpose)).map((result, place) => {
    if (result.ok) return result
    throw refusedRef(refs[place]!, result, place === 0 ? '/assetRef' : `/moreAssetRefs/${place - 1}`)
  })
  const post = postOf(input.text, more)
  return changeOnce(library, async (its) =>
    toDelivery(await enter(its, library, connection, first!, { surface, ratio, range }, post)),
  )
}

/**
 * Brings the asset's current version to wherever an earlier one is live, cut as that one was. The earlier stays there
 * until confirmed.
 */
export async function redeliver(library: Library, { assetRef, range }: Redelivery): Promise<Deliveries> {
  const ref = parseRef(assetRef)
  if (!ref) throw notFound('No asset')
  await versionRow(library.db, library, ref.assetId, ref.version)
  const live = await liveDeliveries(library, ref.assetId)
  const answer: Deliveries = { deliveries: [], refused: [] }
  for (const earlier of live) {
    const connection = await connectionRow(library.db, library, earlier.connection_id)
    const wanted = { ...earlier.wanted, surface: earlier.surface as Surface, ...(range && { range }) }
    const resolved = await resolvedFor(library, assetRef, connection, wanted)
    if (resolved.ok && resolved.version.version === earlier.version) continue
    if (connection.status === 'error') {
      const { code, message: detail } = connectionError(connection)
      answer.refused.push({ connectionId: connection.id, code, detail })
    } else if (resolved.ok)
      answer.deliveries.push(
        toDelivery(
          await change(library, (its) =>
            enter(its, library, connection, resolved, wanted, noPost, earlier.id),
          ),
        ),
      )
    else answer.refused.push({ connectionId: connection.id, code: resolved.code, detail: resolved.detail })
  }
  return answer
}

export async function listDeliveries(library: Library, query: DeliveryQuery): Promise<DeliveryPage> {
  const { assetId, connectionId, status } = query
  let rows = library.db.selectFrom('deliveries').selectAll().where('client_id', '=', library.clientId)
  if (assetId !== undefined) rows = rows.where(showsAsset(assetId))
  if (connectionId !== undefined) rows = rows.where('connection_id', '=', connectionId)
  if (status) rows = rows.where('status', '=', status)
  const { page, nextCursor } = await newestFirst(rows, query)
  return { deliveries: await Promise.all(page.map((row) => withProgress(library, row))), nextCursor }
}

export const readDelivery = async (library: Library, deliveryId: string): Promise<Delivery> =>
  withProgress(library, await deliveryRow(library.db, library, deliveryId))

/** Tries again. What may have arrived is looked for first, as always. */
export const retryDelivery = (library: Library, deliveryId: string): Promise<Delivery> =>
  decide(library, deliveryId, deliveryActs.retry, async (its, row) => {
    its.note({ action: 'delivery.retry-asked', thing: row.id })
    if (!isOpen(row)) return requeue(library, its.trx, row)
    await queueJob(library, its.trx, row.id)
    return update(its.trx, row, { asked_by: library.caller.id })
  })

/** Ends a delivery of which nothing was sent; one that is being sent is stopped, and then looked for. */
export const cancelDelivery = (library: Library, deliveryId: string): Promise<Delivery> =>
  decide(library, deliveryId, deliveryActs.cancel, async (its, row) => {
    its.note({ action: 'delivery.cancel-asked', thing: row.id })
    if (!row.sent_at && !row.claim) return update(its.trx, row, { status: 'cancelled', ...claims.givenBack })
    await queueJob(library, its.trx, row.id)
    return update(its.trx, row, { cancel_wanted: true })
  })

/** A person has looked where the library could not. */
export const settleDelivery = (
  library: Library,
  deliveryId: string,
  { remoteUrl: said, ...outcome }: Settlement,
): Promise<Delivery> =>
  decide(library, deliveryId, deliveryActs.settle, async (its, row) => {
    const remoteUrl = keptUrl(said ?? null)
    const input = { ...outcome, ...(remoteUrl !== null && { remoteUrl }) }
    if (input.outcome === 'there') await checkSettlement(its.trx, library, row, input)
    its.note({ action: 'delivery.settled', thing: row.id, details: { ...input } })
    return update(
      its.trx,
      row,
      input.outcome === 'there'
        ? {
            status: 'done',
            remote_id: input.remoteId!,
            remote_url: remoteUrl,
            sent_at: row.sent_at ?? new Date(),
            steps: JSON.stringify({ ...row.steps, settled: true }),
            ...lastError(null),
          }
        : {
            status: row.status === 'done' ? 'removed' : 'failed',
            ...nothingThere,
            ...lastError(seenNowhere),
          },
    )
  })

const seenNowhere: OutboundError = {
  text: 'Somebody looked, and it is not there.',
  reason: { code: 'not-there', values: {} },
}

async function checkSettlement(
  trx: Trx,
  library: Library,
  row: DeliveryRow,
  { remoteId, remoteUrl }: Settlement,
) {
  const connection = await trx
    .selectFrom('connections')
    .select(['kind', 'settings'])
    .where('client_id', '=', library.clientId)
    .where('id', '=', row.connection_id)
    .executeTakeFirstOrThrow()
  if (remoteId === undefined) throw wrongly('remoteId', 'Say under which remoteId it is there.', 'is needed')
  if (!isRemoteId(connection, remoteId))
    throw wrongly('remoteId', 'Give the id that the other system shows for it.', 'is no id of that system')
  if (remoteUrl !== undefined && !isAddressOf(connection, remoteUrl))
    throw wrongly('remoteUrl', 'Leave the address out, or give one of the other system.', 'is elsewhere')
}

const wrongly = (field: keyof Settlement, detail: string, message: string) =>
  new Problem('invalid-request', detail, { extra: { errors: [{ path: `/${field}`, message }] } })

/** The new version is right where it is: what it replaces is taken away there. */
export async function confirmReplacement(
  library: Library,
  parts: Parts,
  deliveryId: string,
): Promise<Delivery> {
  const row = await doneReplacement(library, deliveryId)
  await takeBack(library, parts, row.replaces!)
  return readDelivery(library, row.id)
}

/** Takes the new version away again; the earlier one is what is live. */
export async function undoReplacement(library: Library, parts: Parts, deliveryId: string): Promise<Delivery> {
  const found = await deliveryRow(library.db, library, deliveryId)
  if (found.replaces && found.status === 'removed') return toDelivery(found)
  const row = await doneReplacement(library, deliveryId)
  const earlier = await deliveryRow(library.db, library, row.replaces!)
  if (earlier.status !== 'done')
    throw wrongState('What it replaced is no longer there, so there is nothing to go back to.')
  return takeBack(library, parts, row.id)
}

const nothingThere = {
  remote_id: null,
  remote_url: null,
  sent_at: null,
  look_after: null,
  steps: '{}',
} as const

/** Taking away what is away already is no fault, so this may be asked for again when its answer was lost. */
async function takeBack(library: Library, parts: Parts, deliveryId: string): Promise<Delivery> {
  const row = await deliveryRow(library.db, library, deliveryId)
  if (row.status === 'removed') return toDelivery(row)
  const connection = await connectionRow(library.db, library, row.connection_id)
  const target = openTarget(parts, connection)
  if (!target.remove)
    throw new Problem('cannot-remove', 'This system lets nobody take files away. Remove it there by hand.')
  try {
    await target.remove(checkedId(connection, row.remote_id!), row)
  } catch (error) {
    throw new Problem('target-failed', whatWentWrong(error).text, { cause: error })
  }
  return decide(library, row.id, ['done', 'removed'], (its, current) =>
    update(its.trx, current, { status: 'removed', ...nothingThere, ...lastError(null) }),
  )
}

async function doneReplacement(library: Library, deliveryId: string): Promise<DeliveryRow> {
  const row = await deliveryRow(library.db, library, deliveryId)
  if (row.status !== 'done')
    throw wrongState(`It is ${row.status}; this can be said of a done delivery only.`)
  if (!row.replaces) throw wrongState('It replaced nothing.')
  return row
}

/** A decision about a delivery in one of these states, and nobody else's in between. */
const decide = (
  library: Library,
  deliveryId: string,
  states: readonly DeliveryStatus[],
  decision: (its: Change, row: DeliveryRow) => Promise<DeliveryRow>,
): Promise<Delivery> =>
  changeOnce(library, async (its) => {
    const { id } = await deliveryRow(its.trx, library, deliveryId)
    const row = await lockedRow(its.trx, library, id)
    if (!states.includes(row.status))
      throw wrongState(`It is ${row.status}; this can be done with one that is ${states.join(', ')}.`)
    const decided = await decision(its, row)
    if (decided.status !== row.status) tellStatus(its, decided)
    return toDelivery(decided)
  })

/** The delivery of this form of this version to this connection: a new one, or the one that there is. */
async function enter(
  its: Change,
  library: Library,
  connection: ConnectionRow,
  resolved: Resolved,
  { surface, ratio, range }: Pick<NewDelivery, 'surface' | 'ratio' | 'range'>,
  post: Post,
  replaces?: string,
): Promise<DeliveryRow> {
  const { version } = resolved
  const wanted = JSON.stringify({ ratio, range })
  const id = newId('delivery')
  const entered = await its.trx
    .insertInto('deliveries')
    .values({
      client_id: library.clientId,
      id,
      asset_id: version.asset_id,
      version: version.version,
      connection_id: connection.id,
      rendition: outgoingForm(resolved.sending),
      recipe: promiseOf(resolved.sending),
      wanted,
      surface,
      ...post,
      mark: id.slice(-12),
      replaces: replaces ?? null,
      asked_by: library.caller.id,
      created_by: library.caller.id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (entered) {
    refuseBroken(connection)
    await queueJob(library, its.trx, entered.id)
    const { assetRef } = resolved
    its.tell('delivery.created', entered.id, { assetRef, connectionId: connection.id, status: 'queued' })
    return entered
  }
  const there = await its.trx
    .selectFrom('deliveries')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', version.asset_id)
    .where('version', '=', version.version)
    .where('connection_id', '=', connection.id)
    .where('rendition', '=', outgoingForm(resolved.sending))
    .where('post_key', '=', post.post_key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!['failed', 'cancelled', 'removed'].includes(there.status)) return there
  refuseBroken(connection)
  const again = await requeue(library, its.trx, there, { surface, wanted, ...(replaces && { replaces }) })
  tellStatus(its, again)
  return again
}

async function requeue(library: Library, trx: Trx, row: DeliveryRow, more: DeliveryColumns = {}) {
  await queueJob(library, trx, row.id)
  return update(trx, row, {
    status: 'queued',
    cancel_wanted: false,
    asked_by: library.caller.id,
    // What was begun long ago and never sent may have run out.
    ...(!row.sent_at && nothingThere),
    ...more,
    ...claims.givenBack,
  })
}

const queueJob = (library: Library, trx: Trx, deliveryId: string) =>
  library.jobs.send(trx, 'deliver', { clientId: library.clientId, deliveryId })

const update = (trx: Trx, row: DeliveryRow, columns: DeliveryColumns): Promise<DeliveryRow> =>
  trx
    .updateTable('deliveries')
    .set({ ...columns, updated_at: sql`now()` })
    .where('client_id', '=', row.client_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()

const lockedRow = (trx: Trx, library: Library, id: string): Promise<Selectable<DeliveriesTable>> =>
  trx
    .selectFrom('deliveries')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Of each connection that is still there, the newest version that lies there. A post is said once, and not again. */
async function liveDeliveries(library: Library, assetId: string): Promise<DeliveryRow[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (d.connection_id) d.id from deliveries d
    join connections c on c.client_id = d.client_id and c.id = d.connection_id and c.removed_at is null
    where d.client_id = ${library.clientId} and d.asset_id = ${assetId} and d.status = 'done'
      and d.post_text is null
    order by d.connection_id, d.version desc, d.created_at desc`.execute(library.db)
  return Promise.all(rows.map(({ id }) => deliveryRow(library.db, library, id)))
}

const resolvedFor = (library: Library, assetRef: string, { kind }: ConnectionRow, wanted: Purpose) =>
  resolveRef(library, assetRef, { ...wanted, target: connectionKinds[kind].rules })

/** What is sent of each: several are cropped as one post, where the target shows them in one ratio. */
async function resolvedTogether(library: Library, refs: string[], purpose: Purpose) {
  if (refs.length === 1) return [await resolveRef(library, refs[0]!, purpose)]
  const { why, pictures } = await planSet(library, refs, purpose)
  if (why.length > 0) throw wrongPost('moreAssetRefs', why.map(({ detail }) => detail).join(' '))
  return pictures
}

/** A ref that names nothing is not found; one that may not be used is refused with its reason. */
export const refusedRef = (assetRef: string, refusal: Refusal, path = '/assetRef'): Problem =>
  refusal.code === 'not-found'
    ? notFound('No asset')
    : new Problem('refs-not-allowed', `${refusal.detail} ${refusal.fix}`, {
        extra: { refusals: [{ path, assetRef, ...refusal }] },
      })

/** What is known not to work is not tried with every new file: whoever asks is told, and tests it first. */
function refuseBroken(connection: ConnectionRow): void {
  if (connection.status === 'error') throw connectionError(connection)
}

const connectionError = ({ last_error }: ConnectionRow) =>
  new Problem(
    'connection-error',
    `${last_error ?? ''} Test the connection until it works, then deliver again.`.trim(),
  )

const wrongState = (detail: string) => new Problem('delivery-state', detail)
