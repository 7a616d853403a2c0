import { sql } from 'kysely'
import { isFilm } from '../../contract/media-types.ts'
import type {
  Acceptance,
  Decided,
  Declining,
  WaitingFile,
  WaitingRoom,
  WaitingRoomQuery,
} from '../../contract/upload-requests.ts'
import { newestFirst } from '../cursors.ts'
import { folderPath } from '../folders/tree.ts'
import { asProblem } from '../http/answers.ts'
import type { FileAnswer, LongFile } from '../http/file-answers.ts'
import { isId } from '../ids.ts'
import { change, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { finalizeByHash } from '../uploads/finalize.ts'
import { waitingPreviewKey } from '../uploads/receive.ts'
import { waitingPlace } from '../uploads/session.ts'
import { abortSession } from '../uploads/sessions.ts'

/** What guests have sent and nobody has decided on, newest first. */
export async function waitingRoom(library: Library, query: WaitingRoomQuery): Promise<WaitingRoom> {
  const { page, nextCursor } = await newestFirst(waiting(library), query)
  const { waitingFiles } = await waiting(library)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('waitingFiles'))
    .executeTakeFirstOrThrow()
  return { files: page.map(toWaitingFile), waitingFiles, nextCursor }
}

/** All files of guests that have arrived, whatever became of them. */
const received = ({ db, clientId }: Library) =>
  db
    .selectFrom('upload_sessions')
    .innerJoin('guest_files', (join) =>
      join
        .onRef('guest_files.client_id', '=', 'upload_sessions.client_id')
        .onRef('guest_files.upload_id', '=', 'upload_sessions.id'),
    )
    .innerJoin(
      (requests) =>
        requests
          .selectFrom('upload_requests')
          .select(['upload_requests.client_id as requestClient', 'upload_requests.id as requestId'])
          .select(['upload_requests.title as requestTitle', 'upload_requests.folder_id as requestFolder'])
          .as('request'),
      (join) =>
        join
          .onRef('request.requestClient', '=', 'upload_sessions.client_id')
          .onRef('request.requestId', '=', 'upload_sessions.upload_request_id'),
    )
    .select(['id', 'created_at', 'token_hash', 'received_as', 'expires_at'])
    .select(['original_filename', 'mime_type', 'expected_size_bytes'])
    .select([
      'sender',
      'note',
      'received_at',
      'width',
      'height',
      'duration_seconds',
      'has_preview',
      'scanned',
    ])
    .select(['requestId', 'requestTitle', 'requestFolder'])
    .where('upload_sessions.client_id', '=', clientId)
    .where('received_as', 'is not', null)

export const waiting = (library: Library) =>
  received(library).where('status', '=', 'open').where('expires_at', '>', sql<Date>`now()`)

type Received = Awaited<ReturnType<ReturnType<typeof received>['execute']>>[number]

const toWaitingFile = (row: Received): WaitingFile => ({
  uploadSessionId: row.id,
  uploadRequestId: row.requestId,
  requestTitle: row.requestTitle,
  folderId: row.requestFolder,
  originalFilename: row.original_filename,
  mimeType: row.mime_type,
  sizeBytes: row.expected_size_bytes,
  width: row.width,
  height: row.height,
  durationSeconds: row.duration_seconds,
  hasPreview: row.has_preview,
  scanned: row.scanned,
  sender: row.sender,
  note: row.note,
  receivedAt: row.received_at!.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

async function one(files: ReturnType<typeof received>, uploadSessionId: string): Promise<Received> {
  const file = isId('upload', uploadSessionId)
    ? await files.where('id', '=', uploadSessionId).executeTakeFirst()
    : undefined
  if (!file) throw notFound('No waiting file')
  return file
}

/** Each becomes an asset by the same finalization as any other upload: looked at and scanned once more. */
export async function acceptFiles(
  library: Library,
  { uploadSessionIds, folderId, ...words }: Acceptance,
): Promise<Decided> {
  if (folderId) await folderPath(library.db, library, folderId)
  return eachOf(uploadSessionIds, async (uploadSessionId) => {
    const file = await one(received(library), uploadSessionId)
    const { asset, made } = await finalizeByHash(uploadsOf(library, file), file.token_hash, {
      ...words,
      folderId: folderId === undefined ? file.requestFolder : folderId,
    })
    if (made)
      await change(library, async (its) =>
        its.tell('upload-request.accepted', file.requestId, { ...toldOf(file), assetId: asset.assetId }),
      )
    const { duplicateOf: _, ...accepted } = asset
    return { asset: accepted }
  })
}

/** Each goes, and its bytes at once. Whoever sent it may read the note. */
export const declineFiles = (
  library: Library,
  { uploadSessionIds, note = '' }: Declining,
): Promise<Decided> =>
  eachOf(uploadSessionIds, async (uploadSessionId) => {
    const file = await one(received(library), uploadSessionId)
    await abortSession(uploadsOf(library, file), file.id, async (its) => {
      await its.trx
        .updateTable('guest_files')
        .set({ declined_note: note })
        .where('client_id', '=', library.clientId)
        .where('upload_id', '=', file.id)
        .execute()
      its.tell('upload-request.declined', file.requestId, { ...toldOf(file), note })
    })
    return {}
  })

const uploadsOf = (library: Library, { requestId }: Received): Library => ({
  ...library,
  uploadRequestId: requestId,
})

const toldOf = ({ requestTitle: title, original_filename: originalFilename, sender }: Received) => ({
  title,
  originalFilename,
  sender,
})

async function eachOf(
  uploadSessionIds: string[],
  decide: (uploadSessionId: string) => Promise<Partial<Decided['results'][number]>>,
): Promise<Decided> {
  const results: Decided['results'] = []
  for (const uploadSessionId of uploadSessionIds)
    try {
      results.push({ uploadSessionId, ok: true, ...(await decide(uploadSessionId)) })
    } catch (error) {
      const { code, message: detail, status } = asProblem(error as Error)
      if (status === 500) throw error
      results.push({ uploadSessionId, ok: false, problem: { code, detail } })
    }
  return { results }
}

/** What the file looks like, for those who decide on it. */
export async function waitingPreview(library: Library, uploadSessionId: string): Promise<FileAnswer> {
  const file = await one(waiting(library), uploadSessionId)
  const key = waitingPreviewKey(file, file.received_as!)
  const stored = file.has_preview ? await library.storage.head(key) : undefined
  if (!stored) throw notFound('No preview')
  return {
    sizeBytes: stored.sizeBytes,
    mimeType: 'image/webp',
    etag: `"${file.id}"`,
    filename: `${file.original_filename}.webp`,
    disposition: 'inline',
    open: (range) => library.storage.read(key, range),
  }
}

/** A film is played to those who decide on it. Where there is a scanner, it has looked through it before. */
export async function waitingFilm(library: Library, uploadSessionId: string): Promise<LongFile> {
  const file = await one(waiting(library), uploadSessionId)
  if (!isFilm(file.mime_type) || (library.malware.isOn && !file.scanned)) throw notFound('No film')
  const key = `${waitingPlace(file, file.received_as!)}/original`
  return {
    sizeBytes: file.expected_size_bytes,
    mimeType: file.mime_type,
    etag: `"${file.id}"`,
    filename: file.original_filename,
    disposition: 'inline',
    scan: (range, signal) => library.storage.scan(key, range, signal),
  }
}
