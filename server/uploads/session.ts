import { type Selectable, sql } from 'kysely'
import type { EventData } from '../../contract/events.ts'
import type { Reader } from '../db/database.ts'
import type { UploadSessionsTable } from '../db/schema.ts'
import { isId } from '../ids.ts'
import type { Change, Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'

export type SessionRow = Selectable<UploadSessionsTable>

export const sessionColumns = [
  'client_id',
  'id',
  'token_hash',
  'asset_id',
  'replaces_asset',
  'folder_id',
  'original_filename',
  'mime_type',
  'expected_size_bytes',
  'expected_sha256',
  'part_size_bytes',
  'in_parts',
  'upload_request_id',
  'received_as',
  'status',
  'problem',
  'claim',
  'claimed_until',
  'created_at',
  'created_by',
  'expires_at',
  'urls_expire_at',
  'sweep_at',
  'swept',
] as const satisfies (keyof UploadSessionsTable)[]

/** Where browsers put bytes. Presigned URLs name these keys and no others. */
export const stagingKey = (session: { id: string }) => `staging/${session.id}/file`
export const partKey = (session: { id: string }, partNumber: number) =>
  `staging/${session.id}/part-${String(partNumber).padStart(5, '0')}`
export const sessionOfKey = (key: string) => /^staging\/([^/]+)\//.exec(key)?.[1] ?? ''
export const stagingPrefix = (session: { id: string }) => `staging/${session.id}/`

/** Where a guest's file waits. No URL is ever signed for a key in here. */
export const waitingPlace = ({ id }: { id: string }, receivedAs: string) => `staging/${id}/${receivedAs}`

/** Where finalization keeps what it makes of this session; each attempt has a place of its own below. */
export const finalPrefix = (session: { asset_id: string; id: string }) =>
  `assets/${session.asset_id}/${session.id}/`

/** The uploads of this client; for a guest, those to their own request, and for nobody else the uploads of guests. */
export const ownUploads = ({ clientId, uploadRequestId }: Library) =>
  sql<boolean>`client_id = ${clientId} and upload_request_id is not distinct from ${uploadRequestId ?? null}::text`

export const sessionByToken = (library: Library, uploadToken: string): Promise<SessionRow> =>
  sessionByHash(library, hashToken(uploadToken))

export async function sessionByHash(library: Library, tokenHash: string): Promise<SessionRow> {
  const session = await library.db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where(ownUploads(library))
    .executeTakeFirst()
  if (!session) throw uploadNotFound()
  return session
}

export async function sessionById(
  db: Reader,
  library: Library,
  uploadSessionId: string,
): Promise<SessionRow> {
  if (!isId('upload', uploadSessionId)) throw uploadNotFound()
  const session = await db
    .selectFrom('upload_sessions')
    .selectAll()
    .where(ownUploads(library))
    .where('id', '=', uploadSessionId)
    .executeTakeFirst()
  if (!session) throw uploadNotFound()
  return session
}

/** What guests do is told by the request that asked for it, to those who decide on it. */
export function tellUpload<
  T extends 'upload.created' | 'upload.rejected' | 'upload.expired' | 'upload.aborted',
>(
  its: Change,
  { id, upload_request_id }: Pick<SessionRow, 'id' | 'upload_request_id'>,
  type: T,
  data: EventData<T>,
): void {
  if (upload_request_id === null) its.tell(type, id, data)
}

export const isOver = (session: Pick<SessionRow, 'status' | 'expires_at'>) =>
  session.status === 'open' && session.expires_at <= new Date()

/** Refuses to go on with a session that came to an end without an asset. */
export function refuseEnded(session: SessionRow): void {
  if (session.status === 'expired' || isOver(session))
    throw new Problem(
      'upload-expired',
      'This upload session has expired. Open a new one and send the file again.',
    )
  if (session.status === 'aborted')
    throw new Problem(
      'upload-expired',
      'This upload session was aborted. Open a new one and send the file again.',
    )
  if (session.status === 'rejected') throw rejection(session)
}

export const rejection = (session: SessionRow) =>
  new Problem(session.problem!.code as Problem['code'], session.problem!.detail)

const uploadNotFound = () =>
  new Problem('upload-not-found', 'No upload session was found here under that token or id. Open a new one.')
