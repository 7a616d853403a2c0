import { sql } from 'kysely'
import {
  type NewUploadRequest,
  type UploadRequest,
  type UploadRequestPage,
  type UploadRequestQuery,
  type UploadRequestWithUrl,
  usualRequestDays,
  usualRequestedBytes,
  usualRequestedFiles,
} from '../../contract/upload-requests.ts'
import { makersOf, revokeLink } from '../access/guest-links.ts'
import { newestFirst } from '../cursors.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import { keepFolder } from '../folders/tree.ts'
import { knownId, newId } from '../ids.ts'
import { change, changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'
import { abortUnreceived } from '../uploads/sessions.ts'
import { state, type UploadRequestRow } from './request.ts'

/** Lets whoever holds the address send files for one folder, until it ends or is full. */
export const createUploadRequest = (
  library: Library,
  publicUrl: string,
  input: NewUploadRequest,
): Promise<UploadRequestWithUrl> =>
  changeOnce(library, async (its) => {
    const id = newId('request')
    const token = newToken()
    const { title, note = '', folderId = null, ttlDays = usualRequestDays } = input
    await keepFolder(its.trx, library, folderId)
    const { expires_at } = await its.trx
      .insertInto('upload_requests')
      .values({
        client_id: library.clientId,
        id,
        token_hash: hashToken(token),
        title,
        note,
        folder_id: folderId,
        max_files: input.maxFiles ?? usualRequestedFiles,
        max_bytes: input.maxBytes ?? usualRequestedBytes,
        expires_at: new Date(Date.now() + ttlDays * 86_400_000),
        created_by: library.caller.id,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow()
    its.tell('upload-request.created', id, { title, expiresAt: expires_at.toISOString() })
    return { ...(await recordOf(its.trx, library, id)), url: `${publicUrl}/u/${token}` }
  })

export async function listUploadRequests(
  library: Library,
  query: UploadRequestQuery,
): Promise<UploadRequestPage> {
  const { page, nextCursor } = await newestFirst(requestsOf(library.db, library), query)
  return { uploadRequests: await toUploadRequests(library.db, library, page), nextCursor }
}

/** Nothing more is taken, not even what is on its way; what waits goes on waiting for a decision. */
export const revokeUploadRequest = (library: Library, uploadRequestId: string): Promise<UploadRequest> =>
  change(library, async (its) => {
    const id = knownId('request', uploadRequestId)
    const revoked = await revokeLink(its, library, 'upload_requests', id)
    if (revoked) {
      await abortUnreceived(its, library, id)
      its.tell('upload-request.revoked', id, revoked)
    }
    return recordOf(its.trx, library, id)
  })

async function recordOf(trx: Trx, library: Library, id: string): Promise<UploadRequest> {
  const rows = await requestsOf(trx, library).where('id', '=', id).execute()
  const [record] = await toUploadRequests(trx, library, rows)
  if (!record) throw notFound('No request')
  return record
}

const filesOf = (which: string) => sql<number>`(
  select count(*) from upload_sessions s where s.client_id = upload_requests.client_id
    and s.upload_request_id = upload_requests.id and ${sql.raw(which)})`

const requestsOf = (db: Reader, { clientId }: Library) =>
  db
    .selectFrom('upload_requests')
    .selectAll()
    .select([
      state.as('state'),
      filesOf(`s.status = 'open' and s.received_as is not null and s.expires_at > now()`).as('waiting'),
      filesOf(`s.status = 'finalized'`).as('accepted'),
    ])
    .where('client_id', '=', clientId)

type Counted = UploadRequestRow & {
  state: 'open' | 'expired' | 'revoked'
  waiting: number
  accepted: number
}

async function toUploadRequests(db: Reader, library: Library, rows: Counted[]): Promise<UploadRequest[]> {
  const makers = await makersOf(db, library, rows)
  return rows.map((row) => {
    const maker = makers.get(row.created_by)
    return {
      uploadRequestId: row.id,
      clientId: row.client_id,
      state: row.state === 'open' && !maker?.mayStill ? 'suspended' : row.state,
      title: row.title,
      note: row.note,
      folderId: row.folder_id,
      maxFiles: row.max_files,
      maxBytes: row.max_bytes,
      waitingFiles: row.waiting,
      acceptedFiles: row.accepted,
      expiresAt: row.expires_at.toISOString(),
      revokedAt: row.revoked_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
      createdByName: maker?.name ?? null,
    }
  })
}

/** Long after the last of its files was decided on, or has gone. */
export const forgetOldUploadRequests = (db: Db) =>
  db
    .deleteFrom('upload_requests')
    .where('expires_at', '<', sql<Date>`now() - interval '90 days'`)
    .where(
      sql<boolean>`not exists (select from upload_sessions s where s.client_id = upload_requests.client_id
        and s.upload_request_id = upload_requests.id and s.status = 'open')`,
    )
    .execute()
