import { sql } from 'kysely'
import {
  type GuestFile,
  type GuestFileProgress,
  type NewGuestFile,
  type OpenedRequest,
  waitingDays,
} from '../../contract/upload-requests.ts'
import type { PartsRequest, PartUrls, UploadSession } from '../../contract/uploads.ts'
import { clientById } from '../clients/clients.ts'
import type { Reader } from '../db/database.ts'
import type { Change } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { largestOfEach } from '../uploads/limits.ts'
import { receiveUpload } from '../uploads/receive.ts'
import { type SessionRow, sessionByToken } from '../uploads/session.ts'
import {
  abortSession,
  alreadySent,
  liveOn,
  openSession,
  partUrls,
  sessionProgress,
} from '../uploads/sessions.ts'
import { type OpenRequest, openRequests, taken, type UploadRequestRow } from './request.ts'

export async function openedRequest({ request, library }: OpenRequest): Promise<OpenedRequest> {
  const { files, bytes } = await taken(library.db, request)
  return {
    title: request.title,
    clientName: (await clientById(library.db, library.clientId)).name,
    note: request.note,
    expiresAt: request.expires_at.toISOString(),
    filesLeft: Math.max(0, request.max_files - files),
    bytesLeft: Math.max(0, request.max_bytes - bytes),
    maxSizeBytes: largestOfEach(library),
  }
}

/** Opens an upload like any other, for no folder yet: what becomes of it is decided in the waiting room. */
export const sendFile = (
  { request, library }: OpenRequest,
  { sender, note = '', ...file }: NewGuestFile,
): Promise<UploadSession> =>
  openSession(library, file, {
    until: request.expires_at,
    noting: async ({ trx }, uploadSessionId) => {
      await lockOpen({ trx }, request)
      await refuseTooMany(trx, request)
      const { files, bytes } = await taken(trx, request)
      // This one is counted already.
      if (files > request.max_files || bytes > request.max_bytes) throw full()
      await trx
        .insertInto('guest_files')
        .values({
          client_id: request.client_id,
          upload_id: uploadSessionId,
          sender: sender.trim(),
          note: note.trim(),
        })
        .execute()
    },
  }).catch((error) => {
    // How much the client has and may have is none of a guest's business.
    throw error instanceof Problem && error.code === 'quota-exceeded' ? full() : error
  })

/** Opening and taking back makes room each time, and work. */
async function refuseTooMany(trx: Reader, { client_id, id, max_files }: UploadRequestRow): Promise<void> {
  const { opened } = await trx
    .selectFrom('upload_sessions')
    .select(({ fn }) => fn.countAll<number>().as('opened'))
    .where('client_id', '=', client_id)
    .where('upload_request_id', '=', id)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  if (opened > 2 * max_files + 20)
    throw new Problem('rate-limited', 'Too many files were begun here within an hour. Go on later.', {
      headers: { 'retry-after': '600' },
    })
}

/**
 * One after another, so that the caps hold however many are sent at once; and none once it has ended. Their sessions
 * refer to this row already: a lock that its key could change under would wait for them, and they for it.
 */
async function lockOpen({ trx }: Pick<Change, 'trx'>, { client_id, id }: UploadRequestRow): Promise<void> {
  const open = await openRequests(trx)
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!open) throw notFound('Nothing')
}

export async function fileProgress(
  { library }: OpenRequest,
  { uploadToken }: GuestFile,
): Promise<GuestFileProgress> {
  const { id, received_as } = await sessionByToken(library, uploadToken)
  const progress = await sessionProgress(library, id)
  if (received_as === null) return { ...progress, note: null }
  const { declined_note: note } = await library.db
    .selectFrom('guest_files')
    .select('declined_note')
    .where('client_id', '=', library.clientId)
    .where('upload_id', '=', id)
    .executeTakeFirstOrThrow()
  const status = note === null ? 'waiting' : 'declined'
  return { ...progress, status, note, assetId: null, problem: null }
}

export async function signParts({ library, request }: OpenRequest, wish: PartsRequest): Promise<PartUrls> {
  const signed = await partUrls(library, wish)
  await liveOn(library, wish.uploadToken, request.expires_at)
  return signed
}

/** Takes back what has not arrived yet. */
export async function cancelFile({ library }: OpenRequest, { uploadToken }: GuestFile): Promise<void> {
  const session = await sessionByToken(library, uploadToken)
  refuseSent(session)
  // It may be sent by now.
  await abortSession(library, session.id, async (_, closed) => refuseSent(closed))
}

function refuseSent({ received_as }: SessionRow): void {
  if (received_as !== null) throw alreadySent()
}

/** All of the file has arrived: it is looked at where its sender cannot reach it any more, and waits. */
export const receiveFile = ({ library, request }: OpenRequest, { uploadToken }: GuestFile): Promise<void> =>
  receiveUpload(library, uploadToken, waitingDays, {
    async received(its, session, { width, height, durationSeconds, hasPreview, scanned }) {
      await lockOpen(its, request)
      await its.trx
        .updateTable('guest_files')
        .set({ received_at: new Date(), width, height, duration_seconds: durationSeconds })
        .set({ has_preview: hasPreview, scanned })
        .where('client_id', '=', library.clientId)
        .where('upload_id', '=', session.id)
        .execute()
      its.tell('upload-request.received', request.id, await toldOf(its, request, session))
    },
    async refused(its, session, code) {
      its.tell('upload-request.refused', request.id, { ...(await toldOf(its, request, session)), code })
    },
  })

async function toldOf({ trx }: Change, { client_id, title }: UploadRequestRow, session: SessionRow) {
  const { sender } = await trx
    .selectFrom('guest_files')
    .select('sender')
    .where('client_id', '=', client_id)
    .where('upload_id', '=', session.id)
    .executeTakeFirstOrThrow()
  return { title, originalFilename: session.original_filename, sender }
}

const full = () =>
  new Problem('request-full', 'No more is taken here. Ask the person who sent you this link.')
