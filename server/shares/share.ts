import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExpressionBuilder, sql } from 'kysely'
import type { OpenShare, Share } from '../../contract/shares.ts'
import { guestOriginOf, idempotencyKeyOf } from '../access/door.ts'
import { countGuess } from '../access/guesses.ts'
import { guestLibrary } from '../access/guest-links.ts'
import { passwordFits } from '../access/passwords.ts'
import { type AssetRow, assetColumns } from '../assets/asset.ts'
import type { Schema } from '../db/schema.ts'
import { idsBelow } from '../folders/tree.ts'
import { callerAddress } from '../http/caller-address.ts'
import { knownId } from '../ids.ts'
import type { Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'
import { isOfSomething, mostInArchive, type OpenedShare, type ShareLinkRow, state } from './share-link.ts'
import { hasVisit, startVisit } from './visit-cookie.ts'
import { countVisit } from './visits.ts'

/** Lets a guest in by the password, if there is one, and counts that they came. */
export async function openShare(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  { password }: OpenShare,
): Promise<Share> {
  const share = await shareByToken(request, reply, token)
  if (!hasVisit(request, share.link)) {
    await askPassword(share, callerAddress(request), password)
    startVisit(request, reply, token, share.link)
    await countVisit(share, guestOriginOf(request))
  }
  const { title, note, allows, files, allows_review, expires_at } = share.link
  const assetCount = await countOf(share)
  return {
    title,
    note,
    allows,
    files,
    review: allows_review,
    expiresAt: expires_at.toISOString(),
    assetCount,
    asArchive: allows === 'download' && (files === 'original' || assetCount <= mostInArchive),
  }
}

async function askPassword(
  { link, library }: OpenedShare,
  address: string,
  password: string | undefined,
): Promise<void> {
  if (link.password_hash === null) return
  if (password === undefined) throw passwordNeeded()
  const takeBack = await countGuess(library.db, link.id, address)
  if (!(await passwordFits(password, link.password_hash)))
    throw new Problem('wrong-password', 'The password is not the one of this link. Try again.')
  await takeBack()
}

/** The share of a guest who has been let in. Asked anew for every request: what has ended is over at once. */
export async function shareFor(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<OpenedShare> {
  const share = await shareByToken(request, reply, token)
  if (share.link.password_hash !== null && !hasVisit(request, share.link)) throw passwordNeeded()
  return share
}

async function shareByToken(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<OpenedShare> {
  const share = await findShare(request.server.parts, token)
  if (!share) throw nothingShared()
  request.server.rateLimits.countLink(reply, share.link.id)
  share.library.caller.origin = guestOriginOf(request)
  share.library.idempotencyKey = idempotencyKeyOf(request, share.link.id)
  return share
}

export async function findShare(parts: Parts, token: string): Promise<OpenedShare | undefined> {
  const link = await parts.db
    .selectFrom('share_links')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where(state, '=', 'open')
    .where(isOfSomething)
    .executeTakeFirst()
  const library = link && (await guestLibrary(parts, link))
  return library && { link, library }
}

/** Breaks an answer off when the link ends before it does. */
export function endWithLink(
  request: FastifyRequest,
  { raw }: FastifyReply,
  token: string,
  { link }: OpenedShare,
): void {
  const { parts } = request.server
  const look = async () => {
    if (!(await findShare(parts, token).catch(() => undefined))) raw.destroy()
  }
  const unfollow = parts.newEvents.followRights(look)
  const timer = setTimeout(look, Math.min(link.expires_at.getTime() - Date.now(), longestTimer)).unref()
  raw.once('close', () => {
    unfollow()
    clearTimeout(timer)
  })
}

const longestTimer = 2 ** 31 - 1

/** One of the assets that are shared; any other is as absent as one that never was. */
export async function sharedAsset(share: OpenedShare, assetId: string): Promise<AssetRow> {
  const asset = await share.library.db
    .selectFrom('assets')
    .select(assetColumns)
    .where(isShared(share))
    .where('id', '=', knownId('asset', assetId))
    .executeTakeFirst()
  if (!asset) throw notFound('No asset')
  return asset
}

/** The one rule of what a link shows: chosen, in the folder or in the collection, not in the trash, and its rights have not ended. */
export const isShared =
  ({ link, library }: OpenedShare) =>
  (eb: ExpressionBuilder<Schema, 'assets'>) =>
    eb.and([
      eb('assets.client_id', '=', link.client_id),
      eb('assets.trashed_at', 'is', null),
      sql<boolean>`(assets.rights_expire_at is null or assets.rights_expire_at > now())`,
      link.folder_id === null
        ? sql<boolean>`exists (${placeIn(link)})`
        : sql<boolean>`assets.folder_id = any(${idsBelow(library, link.folder_id)})`,
    ])

/** Where an asset stands in what was chosen, or in the collection as it is now. */
export const placeIn = ({ id, collection_id }: ShareLinkRow) =>
  collection_id === null
    ? sql<number>`select place from share_link_assets chosen where chosen.client_id = assets.client_id
        and chosen.share_link_id = ${id} and chosen.asset_id = assets.id`
    : sql<number>`select place from collection_assets placed where placed.client_id = assets.client_id
        and placed.collection_id = ${collection_id} and placed.asset_id = assets.id`

async function countOf(share: OpenedShare): Promise<number> {
  const { count } = await share.library.db
    .selectFrom('assets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isShared(share))
    .executeTakeFirstOrThrow()
  return count
}

/** Over, revoked, never there: whoever asks without a login learns nothing more. */
const nothingShared = () => notFound('Nothing')

const passwordNeeded = () =>
  new Problem('password-needed', 'This link has a password. Open it with the one you were given.')
