import type { GuestFileProgress } from '../../contract/upload-requests.ts'
import { isProblem } from '../api.ts'
import { bytesOfParts } from '../uploads/parts.ts'
import { savedUploads } from '../uploads/saved-uploads.ts'
import { readProgress } from './request-api.ts'
import type { Begun } from './send-file.ts'

/** What this browser remembers of a file that it has sent by this link, or begun to send. */
export interface SavedFile extends Begun {
  name: string
  sizeBytes: number
  lastModified: number
  sender: string
}

/** By a part of the address that opens nothing. */
export const savedFiles = savedUploads<SavedFile>(`guest:${location.pathname.replace(/\/+$/, '').slice(-8)}`)

export type LeftBehind = { saved: SavedFile } & (
  | { state: 'left'; sentBytes: number }
  /** All of it is there; nobody has said so. */
  | { state: 'arrived' }
  | { state: 'declined'; note: string }
)

/** What is to be said of earlier visits: what was not sent to its end, and what was declined. */
export async function leftBehind(): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  for (const saved of await savedFiles.leftBehind()) {
    const progress = await readProgress(saved.uploadToken).catch((error) =>
      isProblem(error, 'upload-not-found') ? null : undefined,
    )
    if (progress === undefined) continue // nobody can say now
    const said = progress && whatIsLeft(saved, progress)
    if (said) left.push(said)
    else if (progress?.status !== 'waiting') savedFiles.forget(saved.uploadSessionId)
  }
  return left
}

function whatIsLeft(
  saved: SavedFile,
  { status, multipart, note }: GuestFileProgress,
): LeftBehind | undefined {
  if (status === 'uploaded') return { saved, state: 'arrived' }
  if (status === 'declined') return { saved, state: 'declined', note: note ?? '' }
  if (status !== 'awaiting-upload') return undefined
  const sentBytes = multipart
    ? bytesOfParts(
        { sizeBytes: saved.sizeBytes, partSizeBytes: multipart.partSizeBytes },
        multipart.uploadedPartNumbers,
      )
    : 0
  return { saved, state: 'left', sentBytes }
}
