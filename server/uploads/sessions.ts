import { keptName } from '../../contract/file-names.ts'
import type {
  NewUploadSession,
  PartsRequest,
  PartUrls,
  UploadProgress,
  UploadSession,
} from '../../contract/uploads.ts'
import { assetRow } from '../assets/asset.ts'
import { askPrepared } from '../db/prepared.ts'
import { keepFolder } from '../folders/tree.ts'
import { problemBody } from '../http/answers.ts'
import { newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'
import { claims } from './claims.ts'
import { largestPut, partSize, refuseTooLarge } from './limits.ts'
import { holderOf } from './may-put.ts'
import {
  isOver,
  partKey,
  refuseEnded,
  rejection,
  type SessionRow,
  sessionById,
  sessionByToken,
  sessionColumns,
  stagingKey,
  stagingPrefix,
  tellUpload,
} from './session.ts'
import { clearStaging } from './sweep.ts'

type Noting = (its: Change, uploadSessionId: string) => Promise<void>

/**
 * `noting` belongs to the same change, and may still refuse. `moving`: for a library that moves in here, the id that an
 * asset had elsewhere; it may lie in the trash. `until`: when what asked a
 * guest for it ends; it lives no longer than its first URL, unless bytes arrive (`liveOn`).
 */
export async function openSession(
  library: Library,
  input: NewUploadSession,
  { noting, moving, until }: { noting?: Noting; moving?: { assetId: string }; until?: Date } = {},
): Promise<UploadSession> {
  const sizeBytes = input.expectedSizeBytes
  const originalFilename = keptName(input.originalFilename)
  refuseTooLarge(library, input.mimeType, sizeBytes)
  const id = newId('upload')
  const uploadToken = newToken()
  const { sessionSeconds, urlSeconds } = library.limits
  const expiresAt = sooner(inSeconds(until ? Math.min(urlSeconds, sessionSeconds) : sessionSeconds), until)
  const uploadUrl = await putUrl(library, { id, expected_size_bytes: sizeBytes })
  const partSizeBytes = partSize(library, sizeBytes)

  return changeOnce(library, async (its) => {
    await keepFolder(its.trx, library, input.folderId ?? null)
    const upload_request_id = library.uploadRequestId ?? null
    const insert = its.trx.insertInto('upload_sessions').values({
      client_id: library.clientId,
      id,
      token_hash: hashToken(uploadToken),
      asset_id:
        moving?.assetId ??
        (input.replacesAssetId ? await liveAssetId(library, its.trx, input.replacesAssetId) : newId('asset')),
      replaces_asset: input.replacesAssetId !== undefined,
      folder_id: input.folderId ?? null,
      original_filename: originalFilename,
      mime_type: input.mimeType,
      expected_size_bytes: sizeBytes,
      expected_sha256: input.sha256?.toLowerCase() ?? null,
      part_size_bytes: partSizeBytes,
      upload_request_id,
      created_by: library.caller.id,
      expires_at: expiresAt,
      urls_expire_at: inSeconds(urlSeconds),
      sweep_at: expiresAt,
    })
    await askPrepared(its.trx, insert)
    await noting?.(its, id)
    tellUpload(its, { id, upload_request_id }, 'upload.created', {
      originalFilename,
      expectedSizeBytes: sizeBytes,
    })
    its.count({ reserved: sizeBytes })
    return {
      uploadSessionId: id,
      uploadUrl,
      uploadToken,
      expiresAt: expiresAt.toISOString(),
      status: 'awaiting-upload' as const,
      ...(partSizeBytes && { multipart: { partSizeBytes } }),
    }
  })
}

/** How far an upload is; a fresh URL while bytes are awaited, and the parts that need not be sent again. */
export async function sessionProgress(library: Library, uploadSessionId: string): Promise<UploadProgress> {
  const session = await sessionById(library.db, library, uploadSessionId)
  const open = session.status === 'open' && !isOver(session)
  const waits = session.received_as !== null
  const parts = open && !waits && session.part_size_bytes ? await uploadedParts(library, session) : []
  const there = open && (waits || (await bytesAreThere(library, session, parts)))
  if (open && !there) await signedUntil(library, session, inSeconds(library.limits.urlSeconds))
  return {
    uploadSessionId: session.id,
    status: open
      ? there
        ? 'uploaded'
        : 'awaiting-upload'
      : isOver(session)
        ? 'expired'
        : (session.status as 'finalized'),
    originalFilename: session.original_filename,
    mimeType: session.mime_type,
    expectedSizeBytes: session.expected_size_bytes,
    expiresAt: session.expires_at.toISOString(),
    uploadUrl: open && !there && !session.in_parts ? await putUrl(library, session) : null,
    ...(session.part_size_bytes && {
      multipart: { partSizeBytes: session.part_size_bytes, uploadedPartNumbers: parts },
    }),
    assetId: session.status === 'finalized' ? session.asset_id : null,
    problem: session.status === 'rejected' ? problemBody(rejection(session)) : null,
  }
}

export async function partUrls(
  library: Library,
  { uploadToken, partNumbers }: PartsRequest,
): Promise<PartUrls> {
  const session = await sessionByToken(library, uploadToken)
  if (session.received_as !== null) throw alreadySent()
  if (session.status === 'finalized') throw alreadyFinalized()
  refuseEnded(session)
  const count = partCount(session)
  if (partNumbers.some((number) => number > count))
    throw new Problem(
      'invalid-request',
      count === 0
        ? 'This upload takes no parts: send the file to its uploadUrl.'
        : `This upload has ${count} parts.`,
    )

  const expiresAt = inSeconds(library.limits.urlSeconds)
  await signedUntil(library, session, expiresAt)
  await giveUpWhole(library, session)
  const parts = await Promise.all(
    partNumbers.map(async (partNumber) => {
      const sizeBytes = sizeOfPart(session, partNumber)
      const permit = {
        sizeBytes,
        expiresInSeconds: library.limits.urlSeconds,
        holder: holderOf(library.caller),
      }
      return {
        partNumber,
        sizeBytes,
        uploadUrl: await library.storage.presignPut(partKey(session, partNumber), permit),
      }
    }),
  )
  return { parts, expiresAt: expiresAt.toISOString() }
}

/** The bytes of a session take their room once: what was put whole goes when parts are asked for. */
async function giveUpWhole(library: Library, session: SessionRow): Promise<void> {
  if (session.in_parts) return
  await library.db
    .updateTable('upload_sessions')
    .set({ in_parts: true })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.id)
    .execute()
  await library.storage.delete([stagingKey(session)])
}

/** Lets a guest's upload live as long as any other, once a part of it has arrived. */
export async function liveOn(library: Library, uploadToken: string, until: Date): Promise<void> {
  const session = await sessionByToken(library, uploadToken)
  const longer = sooner(inSeconds(library.limits.sessionSeconds, session.created_at.getTime()), until)
  if (session.expires_at >= longer || (await uploadedParts(library, session)).length === 0) return
  await library.db
    .updateTable('upload_sessions')
    .set({ expires_at: longer, sweep_at: longer })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.id)
    .where('status', '=', 'open')
    .where('received_as', 'is', null)
    .execute()
}

/** Ends all uploads to a request that have not arrived, and frees their bytes. What is there of them is swept. */
export async function abortUnreceived(
  { trx, count }: Change,
  { clientId }: Library,
  uploadRequestId: string,
): Promise<void> {
  const closed = await trx
    .updateTable('upload_sessions')
    .set({ status: 'aborted', ...claims.givenBack, sweep_at: new Date() })
    .where('client_id', '=', clientId)
    .where('upload_request_id', '=', uploadRequestId)
    .where('status', '=', 'open')
    .where('received_as', 'is', null)
    .returning('expected_size_bytes')
    .execute()
  for (const { expected_size_bytes } of closed) count({ reserved: -expected_size_bytes })
}

/** Ends the session and frees its bytes. Aborting twice is no fault. */
export async function abortSession(
  library: Library,
  uploadSessionId: string,
  tell = async (its: Change, session: SessionRow) =>
    tellUpload(its, session, 'upload.aborted', { originalFilename: session.original_filename }),
): Promise<void> {
  const session = await change(library, async (its) => {
    const found = await sessionById(its.trx, library, uploadSessionId)
    const closed = await its.trx
      .updateTable('upload_sessions')
      .set({ status: 'aborted', ...claims.givenBack, sweep_at: new Date() })
      .where('client_id', '=', library.clientId)
      .where('id', '=', found.id)
      .where('status', '=', 'open')
      .returning(sessionColumns)
      .executeTakeFirst()
    if (closed) {
      await tell(its, closed)
      its.count({ reserved: -found.expected_size_bytes })
    } else if ((await sessionById(its.trx, library, found.id)).status === 'finalized')
      throw alreadyFinalized()
    return found
  })
  await clearStaging(library, session)
}

export const partCount = (session: SessionRow) =>
  session.part_size_bytes ? Math.ceil(session.expected_size_bytes / session.part_size_bytes) : 0

/** The parts that have arrived whole, by number. */
export async function uploadedParts(library: Library, session: SessionRow): Promise<number[]> {
  const numbers: number[] = []
  for await (const { key, sizeBytes } of library.storage.list(`${stagingPrefix(session)}part-`)) {
    const partNumber = Number(key.slice(-5))
    if (sizeBytes === sizeOfPart(session, partNumber)) numbers.push(partNumber)
  }
  return numbers
}

const sizeOfPart = (session: SessionRow, partNumber: number) =>
  Math.min(
    session.part_size_bytes!,
    session.expected_size_bytes - (partNumber - 1) * session.part_size_bytes!,
  )

async function bytesAreThere(library: Library, session: SessionRow, parts: number[]): Promise<boolean> {
  if (parts.length > 0 && parts.length === partCount(session)) return true
  return (await library.storage.head(stagingKey(session))) !== undefined
}

async function putUrl(
  library: Library,
  session: Pick<SessionRow, 'id' | 'expected_size_bytes'>,
): Promise<string | null> {
  const sizeBytes = session.expected_size_bytes
  if (sizeBytes > largestPut) return null
  return library.storage.presignPut(stagingKey(session), {
    sizeBytes,
    expiresInSeconds: library.limits.urlSeconds,
    holder: holderOf(library.caller),
  })
}

// Noted before the URL is handed out: the last sweep of staging must come after the last URL has expired.
const signedUntil = (library: Library, session: SessionRow, until: Date) =>
  library.db
    .updateTable('upload_sessions')
    .set({ urls_expire_at: until })
    .where('client_id', '=', library.clientId)
    .where('id', '=', session.id)
    .where('urls_expire_at', '<', until)
    .execute()

async function liveAssetId(
  library: Library,
  trx: Parameters<typeof assetRow>[0],
  assetId: string,
): Promise<string> {
  const asset = await assetRow(trx, library, assetId)
  if (asset.trashed_at) throw notFound('No asset outside the trash')
  return asset.id
}

const inSeconds = (seconds: number, from = Date.now()) => new Date(from + seconds * 1000)

const sooner = (time: Date, other = time) => (other < time ? other : time)

/** What a guest sent is not theirs any more, whatever becomes of it. */
export const alreadySent = () =>
  new Problem('upload-finalized', 'This file was sent already. Ask the person who sent you this link.')

const alreadyFinalized = () =>
  new Problem('upload-finalized', 'This upload has become an asset already. Use the asset itself.')
