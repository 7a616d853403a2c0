import { sql } from 'kysely'
import {
  type NewShareLink,
  type ShareLink,
  type ShareLinkPage,
  type ShareLinkQuery,
  type ShareLinkWithUrl,
  usualShareDays,
} from '../../contract/shares.ts'
import { revokeLink } from '../access/guest-links.ts'
import { hashPassword } from '../access/passwords.ts'
import { keepCollection } from '../collections/collections.ts'
import { newestFirst } from '../cursors.ts'
import type { Db, Trx } from '../db/database.ts'
import { keepFolder } from '../folders/tree.ts'
import { isId, knownId, newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'
import { linksOf, toShareLinks } from './share-link.ts'

/** Lets whoever holds the address see these assets, this folder with all below it, or this collection, until the link ends. */
export async function createShareLink(
  library: Library,
  publicUrl: string,
  input: NewShareLink,
): Promise<ShareLinkWithUrl> {
  refuseContradictions(input)
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password)
  return changeOnce(library, (its) => keepLink(its, library, publicUrl, input, passwordHash))
}

function refuseContradictions({ files = 'original', watermark, ...input }: NewShareLink): void {
  const named = [input.assetIds, input.folderId, input.collectionId].filter((what) => what !== undefined)
  if (named.length !== 1)
    throw new Problem(
      'invalid-request',
      'Name either the assetIds, the folderId or the collectionId that is to be shared.',
    )
  if (watermark !== undefined && files === 'original')
    throw new Problem('invalid-request', 'Originals have no watermark. Share renditions, or leave it out.')
}

async function keepLink(
  its: Change,
  library: Library,
  publicUrl: string,
  { assetIds = [], ...input }: NewShareLink,
  passwordHash: string | null,
): Promise<ShareLinkWithUrl> {
  const { clientId, caller } = library
  const { title, note = '', folderId = null, collectionId = null, ttlDays = usualShareDays } = input
  const id = newId('share')
  const token = newToken()
  await keepFolder(its.trx, library, folderId)
  if (collectionId !== null) await keepCollection(its.trx, library, collectionId)
  await refuseAbsent(its.trx, library, assetIds)
  const { expires_at } = await its.trx
    .insertInto('share_links')
    .values({
      client_id: clientId,
      id,
      token_hash: hashToken(token),
      title,
      note,
      folder_id: folderId,
      collection_id: collectionId,
      password_hash: passwordHash,
      allows: input.allows ?? 'view',
      files: input.files ?? 'original',
      allows_review: input.review ?? false,
      watermark: input.watermark ?? null,
      expires_at: new Date(Date.now() + ttlDays * 86_400_000),
      created_by: caller.id,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  if (assetIds.length > 0)
    await its.trx
      .insertInto('share_link_assets')
      .values(
        assetIds.map((asset_id, place) => ({ client_id: clientId, share_link_id: id, asset_id, place })),
      )
      .execute()
  its.tell('share-link.created', id, { title, expiresAt: expires_at.toISOString() })
  return { ...(await recordOf(its.trx, library, id)), url: `${publicUrl}/s/${token}` }
}

/** All of them, or none: a link that shows less than was chosen would go unnoticed. */
async function refuseAbsent(trx: Trx, { clientId }: Library, assetIds: string[]): Promise<void> {
  if (assetIds.length === 0) return
  const { there } = await trx
    .selectFrom('assets')
    .select(({ fn }) => fn.countAll<number>().as('there'))
    .where('client_id', '=', clientId)
    .where('id', 'in', assetIds)
    .where('trashed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (there < assetIds.length || !assetIds.every((id) => isId('asset', id))) throw notFound('No asset')
}

export async function listShareLinks(library: Library, query: ShareLinkQuery): Promise<ShareLinkPage> {
  const { page, nextCursor } = await newestFirst(linksOf(library.db, library), query)
  return { shareLinks: await toShareLinks(library.db, library, page), nextCursor }
}

export const revokeShareLink = (library: Library, shareLinkId: string): Promise<ShareLink> =>
  change(library, async (its) => {
    const id = knownId('share', shareLinkId)
    const revoked = await revokeLink(its, library, 'share_links', id)
    if (revoked) its.tell('share-link.revoked', id, revoked)
    return recordOf(its.trx, library, id)
  })

async function recordOf(trx: Trx, library: Library, id: string): Promise<ShareLink> {
  const rows = await linksOf(trx, library).where('id', '=', id).execute()
  const [record] = await toShareLinks(trx, library, rows)
  if (!record) throw notFound('No share')
  return record
}

export const forgetOldShareLinks = (db: Db) =>
  db.deleteFrom('share_links').where('expires_at', '<', sql<Date>`now() - interval '90 days'`).execute()
