import type { Selectable } from 'kysely'
import type { Reader } from '../db/database.ts'
import type { UploadSessionsTable } from '../db/schema.ts'
import { isId } from '../ids.ts'
import type { Library } from '../library.ts'
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

/** Where finalization keeps what it makes of this session; each attempt has a place of its own below. */
export const finalPrefix = (session: { asset_id: string; id: string }) =>
  `assets/${session.asset_id}/${session.id}/`

export async function sessionByToken(library: Library, uploadToken: string): Promise<SessionRow> {
  const session = await library.db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('token_hash', '=', hashToken(uploadToken))
    .where('client_id', '=', library.clientId)
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
    .where('client_id', '=', library.clientId)
    .where('id', '=', uploadSessionId)
    .executeTakeFirst()
  if (!session) throw uploadNotFound()
  return session
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
