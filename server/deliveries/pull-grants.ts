import { type Selectable, sql } from 'kysely'
import {
  type NewPullGrant,
  openStatuses,
  type PullGrant,
  type PullGrantPage,
  type PullGrantQuery,
  type PullGrantState,
  type PullGrantWithUrl,
} from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'
import { stillMay } from '../access/callers.ts'
import { pinnedRef } from '../assets/ref.ts'
import { newestFirst } from '../cursors.ts'
import type { Db } from '../db/database.ts'
import type { PullGrantsTable } from '../db/schema.ts'
import type { FileAnswer } from '../http/file-answers.ts'
import { knownId, newId } from '../ids.ts'
import type { DeliveryRow } from '../ledger/ledger.ts'
import { type Change, change, changeOnce, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { promiseOf } from '../previews/outgoing.ts'
import { notFound } from '../problems.ts'
import { targetById } from '../publishing/targets.ts'
import { type Purpose, type Resolved, renditionOf, resolveRef } from '../references/resolve.ts'
import { hashToken, newToken } from '../secrets.ts'
import { refusedRef } from './deliveries.ts'

/** Lets whoever holds the address fetch one asset, in the form the target takes, for a short while. */
export async function createPullGrant(
  library: Library,
  publicUrl: string,
  input: NewPullGrant,
): Promise<PullGrantWithUrl> {
  const { assetRef, surface, target, ratio, range, ttlSeconds = 3600 } = input
  const resolved = await resolveRef(library, assetRef, { surface, target, ratio, range })
  if (!resolved.ok) throw refusedRef(assetRef, resolved)
  const file = await renditionOf(library, resolved)
  const maker = { createdBy: library.caller.id, deliveryId: null }
  return changeOnce(library, (its) =>
    grant(its, library, publicUrl, { surface, target, ttlSeconds, ...maker }, resolved, file),
  )
}

/** Lets a target fetch a file of a delivery, on behalf of whoever asked for the delivery, until that has ended. */
export async function grantToDelivery(
  library: Library,
  publicUrl: string,
  delivery: DeliveryRow,
  resolved: Resolved,
  file: FileAnswer,
): Promise<string> {
  const { id: deliveryId, asked_by: createdBy } = delivery
  const wish = { surface: delivery.surface, target: resolved.target.id, ttlSeconds: deliverySeconds }
  const made = await change(library, (its) =>
    grant(its, library, publicUrl, { ...wish, deliveryId, createdBy }, resolved, file),
  )
  return made.url
}

/** As long as any target takes to fetch a film. It ends with the delivery, which is mostly sooner. */
const deliverySeconds = 6 * 3600

interface Granted {
  surface: string
  target: string
  ttlSeconds: number
  deliveryId: string | null
  createdBy: string
}

async function grant(
  its: Change,
  library: Library,
  publicUrl: string,
  { surface, target, ttlSeconds, deliveryId, createdBy }: Granted,
  { asset, version, sending }: Resolved,
  { mimeType, sizeBytes }: FileAnswer,
): Promise<PullGrantWithUrl> {
  const token = newToken()
  const row = await its.trx
    .insertInto('pull_grants')
    .values({
      client_id: library.clientId,
      id: newId('grant'),
      token_hash: hashToken(token),
      asset_id: asset.id,
      version: version.version,
      surface,
      target,
      delivery_id: deliveryId,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      recipe: promiseOf(sending),
      expires_at: new Date(Date.now() + ttlSeconds * 1000),
      created_by: createdBy,
    })
    .returningAll()
    .returning(state.as('state'))
    .executeTakeFirstOrThrow()
  const expiresAt = row.expires_at.toISOString()
  its.tell('pull-grant.created', row.id, { assetRef: refOf(row), target, expiresAt })
  return { ...toPullGrant(row), url: `${publicUrl}/pull/${token}` }
}

export async function listPullGrants(library: Library, query: PullGrantQuery): Promise<PullGrantPage> {
  const { assetId, deliveryId } = query
  let grants = library.db
    .selectFrom('pull_grants')
    .selectAll()
    .select(state.as('state'))
    .where('client_id', '=', library.clientId)
  if (assetId !== undefined) grants = grants.where('asset_id', '=', assetId)
  if (deliveryId !== undefined) grants = grants.where('delivery_id', '=', deliveryId)
  if (query.state) grants = grants.where(state, '=', query.state)
  const { page, nextCursor } = await newestFirst(grants, query)
  return { pullGrants: page.map(toPullGrant), nextCursor }
}

export const revokePullGrant = (library: Library, pullGrantId: string): Promise<PullGrant> =>
  change(library, async (its) => {
    const row = await its.trx
      .selectFrom('pull_grants')
      .selectAll()
      .select(state.as('state'))
      .where('client_id', '=', library.clientId)
      .where('id', '=', knownId('grant', pullGrantId))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('No grant')
    if (row.revoked_at) return toPullGrant(row)
    const revoked = await its.trx
      .updateTable('pull_grants')
      .set({ revoked_at: new Date() })
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .returningAll()
      .returning(state.as('state'))
      .executeTakeFirstOrThrow()
    its.tell('pull-grant.revoked', row.id, { assetRef: refOf(row), target: row.target })
    return toPullGrant(revoked)
  })

/**
 * What a grant's address answers with. Asked anew each time: an asset that was trashed or whose rights have ended
 * is not handed out on an old grant, nor is anything once its maker may no longer make one.
 */
export async function pull(parts: Parts, token: string): Promise<{ grant: GrantRow; file: FileAnswer }> {
  const grant = await parts.db
    .selectFrom('pull_grants')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where(state, '=', 'open')
    .executeTakeFirst()
  if (!grant) throw nothingToPull()
  const library = makeLibrary(parts, grant.client_id, system)
  if (!(await stillMay(library, grant.created_by, 'deliveries:write'))) throw nothingToPull()
  const promised = grant.recipe as Purpose['promised']
  const purpose = { surface: grant.surface as Surface, target: grant.target, promised }
  const resolved = await resolveRef(library, refOf(grant), purpose)
  if (!resolved.ok) throw nothingToPull()
  return { grant, file: await renditionOf(library, resolved) }
}

/** Keeps who fetched it and when. Later pieces of one fetch are counted, and told of no more. */
export const countPull = (parts: Parts, grant: GrantRow, from: string, first: boolean): Promise<void> =>
  change(makeLibrary(parts, grant.client_id, system), async (its) => {
    await its.trx
      .updateTable('pull_grants')
      .set({ fetch_count: sql`fetch_count + 1`, last_fetched_at: new Date(), last_fetched_from: from })
      .where('client_id', '=', grant.client_id)
      .where('id', '=', grant.id)
      .execute()
    if (first)
      its.tell('pull-grant.fetched', grant.id, { assetRef: refOf(grant), target: grant.target, from })
  })

/** Over, revoked, never there: whoever asks without a login learns nothing more. */
const nothingToPull = () => notFound('Nothing')

type GrantRow = Selectable<PullGrantsTable>

/** A grant that a delivery made is good for as long as the delivery is under way. */
const state = sql<PullGrantState>`case
  when pull_grants.revoked_at is not null then 'revoked'
  when pull_grants.delivery_id is not null and not exists (
    select from deliveries d where d.client_id = pull_grants.client_id and d.id = pull_grants.delivery_id
      and d.status in (${sql.join(openStatuses)})) then 'delivered'
  when pull_grants.expires_at <= now() then 'expired'
  else 'open' end`

const refOf = ({ asset_id, version }: Pick<GrantRow, 'asset_id' | 'version'>) => pinnedRef(asset_id, version)

const toPullGrant = (row: GrantRow & { state: PullGrantState }): PullGrant => ({
  pullGrantId: row.id,
  clientId: row.client_id,
  state: row.state,
  deliveryId: row.delivery_id,
  assetRef: refOf(row),
  surface: row.surface as Surface,
  target: row.target,
  targetName: targetById(row.target)?.name ?? row.target,
  mimeType: row.mime_type,
  sizeBytes: row.size_bytes,
  expiresAt: row.expires_at.toISOString(),
  revokedAt: row.revoked_at?.toISOString() ?? null,
  fetchCount: row.fetch_count,
  lastFetchedAt: row.last_fetched_at?.toISOString() ?? null,
  lastFetchedFrom: row.last_fetched_from,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
})

export const forgetOldGrants = (db: Db) =>
  db.deleteFrom('pull_grants').where('expires_at', '<', sql<Date>`now() - interval '30 days'`).execute()
