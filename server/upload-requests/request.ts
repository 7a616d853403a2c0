import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { guestOriginOf, idempotencyKeyOf } from '../access/door.ts'
import { guestLibrary, linkState, mayStill } from '../access/guest-links.ts'
import type { Reader } from '../db/database.ts'
import type { UploadRequestsTable } from '../db/schema.ts'
import type { Library, Parts } from '../library.ts'
import { notFound } from '../problems.ts'
import { hashToken } from '../secrets.ts'

export type UploadRequestRow = Selectable<UploadRequestsTable>

/** What one address takes files for, and nothing else. */
export interface OpenRequest {
  request: UploadRequestRow
  library: Library
}

export const state = linkState('upload_requests')

/** The request behind an address. Asked anew each time: what has ended is over at once. */
export async function requestFor(
  http: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<OpenRequest> {
  const found = await findRequest(http.server.parts, token)
  // Over, revoked, never there: whoever asks without a login learns nothing more.
  if (!found) throw notFound('Nothing')
  const { library, request } = found
  http.server.rateLimits.countLink(reply, request.id)
  library.caller.origin = guestOriginOf(http)
  library.idempotencyKey = idempotencyKeyOf(http, request.id)
  return found
}

export async function findRequest(parts: Parts, token: string): Promise<OpenRequest | undefined> {
  const request = await openRequests(parts.db).where('token_hash', '=', hashToken(token)).executeTakeFirst()
  const library = request && (await guestLibrary(parts, request))
  return library && { request, library: { ...library, uploadRequestId: request.id } }
}

/** Whether bytes on their way to this request are still wanted. */
export const isAskedFor =
  (parts: Pick<Parts, 'db' | 'config'>) =>
  async (clientId: string, uploadRequestId: string): Promise<boolean> => {
    const request = await openRequests(parts.db)
      .where('client_id', '=', clientId)
      .where('id', '=', uploadRequestId)
      .executeTakeFirst()
    return request !== undefined && mayStill(parts, request)
  }

export const openRequests = (db: Reader) =>
  db.selectFrom('upload_requests').selectAll().where(state, '=', 'open')

/** What counts against the caps: what is on its way, what waits, and what was accepted. */
export const taken = (db: Reader, { client_id, id }: UploadRequestRow) =>
  db
    .selectFrom('upload_sessions')
    .select([
      ({ fn }) => fn.countAll<number>().as('files'),
      sql<number>`coalesce(sum(expected_size_bytes), 0)::bigint`.as('bytes'),
    ])
    .where('client_id', '=', client_id)
    .where('upload_request_id', '=', id)
    .where(sql<boolean>`(status = 'finalized' or status = 'open' and expires_at > now())`)
    .executeTakeFirstOrThrow()
